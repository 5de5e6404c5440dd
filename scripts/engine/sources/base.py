"""What a source is given, and what it has to be."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from engine.errors import SourceError
from engine.io import IO
from engine.model import Depth, Item, SourceInfo, State, Warning
from engine.text.topic import Topic
from engine.window import Window

__all__ = [
    "COMMENTS",
    "COMMENT_CHARS",
    "LIMITS",
    "THIN",
    "Ask",
    "Facts",
    "Hints",
    "NoHotListError",
    "RiverAsk",
    "Source",
    "tier_refused",
]

# How many items a source should bring for one query.
LIMITS = {Depth.QUICK: 10, Depth.DEFAULT: 25, Depth.DEEP: 50}
# Fewer items than this are worth asking in another way.
THIN = 3
# How many entries of a hot list are read, and over how many days things rise.
_ENTRIES = {Depth.QUICK: 50, Depth.DEFAULT: 100, Depth.DEEP: 200}
_WEEK_DAYS = 7
# How many comments of a thread are kept, and how many characters of each.
COMMENTS = 5
COMMENT_CHARS = 2_000


@dataclass(frozen=True, slots=True)
class Hints:
    """What the user named for single sources; each source reads its own.

    `x_handles` and `x_related` are without @, `subreddits` are without r/,
    `github_repos` are owner/name, `web_results` is a file of results that the host
    found.
    """

    x_handles: tuple[str, ...] = ()
    x_related: tuple[str, ...] = ()
    subreddits: tuple[str, ...] = ()
    github_user: str = ""
    github_repos: tuple[str, ...] = ()
    polymarket_keywords: tuple[str, ...] = ()
    web_results: str = ""


@dataclass(frozen=True, slots=True)
class Ask:
    """One query to a source.

    `query` is what it is asked, by INFO's `asked_with`. `ranking_queries` are the
    questions that its items will be judged against, for a source that judges as it
    goes.
    """

    query: str
    topic: Topic
    window: Window
    depth: Depth
    hints: Hints = Hints()
    ranking_queries: tuple[str, ...] = ()

    @property
    def limit(self) -> int:
        """How many items are wanted."""
        return LIMITS[self.depth]


class NoHotListError(SourceError):
    """A source has no hot list of its own: without a domain it is not asked."""

    state = State.NOT_ASKED


@dataclass(frozen=True, slots=True)
class RiverAsk:
    """What a source's hot lists are read for: what is rising, in a domain or at all."""

    domain: Topic | None
    window: Window
    depth: Depth
    hints: Hints = Hints()

    @property
    def week(self) -> Window:
        """The last days of the window, at most seven: what rises is not old."""
        return Window.ending(self.window.last, min(_WEEK_DAYS, self.window.days))

    @property
    def limit(self) -> int:
        """How many entries of a list are wanted: most are not of the domain."""
        return _ENTRIES[self.depth]

    def search(self) -> Ask:
        """The search for the domain in the last week.

        Raises:
            NoHotListError: there is no domain.
        """
        if self.domain is None:
            raise NoHotListError("it has no hot list; name a domain to have it asked")
        words = self.domain.core
        return Ask(words, self.domain, self.week, self.depth, self.hints)


class Facts:
    """What a source wants in the artifact beside its items; one a run, in io.memory.

    `queries` and `pruned` are records of the artifact, `blocks` whole parts of it by
    name.
    """

    def __init__(self) -> None:
        self.queries: list[dict[str, Any]] = []
        self.pruned: list[dict[str, Any]] = []
        self.blocks: dict[str, dict[str, Any]] = {}


class Source(Protocol):
    """A module that reaches one source: its `INFO` and two functions."""

    INFO: SourceInfo

    def search(self, ask: Ask, io: IO) -> list[Item]:
        """Answer one query. Raises a `SourceError`; what had arrived is on it.

        Items outside the window may be among them; relevance is not the source's to
        judge.
        """
        ...

    def missing(self, io: IO) -> str:
        """What the user has to do before this source works; empty if it is ready."""
        ...


def tier_refused(info: SourceInfo, tier: str, error: SourceError) -> Warning:
    """The warning that one way of reaching a source failed and others were tried."""
    return Warning(
        "tier-refused",
        info.name,
        f"{info.label}, {tier}: {error.detail}",
        {"tier": tier, "state": error.state.value, "detail": error.detail},
    )
