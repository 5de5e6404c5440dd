"""Near-duplicates: texts that say the same in nearly the same words.

Two texts are near-duplicates when the Jaccard similarity of their word 3-grams is at
least 0.85. Numbers make news: texts that differ in one are never duplicates, nor is a
text of under five words. A repost counts by what it repeats. Candidates come from
prefix filtering (Chaudhuri, Ganti, Kaushik: A primitive operator for similarity joins,
ICDE 2006): sets that are similar enough must share one of their rarest few members, so
that only those are looked up.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence

from engine.text.reposts import without_repost
from engine.text.tokens import read

__all__ = ["MIN_WORDS", "SIMILARITY", "near_duplicates"]

SIMILARITY = 0.85
MIN_WORDS = 5

_Grams = frozenset[tuple[str, ...]]


def near_duplicates(texts: Sequence[str]) -> list[int]:
    """For each text the index of the text that it copies, or its own.

    Args:
        texts: in order of preference; a copy always points to an earlier original.
    """
    words = [read(without_repost(text)).words for text in texts]
    grams = [_grams(w) for w in words]
    counts = Counter(gram for found in grams for gram in found)
    originals = list(range(len(texts)))
    same: dict[tuple[tuple[str, ...], _Grams], int] = {}
    index: dict[tuple[tuple[str, ...], tuple[str, ...]], list[int]] = defaultdict(list)
    for i, found in enumerate(grams):
        # Copies have most of their members in common, and most texts have few.
        if not found or sum(counts[g] > 1 for g in found) < SIMILARITY * len(found):
            continue
        numbers = tuple(sorted(w for w in words[i] if any(map(str.isdigit, w))))
        rarest = sorted(found, key=lambda gram: (counts[gram], gram))
        keys = [(numbers, gram) for gram in rarest[: _prefix_length(len(found))]]
        original = same.setdefault((numbers, found), i)
        if original == i:
            original = _first_similar(found, keys, index, grams, default=i)
        originals[i] = original
        if original == i:
            for key in keys:
                index[key].append(i)
        else:
            same[numbers, found] = original
    return originals


def _grams(words: tuple[str, ...]) -> _Grams:
    if len(words) < MIN_WORDS:
        return frozenset()
    return frozenset(zip(words, words[1:], words[2:], strict=False))


def _prefix_length(size: int) -> int:
    return size - math.ceil(SIMILARITY * size) + 1


def _first_similar(
    found: _Grams,
    keys: list[tuple[tuple[str, ...], tuple[str, ...]]],
    index: dict[tuple[tuple[str, ...], tuple[str, ...]], list[int]],
    grams: Sequence[_Grams],
    default: int,
) -> int:
    candidates = sorted({i for key in keys for i in index.get(key, ())})
    return next((i for i in candidates if _similar(found, grams[i])), default)


def _similar(a: _Grams, b: _Grams) -> bool:
    if min(len(a), len(b)) < SIMILARITY * max(len(a), len(b)):
        return False
    shared = len(a & b)
    return shared >= SIMILARITY * (len(a) + len(b) - shared)
