"""The shape of the prose: no dash, no heading, no evidence block."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from engine.report.brief.evidence import Evidence
from engine.report.brief.frame import source_list_lines
from engine.report.brief.page import (
    NUMBERED,
    OPENING,
    PATTERNS,
    Brief,
    Violation,
    is_list_item,
)
from engine.report.brief.saying import is_short, plain
from engine.report.groups import is_solid

__all__ = ["dashes", "dump", "headings"]

_DASH = re.compile("[\u2012-\u2015\u2e3a\u2e3b]+")
_RANGE = re.compile("\\d\\s*[\u2012-\u2015]\\s*[$€£¥]?\\d")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:\s+|$)(.*?)\s*#*\s*$|\s*<h([1-6])\b", re.I)
_UNDERLINE = re.compile(r" {0,3}(?:=+|-{2,})\s*$")
# Shape of the lines that the envelope prints between its head and its footer.
_DUMPED = re.compile(
    r"(?i:\W*(?:(?:END OF )?EVIDENCE [0-9a-f]{8}\b|MOST TELLING COMMENTS\b"
    r"|CLUSTERS? \d+\b\W*(?:·|\(?score|$)|SIDE \d OF \d ·))"
    r"|\s*(?:CONTRACT|REMINDER): "
    r"|\s*Coverage: (?:items from|nothing found by|NOT SEEN|\w+ [a-z-]+, \d)"
    r"|\s*COMMENT (?:@|u/)\S+|why: score "
    r"|\s*(?:[-*] )?\**\[\d+\]\**(?!\()\s*(?:@|u/|\S+ ·)"
    r"|.* · \d{4}-\d\d-\d\d(?: · [\d.,]+[KM]? [a-z]+)"
    r"|(?i:.*\brelevance[:=]? (?:of )?[01]?\.\d)"
    r"|(?i:\W*\d+\.[^(]*\(score:? \d+(?:\.\d+)?[,)])"
)
_COPIED = 3
# Solid items from which patterns can be told.
_ENOUGH = 3
_HEADS = ("Quick verdict", "Head to head", "Bottom line")


def dashes(brief: Brief, evidence: Evidence) -> Iterator[Violation]:
    """LAW 3: neither dash outside quotes."""
    for match in _DASH.finditer(brief.own, brief.body.start, brief.body.end):
        if _is_of_evidence(brief, evidence, match.start(), match.end()):
            continue
        start, end = max(0, match.start() - 30), match.end() + 30
        shown = brief.text[start:end].replace("\n", " ").strip()
        fix = "use a comma, a colon, brackets or a new sentence"
        if _RANGE.match(brief.text, max(0, match.start() - 1)):
            fix = "write a span with a hyphen or with `to`: 5-10, 5 to 10"
        yield brief.at("LAW 3", match.start(), shown, fix)


def _is_of_evidence(brief: Brief, evidence: Evidence, start: int, end: int) -> bool:
    """Whether a dash belongs to the topic's name or to a title that labels a link."""
    left = brief.text.rfind(" ", 0, start) + 1
    right = min(p for p in (brief.text.find(s, end) for s in " \n") if p >= 0)
    word = brief.text[left:right].strip("*_[]():,.;!?")
    names = [evidence.record["topic"], *evidence.record["sides"]]
    if len(word) > end - start and any(word in name for name in names):
        return True
    for name in names:
        if name in brief.text[max(0, start - len(name)) : end + len(name)]:
            return brief.text[start:end] in name
    for link in brief.links:
        if link.start < start < link.url_start:
            said = evidence.by_url.get(link.url, ())
            label = plain(link.label)
            return not is_short(label) and any(label in v.said for v in said)
    return False


def headings(brief: Brief, evidence: Evidence) -> Iterator[Violation]:
    """LAW 4: no headings but a comparison's, and the patterns where there are any."""
    listed = set(source_list_lines(brief)) | set(_dumped(brief))
    found = [h for h in _headings(brief) if h[0] not in listed]
    sides: Sequence[str] = evidence.record["sides"]
    if sides and evidence.record["items"]:
        yield from _of_comparison(brief, found, sides)
        return
    for number, _ in found:
        fix = "begin the paragraph with **a bold lead-in** instead"
        yield Violation("LAW 4", number, brief.lines[number - 1], fix)
    yield from _patterns(brief, evidence)


