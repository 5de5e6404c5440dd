"""Retry: one more fan-out when the first drowned or came back thin."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from engine.model import Depth, Item, Lane
from engine.text.topic import Topic
from engine.x.compile import compile_query
from engine.x.judge import Judgment, judge_x_corpus
from engine.x.query import Query

__all__ = ["THIN", "Retry", "plan_retry", "should_retry_x_search"]

THIN = 3
_TELLING = 2


class Retry(NamedTuple):
    """A second fan-out: its `lane` says why (retry or thin), `query` is its base."""

    lane: Lane
    query: Query


def should_retry_x_search(
    items: Sequence[Any], topic: str, *, ranking_query: str = "", depth: str = "default"
) -> bool:
    """True if the corpus is a flood; never at depth quick, nor for an empty corpus.

    Args:
        items: dicts with `author_handle` and `text`, or `Item`s.
        topic: what the user typed.
        ranking_query: the question to judge against, else the topic.
        depth: quick, default or deep.
    """
    if depth == Depth.QUICK or not items:
        return False
    verdict = judge_x_corpus(items, topic, ranking_query=ranking_query)
    return bool(verdict["is_off_topic_flood"])


def plan_retry(
    first: Query, topic: Topic, judgment: Judgment[Item], *, failed: bool, depth: Depth
) -> Retry | None:
    """The retry that a corpus calls for, or None.

    Args:
        first: the query that gave the corpus.
        topic: what the user typed.
        judgment: of the corpus.
        failed: whether a call failed: a failure is no proof that little was said.
        depth: no retry at quick.

    A flood is asked again for the core subject without the accounts that flooded; fewer
    than three items for the core subject, or for its two longest terms if the topic is
    nothing but its core. A query equal to the first is no retry.
    """
    if depth is Depth.QUICK:
        return None
    core = compile_query(topic, first.window, core=True)
    if judgment.is_off_topic_flood:
        found = replace(core, not_from=tuple(judgment.flooders))
        if _differs(found, first):
            return Retry(Lane.RETRY, found)
    if len(judgment.items) >= THIN or failed:
        return None
    if not _differs(core, first):
        longest = sorted(core.terms, key=len, reverse=True)[:_TELLING]
        core = replace(core, terms=tuple(t for t in core.terms if t in longest))
    return Retry(Lane.THIN, core) if _differs(core, first) else None


def _differs(query: Query, first: Query) -> bool:
    return replace(query, terms=()) != replace(first, terms=()) or (
        {term.lower() for term in query.terms} != {term.lower() for term in first.terms}
    )
