"""Scores: how the parts add up to one figure.

The weights are those that users of the public last30days tool know. Relevance weighs
most: a crowd does not make something an answer.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace

from engine.model import SourceInfo
from engine.rank.candidate import Candidate, Mark
from engine.rank.engagement import engagement
from engine.rank.entity import Entity, names_entity
from engine.rank.freshness import freshness
from engine.window import Window

__all__ = ["best_first", "final_score", "local_score", "score"]

_LOCAL, _FUSION, _FRESHNESS, _QUALITY, _ENGAGEMENT = 0.60, 0.20, 0.10, 0.05, 0.15
_KNOWN = _LOCAL + _FUSION + _FRESHNESS + _QUALITY

_LOCAL_MISS = 25
_FINAL_MISS = 20
_FIRST_PARTY = 5
_OUT_OF_WINDOW = 0.35


def local_score(
    relevance: float, quality: float, *, misses_entity: bool, first_party: bool
) -> float:
    """What an item is worth by itself, without a language model's opinion, 0…100.

    70 · relevance + 10 · quality, both 0…1; 25 less where it does not name the primary
    entity, 5 more for a first party.
    """
    score = 70 * relevance + 10 * quality
    score += _FIRST_PARTY * first_party - _LOCAL_MISS * misses_entity
    return min(100.0, max(0.0, score))


def final_score(
    local: float,
    fusion: float,
    freshness: float,
    quality: float,
    engagement: float | None,
    *,
    misses_entity: bool = False,
    out_of_window: bool = False,
) -> float:
    """Everything in one figure, 0…100.

    0.60 local + 0.20 fusion + 0.10 freshness + 0.05 · 100 · quality + 0.15 engagement.
    All are 0…100 but `quality`, 0…1. Unknown engagement is left out and the other
    terms are scaled up by what they miss: unknown is not zero. 20 less where the item
    does not name the primary entity; times 0.35 out of the window.
    """
    total = math.fsum(
        (
            _LOCAL * local,
            _FUSION * fusion,
            _FRESHNESS * freshness,
            _QUALITY * 100 * quality,
        )
    )
    if engagement is None:
        total *= (_KNOWN + _ENGAGEMENT) / _KNOWN
    else:
        total += _ENGAGEMENT * engagement
    total = min(100.0, max(0.0, total - _FINAL_MISS * misses_entity))
    return total * _OUT_OF_WINDOW if out_of_window else total


def score(
    candidates: Iterable[Candidate],
    infos: Mapping[str, SourceInfo],
    window: Window,
    mode: str,
    entity: Entity,
    first_party: Collection[tuple[str, str]],
) -> list[Candidate]:
    """Fill in the figures of fused candidates and sort them, the best first.

    Args:
        candidates: with relevance and fusion set.
        infos: of every source that is in a candidate.
        window: of the run.
        mode: the plan's `freshness_mode`.
        entity: what an item has to name.
        first_party: source and handle, in lower case, of those whom the user named;
            they need not name themselves.
    """
    return best_first(
        _scored(one, infos, window, mode, entity, first_party) for one in candidates
    )


def best_first(candidates: Iterable[Candidate]) -> list[Candidate]:
    """By the final score, ties by the newest, then by key; out of the window last."""
    return sorted(candidates, key=_standing)


def _standing(one: Candidate) -> tuple[bool, float, float, str]:
    moment = one.item.created_at
    age = -moment.timestamp() if moment else 0.0
    return Mark.OUT_OF_WINDOW in one.marks, -one.final, age, one.key


def _scored(
    one: Candidate,
    infos: Mapping[str, SourceInfo],
    window: Window,
    mode: str,
    entity: Entity,
    first_party: Collection[tuple[str, str]],
) -> Candidate:
    item, moment = one.item, one.item.created_at
    own = (item.source, item.author_handle.lower()) in first_party
    misses = not own and not names_entity(item, entity)
    outside = moment is not None and not window.contains(moment)
    fresh = freshness(moment, window, mode)
    quality = max(infos[source].quality for source in one.sources)
    heat = engagement(item, infos[item.source])
    local = local_score(one.relevance, quality, misses_entity=misses, first_party=own)
    final = final_score(
        local,
        one.fusion,
        fresh,
        quality,
        heat,
        misses_entity=misses,
        out_of_window=outside,
    )
    marks = (
        (own, Mark.FIRST_PARTY),
        (misses, Mark.ENTITY_MISS),
        (outside, Mark.OUT_OF_WINDOW),
        (moment is None, Mark.UNDATED),
    )
    return replace(
        one,
        local=local,
        freshness=fresh,
        quality=quality,
        engagement=heat,
        final=round(final, 4),
        marks=tuple(mark for holds, mark in marks if holds),
    )
