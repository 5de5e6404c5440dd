"""Polymarket: what people bet on a question, read from its open markets.

https://docs.polymarket.com/developers/gamma-markets-api/overview. It needs no key. The
search is fuzzy, so that events which name nothing of what was asked are dropped here.
It knows the odds of the moment alone: of a window that is over it can say nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import partial

from engine.errors import (
    BadResponseError,
    DeadlineError,
    SourceError,
    UnreachableError,
)
from engine.exchange import Request
from engine.io import IO
from engine.model import Depth, Item, SourceInfo
from engine.sources.base import Ask, RiverAsk
from engine.sources.gather import gather
from engine.sources.once import Once
from engine.sources.polymarket_events import Event, as_item, read_event
from engine.sources.wording import plain_words
from engine.text.matching import find
from engine.text.question import prepare
from engine.together import together
from engine.values import as_mapping, as_sequence
from engine.window import Window

__all__ = ["INFO", "missing", "river", "search"]

_LABEL = "Polymarket"
_PAGES = {Depth.QUICK: 1, Depth.DEFAULT: 2, Depth.DEEP: 4}
_MAX_KEYWORDS = 5

INFO = SourceInfo(
    name="polymarket",
    label=_LABEL,
    emoji="📊",
    site="polymarket.com",
    api_page="https://docs.polymarket.com/developers/gamma-markets-api/overview",
    weights={"volume": 0.60, "liquidity": 0.40},
    # A thousand dollars are one vote: everybody can bet a few, and market makers place
    # some thousands on any question, so that the first thousand says nothing. With that
    # a market of $160,000 stands beside a thread of 160 votes, and one of $14,000
    # beside a story with 15 points.
    units={"volume": 1_000, "liquidity": 1_000},
    # A market of $9 million with $1.2 million of liquidity, as the biggest questions of
    # a month are: 0.60 ln 9,001 + 0.40 ln 1,201.
    reference=8.3,
    quality=0.50,
    requests=_PAGES[Depth.DEFAULT] * (1 + _MAX_KEYWORDS),
    noun="markets",
)

_URL = "https://gamma-api.polymarket.com"
# The most events of a listing that are worth reading.
_MAX_LISTED = 100
_MAX_QUERY = 200
_PARALLEL = 4
# One of them stands in every answer to a search; the events may be missing.
_PARTS = frozenset(("events", "tags", "profiles", "pagination"))
# Odds that are a day old still are those of the window's end.
_STALE = timedelta(days=1)
# A question moves if its odds went so far in a week: less is the noise of trade.
_MOVED = 0.05


_Page = tuple[tuple[Event, ...], bool]
"""Events, and whether there are more of them."""


class _Searches(Once[_Page]):
    """The searches of a run: a keyword is searched for once, whoever asks."""


class _GoneError(BadResponseError):
    """There is nothing by that name."""


def missing(io: IO) -> str:
    """Nothing is ever missing: the service is open to everybody."""
    return ""


def search(ask: Ask, io: IO) -> list[Item]:
    """The open events that name what was asked and moved inside the window.

    The user's keywords are searched for beside the query. At most `ask.limit` items.

    Raises:
        SourceError: the subclass says what happened; `items` holds what had arrived.
    """
    _demand_today(ask.window, io)
    keywords = ask.hints.polymarket_keywords[:_MAX_KEYWORDS]
    queries = dict.fromkeys(map(_wording, (ask.query, *keywords)))
    jobs = [partial(_items, query, ask, io) for query in queries if query]
    answers = together(jobs, parallel=_PARALLEL, deadline=io.deadline)
    return gather(answers, ask.limit)


def river(hot: RiverAsk, io: IO) -> list[Item]:
    """The most traded open events, and those of the domain, whose odds moved.

    Raises:
        SourceError: the subclass says what happened; `items` holds what had arrived.
    """
    _demand_today(hot.window, io)
    jobs = [partial(_traded, hot, io)]
    if hot.domain:
        jobs.append(partial(_of_domain, hot, io))
    answers = together(jobs, parallel=_PARALLEL, deadline=io.deadline)
    moved = [
        one if isinstance(one, SourceError) else _movers(one, hot, io)
        for one in answers
    ]
    return gather(moved, len(jobs) * hot.limit)


def _traded(hot: RiverAsk, io: IO) -> list[Event]:
    """The open events with most trade in a day."""
    params: dict[str, str | int] = {
        "order": "volume24hr",
        "ascending": "false",
        "closed": "false",
        "limit": min(hot.limit, _MAX_LISTED),
    }
    answer = io.fetch.json(_request("/events", params, io), io.deadline)
    if not isinstance(answer, list):
        raise BadResponseError(f"{_LABEL} gave an answer that is no list of events")
    return list(_events(answer))


def _movers(events: Sequence[Event], hot: RiverAsk, io: IO) -> list[Item]:
    moved = [
        event
        for event in events
        if any(
            abs(one.changes.get(span, 0.0)) >= _MOVED
            for one in event.markets
            for span in ("day", "week")
        )
    ]
    items = (as_item(event, hot.window, io.settings.now) for event in moved)
    return [item for item in items if item]


def _demand_today(window: Window, io: IO) -> None:
    if io.settings.now - window.end >= _STALE:
        raise SourceError(
            f"{_LABEL} knows the odds of today alone, and the days asked for are over",
            fix="ask for days up to today",
        )


def _wording(query: str) -> str:
    return " ".join(plain_words(query))[:_MAX_QUERY].rstrip()


def _items(query: str, ask: Ask, io: IO) -> list[Item]:
    found: list[Event] = []
    try:
        _read_pages(query, ask, io, found)
    except SourceError as error:
        error.items = tuple(_relevant(found, query, ask, io))
        raise
    return _relevant(found, query, ask, io)


def _of_domain(hot: RiverAsk, io: IO) -> list[Event]:
    found: list[Event] = []
    ask = hot.search()
    _read_pages(_wording(ask.query), ask, io, found)
    return found


def _read_pages(query: str, ask: Ask, io: IO, into: list[Event]) -> None:
    """Read a search `into` a list: what came before a failure is in it."""
    searches = io.memory.of(_Searches)
    for page in range(1, _PAGES[ask.depth] + 1):
        work = partial(_page, query, page, ask.limit, io)
        events, more = searches.get((query, page), work)
        into += events
        if not (events and more) or len(into) >= ask.limit:
            break


def _page(query: str, page: int, size: int, io: IO) -> _Page:
    """One page of a search, closed events among them.

    Raises:
        BadResponseError: it is no answer, or no event in it can be read.
    """
    params: dict[str, str | int] = {
        "q": query,
        "events_status": "active",
        "keep_closed_markets": 0,
        "limit_per_type": size,
        "page": page,
    }
    try:
        answer = io.fetch.json(_request("/public-search", params, io), io.deadline)
    except _GoneError:
        return (), False
    if not isinstance(answer, dict) or _PARTS.isdisjoint(answer):
        raise BadResponseError(f"{_LABEL} gave an answer that is no search")
    events = _events(as_sequence(answer.get("events")))
    return events, as_mapping(answer.get("pagination")).get("hasMore") is not False


def _events(raw: Sequence[object]) -> tuple[Event, ...]:
    events = tuple(filter(None, (read_event(as_mapping(one)) for one in raw)))
    if raw and not events:
        raise BadResponseError(f"{_LABEL} gave events without a question or odds")
    return events


def _request(path: str, params: Mapping[str, str | int], io: IO) -> Request:
    url = io.settings.base_url(INFO.name, _URL) + path
    return Request(_LABEL, url, params, refine=_refined)


def _refined(status: int, text: str) -> SourceError | None:
    if status == 403:
        return UnreachableError(f"{_LABEL} refuses this address or query (HTTP 403)")
    if status == 404:
        return _GoneError(f"{_LABEL} has nothing at this address (HTTP 404)")
    if status == 524:
        return DeadlineError(f"{_LABEL} did not answer its own gateway in time")
    return None


def _relevant(events: Sequence[Event], query: str, ask: Ask, io: IO) -> list[Item]:
    """Items of the events that are open, moved, and name a word of what was asked."""
    questions = (*prepare(ask.topic.text), *prepare(query))
    names = [event.names for event in events]
    hits = [find(question, names) for question in questions]
    items = (
        as_item(event, ask.window, io.settings.now)
        for event, *found in zip(events, *hits, strict=True)
        if any(found)
    )
    return [item for item in items if item]
