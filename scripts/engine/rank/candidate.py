"""The nouns of ranking: what goes in, and what an item becomes on its way."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from engine.model import Item

__all__ = ["Candidate", "Mark", "Place", "Stream"]


@dataclass(frozen=True, slots=True)
class Stream:
    """What one source found for one subquery: `items`, judged, the best first.

    `weight` is the subquery's weight times the source's, over 0.
    """

    source: str
    subquery: str
    weight: float
    items: tuple[Item, ...]


class Place(NamedTuple):
    """Where an item stood in a stream; `rank` counts from 1."""

    source: str
    subquery: str
    rank: int


class Mark(str, Enum):
    """What a reader of a candidate should know beside its figures."""

    FIRST_PARTY = "first-party"
    ENTITY_MISS = "entity-miss"
    OUT_OF_WINDOW = "out-of-window"
    UNDATED = "undated"


@dataclass(frozen=True, slots=True)
class Candidate:
    """An item after fusion.

    `key` tells candidates apart: the canonical URL, or source:id where there is none.
    `item` is the richest of the copies that were merged; `sources`, `item_ids` (as
    source:id) and `places` are those of all of them. `relevance` is 0…1, the best of
    the copies. `local`, `fusion`, `freshness`, `engagement` (None: unknown) and `final`
    are 0…100, `quality` is 0…1.
    """

    key: str
    item: Item
    sources: tuple[str, ...]
    item_ids: tuple[str, ...]
    places: tuple[Place, ...]
    relevance: float
    fusion: float
    local: float = 0.0
    freshness: float = 0.0
    quality: float = 0.0
    engagement: float | None = None
    final: float = 0.0
    marks: tuple[Mark, ...] = ()
