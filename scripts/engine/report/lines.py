"""The lines of an envelope: how long they are, and what may stand at their start.

What the engine says begins a line; what strangers say is indented. A name or a link of
theirs that stands in a line of the engine has no sign in it that could part the line.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from engine.report.clean import clean_line, clip

__all__ = ["INDENT", "NAME_LENGTH", "link", "name", "size"]

INDENT = "    "
NAME_LENGTH = 40

_MOST_LINK = 500
_NO_NAME = re.compile(r"[^\w.'/ -]+")
_LINK = re.compile(r"https?://[^\s<>\"'`\\]+")


def name(text: str, length: int = NAME_LENGTH) -> str:
    """A name of a person or place from outside: words, and the signs names have."""
    return clip(" ".join(_NO_NAME.sub("", clean_line(text)).split()), length)


def link(url: str) -> str:
    """A web address that is one as it stands, else nothing: it is never repaired."""
    fine = len(url) <= _MOST_LINK and _LINK.fullmatch(url) and clean_line(url) == url
    return url if fine else ""


def size(lines: Sequence[str]) -> int:
    """Bytes of lines with their ends."""
    return sum(len(line.encode("utf-8", "replace")) + 1 for line in lines)
