"""Figures: those with a unit of engagement, odds or money come from the evidence."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from typing import NamedTuple

from engine import data
from engine.report.brief.evidence import Evidence
from engine.report.brief.frame import footers
from engine.report.brief.page import Brief, Violation
from engine.report.brief.shape import dump
from engine.report.counts import count

__all__ = ["figures"]

# Digits, with signs between thousands or before decimals.
_DIGITS = r"\d+(?:[.,'’ \u00a0\u202f]\d{3}(?!\d))*(?:[.,]\d+)?"
_GROUPED = re.compile(r"\d{1,3}(?:([.,'’ \u00a0\u202f])\d{3})(?:\1\d{3})*")
_CURRENCY = r"(?:US|NT|HK|A|C)?[$€£¥₹₩]"
_MOST_OFF = 0.05
# Signs with which 赞 and its like are part of another word.
_GO_ON = "助成美叹扬赏"


class _Figure(NamedTuple):
    """A number as it may be meant, and the half of what its last digit is worth."""

    value: float
    off: float


def figures(brief: Brief, evidence: Evidence) -> Iterator[Violation]:
    """numbers: each with such a unit is in the evidence, exact or rounded as there."""
    known = _known(evidence)
    listed = {violation.line for violation in dump(brief, evidence)}
    for match in _claims().finditer(brief.own, brief.body.start, brief.body.end):
        digits, times = _parts(match)
        stated = list(_readings(digits, times))
        inside = brief.line_of(match.start()) in listed
        if not inside and not any(_is_known(figure, known) for figure in stated):
            fix = "copy the number from the evidence, or leave it out"
            yield brief.at("numbers", match.start(), match[0].strip(), fix)


def _known(evidence: Evidence) -> set[float]:
    """Every number of the evidence, counts also as the envelope rounds them."""
    record, items = evidence.record, evidence.record["items"]
    comments = [comment for item in items for comment in item["comments"]]
    counts = {n for item in items for n in item["engagement"].values()}
    counts |= {c["votes"] for c in comments if c["votes"] is not None}
    found = set(map(float, counts))
    statuses = record["source_status"].values()
    texts: Iterable[str] = chain(
        (item[part] for item in items for part in ("title", "text")),
        (comment["text"] for comment in comments),
        (f"{status['detail']} {status['fix']}" for status in statuses),
        (warning["message"] for warning in record["_warnings"]),
        (line for lines in footers(evidence) for line in lines),
        map(count, counts),
        [record["topic"]],
    )
    for match in _numbers().finditer("\n".join(texts)):
        found.update(f.value for f in _readings(match["n"], match["times"] or ""))
    return found


def _is_known(figure: _Figure, known: set[float]) -> bool:
    if figure.value in known:
        return True
    return any(
        abs(value - figure.value) <= figure.off
        for value in known
        if figure.off > 0.5 or value != round(value)
    )


def _readings(digits: str, times: str) -> Iterator[_Figure]:
    """1,200 is twelve hundred; 1,200 million may be 1.2 million in some languages."""
    factor = _times().get(times, 1.0)
    if _GROUPED.fullmatch(digits):
        whole = re.sub(r"\D", "", digits)
        yield _figure(float(whole), 1.0, factor)
        if not times:
            return
    number, sign, decimals = digits, "", ""
    for place in range(len(digits) - 1, -1, -1):
        if digits[place] in ".,":
            number, sign, decimals = digits[:place], digits[place], digits[place + 1 :]
            break
    whole = re.sub(r"\D", "", number)
    value = float(f"{whole}.{decimals or 0}")
    yield _figure(value, 10.0 ** -len(decimals) if sign else 1.0, factor)


def _figure(value: float, last: float, factor: float) -> _Figure:
    value = round(value * factor, 6)
    return _Figure(value, min(last * factor / 2, max(0.5, _MOST_OFF * value)))


def _parts(match: re.Match[str]) -> tuple[str, str]:
    for kind in ("a", "b", "c"):
        if match[f"n{kind}"]:
            return match[f"n{kind}"], match[f"times{kind}"] or ""
    return match["nd"], ""


@cache
def _numbers() -> re.Pattern[str]:
    return re.compile(rf"(?P<n>{_DIGITS})(?:\s?(?P<times>{_any(_times())})(?![a-z]))?")


@cache
def _claims() -> re.Pattern[str]:
    """A number with a unit before or behind it; 百分之 stands before, and means %."""
    units = data.sections("units.txt")
    spaced = chain.from_iterable(units[u] for u in ("engagement", "money", "percent"))
    close = chain.from_iterable(
        units[f"{u}-close"] for u in ("engagement", "money", "percent")
    )
    times = _any(_times())
    between = r"(?:\s?(?:多|余|個|个|件|条|條|次|回|点)の?)?"
    return re.compile(
        rf"(?<![A-Za-z0-9_.,-])(?:{_CURRENCY}\s?(?P<na>{_DIGITS})"
        rf"(?:\s?(?P<timesa>{times})(?![a-zà-ÿ]))?"
        rf"|(?P<nb>{_DIGITS})(?:\s?(?P<timesb>{times}))?\s(?:de\s)?(?:{_any(spaced)})(?!\w)"
        rf"|(?P<nc>{_DIGITS})(?:\s?(?P<timesc>{times}))?{between}\s?(?:{_any(close)})(?![{_GO_ON}])"
        rf"|百分之\s?(?P<nd>{_DIGITS}))"
    )


@cache
def _times() -> dict[str, float]:
    pairs = (entry.split("=") for entry in data.sections("units.txt")["times"])
    return {name: float(factor) for name, factor in pairs}


def _any(words: Iterable[str]) -> str:
    longest = sorted(words, key=lambda word: (-len(word), word))
    return "|".join(re.escape(word.replace("_", " ")) for word in longest)
