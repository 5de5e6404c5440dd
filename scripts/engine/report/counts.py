"""Counts as people write them, in the units of the source that they come from."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

__all__ = ["amounts", "count", "counted"]

_SHOWN_AS = {"score": "votes"}
_ONE = {
    "copies": "copy",
    "liquidity": "liquidity",
    "queries": "query",
    "replies": "reply",
    "stories": "story",
}
_DOLLARS = frozenset(("volume", "liquidity"))
# It is a comment's and stands there.
_NOT_SHOWN = frozenset(("best_comment",))


def count(number: int) -> str:
    """A count as people write it: 950, 1.2K, 39K, 1.2M."""
    # From 999,500 on, thousands would be rounded to 1000K.
    for least, size, letter in ((999_500, 1_000_000, "M"), (1_000, 1_000, "K")):
        if number >= least:
            value = number / size
            digits = 1 if value < 10 else 0
            return f"{value:.{digits}f}".removesuffix(".0") + letter
    return str(number)


def counted(number: int, kind: str) -> str:
    """A count with its name: "1 reply", "1.2K likes", "$14K volume"."""
    kind = _SHOWN_AS.get(kind, kind)
    name = _ONE.get(kind, kind.removesuffix("s")) if number == 1 else kind
    return f"{'$' if kind in _DOLLARS else ''}{count(number)} {name}"


def amounts(engagement: Mapping[str, int], kinds: Iterable[str]) -> list[str]:
    """What is known of an engagement and not zero, in the order of `kinds`."""
    return [
        counted(engagement[kind], kind)
        for kind in kinds
        if kind not in _NOT_SHOWN and engagement.get(kind)
    ]
