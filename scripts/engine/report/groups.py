"""The items of an artifact in the groups in which a reader should meet them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from engine.text.relevance import RELEVANCE_FLOOR

__all__ = ["Group", "groups", "is_solid", "is_weak", "sides"]

_Item = Mapping[str, Any]

_NOT_NAMED = "entity-miss"
_NOT_OF_THE_WINDOW = frozenset(("undated", "out-of-window"))


@dataclass(frozen=True, slots=True)
class Group:
    """Items of a cluster, or of none; the best first.

    `best` speak for all, `others` say much the same.
    """

    cluster: Mapping[str, Any] | None
    best: tuple[_Item, ...]
    others: tuple[_Item, ...] = ()

    def without(self, leaves: Callable[[_Item], bool]) -> Group:
        """The group without some items; the best that is left speaks for it."""
        best = tuple(item for item in self.best if not leaves(item))
        others = tuple(item for item in self.others if not leaves(item))
        return Group(self.cluster, best or others[:1], others if best else others[1:])


def sides(record: Mapping[str, Any]) -> list[str]:
    """The sides of a comparison; one without a name where there is none."""
    return record["sides"] or [""]


def groups(record: Mapping[str, Any], side: str = "") -> list[Group]:
    """The clusters of a side in their order, then the items that are in none."""
    items = {
        f"{item['source']}:{item['id']}": item
        for item in record["items"]
        if item.get("side", "") == side
    }
    found = []
    for cluster in record["clusters"]:
        if cluster.get("side", "") == side:
            best = [items.pop(i) for i in cluster["best_ids"] if i in items]
            others = [items.pop(i) for i in cluster["item_ids"] if i in items]
            found.append(Group(cluster, tuple(best), tuple(others)))
    return [*found, Group(None, tuple(items.values()))] if items else found


def is_solid(item: _Item) -> bool:
    """True if an item bears on the topic and on the window beyond doubt."""
    marks = set(item.get("marks", ()))
    return not is_weak(item) and not marks & _NOT_OF_THE_WINDOW


def is_weak(item: _Item) -> bool:
    """True if an item may well be about something else."""
    relevance = item["relevance"]
    off = relevance is not None and relevance < RELEVANCE_FLOOR
    return off or _NOT_NAMED in item.get("marks", ())
