"""The confidence floor: what a story needs before anybody is told that it rises."""

from __future__ import annotations

__all__ = ["ALONE", "LEAST", "below_floor"]

LEAST = 25
"""So many reactions need all."""
ALONE = 200
"""So many need those that one source alone bears out."""
_CONFIRMED = 2


def below_floor(reactions: int, sources: int, junk_shape: str) -> str:
    """Why a story is not told of; empty if it is.

    Args:
        reactions: votes, points, comments, likes, in all.
        sources: how many independent ones bear it out.
        junk_shape: what kind of junk its titles look like: then one source is never
            enough.
    """
    if reactions < LEAST:
        return f"{reactions} reactions, {LEAST} are needed"
    if sources >= _CONFIRMED:
        return ""
    if junk_shape:
        return f"one source alone, and it has the shape of junk ({junk_shape})"
    if reactions < ALONE:
        return f"one source alone with {reactions} reactions, {ALONE} are needed"
    return ""
