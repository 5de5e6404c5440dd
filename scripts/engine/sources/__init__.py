"""The sources, in the order in which a report shows them."""

from __future__ import annotations

from engine.sources import (
    bluesky,
    github,
    hackernews,
    polymarket,
    reddit,
    web,
    x,
    youtube,
)
from engine.sources.base import Source

__all__ = ["SOURCES"]

SOURCES: dict[str, Source] = {
    "x": x,
    "reddit": reddit,
    "hackernews": hackernews,
    "polymarket": polymarket,
    "github": github,
    "bluesky": bluesky,
    "youtube": youtube,
    "web": web,
}
