"""Grouping: items that tell of one thing, found without comparing all pairs.

Each item joins the most similar of the leaders before it, or leads a group itself.
Which leaders to compare with comes from prefix filtering (Wang, Li, Feng: Can we beat
the prefix filtering?, SIGMOD 2012): sets that are similar enough share at least a few
of their rarest members.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence

from engine.rank.similarity import Print, similarity

__all__ = ["group"]

# So many shared rare members make a leader worth comparing with.
_SHARED = 3
# What so many leaders have tells nothing: it would compare everything with everything.
_COMMON = 100

_Key = tuple[str, Hashable]


def group(prints: Sequence[Print], least: float) -> list[list[int]]:
    """Part prints into groups, each with its leader first.

    Exact for up to 100 prints; among more, the few pairs that share only what a
    hundred leaders have are not found.

    Args:
        prints: in order of preference; a leader is preferred to all of its group.
        least: the similarity to its leader that a member needs, 0…1.
    """
    counts = Counter(key for one in prints for key in _keys(one))
    groups: dict[int, list[int]] = {}
    index: dict[_Key, list[int]] = defaultdict(list)
    for i, one in enumerate(prints):
        rare = list(_rare(one, counts, least))
        alike = [(-similarity(one, prints[j]), j) for j in _near(rare, index)]
        best, leader = min(alike, default=(0.0, i))
        if -best >= least:
            groups[leader].append(i)
        else:
            groups[i] = [i]
            for key, _ in rare:
                index[key].append(i)
    return list(groups.values())


def _near(rare: Sequence[tuple[_Key, int]], index: dict[_Key, list[int]]) -> list[int]:
    """The leaders that have as many of the rare keys as these say are enough."""
    shared: Counter[tuple[str, int]] = Counter()
    enough: dict[str, int] = {}
    for key, needed in rare:
        enough[key[0]] = needed
        leaders = index.get(key, ())
        if len(leaders) <= _COMMON:
            shared.update((key[0], leader) for leader in leaders)
    return sorted({j for (kind, j), n in shared.items() if n >= enough[kind]})


def _rare(
    one: Print, counts: Counter[_Key], least: float
) -> Iterator[tuple[_Key, int]]:
    """The keys of which a similar print must have some, each with how many."""
    for kind, members in _sets(one):
        keys = sorted(((kind, m) for m in members), key=lambda key: (counts[key], key))
        overlap = math.ceil(least * len(keys))
        needed = min(_SHARED, overlap)
        yield from ((key, needed) for key in keys[: len(keys) - overlap + needed])
    for page in one.pages:
        yield ("page", page), 1


def _keys(one: Print) -> Iterator[_Key]:
    for kind, members in _sets(one):
        for member in members:
            yield kind, member


def _sets(one: Print) -> tuple[tuple[str, frozenset[Hashable]], ...]:
    return ("word", one.words), ("gram", one.grams), ("head", one.head)
