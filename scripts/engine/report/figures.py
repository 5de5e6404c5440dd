"""The figures of a run, counted from its artifact."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date, timedelta
from typing import Any, NamedTuple

from engine.report.counts import counted

__all__ = ["Stage", "days", "funnel", "reasons"]

# Reasons of the ranking: what left for these was on topic.
_RANKED_OUT = frozenset(("near-duplicate", "author-cap", "below-pool"))


class Stage(NamedTuple):
    """A step from what was retrieved to what is shown."""

    name: str
    items: int
    note: str


def funnel(record: Mapping[str, Any]) -> list[Stage]:
    """How many items each step left: retrieved, different, on topic, kept."""
    kept, pruned = _keys(record["items"]), record["pruned"]
    on_topic = kept | _keys(one for one in pruned if one["reason"] in _RANKED_OUT)
    judged_out = [one for one in pruned if one["reason"] not in _RANKED_OUT]
    ranked_out = [one for one in pruned if one["reason"] in _RANKED_OUT]
    queries = record["queries"]
    return [
        Stage(
            "retrieved",
            sum(query["returned"] for query in queries),
            f"by {counted(len(queries), 'queries')}",
        ),
        Stage("different", len(on_topic | _keys(judged_out)), "each counted once"),
        Stage("on topic", len(on_topic), _said(judged_out)),
        Stage("kept", len(kept), _said(ranked_out)),
    ]


def reasons(pruned: Iterable[Mapping[str, Any]]) -> list[tuple[str, int]]:
    """How many items left for each reason, the most frequent first."""
    return Counter(one["reason"] for one in pruned).most_common()


def days(record: Mapping[str, Any]) -> dict[str, Counter[str]]:
    """The items of each day of the window by source, days without any included."""
    window = record["window"]
    first, last = map(date.fromisoformat, (window["from"], window["to"]))
    found: dict[str, Counter[str]] = {
        str(first + timedelta(days=i)): Counter()
        for i in range((last - first).days + 1)
    }
    for item in record["items"]:
        if item["date"] in found:
            found[item["date"]][item["source"]] += 1
    return found


def _said(left: list[Mapping[str, Any]]) -> str:
    parts = [f"{count} {reason}" for reason, count in reasons(left)]
    return ", ".join(parts) or "none left out"


def _keys(items: Iterable[Mapping[str, Any]]) -> set[tuple[str, str]]:
    return {(item["source"], item["id"]) for item in items}
