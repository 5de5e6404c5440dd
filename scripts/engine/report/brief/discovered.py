"""The brief of a discovery: the engine's own, which the host passes on as it is."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest

from engine.report.brief.evidence import Evidence
from engine.report.brief.page import Brief, Violation
from engine.report.rising import rising

__all__ = ["verbatim"]


def verbatim(brief: Brief, evidence: Evidence) -> Iterator[Violation]:
    """LAW 11: line by line what the last leg of the discovery printed."""
    if "discovery" not in evidence.record:
        return
    wanted = [line.rstrip() for line in rising(evidence.record).rstrip().split("\n")]
    pairs = enumerate(zip_longest(brief.lines, wanted), 1)
    for number, (line, right) in pairs:
        if line != right:
            fix = "end the brief here" if right is None else f"here it has: {right}"
            what = "pass the brief on as finalize printed it"
            place = min(number, len(brief.lines))
            yield Violation("LAW 11", place, line or "(missing)", f"{what}; {fix}")
            return
