"""The nouns of the engine: frozen values that the stages hand to each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from types import MappingProxyType
from typing import NamedTuple

__all__ = [
    "BackendInfo",
    "Comment",
    "Depth",
    "Item",
    "Lane",
    "Outcome",
    "SourceInfo",
    "State",
    "Warning",
]

_NOTHING: Mapping[str, int] = MappingProxyType({})
_NO_UNITS: Mapping[str, float] = MappingProxyType({})


class State(str, Enum):
    """How the run of one source ended."""

    OK = "ok"
    NO_RESULTS = "no-results"
    PARTIAL = "partial"
    NOT_ASKED = "not-asked"
    SKIPPED_UNCONFIGURED = "skipped-unconfigured"
    AUTH_FAILED = "auth-failed"
    RATE_LIMITED = "rate-limited"
    BLOCKED = "blocked"
    UNREACHABLE = "unreachable"
    TIMEOUT = "timeout"
    BAD_RESPONSE = "bad-response"
    ERROR = "error"

    @property
    def failed(self) -> bool:
        """True if the source was asked and could not answer."""
        return self not in _NOT_FAILED


_NOT_FAILED = (
    State.OK,
    State.NO_RESULTS,
    State.PARTIAL,
    State.NOT_ASKED,
    State.SKIPPED_UNCONFIGURED,
)


class Depth(str, Enum):
    """How much a run fetches."""

    QUICK = "quick"
    DEFAULT = "default"
    DEEP = "deep"


class Lane(str, Enum):
    """Why a query was sent."""

    TOPIC = "topic"
    RETRY = "retry"
    THIN = "thin"
    FROM = "from"
    FROM_TOPIC = "from-topic"
    RELATED = "related"
    MENTION = "mention"
    NAME = "name"


class Comment(NamedTuple):
    """What somebody answered to an item; `votes` is None where the source has none."""

    author: str
    text: str
    votes: int | None = None
    url: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """One retrieved post, thread, story or market.

    `id` is a string with all its digits, unique inside `source`. `created_at` is in
    UTC, or None if unknown. `engagement` holds counts by name (likes, reposts, …);
    a missing name is unknown, not zero. `relevance` and `score` are 0…1. `copies`
    counts the near-duplicates that this item stands for. `repost_of` is the handle
    whose post this one repeats. `container` is where it was posted: a subreddit, a
    repository, a channel. `comments` are the best ones, the best first.
    """

    id: str
    source: str
    text: str
    url: str = ""
    author_handle: str = ""
    author_name: str = ""
    title: str = ""
    created_at: datetime | None = None
    lang: str = ""
    engagement: Mapping[str, int] = field(default_factory=lambda: _NOTHING)
    in_reply_to: str = ""
    repost_of: str = ""
    urls: tuple[str, ...] = ()
    container: str = ""
    comments: tuple[Comment, ...] = ()
    lane: str = ""
    backend: str = ""
    relevance: float | None = None
    score: float = 0.0
    copies: int = 0


class SourceInfo(NamedTuple):
    """What the engine has to know of a source: the lower layers are handed this.

    `site` is the host of its items' pages, without www. `weights` maps an engagement
    count to its share, `reference` is the weighted sum of logarithms that counts as
    very high, `units` what one of a count is worth (1 if not named; 1,000 counts
    thousands), `quality` is 0…1. `discussion` is true where the talk is the content, so
    that the most discussed threads keep places. `asked_with` is "topic" if the source
    is asked with the user's own words, else "search_query". `requests` is the most
    requests of a run at default depth, `reach_days` how far back the source answers
    (None: as far as asked). `asks_again` is true for one that by itself puts a question
    another way when its answer is thin. `noun` is what its items are called, in the
    plural, and `at` what stands before the name of an account there.
    """

    name: str
    label: str
    emoji: str
    site: str
    api_page: str
    weights: Mapping[str, float]
    reference: float
    quality: float
    units: Mapping[str, float] = _NO_UNITS
    discussion: bool = False
    credentials: tuple[str, ...] = ()
    asked_with: str = "search_query"
    asks_again: bool = False
    requests: int = 1
    reach_days: int | None = None
    noun: str = "posts"
    at: str = "@"


class BackendInfo(NamedTuple):
    """What the X loop has to know of one way of reaching X.

    `posts_per_call` is the most posts one call gives, `parallel` the most calls at
    once, `operators` the parts of a query that it can express, `reach_days` how far
    back it answers (None: as far as asked), `min_seconds` the least time in which a
    call can finish usefully, `paid` whether a call costs money. `model_reported` is
    true where a language model reports the posts, which may then be invented.
    """

    name: str
    label: str
    site: str
    api_page: str
    operators: frozenset[str]
    credentials: tuple[str, ...] = ()
    posts_per_call: int = 10
    parallel: int = 12
    reach_days: int | None = None
    min_seconds: float = 0.0
    paid: bool = False
    model_reported: bool = False


class Outcome(NamedTuple):
    """How a source's run ended: `detail` says what happened, `fix` what to do."""

    state: State
    detail: str = ""
    fix: str = ""


class Warning(NamedTuple):
    """Something that the reader must know and that is no outcome.

    `code` is a key of schemas/warning.schema.json, which also types `data`.
    """

    code: str
    source: str
    message: str
    data: Mapping[str, object] = MappingProxyType({})
