"""The xAI API against a service that plays it over posts on disk."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from datetime import date, datetime, timedelta, timezone
from typing import Any

import pytest

from engine import data
from engine.deadline import Deadline
from engine.errors import SourceError
from engine.fetch import RETRIES, Fetch
from engine.model import Depth, Item, State
from engine.settings import Settings
from engine.text.question import prepare
from engine.text.topic import parse_topic
from engine.window import Window
from engine.x.backends import BACKENDS, xai
from engine.x.backends.archive.formats import read_posts
from engine.x.backends.archive.index import Archive
from engine.x.backends.base import IO, Ask
from engine.x.calls import Calls
from engine.x.lanes import from_query, name_query
from engine.x.query import Query, web_syntax
from engine.x.stream import Request, run
from fakes.server import FAILURES as SERVER_FAILURES
from fakes.server import Failure, Server, status
from fakes.xai import FAILURES, KEY, MODELS, XAi, edited, said

# The posts of the demo end a day before this moment.
NOW = datetime(2026, 11, 16, 12, tzinfo=timezone.utc)
WINDOW = Window.ending(NOW.date(), 30)
PAST = Window(date(2026, 10, 20), date(2026, 11, 10))
ROME = Query(WINDOW, terms=("Rome",), latest=True)
TRIES = 1 + RETRIES


@pytest.fixture(scope="module")
def posts() -> list[Item]:
    """Posts on disk, but for reposts, which X's search leaves out."""
    path = data.path("demo_rome.jsonl")
    return [post for post in read_posts(path, print) if not post.repost_of]


@pytest.fixture
def api(server: Server, posts: list[Item]) -> XAi:
    """The service over these posts."""
    return XAi(server, posts)


def _io(
    api: XAi,
    dropped: list[tuple[str, str]] | None = None,
    seconds: float = 20,
    **settings: str,
) -> IO:
    values = {"XAI_API_KEY": KEY, "LAST30DAYS_XAI_URL": api.url, **settings}
    known = Settings(values, NOW)
    gone = [] if dropped is None else dropped
    return IO(
        known,
        Deadline(seconds),
        Fetch(known),
        print,
        drop=lambda item, reason: gone.append((item.id, reason)),
    )


def _search(io: IO, query: Query = ROME, limit: int = 10) -> list[Item]:
    return xai.search(Ask(query, limit, WINDOW), io)


def _error(io: IO, query: Query = ROME) -> Any:
    with pytest.raises(SourceError) as caught:
        _search(io, query)
    return caught.value


def _post_id(moment: datetime, low: int = 12345) -> str:
    milliseconds = round(moment.timestamp() * 1000) - 1288834974657
    return str((milliseconds << 22) + low)


def _told(moment: datetime, low: int = 12345, **fields: object) -> dict[str, object]:
    return {
        "id": _post_id(moment, low),
        "handle": "ann_dev",
        "text": "Rome is wet",
        **fields,
    }


def test_it_is_registered_and_says_what_it_lacks(api: XAi) -> None:
    """The key is the one thing that it needs."""
    assert BACKENDS["xai"] is xai
    assert list(BACKENDS) == ["grok", "xai", "xapi", "archive"]
    assert xai.INFO.paid and xai.INFO.model_reported and xai.INFO.parallel == 12
    io = _io(api)
    assert xai.missing(io) == ""
    without = xai.missing(replace(io, settings=Settings({}, NOW)))
    assert "XAI_API_KEY" in without and "https://console.x.ai" in without


@pytest.mark.parametrize(
    ("topic", "handles"),
    [("Rome Italy", ()), ("Rome", ("urbe_welcome_it",)), ("AS Roma", ()), ("zzz", ())],
    ids=["topic", "handle", "name", "nothing"],
)
def test_a_run_finds_what_a_run_over_the_same_posts_finds(
    api: XAi, posts: list[Item], topic: str, handles: tuple[str, ...]
) -> None:
    """The loop cannot tell the service from the posts behind it."""
    question = prepare(topic, ())
    request = Request(
        parse_topic(topic), question, WINDOW, Depth.DEEP, explicit=handles
    )
    io = replace(_io(api, seconds=120), archive=Archive(posts))
    live, disk = (
        run(request, Calls(BACKENDS[name], io, WINDOW)) for name in ("xai", "archive")
    )
    assert not live.calls.errors
    assert [_known(i) for i in live.items] == [_known(i) for i in disk.items]
    assert bool(live.items) == (topic != "zzz")


