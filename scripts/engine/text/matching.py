"""Matching: which clues of a question each post meets, how well, and where first.

Words are compared by `likeness`; what a single word cannot show (capitals, neighbours,
hashtags written as one) is checked after that, by the few refinements that a question
needs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial
from itertools import groupby
from typing import NamedTuple

from engine.text.likeness import IN_TAG, MIN_IN_TAG
from engine.text.question import ABBREVIATED, Question, side_by_side
from engine.text.tokens import Text, read

__all__ = ["DOUBTFUL", "Hit", "Hits", "find"]


class Hit(NamedTuple):
    """How strongly a post meets a clue, 0…1, and at which of its words first."""

    strength: float
    position: int


Hits = dict[int, Hit]
"""What a post meets, by the number of the clue."""

_Refinement = Callable[[Question, str, Text, Hits], None]

# What is left of a match where the post shows that it means something else: "a county
# clerk" for Clerk, "React 18" for React 19.
DOUBTFUL = 0.5
"""Strength of a match that probably means something else."""
_OTHER_VERSION = 0.3

# Thai, Lao, Burmese, Khmer and kana, whose characters are letters: a pair of them
# stands in any text, while one of Han characters or of Hangul is close to a word.
_LETTERS = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff]{2}")

_SPELT_OUT = 0.9
_MIN_SPELT = 4


def find(question: Question, posts: Iterable[str]) -> list[Hits]:
    """The clues that each post meets, in ascending order of their numbers."""
    refinements = _refinements(question)
    return [_find(question, post, refinements) for post in posts]


def _find(question: Question, post: str, refinements: list[_Refinement]) -> Hits:
    text = read(post)
    hits: Hits = {}
    for position, word in enumerate(text.words):
        for number, strength in question.met_by(word):
            known = hits.get(number)
            if known is None:
                hits[number] = Hit(strength, position)
            elif strength > known.strength:
                hits[number] = Hit(strength, known.position)
    for refine in refinements:
        refine(question, post, text, hits)
    return dict(sorted(hits.items())) if len(hits) > 1 else hits


def _refinements(question: Question) -> list[_Refinement]:
    """Those refinements that can change anything for a question."""
    first = question.topic[0]
    lone = len(question.topic) == 1
    found: list[_Refinement] = [_look_into_tags]
    if any(clue.typed[:1] == "@" for clue in question.clues):
        found.append(_look_at_mentions)
    if any(clue.by_capitals for clue in question.clues):
        found.append(_demand_capitals)
    if spelt := _spelt(question):
        found.append(partial(_demand_letters, spelt))
    if question.phrase:
        found.append(_demand_phrase)
    elif lone and first.typed[0].isupper() and not first.by_capitals:
        found.append(_doubt_common_noun)
    if (len(first.word) if lone else len(question.topic)) in ABBREVIATED:
        found.append(_spell_out if lone else _abbreviate)
    if any(clue.word.isdigit() for clue in question.topic[1:]):
        found.append(_doubt_other_version)
    return found


def _look_into_tags(question: Question, post: str, text: Text, hits: Hits) -> None:
    """A word of four letters or more counts inside a hashtag written as one."""
    for tag in sorted(text.tags):
        for number, clue in enumerate(question.clues):
            long_enough = len(clue.word) >= MIN_IN_TAG
            if number not in hits and long_enough and clue.word in tag:
                hits[number] = Hit(IN_TAG, _place(tag[1:], text.words))


def _look_at_mentions(question: Question, post: str, text: Text, hits: Hits) -> None:
    """Handles are no words, unless the user asked for one."""
    for number, clue in enumerate(question.clues):
        if clue.typed[:1] == "@":
            hits.pop(number, None)
            if clue.word in text.mentions:
                hits[number] = Hit(1.0, 0)


def _demand_capitals(question: Question, post: str, text: Text, hits: Hits) -> None:
    for number, clue in enumerate(question.clues):
        if clue.by_capitals and clue.typed not in text.caps:
            hits.pop(number, None)


def _spelt(question: Question) -> list[tuple[tuple[str, ...], frozenset[int]]]:
    """The runs of pairs of letters in the terms, and the clues that are in each."""
    numbers = {clue.word: number for number, clue in enumerate(question.clues)}
    found = []
    for typed in dict.fromkeys(clue.typed for clue in question.clues):
        for spelt, pairs in groupby(read(typed).words, _is_spelt):
            run = tuple(pairs)
            if spelt and len(run) > 1:
                own = frozenset(numbers[pair] for pair in run if pair in numbers)
                found.append((run, own))
    return found


def _is_spelt(word: str) -> bool:
    return _LETTERS.fullmatch(word) is not None


def _demand_letters(
    spelt: list[tuple[tuple[str, ...], frozenset[int]]],
    question: Question,
    post: str,
    text: Text,
    hits: Hits,
) -> None:
    """Of a word that is spelt, half of its letters have to stand side by side."""
    met: set[int] = set()
    missed: set[int] = set()
    for run, numbers in spelt:
        least = max(2, (len(run) + 1) // 2)
        pieces = (run[i : i + least] for i in range(len(run) - least + 1))
        if hits.keys() & numbers:
            there = any(side_by_side(piece, text.words) >= 0 for piece in pieces)
            (met if there else missed).update(numbers)
    for number in missed - met:
        hits.pop(number, None)


def _doubt_common_noun(question: Question, post: str, text: Text, hits: Hits) -> None:
    """A name that a post with capitals elsewhere writes in lower case is doubtful."""
    hit, typed = hits.get(0), question.topic[0].typed
    if hit is None or typed in post or typed.upper() in post or post.islower():
        return
    if len(typed) == 1:
        del hits[0]
    elif re.search(rf"(?<![\w#]){re.escape(typed.lower())}(?!\w)", post):
        hits[0] = Hit(hit.strength * DOUBTFUL, hit.position)


def _demand_phrase(question: Question, post: str, text: Text, hits: Hits) -> None:
    """Everyday words mean the topic side by side, and surely only as it is typed."""
    place = side_by_side(question.phrase, text.words)
    typed = " ".join(clue.typed for clue in question.topic)
    shouted = any(c.typed.upper() in text.caps - {c.typed} for c in question.topic)
    as_typed = typed in post or typed.upper() in post
    for number in range(len(question.topic)):
        hits.pop(number, None)
        if place >= 0 and not shouted:
            hits[number] = Hit(1.0 if as_typed else DOUBTFUL, place)


def _spell_out(question: Question, post: str, text: Text, hits: Hits) -> None:
    """A topic that is an acronym is met by words with its initials."""
    wanted = question.topic[0].word
    if 0 in hits or not question.topic[0].typed.isupper():
        return
    place = "".join(word[0] for word in text.words).find(wanted)
    spelt = text.words[place : place + len(wanted)]
    if place >= 0 and min(map(len, spelt)) >= _MIN_SPELT:
        hits[0] = Hit(_SPELT_OUT, place)


def _abbreviate(question: Question, post: str, text: Text, hits: Hits) -> None:
    """A topic of some words is met by their initials, if they are in capitals."""
    initials = "".join(clue.word[0] for clue in question.topic)
    if initials in text.words and initials.upper() in post:
        place = text.words.index(initials)
        for number in range(len(initials)):
            hits.setdefault(number, Hit(_SPELT_OUT, place))


def _doubt_other_version(question: Question, post: str, text: Text, hits: Hits) -> None:
    """A topic word with another number behind it, and never with its own."""
    for number, clue in enumerate(question.topic[1:]):
        hit = hits.get(number)
        if not clue.word.isdigit() or hit is None or number + 1 in hits:
            continue
        following = text.words[hit.position + 1 : hit.position + 2]
        if following and following[0].isdigit():
            hits[number] = Hit(hit.strength * _OTHER_VERSION, hit.position)


def _place(word: str, words: tuple[str, ...]) -> int:
    return words.index(word) if word in words else len(words)
