"""What a backend is given, and what it has to be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol

import engine.io
from engine.model import BackendInfo, Item
from engine.window import Window
from engine.x.query import Query

if TYPE_CHECKING:
    from engine.x.backends.archive.index import Archive

__all__ = ["IO", "Ask", "Backend"]


class Ask(NamedTuple):
    """One call: a query and how many posts it should give.

    `window` holds the days of the whole run, if they are more than the query's.
    """

    query: Query
    limit: int
    window: Window | None = None


@dataclass(frozen=True, slots=True)
class IO(engine.io.IO):
    """What a backend may touch; `archive` holds the posts on disk if there are any."""

    archive: Archive | None = None


class Backend(Protocol):
    """A module that reaches X: its `INFO` and three functions."""

    INFO: BackendInfo

    def search(self, ask: Ask, io: IO) -> list[Item]:
        """Answer one query. Raises a `SourceError`; what had arrived is on it."""
        ...

    def missing(self, io: IO) -> str:
        """What the user has to do before this backend works; empty if it is ready."""
        ...