def _headings(brief: Brief) -> Iterator[tuple[int, str]]:
    """Lines that are headings, with what they say at the second level, else nothing."""
    before = ""
    for number, line in brief.body_lines():
        start = brief.starts[number - 1]
        if not brief.own[start : start + len(line)].strip():
            before = ""
        elif match := _HEADING.match(line):
            yield number, (match[2] if match[1] == "##" else "")
            before = ""
        elif _UNDERLINE.match(line) and before and "|" not in before:
            yield number - 1, ""
        else:
            before = line if not is_list_item(line) else ""


def _of_comparison(
    brief: Brief, found: Sequence[tuple[int, str]], sides: Sequence[str]
) -> Iterator[Violation]:
    verdict, table, last = _HEADS
    wanted = [verdict, *sides, table, last]
    order = ", ".join(f"## {head}" for head in wanted)
    fix = f"a comparison has exactly these headings, in this order: {order}"
    given = [said.strip("*_ ") for _, said in found]
    for place, (number, _) in enumerate(found):
        if place >= len(wanted) or given[place] != wanted[place]:
            yield Violation("LAW 4", number, brief.lines[number - 1], fix)
            break
    if len(found) < len(wanted) and given == wanted[: len(given)]:
        missing = f"## {wanted[len(found)]} is missing"
        yield Violation("LAW 4", brief.footer_at, missing, fix)
    for number, line in brief.body_lines():
        if line.strip("*_ ") == PATTERNS:
            yield Violation("LAW 4", number, line, "a comparison has no such list")


def _patterns(brief: Brief, evidence: Evidence) -> Iterator[Violation]:
    """The line and its list; where there is little evidence they may be left out."""
    lines = list(brief.body_lines())
    heads = [n for n, (_, line) in enumerate(lines) if line.strip("*_ ") == PATTERNS]
    solid = filter(is_solid, evidence.record["items"])
    if not heads and len({(item["source"], item["id"]) for item in solid}) >= _ENOUGH:
        fix = f"end the prose with the line `{PATTERNS}` and a numbered list"
        said = next((li for _, li in lines if "key patterns" in li.lower()), "")
        number = next((n for n, li in lines if li == said and said), brief.footer_at)
        yield Violation("LAW 4", max(1, number), said or "no list of patterns", fix)
    for place in heads[:1]:
        rest = [line for _, line in lines[place + 1 :] if line]
        if len(rest) < 2 or not all(map(NUMBERED.match, rest[:2])):
            fix = "put a numbered list of at least two patterns under this line"
            yield Violation("LAW 4", lines[place][0], lines[place][1], fix)


def dump(brief: Brief, evidence: Evidence) -> Iterator[Violation]:
    """LAW 6: nothing of the envelope as it stands, no list of posts."""
    fix = "rewrite it as prose of your own, with the link in the sentence"
    for number in _dumped(brief):
        yield Violation("LAW 6", number, brief.lines[number - 1], fix)
    copied = [n for n, line in brief.body_lines() if _is_copy(line, brief, n, evidence)]
    if len(copied) >= _COPIED:
        yield Violation("LAW 6", copied[0], brief.lines[copied[0] - 1], fix)


def _dumped(brief: Brief) -> list[int]:
    opening = brief.line_of(brief.body.start)
    return [
        number
        for number, line in brief.body_lines()
        if number >= opening and line != OPENING and _DUMPED.match(line.lstrip("# "))
    ]


def _is_copy(line: str, brief: Brief, number: int, evidence: Evidence) -> bool:
    """Whether an entry of a list is a link, and a post's own words and no others."""
    start = brief.starts[number - 1]
    inside = [n for n in brief.links if start <= n.start < start + len(line)]
    if not is_list_item(line) or not inside:
        return False
    rest, shift = line, start
    for link in reversed(inside):
        rest = rest[: link.start - shift] + " " + rest[link.end - shift :]
    words = plain(re.sub(r"^\s*(?:[-*+•]|\d+[.)])\s|\([^()]*\)|@\w+", " ", rest))
    said = [v.said for n in inside for v in evidence.by_url.get(n.url, ())]
    return not is_short(words) and any(words.strip() in one for one in said)
