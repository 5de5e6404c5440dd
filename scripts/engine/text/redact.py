"""Text from outside, made fit to be shown: one line, short, without secrets."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

__all__ = ["clean", "excerpt", "redact"]

# A service that echoes a key often shows a part of it; fewer characters give nothing
# away and would hide ordinary words.
_PIECE = 6
_HIDDEN = "***"


def excerpt(text: str, secrets: Iterable[str] = (), *, limit: int = 200) -> str:
    """The first `limit` characters of a text, clean and without secrets."""
    shown = redact(clean(text), secrets)
    return shown if len(shown) <= limit else shown[: limit - 1].rstrip() + "…"


def clean(text: str) -> str:
    """`text` on one line, without control, bidi and other invisible characters."""
    kept = (
        " " if category in ("Cc", "Cs", "Zl", "Zp") else char
        for char in text
        if (category := unicodedata.category(char)) != "Cf"
    )
    return " ".join("".join(kept).split())


def redact(text: str, secrets: Iterable[str]) -> str:
    """`text` with every piece of a secret of six or more characters hidden.

    A shorter secret is hidden where it occurs whole. The percent-encoded and the
    decoded form of a secret are secrets too.
    """
    from urllib.parse import quote, unquote

    hidden = bytearray(len(text))
    for secret in secrets:
        for form in {secret, quote(secret, safe=""), unquote(secret)}:
            _mark(text, form, hidden)
    shown: list[str] = []
    for i, char in enumerate(text):
        if not hidden[i]:
            shown.append(char)
        elif i == 0 or not hidden[i - 1]:
            shown.append(_HIDDEN)
    return "".join(shown)


def _mark(text: str, secret: str, hidden: bytearray) -> None:
    size = min(len(secret), _PIECE)
    if not size:
        return
    pieces = {secret[i : i + size] for i in range(len(secret) - size + 1)}
    for i in range(len(text) - size + 1):
        if text[i : i + size] in pieces:
            hidden[i : i + size] = b"\1" * size
