"""Engagement on an absolute scale: counts of one platform against "very high" there.

What is very high on a platform, and what each count weighs, stands in the `INFO` of
its source, with how it was chosen.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from engine.model import Item, SourceInfo

__all__ = ["engagement", "engagement_score"]

_ONES: Mapping[str, float] = {}


def engagement(item: Item, info: SourceInfo) -> float | None:
    """How much the users of an item's source reacted to it, 0…100; None if unknown."""
    return engagement_score(item.engagement, info.weights, info.reference, info.units)


def engagement_score(
    counts: Mapping[str, int],
    weights: Mapping[str, float],
    reference: float,
    units: Mapping[str, float] = _ONES,
) -> float | None:
    """How much a platform's users reacted, 0…100; None if no count is positive.

    100 · Σ weight · ln(1 + count / unit) / reference, clamped to 100. Logarithms since
    counts are long-tailed; an absolute reference since the best of a weak stream is
    weak; units since the first dollar of a market says less than the first vote.

    Args:
        counts: by name; names without a weight do not count.
        weights: the share of each count in the sum.
        reference: the sum that is very high on that platform.
        units: how much of a count is worth one vote; 1 for names that it lacks.
    """
    positive = {name: counts.get(name, 0) for name in weights}
    positive = {name: count for name, count in positive.items() if count > 0}
    if not positive:
        return None
    raw = math.fsum(
        weights[name] * math.log1p(count / units.get(name, 1))
        for name, count in positive.items()
    )
    return min(100.0, 100 * raw / reference)
