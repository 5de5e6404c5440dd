"""Prune: off-topic items leave, whoever wrote them, unless the user asked for them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.model import Item, Lane, Warning
from engine.x.judge import judge_x_corpus

__all__ = ["is_asked_for", "prune_off_topic_items", "prune_warning"]


def prune_off_topic_items(
    items: Sequence[Any], topic: str, *, ranking_query: str = ""
) -> list[Any]:
    """The items that are on topic, and those without text, in their order.

    Args:
        items: dicts with `author_handle` and `text`, or `Item`s.
        topic: what the user typed.
        ranking_query: the question to judge against, else the topic.
    """
    verdict = judge_x_corpus(items, topic, ranking_query=ranking_query)
    dropped = set(map(id, verdict["off_topic_items"]))
    return [item for item in items if id(item) not in dropped]


def is_asked_for(item: Item, named: frozenset[str]) -> bool:
    """Whether an item is exempt: a handle that the user named wrote it or is asked for.

    What others wrote about the subject by its name is judged as all else is: X finds a
    name in display names too.

    Args:
        item: any item of the run.
        named: explicit and related handles in lower case.
    """
    return item.lane == Lane.MENTION or item.author_handle.lower() in named


def prune_warning(pruned: int, remaining: int) -> Warning:
    """What the reader is told when items were pruned; it is no outcome."""
    return Warning(
        "pruned-off-topic",
        "x",
        f"X: pruned {pruned} off-topic items; {remaining} on-topic remain",
        {"pruned": pruned, "remaining": remaining},
    )
