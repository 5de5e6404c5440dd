"""Caps: nobody speaks more often than is fair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import TypeVar

__all__ = ["AUTHOR_CAP", "FIRST_PARTY_CAP", "cap"]

AUTHOR_CAP = 3
"""So many items of one author are enough to know what they think."""
FIRST_PARTY_CAP = 8
"""So many of somebody whom the user named."""

T = TypeVar("T")


def cap(
    ranked: Iterable[T], author: Callable[[T], str], allowed: Callable[[str], int]
) -> tuple[list[T], list[T]]:
    """What may stay and what may not, each in the order of `ranked`.

    Args:
        ranked: the best first.
        author: whose it is; "" for unknown authors, who are no one.
        allowed: how many of an author's may stay.
    """
    seen: Counter[str] = Counter()
    kept: list[T] = []
    over: list[T] = []
    for one in ranked:
        name = author(one)
        (over if name and seen[name] >= allowed(name) else kept).append(one)
        seen[name] += 1
    return kept, over
