"""Ranking: its steps in their order, and nothing else.

fuse the streams, score, drop near-duplicates, cap authors, choose the pool, cluster.
No step reads a clock or depends on the order of its input.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from engine.model import Depth, SourceInfo
from engine.rank.candidate import Candidate, Stream
from engine.rank.cluster import Cluster, cluster
from engine.rank.copies import count_copies, find_copies
from engine.rank.entity import primary_entity
from engine.rank.fusion import fuse
from engine.rank.pool import cap_authors, select
from engine.rank.score import score
from engine.text.topic import Topic
from engine.window import Window

__all__ = ["Dropped", "Ranking", "rank"]


@dataclass(frozen=True, slots=True)
class Dropped:
    """A candidate that left, and why: near-duplicate, author-cap or below-pool."""

    candidate: Candidate
    reason: str


@dataclass(frozen=True, slots=True)
class Ranking:
    """The pool and its clusters, the best first, and what did not come into it."""

    candidates: tuple[Candidate, ...]
    clusters: tuple[Cluster, ...]
    dropped: tuple[Dropped, ...]


def rank(
    streams: Sequence[Stream],
    infos: Mapping[str, SourceInfo],
    window: Window,
    *,
    freshness_mode: str,
    cluster_mode: str,
    depth: Depth,
    topic: Topic,
    first_party: Collection[tuple[str, str]] = (),
) -> Ranking:
    """Put what all sources found on one scale.

    Args:
        streams: one for each subquery and source, judged and in order.
        infos: by name, of all sources that there are, asked or not.
        window: of the run, as is the depth.
        freshness_mode: the plan's, as is the cluster mode.
        topic: what the user typed; items that do not name what it is about lose.
        first_party: source and handle, in lower case, of those whom the user named.
    """
    entity = primary_entity(topic)
    candidates = score(
        fuse(streams), infos, window, freshness_mode, entity, first_party
    )
    candidates, copies = _without_copies(candidates)
    candidates, over = cap_authors(candidates, first_party)
    candidates, below = select(candidates, infos, depth)
    left = {"near-duplicate": copies, "author-cap": over, "below-pool": below}
    platforms = {info.site for info in infos.values()}
    return Ranking(
        tuple(candidates),
        tuple(cluster(candidates, cluster_mode, platforms)),
        tuple(Dropped(one, reason) for reason in left for one in left[reason]),
    )


def _without_copies(
    ranked: Sequence[Candidate],
) -> tuple[list[Candidate], list[Candidate]]:
    """Fold near-duplicates of any source into the best of them, which names all."""
    items = [one.item for one in ranked]
    # By place: what is last for being out of the window is worth least.
    copies = find_copies(items, range(len(ranked), 0, -1))
    stand_for: dict[int, list[int]] = {}
    for copy, original in copies.items():
        stand_for.setdefault(original, []).append(copy)
    counted = count_copies(items, copies)
    kept = [
        _named_by_all(replace(one, item=counted[i]), [ranked[c] for c in stand_for[i]])
        if i in stand_for
        else one
        for i, one in enumerate(ranked)
        if i not in copies
    ]
    return kept, [ranked[i] for i in sorted(copies)]


def _named_by_all(one: Candidate, copies: Sequence[Candidate]) -> Candidate:
    return replace(
        one,
        sources=tuple(sorted({*one.sources, *(s for c in copies for s in c.sources)})),
        item_ids=tuple(
            sorted({*one.item_ids, *(i for c in copies for i in c.item_ids)})
        ),
        places=tuple(sorted({*one.places, *(p for c in copies for p in c.places)})),
    )
