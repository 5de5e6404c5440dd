"""Clusters: candidates about one event, and how well they bear it out."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from engine.model import Item
from engine.rank.candidate import Candidate
from engine.rank.grouping import group
from engine.rank.origins import count_origins
from engine.rank.similarity import Print, print_of, similarity
from engine.text.statement import statement

__all__ = ["SIMILARITY", "Cluster", "cluster"]

SIMILARITY = {"story": 0.45, "market": 0.45, "debate": 0.40, "workflow": 0.50}
"""By a plan's `cluster_mode`: how similar members are to the best of their cluster.

0.45 is the figure of the public last30days tool. The sides of a debate have fewer words
in common than the reports of an event, and how-tos have more although they differ.
"""
_NO_CLUSTERS = "none"

SINGLE_SOURCE = "single-source"
THIN_EVIDENCE = "thin-evidence"
_ENOUGH_ORIGINS = 2

_REPRESENTATIVES = 3
# Maximal marginal relevance (Carbonell, Goldstein, SIGIR 1998): how much the score of
# a representative weighs against being unlike those before it.
_SCORE_SHARE = 0.7
_TITLE_LENGTH = 100


@dataclass(frozen=True, slots=True)
class Cluster:
    """Candidates about one event.

    `members` are all, the best first, `representatives` up to 3 that are good and
    unlike each other, the best first. `score` is the best's, 0…100. `origins` counts
    the independent people and publishers behind it. `mark` is "single-source" if all of
    it comes from one source, else "thin-evidence" if from one origin, else "".
    """

    title: str
    score: float
    members: tuple[Candidate, ...]
    representatives: tuple[Candidate, ...]
    sources: tuple[str, ...]
    origins: int
    mark: str


def cluster(
    ranked: Sequence[Candidate], mode: str, platforms: Collection[str]
) -> list[Cluster]:
    """Part candidates into clusters, the best first.

    Args:
        ranked: the best first.
        mode: a plan's `cluster_mode`; with "none" each candidate is its own cluster.
        platforms: the sites of the sources, where anybody may post.
    """
    prints = [print_of(one.item) for one in ranked]
    if mode == _NO_CLUSTERS:
        groups = [[i] for i in range(len(ranked))]
    else:
        groups = group(prints, SIMILARITY[mode])
    return [
        _cluster([ranked[i] for i in members], [prints[i] for i in members], platforms)
        for members in groups
    ]


def _cluster(
    members: Sequence[Candidate], prints: Sequence[Print], platforms: Collection[str]
) -> Cluster:
    sources = tuple(sorted({source for one in members for source in one.sources}))
    origins = count_origins([one.item for one in members], platforms)
    mark = THIN_EVIDENCE if origins < _ENOUGH_ORIGINS else ""
    return Cluster(
        title=_title(members[0].item),
        score=members[0].final,
        members=tuple(members),
        representatives=tuple(_representatives(members, prints)),
        sources=sources,
        origins=origins,
        mark=SINGLE_SOURCE if len(sources) == 1 else mark,
    )


def _representatives(
    members: Sequence[Candidate], prints: Sequence[Print]
) -> list[Candidate]:
    chosen = [0]
    rest = list(range(1, len(members)))
    while rest and len(chosen) < _REPRESENTATIVES:
        best = max(rest, key=lambda i: (_merit(i, chosen, members, prints), -i))
        chosen.append(best)
        rest.remove(best)
    return [members[i] for i in sorted(chosen)]


def _merit(
    i: int,
    chosen: Sequence[int],
    members: Sequence[Candidate],
    prints: Sequence[Print],
) -> float:
    alike = max(similarity(prints[i], prints[j]) for j in chosen)
    return _SCORE_SHARE * members[i].final / 100 - (1 - _SCORE_SHARE) * alike


def _title(item: Item) -> str:
    """An item's title, or the beginning of its text, on one line."""
    line = " ".join((item.title or statement(item)).split())
    if len(line) <= _TITLE_LENGTH:
        return line
    cut = line[: _TITLE_LENGTH - 1]
    head, _, tail = cut.rpartition(" ")
    # Scripts without spaces are cut where the room ends.
    return f"{(head if len(tail) < _TITLE_LENGTH // 4 else cut).rstrip()}…"
