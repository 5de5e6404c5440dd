"""Grounding: the words of a name that stand nowhere in the evidence.

A judge knows more than the evidence says, and what it adds leads the search astray.
Endings are tolerated in any script; what a word means is not asked.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from engine.errors import UsageError
from engine.model import Item
from engine.text.likeness import likeness
from engine.text.statement import statement
from engine.text.tokens import fold, is_paired, read
from engine.text.topic import Term, parse_topic

__all__ = ["ungrounded"]

_ALIKE = 0.85
# Of a script without spaces so many characters in a row may be an ending.
_LOOSE = 1
_LEAST_STEM = 3
_ENDINGS = (
    *("ings", "ing", "edly", "ed", "ers", "er", "ies", "es", "s", "ly", "en", "n"),
    *("e", "em", "os", "as", "a", "o", "i", "y", "ions", "ion"),
)


def ungrounded(name: str, items: Iterable[Item]) -> tuple[str, ...]:
    """The content words of a name that occur in no item, as they are written.

    An item's title, text, comments, place and author count.
    """
    try:
        terms = parse_topic(name).significant
    except UsageError:
        return ()
    texts = [text for item in items for text in _texts(item)]
    words = frozenset(chain.from_iterable(map(_words, texts)))
    joined = {fold("".join(pair)) for pair in zip(*_neighbours(terms), strict=False)}
    if joined & words:
        terms = tuple(t for t in terms if not _is_part(t, joined & words))
    return tuple(dict.fromkeys(chain.from_iterable(_missing(t, words) for t in terms)))


def _texts(item: Item) -> Sequence[str]:
    comments = (comment.text for comment in item.comments)
    return (
        statement(item),
        *comments,
        item.container.replace("/", " "),
        f"{item.author_handle} {item.author_name}",
    )


def _words(text: str) -> Iterator[str]:
    """The words of a text, and those that stand side by side written as one."""
    words = read(text).words
    yield from words
    for count in (2, 3):
        for run in zip(*(words[i:] for i in range(count)), strict=False):
            yield "".join(run)


def _neighbours(terms: Sequence[Term]) -> tuple[Sequence[str], Sequence[str]]:
    surfaces = [term.surface for term in terms]
    return surfaces, surfaces[1:]


def _is_part(term: Term, whole: Iterable[str]) -> bool:
    surface = fold(term.surface)
    return any(word.startswith(surface) or word.endswith(surface) for word in whole)


def _missing(term: Term, words: frozenset[str]) -> list[str]:
    if any(is_paired(word) for word in term.words):
        return _missing_runs(term, words)
    if re.sub(r"[\W_]+", "", fold(term.surface)) in words:
        return []
    return [] if all(_said(word, words) for word in term.words) else [term.surface]


def _said(wanted: str, words: frozenset[str]) -> bool:
    if wanted in words:
        return True
    stems = _stems(wanted)
    return any(
        max(likeness(wanted, word), likeness(word, wanted)) >= _ALIKE
        or not stems.isdisjoint(_stems(word))
        for word in words
        # Other beginnings are other words, but where articles are written as one.
        if word[:2] == wanted[:2] or not word.isascii()
    )


def _stems(word: str) -> set[str]:
    """What may be left of a word without its ending, doubled letters made one."""
    found = {word}
    if len(word) <= _LEAST_STEM or word[-1].isdigit():
        return found
    for ending in _ENDINGS:
        stem = word.removesuffix(ending)
        if stem != word and len(stem) >= _LEAST_STEM:
            found.add(stem)
            if stem[-1] == stem[-2]:
                found.add(stem[:-1])
    return found


def _missing_runs(term: Term, words: frozenset[str]) -> list[str]:
    """Pieces of a run of characters of which no pair is in the evidence."""
    text = term.surface.lstrip("#$@")
    pairs = (fold(text[i : i + 2]) for i in range(len(text) - 1))
    known = [pair in words for pair in pairs]
    if not known:
        return [] if any(word.startswith(fold(text)) for word in words) else [text]
    covered = [a or b for a, b in zip([False, *known], [*known, False], strict=True)]
    missing, piece = [], ""
    for char, seen in zip(text + " ", [*covered, True], strict=True):
        if not seen:
            piece += char
            continue
        if len(piece) > _LOOSE:
            missing.append(piece)
        piece = ""
    return missing
