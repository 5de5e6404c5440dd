"""The words of a query, for services in which signs between them are operators."""

from __future__ import annotations

from engine.errors import UsageError
from engine.text.topic import parse_topic

__all__ = ["plain_words"]

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
