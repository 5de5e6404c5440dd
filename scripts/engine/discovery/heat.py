"""Heat: how much people reacted to a story, and how fast it rises."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from engine.model import Item, SourceInfo
from engine.rank.engagement import engagement
from engine.rank.freshness import recency
from engine.window import Window

__all__ = ["by_heat", "counts", "interactions", "momentum"]

# What a place in a hot list is worth where the source tells no counts.
_UNKNOWN = 20.0
# A story that is a week old keeps half of its heat.
_AGED = 0.5
# What each further source adds, and how many do.
_PER_SOURCE, _MOST_SOURCES = 5, 2
# Nobody reacts by looking, and the best comment's votes are a comment's.
_NO_REACTION = frozenset(("views", "best_comment"))


def by_heat(items: Iterable[Item], infos: Mapping[str, SourceInfo]) -> list[Item]:
    """The same items, those with most engagement first; ties keep their order."""
    return sorted(items, key=lambda item: -_heat(item, infos))


def momentum(
    items: Sequence[Item],
    infos: Mapping[str, SourceInfo],
    week: Window,
    sources: int = 1,
) -> int:
    """How much a story rises, 0…100.

    The heat of its hottest item, on the scale of its source, times 1 for the last day
    of the week down to 0.5 for its first; 5 more for a second and a third source.

    Args:
        items: that bear it out, at least one.
        infos: of the sources.
        week: over which things rise.
        sources: how many independent ones bear it out.
    """
    best = max(
        _heat(item, infos)
        * (_AGED + (1 - _AGED) * recency(item.created_at, week) / 100)
        for item in items
    )
    more = _PER_SOURCE * min(max(sources - 1, 0), _MOST_SOURCES)
    return min(100, round(best + more))


def interactions(items: Iterable[Item], infos: Mapping[str, SourceInfo]) -> int:
    """How often people reacted: votes, points, comments, likes, $1,000s."""
    total = 0.0
    for item in items:
        info = infos[item.source]
        for kind in info.weights.keys() - _NO_REACTION:
            total += max(0, item.engagement.get(kind, 0)) / info.units.get(kind, 1)
    return round(total)


def counts(items: Iterable[Item]) -> dict[str, dict[str, int]]:
    """The engagement of items by source and kind."""
    found: dict[str, dict[str, int]] = defaultdict(dict)
    for item in items:
        own = found[item.source]
        for kind, count in item.engagement.items():
            own[kind] = own.get(kind, 0) + count
    return dict(found)


def _heat(item: Item, infos: Mapping[str, SourceInfo]) -> float:
    heat = engagement(item, infos[item.source])
    return _UNKNOWN if heat is None else heat
