"""The frame of a brief: its opening, its footer, and no list of sources."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import zip_longest

from engine import data
from engine.report.brief.evidence import Evidence
from engine.report.brief.links import find_links
from engine.report.brief.page import NUMBERED, OPENING, PATTERNS, Brief, Violation
from engine.report.envelope import FRAMES, badge
from engine.report.footer import footer

__all__ = ["badges", "ending", "footers", "opening", "source_list", "source_list_lines"]

_MARKUP = re.compile(r"^[\s#>*_`\-+•·\d.()\[\]]+|[\s*_`]+$")
_WORD = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7ff]|[^\\W_]+")
_REST_OF_A_LINK = 4
_IMITATION = re.compile(r"\s*(?:[-*] )?[*_`]*(?:├|└─|✅ All |⚠️ Not every )")
_THINGS = (
    r"\d[\d,.]*[KM]?\+? "
    r"(?:\w+ ){0,2}(?:posts|threads|stories|tweets|comments|subreddits|sources|videos"
    r"|markets|issues|authors|items|results|mentions|discussions)\b"
)
_DONE = r"(?:analy[sz]ed|scanned|sifted|crawled|combed through|looked through)"
_STATISTIC = re.compile(
    rf"{_THINGS}[^.!?\n]{{0,60}}\b{_DONE}\b|\b{_DONE}\b[^.!?\n]{{0,20}}{_THINGS}"
    r"|(?:分析|扫描|抓取|收集)了?(?:约|近|超过)?\s?\d[\d,]*\s?(?:条|篇|个|份)",
    re.IGNORECASE,
)
_PICTURE = re.compile(rf"\s*(?:[-*] )?[*_]*[📊📈🔎🔍🧾🗓🌐🟠🟧🐙🦋𝕏▶]️?\s.*{_THINGS}")


def badges(evidence: Evidence) -> list[str]:
    """The badges that an envelope of the artifact may have, the longest first."""
    return list(dict.fromkeys(badge(evidence.record, frame.topic) for frame in FRAMES))


def footers(evidence: Evidence) -> list[tuple[str, ...]]:
    """The footers that an envelope of the artifact may have, the fullest first."""
    found = (tuple(footer(evidence.record, brief=f.brief)) for f in FRAMES)
    return list(dict.fromkeys(found))


def opening(brief: Brief, evidence: Evidence) -> Iterator[Violation]:
    """LAW 2: the badge, an empty line, and the opening."""
    wanted = badges(evidence)
    lines = [*brief.lines[:3], "", "", ""]
    if lines[0] not in wanted:
        fix = f"make the first line the badge, and nothing before it: {wanted[0]}"
        yield Violation("LAW 2", 1, lines[0], fix)
    elif lines[1]:
        yield Violation("LAW 2", 2, lines[1], "leave the line under the badge empty")
    elif lines[2] != OPENING:
        yield Violation("LAW 2", 3, lines[2], f"make the third line `{OPENING}`")


def ending(brief: Brief, evidence: Evidence) -> Iterator[Violation]:
    """LAW 5: the footer as it was printed, last, and nothing like it elsewhere."""
    wanted = footers(evidence)[0]
    if brief.footer:
        behind = brief.footer_at + len(brief.footer)
        listed = set(source_list_lines(brief))
        for number in range(behind, len(brief.lines)):
            if brief.lines[number] and number + 1 not in listed:
                fix = "the footer is the end: take away what stands behind it"
                yield Violation("LAW 5", number + 1, brief.lines[number], fix)
                break
    elif brief.footer_at == len(brief.lines):
        fix = f"end with the footer of the envelope, which begins: {wanted[0]}"
        yield Violation("LAW 5", len(brief.lines), brief.lines[-1], fix)
    else:
        yield _difference(brief, wanted)
    for number, line in brief.body_lines():
        start = brief.starts[number - 1]
        own = brief.own[start : start + len(line)]
        if _IMITATION.match(line) or _PICTURE.match(own) or _STATISTIC.search(own):
            fix = "take it away: the footer alone says how much was seen"
            yield Violation("LAW 5", number, line, fix)


def _difference(brief: Brief, wanted: Sequence[str]) -> Violation:
    given = brief.lines[brief.footer_at :]
    pairs = enumerate(zip_longest(given, wanted))
    place, (line, right) = next(pair for pair in pairs if pair[1][0] != pair[1][1])
    number = min(brief.footer_at + place + 1, len(brief.lines))
    fix = "copy the footer of the envelope unchanged"
    if right:
        fix += f"; here it has: {right}"
    return Violation("LAW 5", number, line or given[-1], fix)


def source_list(brief: Brief, evidence: Evidence) -> Iterator[Violation]:
    """LAW 1: no list of sources at the end."""
    for number in source_list_lines(brief)[:1]:
        fix = "take the list away; each link stands in the sentence that it proves"
        yield Violation("LAW 1", number, brief.lines[number - 1], fix)


def source_list_lines(brief: Brief) -> list[int]:
    """The lines, from 1, that are a list of sources: under its head, or bare links."""
    behind = brief.footer_at + len(brief.footer)
    numbers = [number for number, _ in brief.body_lines()]
    numbers += range(behind + 1, len(brief.lines) + 1)
    for place, number in enumerate(numbers):
        if _is_head(brief.lines[number - 1]):
            return [n for n in numbers[place:] if brief.lines[n - 1]]
    patterns = any(line.strip("*_ ") == PATTERNS for line in brief.lines)
    bare: list[int] = []
    for number in reversed(numbers):
        line = brief.lines[number - 1]
        # A short pattern with its link is none of them.
        most = 0 if patterns and NUMBERED.match(line) else _REST_OF_A_LINK
        if line and not _is_bare(line, most):
            break
        bare += [number] if line else []
    return sorted(bare) if len(bare) >= 2 else []


def _is_head(line: str) -> bool:
    head, colon, rest = _MARKUP.sub("", line).lower().replace("：", ":").partition(":")
    rest = rest.strip(" *_")
    listed = bool(colon and rest) and any(find_links(rest, ()))
    return _MARKUP.sub("", head) in _heads() and (not rest or listed)


@cache
def _heads() -> frozenset[str]:
    return frozenset(data.lines("source_list_heads.txt"))


def _is_bare(line: str, most: int) -> bool:
    """Whether a line holds a link and at most so many words more."""
    rest = line
    for link in reversed(list(find_links(line, ()))):
        rest = rest[: link.start] + rest[link.end :]
    return rest != line and len(_WORD.findall(_MARKUP.sub("", rest))) <= most
