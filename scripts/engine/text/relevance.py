"""Relevance: how well the posts of a corpus answer a question, read as a whole.

    score = 0.6 sqrt(T) + 0.6 sqrt(Q) + 0.4 / (1 + first / 8) + what the corpus taught

T and Q are the shares of the topic's and the question's clues that a post meets, by
strength; `first` counts the words before the first topic clue, which tells little in
scripts without spaces. references/judge.md has the measurements.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum, sqrt
from typing import NamedTuple

from engine.text.feedback import learn
from engine.text.matching import DOUBTFUL, Hits, find
from engine.text.question import Question, prepare
from engine.text.senses import tell_apart
from engine.text.tokens import is_paired, read
from engine.text.topic import noise_words

__all__ = ["RELEVANCE_FLOOR", "Verdict", "prepare", "weigh"]

RELEVANCE_FLOOR = 0.1
"""Below this relevance a post may be thrown away."""

_CLUES = 0.6
_EARLY, _HALFWAY = 0.4, 8
_ANYWHERE = 0.7

# Borders of the score, measured in corpora of 20 (make judge-eval). Under the first one
# in six on-topic posts is lost and more than half of the others; at the second most
# verdicts are right. What a post adds to the ratio rises from the third to the fourth;
# it is 1 if the post names the topic and its words speak for it. So floods are told
# best, and a corpus that is all about its topic is none.
_GENTLE = 0.9
_LIKELY = 0.98
_NEVER, _SURELY = 1.2, 1.7
# A corpus in which every post is likely must not look like a flood.
_LIKELY_SHARE = 0.4
_NAMED = 0.84
_TOP = 2.4

_TERMS = 5
_SAYS_MUCH = 0.2


class Verdict(NamedTuple):
    """What the judge says of one post.

    `relevance` is 0…1, under `RELEVANCE_FLOOR` off topic. `likely` is true above the
    border at which most verdicts are right. `share` is what the post adds to the count
    of on-topic posts, 0…1; clear cases are exactly 0 or 1. `matched` and `against` are
    the words that spoke for and against it, a few of each, the strongest first.
    """

    relevance: float
    likely: bool
    share: float
    matched: tuple[str, ...]
    against: tuple[str, ...]


def weigh(texts: Sequence[str], question: Sequence[Question]) -> list[Verdict]:
    """Weigh posts against a question; of several questions the best verdict counts.

    Args:
        texts: the corpus. Its posts tell each other apart, so give all there are; equal
            texts count once.
        question: what `prepare` gave.

    A verdict depends on the other posts, but not on their order.
    """
    corpus = sorted(set(texts))
    found: dict[str, Verdict] = {}
    for one in question:
        for text, verdict in zip(corpus, _weigh(corpus, one), strict=True):
            if text not in found or verdict.relevance > found[text].relevance:
                found[text] = verdict
    return [found[text] for text in texts]


def _weigh(corpus: list[str], question: Question) -> list[Verdict]:
    matches = tell_apart(question, corpus, find(question, corpus))
    scores = [_by_words(hits, question) for hits in matches]
    bags = [
        _bag(text, hits, question) for text, hits in zip(corpus, matches, strict=True)
    ]
    lesson = learn(bags, scores, question.strengths)
    telling = _telling(lesson.odds, question)
    return [
        _verdict(score, shift, bag, hits, question, telling)
        for score, shift, bag, hits in zip(
            scores, lesson.shifts, bags, matches, strict=True
        )
    ]


def _telling(odds: Mapping[str, float], question: Question) -> dict[str, float]:
    """The words of a corpus that explain a verdict, beside the question's own."""
    found = {word: said for word, said in odds.items() if abs(said) > _SAYS_MUCH}
    idle = noise_words(found) | question.strengths.keys()
    return {word: said for word, said in found.items() if word not in idle}


def _bag(text: str, hits: Hits, question: Question) -> tuple[str, ...]:
    """The different words of a post, as it teaches them.

    A word that looks like a clue and is none here ("a county clerk") is another word
    than the clue, and a clue that no single word meets is a word.
    """
    words = dict.fromkeys(read(text).words)
    looks = [word for word in words if word in question.strengths]
    if not looks and not hits:
        return tuple(words)
    sure = {number for number, hit in hits.items() if hit.strength > DOUBTFUL}
    met = {word: {number for number, _ in question.met_by(word)} for word in looks}
    aside = {word for word in looks if not met[word] & sure}
    unmet = sure.difference(*met.values())
    return (
        *("~" + word if word in aside else word for word in words),
        *(question.clues[number].word for number in sorted(unmet)),
    )


def _about(hits: Hits, question: Question) -> float:
    """How much of the topic a post names, 0…1; a city stands for where it lies."""
    topics = len(question.topic)
    if question.place and 0 in hits:
        return hits[0].strength
    return fsum(hit.strength for n, hit in hits.items() if n < topics) / topics


def _by_words(hits: Hits, question: Question) -> float:
    """The score of a post by the words that it shares with the question."""
    beside = early = 0.0
    for number, hit in hits.items():
        if number >= len(question.topic):
            beside += hit.strength
        else:
            paired = is_paired(question.topic[number].word)
            near = _ANYWHERE if paired else 1 / (1 + hit.position / _HALFWAY)
            early = max(early, hit.strength * near)
    score = _CLUES * sqrt(_about(hits, question)) + _EARLY * early
    if question.asked:
        score += _CLUES * sqrt(beside / len(question.asked))
    return score


def _verdict(
    by_words: float,
    shift: float,
    bag: tuple[str, ...],
    hits: Hits,
    question: Question,
    telling: Mapping[str, float],
) -> Verdict:
    score = by_words + shift
    if score < _GENTLE:
        relevance = RELEVANCE_FLOOR * max(0.0, score) / _GENTLE
    else:
        part = min(1.0, (score - _GENTLE) / (_TOP - _GENTLE))
        relevance = RELEVANCE_FLOOR + (1 - RELEVANCE_FLOOR) * part
    likely = score >= _LIKELY
    share = min(1.0, max(0.0, (score - _NEVER) / (_SURELY - _NEVER)))
    if likely:
        share = max(share, _LIKELY_SHARE)
    if _about(hits, question) > _NAMED and shift > 0:
        share = 1.0
    said = sorted((-telling[word], word) for word in bag if word in telling)
    speaks_for = [question.clues[n].typed for n in hits if hits[n].strength > DOUBTFUL]
    speaks_for += [word for odds, word in said if odds < 0]
    against = [question.clues[n].typed for n in hits if hits[n].strength <= DOUBTFUL]
    against += [word for odds, word in reversed(said) if odds > 0]
    return Verdict(
        relevance=_rounded(relevance),
        likely=likely,
        share=_rounded(share),
        matched=tuple(dict.fromkeys(speaks_for))[:_TERMS],
        against=tuple(dict.fromkeys(against))[:_TERMS],
    )


def _rounded(value: float) -> float:
    # Coarser than what the mathematics libraries of two systems differ by.
    return round(value, 4)
