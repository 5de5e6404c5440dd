"""Searching: the queries of a run sent out, on two workers in all.

One worker serves Xiaohongshu, whose calls have to lie seconds apart anyway; the other
the slow assistants, which are started first, and then the web. A query that Xiaohongshu
could not answer, or is no longer asked, goes to the web; nothing that arrived is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from engine.deadline import Deadline
from engine.errors import DeadlineError, SourceError
from engine.places import asking
from engine.places.evidence import Evidence
from engine.places.model import Query
from engine.places.tools import Tool
from engine.places.websearch import WebSearch
from engine.together import together

__all__ = ["WORKERS", "Work", "part", "search"]

WORKERS = 2
"""More at once is what the service takes for a machine."""


class Work(NamedTuple):
    """Who is asked what: notes of the first queries, prose for (city, query), and the
    web for the rest."""

    notes: tuple[Query, ...] = ()
    answers: tuple[tuple[str, str], ...] = ()
    web: tuple[Query, ...] = ()


def part(
    queries: Sequence[Query], tool: Tool | None, web: WebSearch | None, live: int
) -> Work:
    """Part queries between Xiaohongshu and the web.

    Args:
        queries: those that matter most first.
        tool: the way to Xiaohongshu, or None.
        web: the web, or None.
        live: so many may be sent to Xiaohongshu. What the cache knows of either costs
            nothing, so that a run that is repeated asks nobody.
    """
    if tool is None:
        return Work(web=tuple(queries))
    notes: list[Query] = []
    for query in queries:
        if tool.kept("search", {"query": query.text}):
            notes.append(query)
        elif live > 0 and not (web and web.kept(query.text)):
            notes.append(query)
            live -= 1
    rest = [query for query in queries if query not in notes]
    return Work(notes=tuple(notes), web=tuple(rest))


def search(
    work: Work,
    tool: Tool | None,
    assistant: Tool | None,
    web: WebSearch | None,
    evidence: Evidence,
    deadline: Deadline,
    *,
    keep: int,
) -> list[SourceError]:
    """Send the queries out, and add what comes to the evidence.

    Args:
        tool: the way to Xiaohongshu; None if there is none.
        assistant: the way to prose, likewise.
        web: likewise.
        deadline: when it passes, no further call starts.
        keep: requests to Xiaohongshu that have to be left over for texts.

    Returns:
        What went wrong in this program; failures of the tools are theirs to tell.
    """
    fallback = partial(_pages, web, evidence)

    def first() -> None:
        for query in work.notes:
            _notes(tool, query, evidence, fallback, keep)

    def second() -> None:
        for city, query in work.answers:
            _answer(assistant, city, query, evidence)
        for one in work.web:
            fallback(one)

    jobs: list[Callable[[], None]] = [first, second]
    ends = together(jobs, parallel=WORKERS, deadline=deadline)
    late = DeadlineError
    return [e for e in ends if isinstance(e, SourceError) and not isinstance(e, late)]


def _notes(
    tool: Tool | None,
    query: Query,
    evidence: Evidence,
    fallback: Callable[[Query], None],
    keep: int,
) -> None:
    try:
        if tool is not None:
            evidence.notes += asking.search(tool, query.text, keep=keep)
    except SourceError:
        # The tool has counted it; the query has another way.
        fallback(query)


def _answer(tool: Tool | None, city: str, query: str, evidence: Evidence) -> None:
    try:
        found = asking.answer(tool, city, query) if tool is not None else None
    except SourceError:
        return
    if found is not None:
        evidence.answers.append(found)


def _pages(web: WebSearch | None, evidence: Evidence, query: Query) -> None:
    if web is None:
        return
    try:
        evidence.pages += [(query.text, page) for page in web.search(query.text)]
    except SourceError:
        return
