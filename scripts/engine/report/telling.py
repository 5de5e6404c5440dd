"""The comments that say most, over all sources."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from engine.report.clean import clean_line
from engine.report.lines import name

__all__ = ["ENOUGH", "GONE", "Telling", "comments_of", "telling"]

ENOUGH = 2
"""So many make a section of their own: one alone stands with its item."""

GONE = frozenset(("", "[deleted]", "[removed]"))
"""What stands in the place of an author or a text that is gone."""

_MOST = 6
_MOST_OF_AN_ITEM = 2
_COMMENTS = 3


class Telling(NamedTuple):
    """A comment and the item that it answers."""

    comment: Mapping[str, Any]
    item: Mapping[str, Any]


def comments_of(item: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The comments of an item that are worth showing, the best first, at most 3."""
    return [
        comment
        for comment in item["comments"]
        if comment["author"] not in GONE
        and name(comment["author"])
        and clean_line(comment["text"]) not in GONE
    ][:_COMMENTS]


def telling(
    items: Sequence[Mapping[str, Any]], sources: Mapping[str, Any]
) -> list[Telling]:
    """The most telling comments of items, at most 6, and of one item at most 2.

    By votes on the scale of their source, ln(1 + votes) / reference; behind them those
    of which the votes are unknown, in the order of their items. What nobody liked is
    none, and the same words count once.

    Args:
        items: of an artifact, the best first.
        sources: the artifact's.
    """
    rated = []
    for place, item in enumerate(items):
        for comment in comments_of(item)[:_MOST_OF_AN_ITEM]:
            votes = comment["votes"]
            if votes is None or votes > 0:
                heat = math.log1p(votes or 0) / sources[item["source"]]["reference"]
                rated.append((-heat, place, Telling(comment, item)))
    distinct: dict[str, Telling] = {}
    for *_, one in sorted(rated, key=lambda rating: rating[:2]):
        distinct.setdefault(one.comment["text"], one)
    found = list(distinct.values())[:_MOST]
    return found if len(found) >= ENOUGH else []
