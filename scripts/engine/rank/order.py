"""Order: the items of one stream, the best first."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from engine.model import Item, SourceInfo
from engine.rank.engagement import engagement
from engine.rank.freshness import freshness
from engine.window import Window

__all__ = ["order", "stream_score"]


def order(
    items: Iterable[Item],
    window: Window,
    info: SourceInfo,
    mode: str = "strict_recent",
) -> list[Item]:
    """Score the items of one source, whose relevance is set, and sort them.

    The best first, ties by the newest and then by id; undated items come last.
    `mode` is a plan's `freshness_mode`.
    """
    scored = [replace(item, score=_score(item, window, info, mode)) for item in items]
    scored.sort(key=lambda item: item.id)
    scored.sort(key=lambda item: item.created_at or window.start, reverse=True)
    scored.sort(key=lambda item: (item.created_at is None, -item.score))
    return scored


def stream_score(relevance: float, freshness: float, engagement: float | None) -> float:
    """0.65 relevance + 0.25 freshness + 0.10 engagement, 0…1.

    Args:
        relevance: 0…1.
        freshness: 0…100.
        engagement: 0…100; None, unknown, earns nothing.
    """
    return 0.65 * relevance + 0.25 * freshness / 100 + 0.10 * (engagement or 0.0) / 100


def _score(item: Item, window: Window, info: SourceInfo, mode: str) -> float:
    fresh = freshness(item.created_at, window, mode)
    return round(stream_score(item.relevance or 0.0, fresh, engagement(item, info)), 4)
