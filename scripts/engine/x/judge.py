"""Judge: which posts are on topic, whose posts are, and whether the corpus drowned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum
from typing import Any, Generic, TypeVar

from engine.text.question import Question, prepare
from engine.text.relevance import RELEVANCE_FLOOR, Verdict, weigh

__all__ = [
    "CORPUS_ON_TOPIC_FLOOR",
    "HANDLE_ON_TOPIC_FLOOR",
    "MIN_ON_TOPIC_HITS",
    "Judgment",
    "handle_stats",
    "judge",
    "judge_x_corpus",
]

CORPUS_ON_TOPIC_FLOOR = 0.4
"""A corpus under this share on topic is a flood."""
HANDLE_ON_TOPIC_FLOOR = 0.5
"""An account under this share on topic drowns the corpus and earns no lane."""
MIN_ON_TOPIC_HITS = 2
"""So many posts on topic are the least that count as evidence."""

_FREQUENT = 3

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Judgment(Generic[T]):
    """What the judge says of a corpus.

    `items` are the objects that were given and `verdicts` theirs, None for an item
    without text, which is kept and counts nowhere. `on_topic` and `off_topic` part the
    others at `RELEVANCE_FLOOR`. `on_topic_ratio` is the estimated share on topic.
    `handle_stats` counts all posts (`total`) and the likely ones (`on_topic`) by
    handle in lower case.
    """

    items: list[T]
    verdicts: list[Verdict | None]
    on_topic_ratio: float
    is_off_topic_flood: bool
    on_topic: list[T]
    off_topic: list[T]
    handle_stats: dict[str, dict[str, int]]

    @property
    def flooders(self) -> list[str]:
        """Those of the most frequent accounts that are mostly off topic."""
        return [
            h for h in _frequent(self.handle_stats) if _drowns(self.handle_stats[h])
        ]


def judge(items: Sequence[T], question: Sequence[Question]) -> Judgment[T]:
    """Judge a corpus, items or plain dicts, against a question that was prepared."""
    texts = [_value(item, "text") for item in items]
    weighed = iter(weigh([text for text in texts if text], question))
    verdicts = [next(weighed) if text else None for text in texts]
    judged = [(i, v) for i, v in zip(items, verdicts, strict=True) if v is not None]
    total = fsum(verdict.share for _, verdict in judged)
    ratio = round(total / len(judged), 4) if judged else 1.0
    stats = handle_stats(items, verdicts)
    hits = sum(verdict.likely for _, verdict in judged)
    frequent = _frequent(stats)
    drowned = bool(frequent) and all(_drowns(stats[handle]) for handle in frequent)
    return Judgment(
        items=list(items),
        verdicts=verdicts,
        on_topic_ratio=ratio,
        is_off_topic_flood=ratio < CORPUS_ON_TOPIC_FLOOR
        or (drowned and hits < MIN_ON_TOPIC_HITS),
        on_topic=[i for i, v in judged if v.relevance >= RELEVANCE_FLOOR],
        off_topic=[i for i, v in judged if v.relevance < RELEVANCE_FLOOR],
        handle_stats=stats,
    )


def judge_x_corpus(
    items: Sequence[T], topic: str, *, ranking_query: str = ""
) -> dict[str, Any]:
    """Judge a corpus against a ranking query if there is one, else against the topic.

    Args:
        items: `Item`s, or dicts with `author_handle` and `text`.
        topic: what the user typed.
        ranking_query: the question that the posts should answer.

    Raises:
        UsageError: the topic holds no letter and no digit.
    """
    found = judge(items, prepare(topic, [ranking_query] if ranking_query else []))
    return {
        "on_topic_ratio": found.on_topic_ratio,
        "is_off_topic_flood": found.is_off_topic_flood,
        "on_topic_items": found.on_topic,
        "off_topic_items": found.off_topic,
        "handle_stats": found.handle_stats,
    }


def _value(item: object, name: str) -> str:
    value = item.get(name) if isinstance(item, Mapping) else getattr(item, name)
    return str(value or "").strip()


def handle_stats(
    items: Sequence[object], verdicts: Sequence[Verdict | None]
) -> dict[str, dict[str, int]]:
    """For each author, in lower case, how many posts, and how many likely on topic."""
    stats: dict[str, dict[str, int]] = {}
    for item, verdict in zip(items, verdicts, strict=True):
        handle = _value(item, "author_handle").lstrip("@").lower()
        if handle:
            counts = stats.setdefault(handle, {"total": 0, "on_topic": 0})
            counts["total"] += 1
            counts["on_topic"] += verdict is not None and verdict.likely
    return stats


def _frequent(stats: Mapping[str, Mapping[str, int]]) -> list[str]:
    return sorted(stats, key=lambda h: (-stats[h]["total"], h))[:_FREQUENT]


def _drowns(counts: Mapping[str, int]) -> bool:
    return counts["on_topic"] < HANDLE_ON_TOPIC_FLOOR * counts["total"]
