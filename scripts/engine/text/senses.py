"""Senses: whether posts mean the topic or something else, as far as the corpus tells.

A namesake is a longer name that begins with a word of the topic and comes up in several
posts ("Rome Odell" for Rome). It is another sense if its posts never meet what else
the question holds while other posts do; where the question holds nothing else, nothing
tells, and the reader should know that the topic is ambiguous. The other way round,
where several posts write a topic of some words in full, a part of it may be another
("Rome" for Rome Odell), unless it is a place, which goes by its parts.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from engine import data
from engine.text.matching import Hit, Hits, find
from engine.text.question import Question, side_by_side
from engine.text.tokens import fold, is_paired, read
from engine.text.topic import noise_words

__all__ = ["Sense", "senses", "tell_apart"]

_RECURS = 2
# What is left of a topic word in a post that means a namesake.
_NAMESAKE = 0.3
# And in a post that has a part of what others write in full.
_PART = 0.75

# Fewer posts of each sense are no reason to trouble the reader.
_NOTABLE = 3
_WORDS = 3


class Sense(NamedTuple):
    """One thing that the topic may mean here: a few `words`, and how many `posts`."""

    words: tuple[str, ...]
    posts: int


def tell_apart(
    question: Question, corpus: Sequence[str], matches: Sequence[Hits]
) -> list[Hits]:
    """What posts meet, with less of the topic where they mean something else.

    Args:
        question: what the posts were matched against.
        corpus: the posts.
        matches: what each of them meets.
    """
    return _doubt_parts(question, corpus, _doubt_namesakes(question, corpus, matches))


def senses(texts: Sequence[str], question: Question) -> list[Sense]:
    """The senses of an ambiguous topic that a corpus shows, most posts first.

    Args:
        texts: the corpus.
        question: one of those that `prepare` gave.

    Empty unless two senses have three posts each and the question cannot tell them
    apart.
    """
    corpus = sorted(set(texts))
    matches = find(question, corpus)
    if any(map(_tells, matches)):
        return []
    names = _names(question, corpus, matches)
    groups: dict[str, list[str]] = {}
    for text, name, hits in zip(corpus, names, matches, strict=True):
        if hits:
            groups.setdefault(name, []).append(text)
    notable = {n: posts for n, posts in groups.items() if len(posts) >= _NOTABLE}
    if len(notable) < 2:
        return []
    found = [_sense(name, notable, question) for name in notable]
    return sorted(found, key=lambda sense: (-sense.posts, sense.words))


def _tells(hits: Hits) -> bool:
    """Whether a post meets more of the question than one word of the topic."""
    return len(hits) > 1


def _doubt_namesakes(
    question: Question, corpus: Sequence[str], matches: Sequence[Hits]
) -> Sequence[Hits]:
    if not any(map(_tells, matches)):
        return matches
    names = _names(question, corpus, matches)
    meant = {name for name, hits in zip(names, matches, strict=True) if _tells(hits)}
    return [
        _doubted(hits, question, _NAMESAKE) if name and name not in meant else hits
        for name, hits in zip(names, matches, strict=True)
    ]


def _doubt_parts(
    question: Question, corpus: Sequence[str], matches: Sequence[Hits]
) -> list[Hits]:
    words = tuple(clue.word for clue in question.topic)
    if len(words) < 2 or data.words("places.txt").issuperset(words):
        return list(matches)
    if any(map(is_paired, words)):
        return list(matches)
    full = [side_by_side(words, read(text).words) >= 0 for text in corpus]
    if sum(full) < _RECURS:
        return list(matches)
    return [
        hits
        if len(words) == sum(n < len(words) for n in hits)
        else _doubted(hits, question, _PART)
        for hits in matches
    ]


def _doubted(hits: Hits, question: Question, factor: float) -> Hits:
    topics = len(question.topic)
    return {
        number: Hit(hit.strength * factor, hit.position) if number < topics else hit
        for number, hit in hits.items()
    }


def _names(
    question: Question, corpus: Sequence[str], matches: Sequence[Hits]
) -> list[str]:
    """The longer name that each post uses wherever it uses a topic word; "" if none."""
    typed = sorted({clue.typed for clue in question.topic}, key=lambda t: (-len(t), t))
    topic = "|".join(map(re.escape, typed))
    pattern = re.compile(
        rf"(?<!\w)(?:{topic})(?!\w)(?:[ ]+(\w[\w'’-]*))?", re.IGNORECASE
    )
    names = [
        _name(pattern.findall(text), question) if hits and not text.isupper() else ""
        for text, hits in zip(corpus, matches, strict=True)
    ]
    often = Counter(names)
    return [name if often[name] >= _RECURS else "" for name in names]


def _name(following: list[str], question: Question) -> str:
    """The word that follows every mention of the topic, if it goes on with its name."""
    words = {fold(word) for word in following}
    if len(words) != 1 or not following[0][:1].isupper():
        return ""
    tokens = read(following[0]).words
    # "Rome Airport" is in Rome, and "Rome Italy" asked about Italy is Rome.
    known = data.words("places.txt") | noise_words(tokens)
    if any(token in known or question.met_by(token) for token in tokens):
        return ""
    return " ".join(tokens)


def _sense(name: str, groups: dict[str, list[str]], question: Question) -> Sense:
    """A sense in the words that its posts have and those of other senses lack."""
    others = {
        w
        for n, posts in groups.items()
        if n != name
        for p in posts
        for w in read(p).words
    }
    counts = Counter(
        w for post in groups[name] for w in dict.fromkeys(read(post).words)
    )
    own = [
        word
        for word, count in counts.items()
        if word not in others and word != name and not question.met_by(word)
    ]
    own = [word for word in own if word not in noise_words(own) and len(word) > 1]
    own.sort(key=lambda word: (-counts[word], word))
    topic = " ".join(dict.fromkeys(clue.typed for clue in question.topic))
    head = f"{topic} {name.title()}" if name else topic
    return Sense((head, *own[:_WORDS]), len(groups[name]))
