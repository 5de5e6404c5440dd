"""Odds of Polymarket in words: what is likely, and where it went."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["LEAST_CHANGE", "Market", "odds"]

LEAST_CHANGE = 0.005
"""A change of less than half a point is none."""

_SHOWN = 4
# Which of the changes is told: a week is what people ask about.
_TOLD = ("week", "month", "day")


@dataclass(frozen=True, slots=True)
class Market:
    """One open question of an event: outcomes with their odds, 0…1.

    `changes` are those of the first outcome, by span.
    """

    question: str
    label: str
    outcomes: tuple[tuple[str, float], ...]
    changes: Mapping[str, float]

    @property
    def is_binary(self) -> bool:
        """Whether it is answered by yes or no."""
        return [name.lower() for name, _ in self.outcomes] == ["yes", "no"]


def odds(markets: Sequence[Market]) -> str:
    """The odds of one market, or the leading options of several."""
    if len(markets) == 1:
        market = markets[0]
        told = [_told(market, place) for place in range(len(market.outcomes))]
        if market.is_binary:
            return told[0]
        ranked = sorted(range(len(told)), key=lambda i: (-market.outcomes[i][1], i))
        return _list([told[i] for i in ranked])
    options = sorted(map(_option, markets), key=lambda option: (-option[0], option[1]))
    return _list([text for _, text in options])


def _list(told: Sequence[str]) -> str:
    rest = len(told) - _SHOWN
    more = f", and {rest} more" if rest > 0 else ""
    return ", ".join(told[:_SHOWN]) + more


def _option(market: Market) -> tuple[float, str]:
    """How likely an option is, and that in words: a "Yes" goes without saying."""
    label = market.label or market.question or "?"
    if market.is_binary:
        return market.outcomes[0][1], label + _told(market, 0).removeprefix(
            market.outcomes[0][0]
        )
    chances = [chance for _, chance in market.outcomes]
    leading = chances.index(max(chances))
    return max(chances), f"{label}: {_told(market, leading)}"


def _told(market: Market, place: int) -> str:
    """An outcome with its odds and where they went: Yes 63% (+5 points in a week)."""
    name, chance = market.outcomes[place]
    return f"{name} {_percent(chance)}{_direction(market, place)}"


def _percent(chance: float) -> str:
    if 0 < chance < 0.005:
        return "<1%"
    if 0.995 <= chance < 1:
        return ">99%"
    return f"{math.floor(100 * chance + 0.5)}%"


def _direction(market: Market, place: int) -> str:
    span = next((span for span in _TOLD if span in market.changes), "")
    if not span or place > 1 or (place == 1 and len(market.outcomes) > 2):
        return ""
    change = market.changes[span] * (1 if place == 0 else -1)
    if abs(change) < LEAST_CHANGE or abs(change) > 1:
        return ""
    points = math.floor(100 * abs(change) + 0.5)
    unit = "point" if points == 1 else "points"
    return f" ({'+' if change > 0 else '-'}{points} {unit} in a {span})"
