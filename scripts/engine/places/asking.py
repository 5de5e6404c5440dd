"""What the tools of a run are asked, as nouns: notes, texts, comments, prose, places.

The cache keeps plain JSON, so that each kind is turned into it here and back.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from engine.places import reading
from engine.places.evidence import Answer
from engine.places.model import Found, Note
from engine.places.tools import Tool

__all__ = ["answer", "comments", "detail", "geography", "search"]

# What a note is by itself, whoever found it and when; no token among it.
_OWN = ("note_id", "title", "text", "url", "author", "likes", "comments", "collected")


def search(tool: Tool, query: str, *, keep: int = 0) -> list[Note]:
    """The notes that a query finds. Raises what `Tool.ask` raises."""
    fresh: list[Note] = []

    def read(document: Any) -> list[dict[str, Any]]:
        at = tool.io.settings.now.isoformat()
        fresh[:] = reading.notes(tool.connector, document, query, at)
        return [{name: getattr(note, name) for name in _OWN} for note in fresh]

    plain, at, from_cache = tool.ask("search", {"query": query}, read, keep=keep)
    if from_cache:
        source = tool.connector.name
        fresh = [
            Note(
                **{name: one[name] for name in _OWN},
                source=source,
                matched_queries=(query,),
                queried_at=at,
                from_cache=True,
            )
            for one in plain
        ]
    tool.tally.found += len(fresh)
    return fresh


def detail(tool: Tool, note: Note, *, keep: int = 0) -> reading.Detail | None:
    """What a note's own page says; None if it is gone. Raises what `Tool.ask` does."""

    def read(document: Any) -> dict[str, Any] | None:
        told = reading.detail(tool.connector, document)
        return told and told._asdict()

    values = {"id": note.note_id, "token": note.token}
    plain, _, _ = tool.ask("read", values, read, keep=keep)
    return reading.Detail(**plain) if plain else None


def comments(tool: Tool, note: Note, call: str) -> list[reading.Comment]:
    """The comments of a note, the best first. Raises what `Tool.ask` raises.

    Args:
        call: the connector's call that gives them.
    """

    def read(document: Any) -> list[dict[str, Any]]:
        told = reading.comments(tool.connector, document)
        return [one._asdict() for one in told]

    values = {"id": note.note_id, "token": note.token}
    plain, _, _ = tool.ask(call, values, read)
    return [reading.Comment(**one) for one in plain]


def answer(tool: Tool, city: str, query: str) -> Answer | None:
    """What an assistant writes; None if that is nothing. Raises as `Tool.ask` does."""
    values = {"city": city, "query": query}
    read = partial(reading.answer, tool.connector)
    text, at, from_cache = tool.ask("answer", values, read)
    tool.tally.found += bool(text)
    return Answer(tool.connector.name, query, text, at, from_cache) if text else None


def geography(tool: Tool, query: str, city: str, limit: int) -> list[Found]:
    """The places that a geographic search names. Raises what `Tool.ask` raises."""

    def read(document: Any) -> list[dict[str, Any]]:
        found = reading.places(tool.connector, document)
        return [{**one._asdict(), "data": dict(one.data)} for one in found]

    values = {"query": query, "city": city, "limit": str(limit)}
    plain, _, _ = tool.ask("places", values, read)
    tool.tally.found += len(plain)
    return [Found(**{**one, "aliases": tuple(one["aliases"])}) for one in plain]
