"""Copies: near-duplicates, of which the worthiest stays and counts the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from engine.model import Item
from engine.text.duplicates import near_duplicates
from engine.text.statement import statement

__all__ = ["Copies", "count_copies", "find_copies"]

Copies = dict[int, int]
"""Where a copy stands in its list, and where the item that it copies does."""


def find_copies(items: Sequence[Item], worth: Sequence[float]) -> Copies:
    """Which of the items say again what a worthier one says.

    Args:
        items: in any order.
        worth: of each; among equals the lower source and id stays.

    A thread with comments is no copy of what is said elsewhere: what people answered
    there is its own.
    """
    order = sorted(
        range(len(items)), key=lambda i: (-worth[i], items[i].source, items[i].id)
    )
    originals = near_duplicates([statement(items[i]) for i in order])
    pairs = ((order[at], order[original]) for at, original in enumerate(originals))
    return {
        copy: original
        for copy, original in pairs
        if copy != original
        and not (items[copy].comments and items[copy].source != items[original].source)
    }


def count_copies(items: Sequence[Item], copies: Copies) -> list[Item]:
    """The items with what they stand for counted, copies and their copies with them."""
    counts: Counter[int] = Counter()
    for copy, original in copies.items():
        counts[original] += 1 + items[copy].copies
    return [
        replace(item, copies=item.copies + counts[i]) if counts[i] else item
        for i, item in enumerate(items)
    ]
