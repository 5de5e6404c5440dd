"""What a run has found so far: kept as it arrives, so that no failure loses it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from engine.places.model import Found, Note, Page

__all__ = ["Answer", "Evidence"]


class Answer(NamedTuple):
    """What an assistant such as Meituan's wrote, in lines; `at` is ISO 8601."""

    source: str
    query: str
    text: str
    at: str
    from_cache: bool = False


@dataclass
class Evidence:
    """The finds of a run; several threads add to it.

    `pages` are by the query that found them, `places` by the connector that named them.
    """

    notes: list[Note] = field(default_factory=list)
    pages: list[tuple[str, Page]] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    places: dict[str, list[Found]] = field(default_factory=dict)
