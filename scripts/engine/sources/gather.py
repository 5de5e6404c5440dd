"""What several requests of one source gave, made into one list."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, zip_longest

from engine.errors import SourceError, most_telling
from engine.model import Item

__all__ = ["gather"]


def gather(answers: Sequence[Sequence[Item] | SourceError], limit: int) -> list[Item]:
    """The items of all answers by turns, each once, at most `limit`.

    By turns, so that no request crowds out another.

    Raises:
        SourceError: the most telling failure, if there is one; what arrived is on it.
    """
    lists = [one.items if isinstance(one, SourceError) else one for one in answers]
    found: dict[str, Item] = {}
    for item in chain.from_iterable(zip_longest(*lists)):
        if item is not None:
            found.setdefault(item.id, item)
    items = list(found.values())[:limit]
    failures = [one for one in answers if isinstance(one, SourceError)]
    if failures:
        failure = most_telling(failures)
        failure.items = tuple(items)
        raise failure
    return items
