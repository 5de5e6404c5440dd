"""What stands between quotation marks, whichever marks a language uses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["Quote", "find_quotes"]

# Opening marks, each with those that close it. German closes with what English opens.
_MARKS = {
    "“": '”"',
    "„": '“”"',
    "”": "”“",
    "«": "»",
    "»": "«",
    "「": "」",
    "『": "』",
    "｢": "｣",
    "《": "》",
    "〝": "〟",
    "‘": "’",
    '"': '"',
    "＂": "＂",
}
_TITLES = "『《"
_LONGEST = 2_000


class Quote(NamedTuple):
    """A quote: what is inside, the places of its marks, whether they are a title's."""

    text: str
    start: int
    end: int
    is_title: bool


def find_quotes(text: str, start: int, end: int) -> Iterator[Quote]:
    """The outermost quotes between two places; a mark that nothing closes is none."""
    place = start
    while place < end:
        mark = text[place]
        last = _close(text, place, end) if _opens(text, place, start) else None
        if last is None:
            place += 1
            continue
        if inner := text[place + 1 : last].strip():
            yield Quote(inner, place, last + 1, mark in _TITLES)
        place = last + 1


def _opens(text: str, place: int, start: int) -> bool:
    mark = text[place]
    if mark not in _MARKS:
        return False
    before = text[place - 1] if place > start else " "
    behind = text[place + 1 : place + 2]
    if mark in '"”':
        # Inches and seconds stand behind a digit.
        return not before.isdigit() and bool(behind) and not behind.isspace()
    if mark == "‘":
        return not before.isalnum() and behind.isalpha()
    return True


def _close(text: str, place: int, end: int) -> int | None:
    closers = _MARKS[text[place]]
    for last in range(place + 1, min(end, place + _LONGEST)):
        if text[last] in closers:
            if text[last] == "’" and text[last + 1 : last + 2].isalpha():
                continue
            return last
    return None
