"""X: the loop of engine/x as one source among several."""

from __future__ import annotations

from dataclasses import fields

import engine.io
from engine.errors import most_telling
from engine.model import Item
from engine.sources.base import Ask, Facts, RiverAsk
from engine.text.relevance import prepare
from engine.x.backends.base import IO
from engine.x.choose import AUTO, search_x, unready
from engine.x.record import dropped_records, outcome, sent_records, x_block
from engine.x.stream import INFO, Request

__all__ = ["INFO", "missing", "river", "search"]


def missing(io: engine.io.IO) -> str:
    """What to do before X can be reached in any way."""
    own = _io(io)
    return unready(own, _backend(own))


def search(ask: Ask, io: engine.io.IO) -> list[Item]:
    """Run the X loop on the topic; its items are judged, pruned and in order.

    Raises:
        SourceError: calls failed; what had arrived is on it.
    """
    request = Request(
        topic=ask.topic,
        question=prepare(ask.topic.text, ask.ranking_queries),
        window=ask.window,
        depth=ask.depth,
        explicit=ask.hints.x_handles,
        related=ask.hints.x_related,
    )
    own = _io(io)
    stream = search_x(request, own, _backend(own))
    facts = io.memory.of(Facts)
    facts.queries += sent_records(stream)
    facts.pruned += dropped_records(stream)
    facts.blocks["x"] = x_block(stream, ask.ranking_queries)
    for warning in stream.warnings:
        io.warn(warning)
    if stream.calls.errors:
        error = most_telling(stream.calls.errors)
        raise type(error)(outcome(stream, ()).detail, fix=error.fix, items=stream.items)
    return stream.items


def river(hot: RiverAsk, io: engine.io.IO) -> list[Item]:
    """What X says of the domain; without one it has nothing to be asked.

    Raises:
        NoHotListError: there is no domain.
        SourceError: calls failed; what had arrived is on it.
    """
    return search(hot.search(), io)


def _backend(io: IO) -> str:
    """Whoever hands over posts on disk wants those searched, and nothing paid for."""
    return "archive" if io.archive else AUTO


def _io(io: engine.io.IO) -> IO:
    """What a backend may touch: the same, and the posts on disk if there are any."""
    if isinstance(io, IO):
        return io
    return IO(**{field.name: getattr(io, field.name) for field in fields(io)})
