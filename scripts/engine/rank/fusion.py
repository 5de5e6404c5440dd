"""Fusion: one list out of many, by rank alone, so that scales need not agree.

Weighted reciprocal rank fusion: Σ weight / (60 + rank) over the streams that hold an
item (Cormack, Clarke, Büttcher: Reciprocal Rank Fusion outperforms Condorcet and
individual Rank Learning Methods, SIGIR 2009).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from engine.model import Item
from engine.rank.candidate import Candidate, Place, Stream
from engine.text.urls import canonical_url

__all__ = ["RRF_K", "fuse"]

RRF_K = 60
"""The constant of the paper; it keeps the first ranks from deciding alone."""


@dataclass(slots=True)
class _Found:
    copies: list[Item] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    shares: list[float] = field(default_factory=list)


def fuse(streams: Iterable[Stream]) -> list[Candidate]:
    """Merge streams into candidates, one for each page, the best fused first.

    The fused score is scaled so that the best of this run has 100: a constant that no
    run reaches would make the term weigh nothing. The order of streams means nothing.
    """
    found: dict[str, _Found] = {}
    for stream in streams:
        seen: set[str] = set()
        for rank, item in enumerate(stream.items, start=1):
            key = canonical_url(item.url) or f"{item.source}:{item.id}"
            page = found.setdefault(key, _Found())
            page.copies.append(item)
            if key not in seen:
                seen.add(key)
                page.places.append(Place(stream.source, stream.subquery, rank))
                page.shares.append(stream.weight / (RRF_K + rank))
    # fsum: the same sum in any order of streams.
    raw = {key: math.fsum(page.shares) for key, page in found.items()}
    # Weights may be so small that their shares are 0.
    best = max(raw.values(), default=0.0) or 1.0
    fused = [_candidate(k, page, 100 * (raw[k] / best)) for k, page in found.items()]
    return sorted(fused, key=lambda one: (-one.fusion, one.key))


def _candidate(key: str, page: _Found, fusion: float) -> Candidate:
    copies = page.copies
    item = copies[0] if len(copies) == 1 else _merge(copies)
    return Candidate(
        key=key,
        item=item,
        sources=tuple(sorted({copy.source for copy in copies})),
        item_ids=tuple(sorted({f"{copy.source}:{copy.id}" for copy in copies})),
        places=tuple(sorted(page.places)),
        relevance=item.relevance or 0.0,
        fusion=round(fusion, 4),
    )


def _merge(copies: Sequence[Item]) -> Item:
    """The richest copy, with what it lacks and another copy of its page has."""
    ordered = sorted(copies, key=_poverty)
    best = ordered[0]
    counts: dict[str, int] = {}
    for copy in ordered:
        # What another source counts is something else.
        if copy.source == best.source:
            for name, count in copy.engagement.items():
                counts[name] = max(count, counts.get(name, count))
    judged = [copy.relevance for copy in ordered if copy.relevance is not None]
    return replace(
        best,
        title=best.title or next((c.title for c in ordered if c.title), ""),
        text=max((c.text for c in ordered), key=len),
        author_handle=best.author_handle
        or next((c.author_handle for c in ordered if c.source == best.source), ""),
        created_at=best.created_at
        or next((c.created_at for c in ordered if c.created_at), None),
        engagement=counts,
        urls=tuple(dict.fromkeys(url for c in ordered for url in c.urls)),
        comments=max((c.comments for c in ordered), key=len),
        relevance=max(judged, default=None),
        score=max(copy.score for copy in ordered),
        copies=max(copy.copies for copy in ordered),
    )


def _poverty(item: Item) -> tuple[object, ...]:
    """Sorts copies, the richest first: counts, then comments, then words.

    Counts first since a page that another source merely links to is known better by
    the source that it is on.
    """
    return (
        not item.engagement,
        -len(item.comments),
        -len(item.text),
        not item.title,
        item.source,
        item.id,
        item.text,
        sorted(item.engagement.items()),
    )
