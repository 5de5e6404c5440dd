"""The hot lists of the sources: what is rising there, in the order of a report.

A source without one is not swept; what it says is found by the research that follows.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.io import IO
from engine.model import Item
from engine.sources import github, hackernews, polymarket, reddit, web, x
from engine.sources.base import RiverAsk

__all__ = ["RIVERS", "River"]

River = Callable[[RiverAsk, IO], list[Item]]
"""Raises a `SourceError`; what had arrived is on it. Others than the domain's items
may be among those that it gives."""

RIVERS: dict[str, River] = {
    "x": x.river,
    "reddit": reddit.river,
    "hackernews": hackernews.river,
    "polymarket": polymarket.river,
    "github": github.river,
    "web": web.river,
}
