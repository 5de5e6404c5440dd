"""The links of a Markdown text: inline ones, those in angle brackets, and bare ones."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

__all__ = ["Link", "find_links", "without_links"]

_MOST_LABEL = 1_000
_MOST_ADDRESS = 2_000
_ANGLE = re.compile(r"<((?:https?|ftp)://[^<>\s]+)>", re.IGNORECASE)
_BARE = re.compile(
    r"(?:https?://|(?<![\w./@-])www\.)[^\s<>\"“”„«»「」『』`。，、；！？（）【】《》]+",
    re.IGNORECASE,
)
_TITLE = re.compile(r"\s*(?:\s(?:\"[^\"\n]*\"|'[^'\n]*'))?\s*\)")
_LATE = ".,;:!?'*_~|)]}"
_PAIRS = {")": "(", "]": "[", "}": "{"}
_GOES_ON = re.compile(r"[\w/?=&#%+~-]", re.ASCII)
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


class Link(NamedTuple):
    """A link: its label (empty if it shows the address), its address, its place.

    From `url_start` to `end` stands what a reader of the page does not see.
    """

    label: str
    url: str
    start: int
    url_start: int
    end: int
    inline: bool


def find_links(text: str, urls: Collection[str]) -> Iterator[Link]:
    """The links of a text in their order.

    Args:
        text: Markdown.
        urls: addresses that are taken whole where one of them stands, even if a sign in
            it would end a link for Markdown.
    """
    longest = sorted(urls, key=len, reverse=True)
    place = 0
    while place < len(text):
        found = None
        if text[place] == "[":
            found = _inline(text, place, longest)
        elif text[place] == "<" and (match := _ANGLE.match(text, place)):
            found = Link("", match[1], place, place, match.end(), False)
        elif text[place] in "hHwW" and (match := _BARE.match(text, place)):
            url = _trimmed(match[0], urls)
            found = Link("", url, place, place, place + len(url), False)
        if found:
            yield found
        place = found.end if found else place + 1


def without_links(text: str) -> str:
    """A text with the labels of its links in their place, and no address."""
    kept, place = [], 0
    for link in find_links(text, ()):
        kept += [text[place : link.start], link.label]
        place = link.end
    return "".join([*kept, text[place:]])


def _inline(text: str, start: int, longest: list[str]) -> Link | None:
    close = _closing(text, start, "[", "]", start + _MOST_LABEL)
    if close is None or text[close + 1 : close + 2] != "(":
        return None
    first = close + 2
    while text[first : first + 1] == " ":
        first += 1
    target = _target(text, first, longest)
    if target is None:
        return None
    url, behind = target
    end = _TITLE.match(text, behind)
    if end is None:
        return None
    return Link(text[start + 1 : close], url, start, close + 1, end.end(), True)


def _target(text: str, first: int, longest: list[str]) -> tuple[str, int] | None:
    """The address that stands at a place, and the place behind it."""
    if text[first : first + 1] == "<":
        last = text.find(">", first)
        return None if last < 0 else (text[first + 1 : last], last + 1)
    for url in longest:
        if text.startswith(url, first) and _TITLE.match(text, first + len(url)):
            return url, first + len(url)
    last, depth, end = first, 0, min(first + _MOST_ADDRESS, len(text))
    while last < end and not text[last].isspace():
        if text[last] == "\\":
            last += 1
        elif text[last] == "(":
            depth += 1
        elif text[last] == ")":
            depth -= 1
            if depth < 0:
                break
        last += 1
    return _ESCAPE.sub(r"\1", text[first:last]), last


def _closing(text: str, start: int, opens: str, closes: str, limit: int) -> int | None:
    if text.find(closes, start, limit) < 0:
        return None
    depth, place, end = 0, start, min(limit, len(text))
    while place < end:
        if text[place] == "\\":
            place += 1
        elif text[place] == opens:
            depth += 1
        elif text[place] == closes:
            depth -= 1
            if depth == 0:
                return place
        elif text.startswith("\n\n", place):
            return None
        place += 1
    return None


def _trimmed(raw: str, urls: Collection[str]) -> str:
    """A bare address without the signs of the sentence behind it."""
    for length in range(len(raw), len("http://"), -1):
        ends = length == len(raw) or not _GOES_ON.match(raw[length])
        if ends and raw[:length] in urls:
            return raw[:length]
    while raw and raw[-1] in _LATE:
        opens = _PAIRS.get(raw[-1])
        if opens and raw.count(opens) >= raw.count(raw[-1]):
            break
        raw = raw[:-1]
    return raw
