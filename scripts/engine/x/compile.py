"""Compile a topic: from the user's words, taken as data, to a structured query."""

from __future__ import annotations

from collections.abc import Iterable

from engine.text.topic import Term, Topic
from engine.window import Window
from engine.x.query import Query

__all__ = ["MAX_CHARACTERS", "MAX_TERMS", "compile_query"]

# X takes about 22 operators a query and, by report, about 500 characters; what is left
# serves the window, a floor and the accounts that a retry leaves out.
MAX_TERMS = 16
MAX_CHARACTERS = 300


def compile_query(topic: Topic, window: Window, *, core: bool = False) -> Query:
    """The widest query for a topic: all its terms, unquoted, newest first.

    Args:
        topic: the user's words; operators in them stay words.
        window: the days to search.
        core: ask with the significant terms alone.

    A topic over X's limits is asked with as many of its significant terms as fit; if
    none does, with the beginning of the first.
    """
    wanted = _surfaces(topic.significant if core else topic.terms)
    if not _fit(wanted):
        wanted = _as_many_as_fit(_surfaces(topic.significant))
    return Query(window, terms=tuple(wanted), latest=True)


def _surfaces(terms: Iterable[Term]) -> list[str]:
    return [term.surface for term in terms]


def _fit(terms: list[str]) -> bool:
    return len(terms) <= MAX_TERMS and len(" ".join(terms)) <= MAX_CHARACTERS


def _as_many_as_fit(terms: list[str]) -> list[str]:
    kept: list[str] = []
    for term in terms:
        if _fit([*kept, term]):
            kept.append(term)
    return kept or [terms[0][:MAX_CHARACTERS]]
