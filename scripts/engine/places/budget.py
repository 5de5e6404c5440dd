"""The request budget: so many requests to Xiaohongshu a run, and never one more.

Users report accounts blocked after some 90 requests. Each call is counted with the most
that it may take, before it is made.
"""

from __future__ import annotations

import threading
from typing import NamedTuple

from engine.places.connectors import Connector

__all__ = ["DEEP", "DEFAULT", "Budget", "Estimate", "estimate"]

DEFAULT = 90
"""At this, with four requests a search and two a text: 12 searches, 16 texts and 5 sets
of comments."""

DEEP = 240
"""20 searches, 30 texts, 5 whole sets of comments; some 210 if a text takes one."""

_SEARCHES = (8, 15)
_COMMENTS = (1, 9)


class Budget:
    """What is left of the requests of a run; several threads may take of it."""

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self.spent = 0
        self._lock = threading.Lock()

    def take(self, requests: int, *, keep: int = 0) -> bool:
        """Take requests, unless fewer than `keep` would be left; false if so."""
        with self._lock:
            if self.spent + requests > self.limit - keep:
                return False
            self.spent += requests
            return True


class Estimate(NamedTuple):
    """The calls of a run by kind, and their requests, usually and at most.

    `for_reading` are those of the most that are not for searches.
    """

    searches: int = 0
    texts: int = 0
    comments: int = 0
    usual: int = 0
    most: int = 0
    for_reading: int = 0


def estimate(
    connector: Connector,
    limit: int,
    *,
    searches: int,
    texts: int,
    comments: int,
    comment_call: str,
) -> Estimate:
    """How a budget is parted: as much as is wanted, or shares of what there is.

    Args:
        limit: of the budget.
        searches, texts, comments: the most calls of each kind that are wanted.
        comment_call: the connector's call for comments.
    """
    search, read = connector.calls["search"], connector.calls["read"]
    comment = connector.calls[comment_call]
    whole = searches * search.most + texts * read.most + comments * comment.most
    if whole > limit:
        searches = min(searches, _share(limit, _SEARCHES) // search.most)
        comments = min(comments, _share(limit, _COMMENTS) // comment.most)
        left = limit - searches * search.most - comments * comment.most
        texts = min(texts, left // read.most)
    reading = texts * read.most + comments * comment.most
    return Estimate(
        searches,
        texts,
        comments,
        searches * search.usual + texts * read.usual + comments * comment.usual,
        searches * search.most + reading,
        reading,
    )


def _share(limit: int, of: tuple[int, int]) -> int:
    return limit * of[0] // of[1]
