"""Pool: which candidates are worth a reader's time.

The best by score, with places kept for what a score alone would push out: a second
voice from every source that has something to say, and the threads where people talked
most.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from engine.model import Depth, SourceInfo
from engine.rank.candidate import Candidate, Mark
from engine.rank.caps import AUTHOR_CAP, FIRST_PARTY_CAP, cap
from engine.text.relevance import RELEVANCE_FLOOR

__all__ = ["cap_authors", "select"]

# The figures are those of the public last30days tool.
_SIZE = {Depth.QUICK: 15, Depth.DEFAULT: 40, Depth.DEEP: 60}
_DISCUSSED = {Depth.QUICK: 2, Depth.DEFAULT: 3, Depth.DEEP: 4}
_PER_SOURCE = 2
_RELEVANT = 0.25

_COMMENTS = "comments"


def cap_authors(
    ranked: Sequence[Candidate], first_party: Collection[tuple[str, str]]
) -> tuple[list[Candidate], list[Candidate]]:
    """At most 3 candidates of an author, 8 of a first party; what stays, what goes.

    Args:
        ranked: the best first.
        first_party: source and handle, in lower case, of those whom the user named.
    """
    names = {f"{source}:{handle}" for source, handle in first_party}
    return cap(
        ranked, _author, lambda name: FIRST_PARTY_CAP if name in names else AUTHOR_CAP
    )


def select(
    ranked: Sequence[Candidate], infos: Mapping[str, SourceInfo], depth: Depth
) -> tuple[list[Candidate], list[Candidate]]:
    """The pool and what is left out, both in the order given.

    15, 40 or 60 places by depth. A source with a candidate of relevance 0.25 or more
    keeps 2, and the most discussed threads on topic of a discussion source keep 2, 3
    or 4.

    Args:
        ranked: the best first.
        infos: of every source that is in a candidate.
        depth: of the run.
    """
    by_source: dict[str, list[int]] = {}
    for i, one in enumerate(ranked):
        for source in one.sources:
            by_source.setdefault(source, []).append(i)
    wanted: list[int] = []
    speaking = [
        places
        for places in by_source.values()
        if max(ranked[i].relevance for i in places) >= _RELEVANT
    ]
    # First places before second ones, should there be more than fit.
    for turn in range(_PER_SOURCE):
        wanted += sorted(places[turn] for places in speaking if len(places) > turn)
    for source in sorted(by_source):
        if infos[source].discussion:
            wanted += _discussed(ranked, source, by_source[source], _DISCUSSED[depth])
    chosen = set(list(dict.fromkeys([*wanted, *range(len(ranked))]))[: _SIZE[depth]])
    pool = [one for i, one in enumerate(ranked) if i in chosen]
    return pool, [one for i, one in enumerate(ranked) if i not in chosen]


def _discussed(
    ranked: Sequence[Candidate], source: str, places: Sequence[int], count: int
) -> list[int]:
    """Where the threads on topic with the most comments stand."""
    talked = [
        (-ranked[i].item.engagement.get(_COMMENTS, 0), i)
        for i in places
        if ranked[i].item.source == source and _is_on_topic(ranked[i])
    ]
    return [i for comments, i in sorted(talked)[:count] if comments]


def _is_on_topic(one: Candidate) -> bool:
    off = {Mark.ENTITY_MISS, Mark.OUT_OF_WINDOW}
    return one.relevance >= RELEVANCE_FLOOR and off.isdisjoint(one.marks)


def _author(one: Candidate) -> str:
    handle = one.item.author_handle.lower()
    return f"{one.item.source}:{handle}" if handle else ""