def _known(item: Item) -> Item:
    return replace(item, backend="", lang="", created_at=None, score=0)


@pytest.mark.parametrize("call", ["custom_tool_call", "x_search_call", ""])
@pytest.mark.parametrize("cited", ["text", "beside", "both", "none"])
def test_a_call_or_a_citation_proves_the_search(
    api: XAi, call: str, cited: str
) -> None:
    """Either is enough; with neither nothing is believed."""
    api.call, api.cited = call, cited
    dropped: list[tuple[str, str]] = []
    if call or cited != "none":
        assert len(_search(_io(api))) == 10
        return
    error = _error(_io(api, dropped))
    assert error.state is State.BAD_RESPONSE
    assert error.detail == "xAI API: no proof that a search ran"
    assert [reason for _, reason in dropped] == ["unproven"] * 10


@pytest.mark.parametrize(
    "text", ["[]", "No posts were found.", '{"posts": []}'], ids=["[]", "words", "{}"]
)
def test_nothing_found_is_an_answer(api: XAi, text: str) -> None:
    """After a search, an empty list or the words for it are no failure."""
    api.server.fail(said(text, call="custom_tool_call"))
    assert _search(_io(api)) == []


def test_what_is_asked(api: XAi) -> None:
    """The query stands in one literal; nothing is stored; the days are the query's."""
    query = replace(ROME, window=PAST, terms=('Rome" OR from:x', "東京\u2028\u202e"))
    _search(_io(api), query)
    (body,) = api.bodies
    prompt = body["input"][0]["content"]
    literals = [line for line in prompt.splitlines() if line.startswith('"')]
    assert [json.loads(line) for line in literals] == [web_syntax(query)]
    assert prompt.isascii() or "東京" in prompt
    assert body["store"] is False and body["model"] == "grok-4.5"
    assert body["tools"] == [
        {
            "type": "x_search",
            "from_date": "2026-10-20",
            "to_date": "2026-11-11",
        }
    ]


def test_a_window_that_ends_today_has_no_end_date(api: XAi) -> None:
    """The day after it lies in the future, which switches the search off in silence."""
    _search(_io(api))
    yesterday = Window(WINDOW.first, NOW.date() - timedelta(days=1))
    _search(_io(api), replace(ROME, window=yesterday))
    assert [tool.get("to_date") for tool in api.tools] == [None, "2026-11-16"]


def test_days_that_have_not_begun_are_not_asked(api: XAi) -> None:
    """They are empty, and an answer costs money."""
    tomorrow = NOW.date() + timedelta(days=1)
    assert _search(_io(api), replace(ROME, window=Window(tomorrow, tomorrow))) == []
    assert api.bodies == []


@pytest.mark.parametrize(
    ("query", "allowed", "excluded"),
    [
        (ROME, None, None),
        (from_query("foo", WINDOW), ["foo"], None),
        (Query(WINDOW, mention="foo", not_from=("foo",)), None, ["foo"]),
        (name_query("Ann Lee", WINDOW, ("annlee",)), None, ["annlee"]),
        (replace(from_query("foo", WINDOW), not_from=("bar",)), ["foo"], None),
        (
            replace(ROME, not_from=tuple(f"h{i}" for i in range(14))),
            None,
            [f"h{i}" for i in range(10)],
        ),
    ],
    ids=["topic", "from", "mention", "name", "both", "many"],
)
def test_accounts_are_given_to_the_tool(
    api: XAi, query: Query, allowed: list[str] | None, excluded: list[str] | None
) -> None:
    """Never both lists, never more than ten of them; the loop enforces the rest."""
    _search(_io(api), query)
    (tool,) = api.tools
    assert tool.get("allowed_x_handles") == allowed
    assert tool.get("excluded_x_handles") == excluded


