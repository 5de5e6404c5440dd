"""Order: near-duplicates out, nobody more often than is fair, and why each left."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from engine.model import Item, SourceInfo
from engine.rank import caps
from engine.rank.copies import count_copies, find_copies
from engine.rank.engagement import engagement
from engine.x.calls import Drop

__all__ = ["PROMOTED_CAP", "cap", "unique"]

PROMOTED_CAP = 5


def unique(items: Iterable[Item], info: SourceInfo) -> tuple[list[Item], list[Drop]]:
    """Drop near-duplicates: the one with most engagement stays and counts the others.

    What stays keeps its place in the order of `items`.
    """
    given = list(items)
    copies = find_copies(given, [engagement(item, info) or 0.0 for item in given])
    counted = count_copies(given, copies)
    kept = [item for i, item in enumerate(counted) if i not in copies]
    return kept, [Drop(given[i], "near-duplicate") for i in sorted(copies)]


def cap(
    ranked: Iterable[Item], allowed: Callable[[str], int]
) -> tuple[list[Item], list[Drop]]:
    """Keep at most `allowed(handle)` items of an author; unknown authors are no one."""
    kept, over = caps.cap(ranked, lambda item: item.author_handle.lower(), allowed)
    return kept, [Drop(item, "author-cap") for item in over]
