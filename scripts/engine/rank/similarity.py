"""Similarity: how far two items tell of one thing."""

from __future__ import annotations

from collections.abc import Hashable, Set
from dataclasses import dataclass

from engine.model import Item
from engine.text.statement import statement
from engine.text.tokens import read
from engine.text.topic import noise_words
from engine.text.urls import linked_pages

__all__ = ["Print", "jaccard", "print_of", "similarity"]

# A title has some 10 words and a short post 40; what a long text goes on to say would
# drown what it is about.
_HEAD = 16
_SNIPPET = 40
# Two titles of fewer words are alike by chance.
_MIN_HEAD = 3


@dataclass(frozen=True, slots=True)
class Print:
    """What of an item is compared.

    `words` (without noise) and `grams` are those of its title and snippet, `head` the
    words of its title, or its first ones where it has none. `pages` are its own page
    and those that it links to.
    """

    words: frozenset[str]
    grams: frozenset[tuple[str, ...]]
    head: frozenset[str]
    pages: frozenset[str]


def print_of(item: Item) -> Print:
    """The print of an item; in scripts without spaces its words are pairs."""
    words = read(statement(item)).words[:_SNIPPET]
    title = read(item.title).words if item.title else words[:_HEAD]
    idle = noise_words((*words, *title))
    head = frozenset(title) - idle
    return Print(
        words=frozenset(words) - idle,
        grams=frozenset(zip(words, words[1:], words[2:], strict=False)),
        head=head if len(head) >= _MIN_HEAD else frozenset(),
        pages=linked_pages(item.url, *item.urls),
    )


def similarity(one: Print, other: Print) -> float:
    """0…1: 1 if one page links them, in whatever languages they speak of it; else the
    largest of the Jaccard similarities of their words, word 3-grams and heads."""
    if not one.pages.isdisjoint(other.pages):
        return 1.0
    return max(
        jaccard(one.words, other.words),
        jaccard(one.grams, other.grams),
        jaccard(one.head, other.head),
    )


def jaccard(one: Set[Hashable], other: Set[Hashable]) -> float:
    """Shared over all members, 0…1; 0 for two empty sets."""
    shared = len(one & other)
    return shared / (len(one) + len(other) - shared) if shared else 0.0