def test_more_accounts_than_the_tool_takes_are_asked_in_groups(
    api: XAi, posts: list[Item]
) -> None:
    """Their posts are put together, each once, up to the limit."""
    handles = tuple(dict.fromkeys(post.author_handle for post in posts))[:25]
    query = Query(WINDOW, from_handles=handles, latest=True)
    found = _search(_io(api), query, limit=30)
    groups = [tool["allowed_x_handles"] for tool in api.tools]
    assert [len(group) for group in groups] == [10, 10, 5]
    assert tuple(handle for group in groups for handle in group) == handles
    assert len({item.id for item in found}) == len(found)
    assert 10 < len(found) <= 30


def test_a_failed_group_keeps_what_the_others_gave(api: XAi, posts: list[Item]) -> None:
    """What had arrived is on the error."""
    handles = tuple(dict.fromkeys(post.author_handle for post in posts))[:12]
    answer, seen = api.server.answer, iter((False, True))
    api.server.answer = lambda asked: (  # type: ignore[method-assign]
        status(500)(answer(asked)) if next(seen) else answer(asked)
    )
    error = _error(_io(api), Query(WINDOW, from_handles=handles, latest=True))
    assert error.state is State.UNREACHABLE and len(error.items) == 10


def test_the_model_is_a_setting(api: XAi) -> None:
    """An unknown one is named, with what to do."""
    _search(_io(api, LAST30DAYS_XAI_MODEL=MODELS[0]))
    assert api.bodies[0]["model"] == MODELS[0]
    error = _error(_io(api, LAST30DAYS_XAI_MODEL="grok-1"))
    assert error.state is State.BAD_RESPONSE
    assert "model grok-1 at http://127.0.0.1" in error.detail
    assert "LAST30DAYS_XAI_MODEL" in error.fix


@pytest.mark.parametrize(
    ("name", "state", "says", "requests"),
    [
        ("wrong-key", State.AUTH_FAILED, "refused the key", 1),
        ("no-key", State.AUTH_FAILED, "HTTP 401", 1),
        ("payment", State.AUTH_FAILED, "out of credit", 1),
        ("permission", State.AUTH_FAILED, "may not do this", 1),
        ("no-credits", State.AUTH_FAILED, "run out of credits", 1),
        ("argument", State.BAD_RESPONSE, "not supported on this model", 1),
        ("model", State.BAD_RESPONSE, "model grok-4.5", 1),
        ("retired", State.BAD_RESPONSE, "has retired the model grok-4.5 at http", 1),
        ("schema", State.BAD_RESPONSE, "tools[0].type", 1),
        ("requests", State.RATE_LIMITED, "Too many requests", 1),
        ("requests-until", State.RATE_LIMITED, "again in 900 s", 1),
        ("spent", State.RATE_LIMITED, "spending limit", 1),
        ("failed", State.BAD_RESPONSE, "failed", 1),
        ("error-in-200", State.BAD_RESPONSE, "Something is amiss", 1),
        ("error-object", State.BAD_RESPONSE, "Something is amiss", 1),
        ("no-output", State.BAD_RESPONSE, "without any output", 1),
        ("null", State.BAD_RESPONSE, "without any output", 1),
        ("incomplete", State.BAD_RESPONSE, "cut (max_output_tokens)", 1),
        ("uncited", State.BAD_RESPONSE, "no proof", 1),
        ("users-only", State.BAD_RESPONSE, "no proof", 1),
        ("admits", State.BAD_RESPONSE, "no proof", 1),
        ("prose", State.BAD_RESPONSE, "no list of posts", 1),
        ("400", State.BAD_RESPONSE, "HTTP 400", 1),
        ("500", State.UNREACHABLE, "HTTP 500", 1),
        ("503-html", State.UNREACHABLE, "HTTP 503", TRIES),
        ("html", State.BLOCKED, "web page", 1),
        ("empty", State.BAD_RESPONSE, "empty", 1),
        ("cut", State.BAD_RESPONSE, "broken JSON", 1),
        ("charset", State.BAD_RESPONSE, "UTF-8", 1),
        ("huge", State.BAD_RESPONSE, "bytes", 1),
        ("bomb", State.BAD_RESPONSE, "bytes", 1),
        # It may have been charged for: a POST that may have arrived is not sent again.
        ("drop", State.UNREACHABLE, "cannot be reached", 1),
        ("drip", State.TIMEOUT, "in time", 1),
        ("slow", State.TIMEOUT, "in time", 1),
    ],
)
def test_each_failure_has_its_state(
    api: XAi, name: str, state: State, says: str, requests: int
) -> None:
    """What the user reads, how often the service was asked, and how long it took."""
    failure: Failure = FAILURES.get(name) or SERVER_FAILURES[name]
    api.server.fail(failure)
    seconds = 1.0 if state is State.TIMEOUT else 10.0
    started = time.monotonic()
    error = _error(_io(api, seconds=seconds))
    assert error.state is state
    assert says in error.detail
    assert len(api.server.requests) == requests
    assert time.monotonic() - started < seconds + 3
    if state is State.AUTH_FAILED:
        assert "XAI_API_KEY" in error.fix
    assert len(error.items) == (10 if name == "incomplete" else 0)


