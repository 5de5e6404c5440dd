"""Feedback: the posts of a corpus tell each other apart.

Words that go with the posts which answer the question speak for a post, words that go
with the others speak against it. Which posts answer is not known, so each counts by its
chance, and what the words say changes the chances, for a few rounds (soft self-training
of a naive Bayes classifier). A post has no say about its own words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain
from math import exp, log, sqrt, tanh
from typing import NamedTuple

__all__ = ["Lesson", "learn"]

# All measured with `make judge-eval`; the scores are flat around each of them.
_ROUNDS = 5
_SLOPE, _MIDDLE = 2.0, 1.0
"""chance = 1 / (1 + exp(-slope * (score - middle)))"""
_SMOOTHING = 2.5
_CUT = 2.0
"""No word says more than this, in log odds."""
_GAIN, _LENGTH = 1.25, 5
"""A post's words add up to gain * sum / sqrt(words + length), and to less than 1."""

# Imagined posts: some on topic that meet every clue, and twice as many off topic that
# share no word with the corpus, since what is not asked for is endless. They fill a
# small corpus up to twelve posts, so that the question outweighs chance there.
_IMAGINED = 2.0
_FILLED_UP = 12
_OFF_TOPIC_EACH = 2


class Lesson(NamedTuple):
    """What a corpus taught.

    `shifts` are added to the scores of its posts, inside -1…1. `odds` are the log odds
    of its words; a word that tells nothing has 0.
    """

    shifts: list[float]
    odds: Mapping[str, float]


def learn(
    bags: Sequence[tuple[str, ...]], scores: Sequence[float], met: Mapping[str, float]
) -> Lesson:
    """Learn from a corpus which words speak for its posts and which against.

    Args:
        bags: the different words of each post, posts and words in a fixed order.
        scores: the score of each post by the question alone.
        met: the words that meet a clue, with their strengths in 0…1.
    """
    counts: dict[str, int] = {}
    for word in chain.from_iterable(bags):
        counts[word] = counts.get(word, 0) + 1
    telling = [w for w, n in counts.items() if n > 1 or w in met]
    number = {word: i for i, word in enumerate(telling)}
    posts = [[number[w] for w in bag if w in number] for bag in bags]
    imagined = max(_IMAGINED, float(_FILLED_UP - len(bags)))
    prior = [_SMOOTHING + imagined * met.get(word, 0.0) for word in telling]
    total = [counts[w] + p + _SMOOTHING for w, p in zip(telling, prior, strict=True)]
    shifts = [0.0] * len(bags)
    odds: list[float] = []
    for _ in range(_ROUNDS):
        chances = [
            1 / (1 + exp(-_SLOPE * (score + shift - _MIDDLE)))
            for score, shift in zip(scores, shifts, strict=True)
        ]
        shifts, odds = _round(posts, bags, chances, prior, total, imagined)
    return Lesson(shifts, dict(zip(telling, odds, strict=True)))


def _round(
    posts: list[list[int]],
    bags: Sequence[tuple[str, ...]],
    chances: list[float],
    prior: list[float],
    total: list[float],
    imagined: float,
) -> tuple[list[float], list[float]]:
    on = prior.copy()
    mass = imagined + 2 * _SMOOTHING
    for words, chance in zip(posts, chances, strict=True):
        mass += chance
        for word in words:
            on[word] += chance
    rest = len(bags) - mass + (1 + _OFF_TOPIC_EACH) * imagined + 4 * _SMOOTHING
    shifts = []
    for words, bag, chance in zip(posts, bags, chances, strict=True):
        base = log((rest - 1 + chance) / (mass - chance))
        said = 0.0
        for word in words:
            seen = on[word] - chance
            odds = log(seen / (total[word] - 1 - seen)) + base
            said += _CUT if odds > _CUT else -_CUT if odds < -_CUT else odds
        shifts.append(tanh(_GAIN * said / sqrt(len(bag) + _LENGTH)))
    return shifts, [log(s / (t - s)) for s, t in zip(on, total, strict=True)]
