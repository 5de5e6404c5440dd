"""The words of a query, for services in which signs between them are operators."""

from __future__ import annotations

from collections.abc import Iterable

from engine.errors import UsageError
from engine.text.topic import parse_topic

__all__ = ["fitting", "plain_words"]

_OPERATORS = ("AND", "OR", "NOT")


def plain_words(query: str) -> list[str]:
    """The words of a query, free of quotes, colons, brackets and signs in front.

    None of them is an operator: a capital AND, OR or NOT is written small. Names keep
    their signs ("gpt-5", "C++", "node.js"). Without a letter or digit there is none.
    """
    try:
        terms = parse_topic(query).terms
    except UsageError:
        return []
    surfaces = (term.surface.lstrip("#$@") for term in terms)
    return [word.lower() if word in _OPERATORS else word for word in surfaces if word]


def fitting(words: Iterable[str], most: int) -> str:
    """As many of the words as stand in a query of at most so many characters."""
    text = ""
    for word in words:
        if len(text) + len(word) < most:
            text = f"{text} {word}".lstrip()
    return text
