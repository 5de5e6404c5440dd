"""What is left of words when case, spacing, accents and punctuation do not count."""

from __future__ import annotations

import re
import unicodedata
from html import unescape

__all__ = ["is_short", "occurs", "parts_of_quote", "plain"]

_URL = re.compile(r"(?:https?://|www\.)[!-~]+", re.IGNORECASE)
_APOSTROPHE = re.compile(r"(?<=\w)['’‘ʼ`´](?=\w)")
_WORD = re.compile(r"[^\W_]+")
_LEFT_OUT = re.compile(r"(?:[\[(]\s*)?(?:…|\.{3,}|⋯)(?:\s*[\])])?|\[[^\[\]]*\]")
_NO_SPACES = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7ff]"
)
_SHORT = 2


def plain(text: str) -> str:
    """The words of a text, folded, parted by one blank, with one at either end."""
    text = _URL.sub(" ", unescape(text))
    text = unicodedata.normalize("NFKD", text).casefold()
    text = "".join(sign for sign in text if not unicodedata.combining(sign))
    text = unicodedata.normalize("NFC", _APOSTROPHE.sub("", text))
    return f" {' '.join(_WORD.findall(text))} "


def parts_of_quote(quote: str) -> list[str]:
    """The pieces of a quote between what was left out or put in, as plain words."""
    pieces = (plain(piece) for piece in _LEFT_OUT.split(quote))
    return [piece for piece in pieces if piece.strip()]


def is_short(words: str) -> bool:
    """Whether plain words are two at most; two signs count as one without spaces."""
    signs = len(_NO_SPACES.findall(words))
    others = len(_NO_SPACES.sub(" ", words).split())
    return others + (signs + 1) // 2 <= _SHORT


def occurs(pieces: list[str], said: str) -> bool:
    """Whether pieces of a quote stand in a text in their order.

    Args:
        pieces: of `parts_of_quote`.
        said: a plain text. Few words have to be whole words of it; many may be spaced
            in another way.
    """
    if all(map(is_short, pieces)) and not any(map(_NO_SPACES.search, pieces)):
        wanted, searched = pieces, said
    else:
        wanted = [piece.replace(" ", "") for piece in pieces]
        searched = said.replace(" ", "")
    place = 0
    for piece in wanted:
        found = searched.find(piece, place)
        if found < 0:
            return False
        # The blank at the end of a word is that at the start of the next.
        place = found + len(piece.rstrip())
    return True
