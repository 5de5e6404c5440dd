"""A question, prepared once: the clues for which posts are read.

A clue is one token that carries meaning. The clues of the topic say what a post has to
be about; those of the ranking question beside it say which sense and which side of it
is meant. Topic words that the ranking question leaves out are no clues: the question is
what posts are judged against.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from engine import data
from engine.errors import UsageError
from engine.text.likeness import ends, likeness
from engine.text.tokens import read
from engine.text.topic import Term, parse_topic

__all__ = ["ABBREVIATED", "Clue", "Question", "prepare", "side_by_side"]

ABBREVIATED = range(3, 6)
"""So many words are commonly abbreviated by their initials."""


class Clue(NamedTuple):
    """A token to look for, and the term as `typed` that it belongs to.

    `by_capitals` is true if only its capitals tell it from an everyday word.
    """

    word: str
    typed: str
    by_capitals: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """What posts are weighed against.

    Clues go by their number: those of the `topic` first, then those `asked` beside it.
    `phrase` holds the words of a topic of everyday words ("The Who"), which mean it
    only side by side; it is empty for any other topic. `place` is true for a city and
    where it lies ("Rome Italy"), which goes by its first word alone. `strengths`
    collects the words that meet a clue, with the strength of the best match.
    """

    topic: tuple[Clue, ...]
    asked: tuple[Clue, ...] = ()
    phrase: tuple[str, ...] = ()
    place: bool = False
    strengths: dict[str, float] = field(default_factory=dict, compare=False, repr=False)
    _met: dict[str, tuple[tuple[int, float], ...]] = field(
        default_factory=dict, compare=False, repr=False
    )
    _by_end: dict[str, list[int]] = field(
        default_factory=dict, compare=False, repr=False
    )

    def __post_init__(self) -> None:
        """Index the clues, so that most words are compared with none."""
        for number, clue in enumerate(self.clues):
            for end in ends(clue.word):
                self._by_end.setdefault(end, []).append(number)
        for clue in self.clues:
            self.met_by(clue.word)

    @property
    def clues(self) -> tuple[Clue, ...]:
        """All clues in the order of their numbers."""
        return self.topic + self.asked

    def met_by(self, word: str) -> tuple[tuple[int, float], ...]:
        """The clues that a word of a post meets, with strengths above 0 up to 1.

        Each different word is compared once in a run.
        """
        found = self._met.get(word)
        if found is None:
            found = self._met[word] = self._compare(word)
            if found:
                self.strengths[word] = max(strength for _, strength in found)
        return found

    def _compare(self, word: str) -> tuple[tuple[int, float], ...]:
        near = {n for end in ends(word) if end for n in self._by_end.get(end, ())}
        if not near:
            return ()
        clues = self.clues
        met = ((n, likeness(clues[n].word, word)) for n in sorted(near))
        return tuple(pair for pair in met if pair[1])


def prepare(topic: str, ranking_queries: Iterable[str] = ()) -> tuple[Question, ...]:
    """Read a topic and its ranking queries: a question for each, or one for the topic.

    Args:
        topic: what the user typed.
        ranking_queries: questions about it; those without a letter are ignored.

    Raises:
        UsageError: the topic holds no letter and no digit.
    """
    terms = parse_topic(topic).significant
    phrase = _words(terms) if all(term.noise for term in terms) else ()
    asked = filter(None, map(_terms, ranking_queries))
    questions = [_question(terms, phrase, told) for told in asked]
    return tuple(dict.fromkeys(questions)) or (_built(_clues(terms), (), phrase),)


def side_by_side(wanted: tuple[str, ...], words: tuple[str, ...]) -> int:
    """Where `wanted` stands in `words` without a gap; -1 if nowhere."""
    for start in range(len(words) - len(wanted) + 1):
        if words[start : start + len(wanted)] == wanted:
            return start
    return -1


def _terms(ranking_query: str) -> tuple[Term, ...]:
    try:
        return parse_topic(ranking_query).terms
    except UsageError:
        return ()


def _question(
    terms: tuple[Term, ...], phrase: tuple[str, ...], told: tuple[Term, ...]
) -> Question:
    asked = _clues(term for term in told if not term.noise)
    subject = _clues(terms)
    if phrase:
        named = subject if side_by_side(phrase, _words(told)) >= 0 else ()
    else:
        named = tuple(c for c in subject if any(_akin(c, other) for other in asked))
    if not named and not _abbreviates(subject, asked):
        return _built(asked or _clues(told))
    named = named or subject
    beside = (c for c in asked if not any(_akin(c, other) for other in named))
    return _built(named, tuple(beside), phrase)


def _built(
    topic: tuple[Clue, ...],
    asked: tuple[Clue, ...] = (),
    phrase: tuple[str, ...] = (),
) -> Question:
    listed = data.sections("places.txt")
    city, *rest = (clue.word for clue in topic)
    around = listed["countries"] | listed["regions"]
    place = city in listed["cities"] and bool(rest) and around.issuperset(rest)
    return Question(topic, asked, phrase, place)


def _clues(terms: Iterable[Term]) -> tuple[Clue, ...]:
    clues: dict[str, Clue] = {}
    for term in terms:
        for word in term.meaning:
            clues.setdefault(word, Clue(word, term.surface, term.acronym))
    return tuple(clues.values())


def _words(terms: Iterable[Term]) -> tuple[str, ...]:
    return read(" ".join(term.surface for term in terms)).words


def _akin(one: Clue, other: Clue) -> bool:
    return max(likeness(one.word, other.word), likeness(other.word, one.word)) > 0


def _abbreviates(subject: tuple[Clue, ...], asked: tuple[Clue, ...]) -> bool:
    """Whether the topic is an acronym that the question spells out, or the reverse."""
    initials = "".join(clue.word[0] for clue in asked)
    if len(subject) == 1 and len(subject[0].word) in ABBREVIATED:
        return subject[0].word in initials
    spelt = "".join(clue.word[0] for clue in subject)
    return len(spelt) in ABBREVIATED and any(c.word == spelt for c in asked)