def test_null_entries_are_passed_over(api: XAi) -> None:
    """A gap in the output spoils no answer."""
    api.server.fail(FAILURES["null-entries"])
    assert len(_search(_io(api))) == 10


@pytest.mark.parametrize(
    "wrong",
    [
        _told(NOW - timedelta(days=300)),
        _told(NOW, created_at="2026-11-01T12:00:00Z"),
        _told(NOW, handle="unknown"),
        _told(NOW, id=float(_post_id(NOW))),
        _told(NOW, id="1234"),
    ],
    ids=["out-of-window", "other-date", "placeholder", "rounded", "short"],
)
def test_what_cannot_exist_is_dropped(api: XAi, wrong: dict[str, object]) -> None:
    """A made-up post is told of and left out; if all are, the answer is none."""
    good = _told(NOW - timedelta(days=2), low=777, created_at="2026-11-14")
    api.server.fail(said(json.dumps([wrong, good]), call="x_search_call"))
    dropped: list[tuple[str, str]] = []
    assert [item.id for item in _search(_io(api, dropped))] == [good["id"]]
    assert len(dropped) == 1
    api.server.fail(said(json.dumps([wrong]), call="x_search_call"))
    error = _error(_io(api))
    assert error.state is State.BAD_RESPONSE and "can exist" in error.detail


def test_evenly_spaced_ids_are_invented(api: XAi) -> None:
    """Nobody posts by the clock."""
    told = [_told(NOW - timedelta(hours=i), handle=f"user{i}x") for i in range(1, 7)]
    api.server.fail(said(json.dumps(told), call="x_search_call"))
    assert "none of the 6 posts" in _error(_io(api)).detail


def test_a_list_that_was_cut_keeps_its_whole_posts(api: XAi) -> None:
    """They are on the error, so that nothing that arrived is lost."""
    api.shape = lambda told: json.dumps(told)[:-30]
    error = _error(_io(api))
    assert error.state is State.BAD_RESPONSE and "cut" in error.detail
    assert len(error.items) == 9


def test_an_echoed_key_is_hidden(api: XAi) -> None:
    """Neither an error nor the text of a post brings it into the output."""
    for code in (400, 403, 404, 429):
        api.server.fail(status(code, {"error": f"no credits or model for key {KEY}"}))
        error = _error(_io(api))
        assert KEY[:10] not in error.detail + error.fix
    told = _told(NOW - timedelta(days=1), text=f"Rome {KEY}")
    api.server.fail(said(json.dumps([told]), call="x_search_call"))
    assert [item.text for item in _search(_io(api))] == ["Rome ***"]
    api.server.fail(edited(lambda page: page.update(error={"message": f"bad {KEY}"})))
    assert KEY[:10] not in _error(_io(api)).detail


def test_without_a_key_the_service_refuses(api: XAi) -> None:
    """A key that the service does not know is a refusal of credentials."""
    error = _error(_io(api, XAI_API_KEY="xai-other"))
    assert error.state is State.AUTH_FAILED and error.fix
