"""What ranking is handed in tests: sources as ranking knows them, items, streams."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, time, timedelta, timezone
from typing import Any

from engine.model import Item, SourceInfo
from engine.rank.candidate import Stream
from engine.sources import hackernews, polymarket, reddit, web, x
from fakes.xposts import WINDOW

__all__ = ["INFOS", "item", "stream"]


# YouTube as the facts of ranking have it.
_YOUTUBE = SourceInfo(
    name="youtube",
    label="YouTube",
    emoji="▶",
    site="youtube.com",
    api_page="https://example.org",
    weights={"views": 0.45, "likes": 0.32, "comments": 0.13, "best_comment": 0.10},
    reference=11.2,
    quality=0.85,
)

INFOS = {
    info.name: info
    for info in (
        x.INFO,
        reddit.INFO,
        hackernews.INFO,
        polymarket.INFO,
        _YOUTUBE,
        web.INFO,
    )
}
"""Sources, by name."""

_PAGES = {
    "x": "https://x.com/i/status/",
    "reddit": "https://www.reddit.com/comments/",
    "hackernews": "https://news.ycombinator.com/item?id=",
    "youtube": "https://www.youtube.com/watch?v=",
    "polymarket": "https://polymarket.com/event/",
    "web": "https://paper.example/",
}


def item(number: int | str, text: str = "", source: str = "x", **more: Any) -> Item:
    """An item of a source, written on the window's last day unless `day` says when.

    `day` counts back from the last day; `counts` are its engagement.
    """
    noon = datetime.combine(WINDOW.last, time(12), timezone.utc)
    day = more.pop("day", 0)
    counts = more.pop("counts", {})
    made = Item(
        id=str(number),
        source=source,
        text=text,
        url=f"{_PAGES[source]}{number}",
        created_at=None if day is None else noon - timedelta(day),
        engagement=counts,
        relevance=0.5,
    )
    return replace(made, **more)


def stream(*items: Item, subquery: str = "q1", weight: float = 1.0) -> Stream:
    """A stream of items of one source, in the order given."""
    return Stream(items[0].source, subquery, weight, items)
