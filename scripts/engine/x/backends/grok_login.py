"""The login of the grok tool: found and judged without a process, network or output.

It is a JSON object with an entry an issuer, in $GROK_HOME or ~/.grok. No key in it is
ever shown; see https://x.ai/cli.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from engine.settings import Settings
from engine.values import as_mapping, as_text, parse_time

__all__ = ["FILE", "SIGN_IN", "Login", "grok_folder", "login_state", "read_login"]

FILE = "auth.json"
SIGN_IN = "run: grok login (without a browser: grok login --device-code)"

_MAX_BYTES = 1 << 20
_SECRET_NAMES = ("key", "token", "secret")


@dataclass(frozen=True, slots=True)
class Login:
    """What was found: its `state` (see `login_state`), the file, the secrets in it."""

    state: str
    content: bytes = field(default=b"", repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)


def grok_folder(settings: Settings) -> str:
    """The folder in which the grok tool keeps its login and itself."""
    return os.path.expanduser(settings.get("GROK_HOME") or "~/.grok")


def login_state(settings: Settings) -> str:
    """Whether the grok tool is signed in, as far as its file says.

    Returns:
        "missing": no file, or no entry with a key. "unreadable": the file cannot be
        read or is not of its form. "expired": the time of every entry has passed, and
        none can be renewed. "ok": anything else; the service may still refuse it.
    """
    return read_login(settings).state


def read_login(settings: Settings) -> Login:
    """Read the login and judge it at the moment at which the run began."""
    path = os.path.join(grok_folder(settings), FILE)
    if not os.path.lexists(path):
        return Login("missing")
    try:
        # Anything but a plain file might never end.
        if not os.path.isfile(path):
            return Login("unreadable")
        with open(path, "rb") as file:
            content = file.read(_MAX_BYTES)
        root = json.loads(content)
    except (OSError, ValueError, RecursionError):
        return Login("unreadable")
    if not isinstance(root, dict):
        return Login("unreadable")
    entries = [as_mapping(value) for value in root.values()]
    usable = [entry for entry in entries if as_text(entry.get("key")).strip()]
    if not usable:
        state = "missing"
    elif all(_is_over(entry, settings.now) for entry in usable):
        state = "expired"
    else:
        state = "ok"
    return Login(state, content, tuple(_secrets(root)))


def _is_over(entry: object, now: datetime) -> bool:
    fields = as_mapping(entry)
    if as_text(fields.get("refresh_token")).strip():
        return False
    expires = parse_time(as_text(fields.get("expires_at")))
    return expires is not None and expires <= now


def _secrets(root: object) -> Iterator[str]:
    """The values of every field whose name says that it is one."""
    waiting = [root]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting += value
        for name, inner in as_mapping(value).items():
            waiting.append(inner)
            secret = isinstance(inner, str) and len(inner) > 3
            if secret and any(part in name.lower() for part in _SECRET_NAMES):
                yield str(inner)
