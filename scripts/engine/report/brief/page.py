"""A brief as a checker reads it: its frame, its paragraphs, and its own words.

Places are offsets into the text. A mask has the length of the text, with blanks where
the words are not the writer's own.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.report.brief.links import Link, find_links
from engine.report.brief.quotes import Quote, find_quotes

__all__ = [
    "NUMBERED",
    "OPENING",
    "PATTERNS",
    "Brief",
    "Span",
    "Violation",
    "is_list_item",
    "read_brief",
]

OPENING = "What I learned:"
PATTERNS = "KEY PATTERNS from the research:"
NUMBERED = re.compile(r"\s*\d{1,2}[.)、]\s+\S")

_FOOTER_LINE = re.compile(r"\s*(?:[-*>] )?[*_`]*(?:✅|⚠️?|├|└)")
_CODE = re.compile(r"(?<!`)(`+)(?!`)[^\n]+?(?<!`)\1(?!`)")
_FENCE = re.compile(
    r"^ {0,3}(```|~~~)[^\n]*\n.*?(?:^ {0,3}\1[`~]*\s*$|\Z)", re.M | re.S
)
_BLOCKQUOTE = re.compile(r"^ {0,3}>[^\n]*", re.M)
_LIST_ITEM = re.compile(r"\s*(?:[-*+•]|\d{1,3}[.)、])\s")
_ALONE = re.compile(r"\s*(?:[-*+•]\s|\d{1,3}[.)、]\s|\||#{1,6}\s|>)")
_SENTENCE_END = re.compile(
    r"[.!?]+[\"”»’)\]*_]*(?=\s+(?![a-zà-öø-ÿ(（]))|[。！？｡]+[”」』）]*"
)
_ENDS = ".!?。！？｡"


class Span(NamedTuple):
    """From the first character to the one behind the last."""

    start: int
    end: int

    def holds(self, place: int) -> bool:
        """Whether a place lies inside."""
        return self.start <= place < self.end


class Violation(NamedTuple):
    """What a brief breaks: the rule, the line (from 1), the text, and what to do."""

    law: str
    line: int
    text: str
    fix: str


@dataclass(frozen=True, slots=True)
class Brief:
    """A brief that was read.

    `body` lies between the opening and the footer; `footer_at` is the line (from 0) at
    which the footer, or what stands for it, begins, and `footer` that footer if it is
    one of those allowed. `own` is a mask that leaves the writer's own words and the
    labels of links; `links` and `quotes` are those of the whole text.
    """

    text: str
    lines: tuple[str, ...]
    starts: tuple[int, ...]
    body: Span
    footer_at: int
    footer: tuple[str, ...]
    links: tuple[Link, ...]
    quotes: tuple[Quote, ...]
    own: str
    paragraphs: tuple[Span, ...]

    def line_of(self, place: int) -> int:
        """The number of the line, from 1, in which a place lies."""
        return bisect_right(self.starts, place)

    def body_lines(self) -> Iterator[tuple[int, str]]:
        """The lines of the body with their numbers, from 1."""
        first = self.line_of(self.body.start)
        for number in range(first, self.footer_at + 1):
            yield number, self.lines[number - 1]

    def sentences(self, within: Span) -> Iterator[Span]:
        """The sentences of a paragraph."""
        start = within.start
        for match in _SENTENCE_END.finditer(self.own, within.start, within.end):
            yield Span(start, match.end())
            start = match.end()
        if self.own[start : within.end].strip():
            yield Span(start, within.end)

    def sentence_at(self, place: int) -> Span:
        """The sentence in which a place lies."""
        for paragraph in self.paragraphs:
            if paragraph.holds(place):
                found = (s for s in self.sentences(paragraph) if place < s.end)
                return next(found, paragraph)
        return Span(place, place)

    def at(self, law: str, place: int, text: str, fix: str) -> Violation:
        """A violation at a place."""
        return Violation(law, self.line_of(place), text, fix)


def is_list_item(line: str) -> bool:
    """Whether a line is an entry of a list."""
    return bool(_LIST_ITEM.match(line))


def read_brief(
    text: str, footers: Sequence[tuple[str, ...]], urls: Collection[str]
) -> Brief:
    """Read a brief.

    Args:
        text: the Markdown.
        footers: those that the envelopes of the artifact may have.
        urls: of the evidence; a link to one of them is read whole, whatever signs are
            in it.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n").rstrip() + "\n"
    lines = tuple(line.rstrip() for line in text[:-1].split("\n"))
    text = "\n".join(lines) + "\n"
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    footer_at, footer = _find_footer(lines, footers)
    body = Span(starts[_first_line(lines, footer_at)], starts[footer_at])
    links = tuple(find_links(text, urls))
    code = [match.span() for match in _FENCE.finditer(text)]
    code += [match.span() for match in _CODE.finditer(text)]
    unread = _blank(text, [*code, *((link.url_start, link.end) for link in links)])
    paragraphs = tuple(_paragraphs(lines, starts, body))
    quotes = tuple(q for p in paragraphs for q in find_quotes(unread, *p))
    cited = [match.span() for match in _BLOCKQUOTE.finditer(text)]
    own = _blank(unread, [*cited, *((q.start, q.end) for q in quotes)])
    own = _with_ends(own, quotes)
    return Brief(
        text, lines, tuple(starts), body, footer_at, footer, links, quotes, own,
        paragraphs,
    )  # fmt: skip


def _find_footer(
    lines: Sequence[str], footers: Iterable[tuple[str, ...]]
) -> tuple[int, tuple[str, ...]]:
    for footer in footers:
        for first in range(len(lines) - len(footer), -1, -1):
            if tuple(lines[first : first + len(footer)]) == footer:
                return first, footer
    like = [n for n, line in enumerate(lines) if _FOOTER_LINE.match(line)]
    first = len(lines)
    for number in reversed(like):
        if number < first - 1 and first < len(lines):
            break
        first = number
    # One line with such a sign may be a finding's.
    return (first, ()) if first <= len(lines) - 2 else (len(lines), ())


def _first_line(lines: Sequence[str], footer_at: int) -> int:
    """The line at which the body begins: behind the opening, or behind the badge."""
    for number, line in enumerate(lines[: min(footer_at, 6)]):
        if OPENING.rstrip(":") in line:
            return number + 1
    return min(1, footer_at)


def _paragraphs(
    lines: Sequence[str], starts: Sequence[int], body: Span
) -> Iterator[Span]:
    """Entries of lists, rows, headings and cited lines stand by themselves."""
    first: int | None = None
    for number, line in enumerate(lines):
        if not body.holds(starts[number]):
            continue
        if first is not None and (not line or _ALONE.match(line)):
            yield Span(first, starts[number])
            first = None
        if line and first is None:
            first = starts[number]
    if first is not None:
        yield Span(first, body.end)


def _blank(text: str, spans: Iterable[tuple[int, int]]) -> str:
    kept = list(text)
    for start, end in spans:
        kept[start:end] = ["\n" if sign == "\n" else " " for sign in text[start:end]]
    return "".join(kept)


def _with_ends(own: str, quotes: Iterable[Quote]) -> str:
    """A sentence ends where the quote in it does."""
    kept = list(own)
    for quote in quotes:
        if quote.text.rstrip()[-1:] in tuple(_ENDS):
            kept[quote.end - 1] = quote.text.rstrip()[-1]
    return "".join(kept)
