"""The official X API against a service that plays it over posts on disk."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from engine import data
from engine.deadline import Deadline
from engine.errors import SourceError
from engine.fetch import RETRIES, Fetch
from engine.model import Depth, Item, State, Warning
from engine.settings import Settings
from engine.text.question import prepare
from engine.text.topic import parse_topic
from engine.together import together
from engine.window import Window
from engine.x.backends import BACKENDS, xapi
from engine.x.backends.archive.formats import read_posts
from engine.x.backends.archive.index import Archive
from engine.x.backends.base import IO, Ask
from engine.x.calls import Calls
from engine.x.fanout import variants
from engine.x.query import Query
from engine.x.stream import Request, run
from fakes.server import FAILURES as SERVER_FAILURES
from fakes.server import Failure, Server, slow, status
from fakes.xapi import ALL, RECENT, TOKEN, XApi
from fakes.xapi_failures import FAILURES, limited

# The posts of the demo end a day before this moment.
NOW = datetime(2026, 11, 16, 12, tzinfo=timezone.utc)
WINDOW = Window.ending(NOW.date(), 30)
WEEK = Window.ending(NOW.date(), 7)
SPECS = Path(__file__).parents[4] / "shared" / "specs"
ROME = Query(WINDOW, terms=("Rome",), latest=True)
# Twelve queries that need the archive.
OLD = [replace(ROME, min_likes=likes) for likes in range(12)]


@pytest.fixture(scope="module")
def posts() -> list[Item]:
    """Posts on disk, but for reposts, which the API does not give."""
    path = data.path("demo_rome.jsonl")
    return [post for post in read_posts(path, print) if not post.repost_of]


@pytest.fixture
def api(server: Server, posts: list[Item]) -> XApi:
    """The service over these posts."""
    return XApi(server, posts, NOW)


def _io(
    api: XApi,
    warnings: list[Warning] | None = None,
    seconds: float = 20,
    pacing: str = "0",
) -> IO:
    values = {"X_BEARER_TOKEN": TOKEN, "LAST30DAYS_XAPI_URL": api.server.url}
    settings = Settings({**values, "LAST30DAYS_PACING": pacing}, NOW)
    found = [] if warnings is None else warnings
    return IO(settings, Deadline(seconds), Fetch(settings), found.append, _undropped)


def _undropped(item: Item, reason: str) -> None:
    raise AssertionError(f"{item} was dropped: {reason}")


def _search(io: IO, query: Query = ROME, limit: int = 10) -> list[Item]:
    return xapi.search(Ask(query, limit, WINDOW), io)


def _error(io: IO, query: Query = ROME, limit: int = 10) -> Any:
    with pytest.raises(SourceError) as caught:
        _search(io, query, limit)
    return caught.value


def _at_once(io: IO, queries: list[Query]) -> list[list[Item] | SourceError]:
    jobs = [partial(_search, io, query) for query in queries]
    return together(jobs, parallel=xapi.INFO.parallel, deadline=io.deadline)


def test_it_is_registered_and_says_what_it_lacks(api: XApi) -> None:
    """The token is the one thing that it needs."""
    assert BACKENDS["xapi"] is xapi
    assert xapi.INFO.paid and xapi.INFO.parallel == 12
    io = _io(api)
    assert xapi.missing(io) == ""
    without = xapi.missing(replace(io, settings=Settings({}, NOW)))
    assert "X_BEARER_TOKEN" in without and "https://developer.x.com" in without


@pytest.mark.parametrize(
    ("topic", "handles"),
    [("Rome Italy", ()), ("Rome", ("urbe_welcome_it",)), ("AS Roma", ()), ("zzz", ())],
    ids=["topic", "handle", "name", "nothing"],
)
@pytest.mark.parametrize("names", ["old", "new"])
def test_a_run_finds_what_a_run_over_the_same_posts_finds(
    api: XApi, posts: list[Item], topic: str, handles: tuple[str, ...], names: str
) -> None:
    """The loop cannot tell the service from the posts behind it."""
    api.names = names
    live, disk = _both_runs(_io(api), posts, topic, handles, WEEK, Depth.DEEP)
    assert live == disk
    assert bool(live) == (topic != "zzz")


def test_a_run_over_the_archive_finds_the_same(api: XApi, posts: list[Item]) -> None:
    """The older days are those of the full archive."""
    live, disk = _both_runs(
        _io(api), posts, "Rome", ("urbe_welcome_it",), WINDOW, Depth.QUICK
    )
    assert live == disk and live
    assert set(api.paths) == {ALL}


def _both_runs(
    io: IO,
    posts: list[Item],
    topic: str,
    handles: tuple[str, ...],
    window: Window,
    depth: Depth,
) -> list[list[Item]]:
    parsed = parse_topic(topic)
    request = Request(parsed, prepare(topic, ()), window, depth, explicit=handles)
    io = replace(io, archive=Archive(posts))
    streams = [
        run(request, Calls(BACKENDS[name], io, window)) for name in ("xapi", "archive")
    ]
    assert not streams[0].calls.errors
    return [[_known(item) for item in stream.items] for stream in streams]


def _known(item: Item) -> Item:
    return replace(item, backend="", in_reply_to="")


def test_a_post_arrives_whole(api: XApi, posts: list[Item]) -> None:
    """Long texts, entities, counts, links and what a post answers survive the way."""
    special = [p for p in posts if len(p.text) > 280 or p.in_reply_to or "&" in p.text]
    assert any(len(p.text) > 280 for p in special)
    assert any(p.in_reply_to for p in special)
    io = _io(api)
    for post in special:
        day = post.created_at.date() if post.created_at else NOW.date()
        query = Query(Window(day, day), from_handles=(post.author_handle,))
        if day > WEEK.first:
            found = {item.id: item for item in _search(io, query)}
            assert found[post.id] == post


def test_pages_are_followed_until_there_are_enough(api: XApi) -> None:
    """A short page is not the end while there is a cursor, and no page is wasted."""
    api.page_size = 4
    assert len(_search(_io(api), replace(ROME, window=WEEK), limit=10)) == 10
    cursors = [asked.params.get("next_token", "") for asked in api.server.requests]
    assert len(cursors) == 3 and cursors[0] == "" and len(set(cursors)) == 3


def test_few_posts_are_asked_for_as_ten(api: XApi) -> None:
    """The API takes no smaller number."""
    assert len(_search(_io(api), limit=3)) == 3
    assert [asked.params["max_results"] for asked in api.server.requests] == ["10"]


def test_a_repeated_cursor_ends_the_pages(api: XApi) -> None:
    """A service that goes round in a circle is left."""
    api.page_size, api.stuck = 2, True
    assert len(_search(_io(api), replace(ROME, window=WEEK), limit=10)) == 2
    assert len(api.server.requests) == 2


def test_what_had_arrived_survives_a_failure(api: XApi) -> None:
    """The second page fails, and the first is on the error."""
    api.page_size = 4
    refuse = status(500)
    answer = api.server.answer
    seen = iter((False, True))
    api.server.answer = lambda asked: (  # type: ignore[method-assign]
        refuse(answer(asked)) if next(seen) else answer(asked)
    )
    error = _error(_io(api), replace(ROME, window=WEEK))
    assert error.state is State.UNREACHABLE and len(error.items) == 4


def test_refused_archive_access_is_tried_once_by_twelve_calls(api: XApi) -> None:
    """All calls go on with recent search; its reach is said once, for the whole run."""
    api.archive = 403
    warnings: list[Warning] = []
    io = _io(api, warnings)
    queries = variants(ROME, 12)
    answers = _at_once(io, queries)
    assert not any(isinstance(answer, SourceError) for answer in answers)
    assert api.paths.count(ALL) == 1
    assert [(w.code, w.message, w.data) for w in warnings] == [
        (
            "covers-part",
            "X API: recent search covers 7 of 30 days",
            {"covered": 7, "asked": 30},
        )
    ]
    reach = NOW - timedelta(days=7)
    found = [item for answer in answers for item in answer]  # type: ignore[union-attr]
    assert found and all(i.created_at and i.created_at > reach for i in found)
    # The parts of the window that lie before its reach are not asked at all.
    beyond = [query for query in queries if query.window.end <= reach]
    assert api.paths.count(RECENT) == len(queries) - len(beyond) < len(queries)


@pytest.mark.parametrize("code", [401, 403, 404])
def test_any_refusal_of_the_archive_leads_to_recent_search(
    api: XApi, code: int
) -> None:
    """The service may say in several ways that it is not for this account."""
    api.archive = code
    assert _search(_io(api))
    assert api.paths == [ALL, RECENT]


def test_days_that_recent_search_reaches_are_asked_of_it(api: XApi) -> None:
    """A week needs no archive, no waiting and no warning."""
    warnings: list[Warning] = []
    query = replace(ROME, window=WEEK)
    assert xapi.search(Ask(query, 10, WEEK), _io(api, warnings))
    assert api.paths == [RECENT] and warnings == []


def test_older_days_without_an_archive_are_a_failure(api: XApi) -> None:
    """Nothing can be found there, which must not look like silence."""
    api.archive = 403
    old = Window.ending(NOW.date() - timedelta(days=10), 5)
    warnings: list[Warning] = []
    with pytest.raises(SourceError) as caught:
        xapi.search(Ask(replace(ROME, window=old), 10, old), _io(api, warnings))
    assert caught.value.state is State.AUTH_FAILED and caught.value.fix
    assert api.paths == [ALL] and warnings == []


def test_the_archive_gets_one_request_a_second(api: XApi) -> None:
    """That is the limit of the API; the turns lie inside the deadline."""
    started = time.monotonic()
    answers = _at_once(_io(api, pacing="1"), variants(ROME, 3))
    assert not any(isinstance(answer, SourceError) for answer in answers)
    assert 2 <= time.monotonic() - started < 4


def test_a_turn_after_the_deadline_is_not_waited_for(api: XApi) -> None:
    """The calls that cannot be made in time say so at once."""
    started = time.monotonic()
    answers = _at_once(_io(api, seconds=1.0, pacing="1"), OLD)
    failed = [answer for answer in answers if isinstance(answer, SourceError)]
    assert len(failed) == 11 and {e.state for e in failed} == {State.TIMEOUT}
    assert time.monotonic() - started < 1.0


def test_the_new_names_are_remembered(api: XApi) -> None:
    """One refusal teaches a run the names of fields that the service takes."""
    api.names = "new"
    io = _io(api)
    week = replace(ROME, window=WEEK)
    assert _search(io, week) and _search(io, replace(week, min_likes=5)) is not None
    used = ["post.fields" in asked.params for asked in api.server.requests]
    assert used == [False, True, True]


def test_a_floor_that_the_service_does_not_know_is_left_out(api: XApi) -> None:
    """It only chooses what is seen first."""
    api.floors = False
    io = _io(api)
    floored = replace(ROME, window=WEEK, min_likes=5)
    assert _search(io, floored) == _search(_io(api), replace(floored, min_likes=0))
    assert ["min_likes" in query for query in api.queries] == [True, False, False]


def test_a_clock_that_is_ahead_costs_one_request(api: XApi) -> None:
    """An end that the service thinks to lie in the future is left to the service."""
    api.now = NOW - timedelta(hours=1)
    assert _search(_io(api), replace(ROME, window=WEEK))
    assert ["end_time" in asked.params for asked in api.server.requests] == [
        True,
        False,
    ]


def test_days_that_have_not_begun_are_not_asked(api: XApi) -> None:
    """They are empty, and the API would take the request for a mistake."""
    tomorrow = NOW.date() + timedelta(days=1)
    assert _search(_io(api), replace(ROME, window=Window(tomorrow, tomorrow))) == []
    assert api.paths == []


def test_a_query_of_negations_alone_is_never_sent(api: XApi) -> None:
    """The API refuses it."""
    error = _error(_io(api), Query(WINDOW, exclude=("rome",), not_from=("a",)))
    assert error.state is State.ERROR and api.paths == []


TRIES = 1 + RETRIES


@pytest.mark.parametrize(
    ("name", "state", "says", "requests"),
    [
        ("credits", State.AUTH_FAILED, "credits depleted", 1),
        ("no-credits", State.AUTH_FAILED, "does not have any credits", 1),
        ("unauthorized", State.AUTH_FAILED, "401", 1),
        ("forbidden", State.AUTH_FAILED, "not enrolled", 1),
        ("limited", State.RATE_LIMITED, "Too Many Requests", 1),
        ("limited-until", State.RATE_LIMITED, "comes back at 12:1", 1),
        ("code-88", State.RATE_LIMITED, "Rate limit exceeded", 1),
        ("code-88-in-200", State.RATE_LIMITED, "Rate limit exceeded", 1),
        ("capped", State.RATE_LIMITED, "monthly cap", 1),
        ("error-in-200", State.BAD_RESPONSE, "Something is amiss", 1),
        ("neither", State.BAD_RESPONSE, "does not document", 1),
        ("null", State.BAD_RESPONSE, "does not document", 1),
        ("only-nulls", State.BAD_RESPONSE, "does not document", 1),
        ("rounded-ids", State.BAD_RESPONSE, "does not document", 1),
        ("400", State.BAD_RESPONSE, "HTTP 400", 1),
        ("410", State.BAD_RESPONSE, "HTTP 410", 1),
        ("422", State.BAD_RESPONSE, "HTTP 422", 1),
        ("500", State.UNREACHABLE, "HTTP 500", 1),
        ("503-html", State.UNREACHABLE, "HTTP 503", TRIES),
        ("html", State.BLOCKED, "web page", 1),
        ("empty", State.BAD_RESPONSE, "empty", 1),
        ("cut", State.BAD_RESPONSE, "broken JSON", 1),
        ("charset", State.BAD_RESPONSE, "UTF-8", 1),
        ("huge", State.BAD_RESPONSE, "bytes", 1),
        ("bomb", State.BAD_RESPONSE, "bytes", 1),
        ("drop", State.UNREACHABLE, "cannot be reached", TRIES),
        ("drip", State.TIMEOUT, "in time", 1),
        ("slow", State.TIMEOUT, "in time", 1),
    ],
)
def test_each_failure_has_its_state(
    api: XApi, name: str, state: State, says: str, requests: int
) -> None:
    """What the user reads, how often the service was asked, and how long it took."""
    failure: Failure = FAILURES.get(name) or SERVER_FAILURES[name]
    api.server.fail(failure)
    seconds = 1.0 if state is State.TIMEOUT else 10.0
    started = time.monotonic()
    error = _error(_io(api, seconds=seconds), replace(ROME, window=WEEK))
    assert error.state is state
    assert says in error.detail
    assert TOKEN not in repr((error.detail, error.fix))
    assert len(api.server.requests) == requests
    assert time.monotonic() - started < seconds + 0.5
    if state is State.AUTH_FAILED:
        assert "X_BEARER_TOKEN" in error.fix
    if name == "limited-until":
        assert 880 <= error.retry_after <= 902


def test_a_limit_of_more_than_a_day_has_no_time_of_day(api: XApi) -> None:
    """It would be read as one of today."""
    api.server.fail(limited(2 * 24 * 3600))
    error = _error(_io(api))
    assert error.state is State.RATE_LIMITED and error.retry_after > 24 * 3600
    assert "comes back" not in error.detail


@pytest.mark.parametrize("name", ["null-entries", "partial-errors", "out-of-window"])
def test_what_is_no_failure_is_none(api: XApi, name: str) -> None:
    """Gaps in a list, a lost reference or old posts spoil no answer."""
    api.server.fail(FAILURES[name])
    assert len(_search(_io(api))) == 10


def test_posts_out_of_the_window_are_dropped_and_counted(api: XApi) -> None:
    """The loop holds every post against the window, whoever gave it."""
    api.server.fail(FAILURES["out-of-window"])
    parsed = parse_topic("Rome")
    request = Request(parsed, prepare("Rome", ()), WINDOW, Depth.QUICK)
    stream = run(request, Calls(xapi, _io(api), WINDOW))
    assert stream.items == []
    assert {drop.reason for drop in stream.dropped} == {"out-of-window"}


@pytest.mark.parametrize(
    ("failure", "state", "requests"),
    [
        (limited(900), State.RATE_LIMITED, 1),
        (FAILURES["credits"], State.AUTH_FAILED, 1),
        # The archive may be refused so too: recent search shows what it means.
        (FAILURES["unauthorized"], State.AUTH_FAILED, 2),
    ],
    ids=["limited", "credits", "unauthorized"],
)
def test_a_refusal_stops_the_calls_that_wait(
    api: XApi, failure: Failure, state: State, requests: int
) -> None:
    """Twelve calls at once do not multiply what one of them has learnt."""
    api.server.fail(failure)
    warnings: list[Warning] = []
    started = time.monotonic()
    answers = _at_once(_io(api, warnings, pacing="1"), OLD)
    assert [e.state for e in answers if isinstance(e, SourceError)] == [state] * 12
    assert warnings == []
    assert len(api.server.requests) == requests
    assert time.monotonic() - started < 1.0


def test_an_echoed_token_is_hidden(api: XApi) -> None:
    """A service that repeats the credentials does not get them into the output."""
    echo = {"title": "Invalid Request", "detail": f"not good: Bearer {TOKEN}"}
    for failure in (status(400, echo), status(200, echo)):
        api.server.fail(failure)
        error = _error(_io(api))
        assert "not good" in error.detail and TOKEN[:8] not in str(error)


def test_a_slow_answer_ends_with_the_deadline(api: XApi) -> None:
    """The calls that wait for the first one end with it."""
    api.server.fail(slow(30))
    started = time.monotonic()
    answers = _at_once(_io(api, seconds=0.6), OLD)
    assert [e.state for e in answers if isinstance(e, SourceError)] == [
        State.TIMEOUT
    ] * 12
    assert time.monotonic() - started < 1.5


@pytest.mark.parametrize(
    ("names", "document"),
    [
        ("old", "x-openapi-2.166-search-only.json"),
        ("new", "x-openapi.json"),
    ],
)
def test_every_request_keeps_to_the_published_document(
    api: XApi, names: str, document: str
) -> None:
    """Names, types, bounds and values are those of the API's own description."""
    if not (SPECS / document).is_file():
        pytest.skip("the API's description is not beside the project")
    described = json.loads((SPECS / document).read_text(encoding="utf-8"))
    api.names, api.page_size = names, 5
    io = _io(api)
    for query in (
        *variants(ROME, 12),
        replace(ROME, window=WEEK, min_likes=5, latest=False),
        Query(WEEK, mention="urbe_welcome_it", not_from=("urbe_welcome_it",)),
        Query(WEEK, phrases=("Rome Italy",), links_only=True, no_replies=True),
    ):
        _search(io, query, limit=7)
    taken = [a for a in api.server.requests if _fields_name(a.params) == names]
    assert {asked.path for asked in taken} == {ALL, RECENT}
    for asked in taken:
        _validate(described, asked.path, asked.params)


def _fields_name(params: Any) -> str:
    return "new" if "post.fields" in params else "old"


def _validate(described: Any, path: str, params: Any) -> None:
    from jsonschema import Draft202012Validator, FormatChecker

    listed = [
        _resolved(described, parameter)
        for parameter in described["paths"][path]["get"]["parameters"]
    ]
    by_name = {parameter["name"]: parameter for parameter in listed}
    assert set(params) <= set(by_name)
    assert {p["name"] for p in listed if p["required"]} <= set(params)
    for name, raw in params.items():
        schema = _resolved(described, by_name[name]["schema"])
        value: object = raw
        if schema["type"] == "integer":
            value = int(raw)
        elif schema["type"] == "array":
            value = raw.split(",")
        Draft202012Validator(schema, format_checker=FormatChecker()).validate(value)


def _resolved(described: Any, node: Any) -> Any:
    while "$ref" in node:
        found = described
        for step in node["$ref"].removeprefix("#/").split("/"):
            found = found[step]
        node = found
    return {"required": False, **node}
