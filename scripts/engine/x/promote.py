"""Promote: which handles get a lane of their own.

The gate is the share of an account's posts that are on topic, never how often it posts:
an account that posts about everything is frequent everywhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from engine.x.judge import (
    HANDLE_ON_TOPIC_FLOOR,
    MIN_ON_TOPIC_HITS,
    judge_x_corpus,
)
from engine.x.query import clean_handle

__all__ = ["MAX_PROMOTED", "Promotion", "Refusal", "promotable_handles", "promote"]

MAX_PROMOTED = 3


class Refusal(NamedTuple):
    """A handle that got no lane: `on_topic` of its `total` posts, and why."""

    handle: str
    on_topic: int
    total: int
    reason: str


class Promotion(NamedTuple):
    """The extracted handles that get a lane, best first, and those that do not."""

    promoted: tuple[str, ...]
    refused: tuple[Refusal, ...]


def promotable_handles(
    items: Sequence[Any],
    topic: str,
    extracted_handles: Iterable[str],
    *,
    explicit_handles: Iterable[str] | None = None,
    ranking_query: str = "",
) -> tuple[list[str], list[str]]:
    """Split handles into those to promote without a condition and by their posts.

    Args:
        items: the corpus before pruning: dicts with `author_handle` and `text`, or
            `Item`s.
        topic: what the user typed.
        extracted_handles: found in the corpus; @ and blanks are ignored.
        explicit_handles: named by the user; always promoted.
        ranking_query: the question to judge against, else the topic.

    Returns:
        (explicit, extracted); no handle stands in both, and what is no handle in none.
    """
    explicit = _cleaned(explicit_handles or ())
    named = {handle.lower() for handle in explicit}
    verdict = judge_x_corpus(items, topic, ranking_query=ranking_query)
    candidates = [h for h in _cleaned(extracted_handles) if h.lower() not in named]
    return explicit, [
        handle
        for handle in candidates
        if not _objection(verdict["handle_stats"].get(handle.lower()))
    ]


def promote(
    stats: dict[str, dict[str, int]], extracted: Iterable[str], named: frozenset[str]
) -> Promotion:
    """Decide over the extracted handles of a run.

    Args:
        stats: for each author, in lower case, `total` and `on_topic` posts.
        extracted: the handles of the corpus, the most frequent first.
        named: explicit and related handles in lower case: they have their lanes.

    At most three are promoted: those with most on-topic posts, then the higher share.
    """
    passed: list[str] = []
    refused: list[Refusal] = []
    for handle in extracted:
        if handle in named:
            continue
        counts = stats.get(handle, {"total": 0, "on_topic": 0})
        reason = _objection(counts)
        if reason:
            refused.append(Refusal(handle, counts["on_topic"], counts["total"], reason))
        else:
            passed.append(handle)
    passed.sort(key=lambda h: (-stats[h]["on_topic"], stats[h]["total"], h))
    refused += [
        Refusal(h, stats[h]["on_topic"], stats[h]["total"], "three others had more")
        for h in passed[MAX_PROMOTED:]
    ]
    return Promotion(tuple(passed[:MAX_PROMOTED]), tuple(refused))


def _objection(counts: dict[str, int] | None) -> str:
    """Why an account gets no lane; empty if it may have one."""
    if not counts or not counts["total"]:
        return "none of its own posts came up"
    if counts["on_topic"] < HANDLE_ON_TOPIC_FLOOR * counts["total"]:
        return "too few of its posts are on topic"
    if counts["on_topic"] < MIN_ON_TOPIC_HITS:
        return "a single post proves nothing"
    return ""


def _cleaned(handles: Iterable[str]) -> list[str]:
    found = (clean_handle(handle) for handle in handles)
    return list({handle.lower(): handle for handle in found if handle}.values())
