"""Bluesky against a server that plays it over a table of posts."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timezone
from functools import partial
from math import log
from typing import Any

import pytest

from engine.errors import SourceError
from engine.model import Item, State
from engine.rank.engagement import engagement_score
from engine.settings import KNOWN
from engine.sources import SOURCES, bluesky
from engine.together import together
from fakes.asking import World, question
from fakes.bluesky import HANDLE, LOGIN, PASSWORD, Bluesky, post
from fakes.server import Failure, Server, cut, drop, empty, page, slow, status


@pytest.fixture
def service(server: Server) -> Bluesky:
    """Three posts on the subject; the older ones are liked more."""
    return Bluesky(
        server,
        [
            post(9, "Foo 2 is out", "2026-11-10T10:00:00.000Z"),
            post(5, "I like Foo 2", "2026-11-20T10:00:00.000Z"),
            post(1, "Foo 2 crashes", "2026-11-25T10:00:00.000Z"),
            post(3, "Bar"),
        ],
    )


@pytest.fixture
def world(server: Server) -> World:
    """A run that reaches the server and may sign in."""
    return World(
        {
            "LAST30DAYS_BLUESKY_URL": server.url,
            "BSKY_HANDLE": HANDLE,
            "BSKY_APP_PASSWORD": PASSWORD,
        }
    )


def found(world: World, query: str = "Foo") -> list[Item]:
    return bluesky.search(question(query), world.io)


def only(service: Bluesky, world: World, **more: Any) -> Item:
    """How a post is read."""
    service.posts = [post(1, "Foo", **more)]
    (item,) = found(world)
    return item


def failure_of(world: World) -> SourceError:
    with pytest.raises(SourceError) as caught:
        found(world)
    return caught.value


def failing_search(service: Bluesky, failure: Failure) -> None:
    """Signing in works, searching does not."""
    search = service._search
    service.server.route(
        "/xrpc/app.bsky.feed.searchPosts", lambda asked: failure(search(asked))
    )


def test_it_stands_in_the_registry() -> None:
    """By its own name, with a password that is a secret."""
    assert SOURCES["bluesky"] is bluesky
    assert bluesky.INFO.asked_with == "search_query"
    assert "BSKY_APP_PASSWORD" in {setting.name for setting in KNOWN if setting.secret}


def test_the_scale_of_engagement() -> None:
    """Weights of each count, against about ln 10,000."""
    counts = {"likes": 100, "reposts": 20, "replies": 10, "quotes": 5}
    raw = 0.40 * log(101) + 0.30 * log(21) + 0.20 * log(11) + 0.10 * log(6)
    info = bluesky.INFO
    score = engagement_score(counts, info.weights, info.reference)
    assert score == pytest.approx(100 * raw / 9.2)


@pytest.mark.parametrize(
    ("values", "named"),
    [
        ({}, ("BSKY_HANDLE", "BSKY_APP_PASSWORD")),
        ({"BSKY_HANDLE": HANDLE}, ("BSKY_APP_PASSWORD",)),
        ({"BSKY_APP_PASSWORD": PASSWORD, "BSKY_HANDLE": " "}, ("BSKY_HANDLE",)),
    ],
)
def test_what_is_missing_is_named_with_the_place_to_get_it(
    server: Server, values: dict[str, str], named: tuple[str, ...]
) -> None:
    """Without a login nothing is asked."""
    world = World({"LAST30DAYS_BLUESKY_URL": server.url, **values})
    told = bluesky.missing(world.io)
    assert told.startswith(f"set {' and '.join(named)} (")
    assert "https://bsky.app/settings/app-passwords" in told
    error = failure_of(world)
    assert (error.state, error.fix) == (State.SKIPPED_UNCONFIGURED, told)
    assert server.requests == []


def test_a_run_signs_in_once(service: Bluesky, world: World) -> None:
    """Whatever it asks; the service allows few logins a day."""
    assert bluesky.missing(world.io) == ""
    jobs = [partial(found, world, f"Foo {i}") for i in range(4)]
    answers = together(jobs, parallel=4, deadline=world.io.deadline)
    assert not any(isinstance(answer, SourceError) for answer in answers)
    assert service.logins == 1
    assert len(service.searches) == 4 * 2


def test_the_best_and_the_newest_are_asked_for(service: Bluesky, world: World) -> None:
    """Inside the window, its last day included, and by turns in the result."""
    items = found(world)
    assert [item.text for item in items] == [
        "Foo 2 is out",
        "Foo 2 crashes",
        "I like Foo 2",
    ]
    asked = sorted(service.searches, key=lambda one: one["sort"], reverse=True)
    shared = {
        "q": "Foo",
        "since": "2026-11-01T00:00:00Z",
        "until": "2026-12-01T00:00:00Z",
        "limit": "25",
    }
    assert asked == [{**shared, "sort": "top"}, {**shared, "sort": "latest"}]


def test_at_most_as_many_as_wanted_are_given(service: Bluesky, world: World) -> None:
    """Half of them the best, half the newest."""
    service.posts = [
        post(i, "Foo", f"2026-11-{28 - i // 3:02}T0{i % 3}:00:00.000Z")
        for i in range(80)
    ]
    items = found(world)
    assert len({item.id for item in items}) == len(items) == 25
    assert max(item.engagement["likes"] for item in items) == 79
    assert min(item.engagement["likes"] for item in items) == 2 - 2


@pytest.mark.parametrize(
    ("query", "sent"),
    [
        ("from:bob since:2020-01-01 Foo", "from bob since 2020-01-01 Foo"),
        ('"Claude Code" #skills', "Claude Code skills"),
        ("大模型 评测", "大模型 评测"),
    ],
)
def test_words_are_never_operators(
    service: Bluesky, world: World, query: str, sent: str
) -> None:
    """A colon makes one of a word."""
    found(world, query)
    assert {asked["q"] for asked in service.searches} == {sent}


def test_a_post_is_an_item(service: Bluesky, world: World) -> None:
    """With its account, counts, language and links."""
    link = {"$type": "app.bsky.richtext.facet#link", "uri": "https://example.com/a"}
    facets = [{"features": [link, {"uri": "javascript:x"}]}, {"features": None}, "x"]
    shown = {"external": {"uri": "https://example.com/b"}}
    item = only(service, world, record={"facets": facets, "embed": shown})
    assert item.id == "at://did:plc:abc1/app.bsky.feed.post/3lz1"
    assert item.url == "https://bsky.app/profile/writer1.example.com/post/3lz1"
    assert item.author_handle == "writer1.example.com"
    assert item.author_name == "Writer 1"
    assert item.text == "Foo"
    assert item.lang == "en"
    assert item.engagement == {"likes": 1, "reposts": 2, "replies": 1, "quotes": 0}
    assert item.urls == ("https://example.com/a", "https://example.com/b")
    assert item.created_at == datetime(2026, 11, 20, 10, tzinfo=timezone.utc)


@pytest.mark.parametrize("handle", ["handle.invalid", None, "a/b.example.com", "x y.z"])
def test_without_a_valid_handle_the_account_is_its_did(
    service: Bluesky, world: World, handle: object
) -> None:
    """Links work with either."""
    item = only(service, world, author={"handle": handle})
    assert item.author_handle == "did:plc:abc1"
    assert item.url == "https://bsky.app/profile/did:plc:abc1/post/3lz1"


@pytest.mark.parametrize(
    ("made", "seen", "day"),
    [
        ("2026-11-20T10:00:00Z", "2026-11-20T10:00:02.000Z", 20),
        ("2026-11-29T10:00:00Z", "2026-11-20T10:00:00Z", 20),
        ("2026-11-20T23:00:00+02:00", None, 20),
        (None, "2026-11-20T10:00:00Z", 20),
        ("soon", "2026-11-20T10:00:00Z", 20),
    ],
)
def test_the_earlier_of_two_times_counts(
    server: Server, world: World, made: object, seen: object, day: int
) -> None:
    """What the author's program says can lie, and never makes a post younger."""
    service = Bluesky(server)
    one = post(1, "Foo", record={"createdAt": made}, indexedAt=seen)
    failing_search(service, status(200, {"posts": [one]}))
    service.posts = []
    (item,) = found(world)
    assert item.created_at is not None
    assert item.created_at.day == day


def test_posts_out_of_the_window_are_left_out(server: Server, world: World) -> None:
    """Old posts that were brought in later, and a server that ignores the days."""
    service = Bluesky(server)
    posts = [
        post(1, "Foo", "2026-11-20T10:00:00Z", record={"createdAt": "2019-01-01"}),
        post(2, "Foo", "2026-10-31T23:59:59.999Z"),
        post(3, "Foo", "2026-12-01T00:00:00.000Z"),
        post(4, "Foo", "2026-11-30T23:59:59.999Z"),
        post(5, "Foo", record={"createdAt": None}, indexedAt=None),
    ]
    failing_search(service, status(200, {"posts": posts}))
    assert [item.engagement["likes"] for item in found(world)] == [4, 5]


@pytest.mark.parametrize(
    "odd",
    [
        {"uri": "at://did:plc:abc/app.bsky.feed.like/3l"},
        {"uri": "https://evil.example"},
        {"uri": None},
        {"record": {"text": None}},
        {"record": {"text": " "}},
    ],
)
def test_what_is_no_post_is_left_out(
    server: Server, world: World, odd: dict[str, Any]
) -> None:
    """Others beside it are kept; a picture without words says nothing."""
    posts = [post(1, "Foo", **odd), post(2, "Foo"), "x"]
    failing_search(Bluesky(server), status(200, {"posts": posts}))
    assert [item.engagement["likes"] for item in found(world)] == [2]


@pytest.mark.parametrize("counts", [None, "many", True, -1])
def test_a_count_that_is_not_known_is_missing(
    service: Bluesky, world: World, counts: object
) -> None:
    """Unknown is not zero."""
    service.posts = [post(1, "Foo", replyCount=counts)]
    (item,) = found(world)
    assert item.engagement == {"likes": 1, "reposts": 2, "quotes": 0}


def test_hostile_text_is_harmless(service: Bluesky, world: World) -> None:
    """Half characters vanish, the rest stays for the envelope to clean."""
    service.posts = [post(1, "Foo HALF <b>\n# Ignore\u202e all" + "x" * 50_000)]
    service.server.fail(
        lambda sent: replace(sent, body=sent.body.replace(b"HALF", rb"\ud800"))
    )
    (item,) = found(world)
    assert item.text.encode().startswith("Foo  <b>\n# Ignore\u202e all".encode())
    assert len(item.text) <= 40_000


@pytest.mark.parametrize("code", [400, 401])
def test_a_login_that_expired_is_renewed_once(
    service: Bluesky, world: World, code: int
) -> None:
    """A server says it with 400 and the network's index with 401."""
    service.searches_a_login, service.expired_status = 1, code
    assert len(found(world)) == 3
    assert service.logins == 2


def test_a_login_that_expires_again_is_refused(service: Bluesky, world: World) -> None:
    """No login lasts, so that something else is wrong."""
    service.searches_a_login = 0
    error = failure_of(world)
    assert error.state is State.AUTH_FAILED
    assert service.logins == 2


@pytest.mark.parametrize(
    ("code", "name"),
    [
        (401, "AuthenticationRequired"),
        (401, "AuthFactorTokenRequired"),
        (400, "AccountTakedown"),
    ],
)
def test_a_login_that_is_refused_is_tried_once(
    service: Bluesky, world: World, code: int, name: str
) -> None:
    """All calls of the run know, and the user learns what to check."""
    body = {"error": name, "message": f"Invalid password {PASSWORD}"}
    service.server.route(LOGIN, lambda _: status(code, body)(None))  # type: ignore[arg-type]
    error, again = failure_of(world), failure_of(world)
    assert error.state is again.state is State.AUTH_FAILED
    assert name in error.detail
    assert "BSKY_APP_PASSWORD" in error.fix
    assert PASSWORD not in f"{error.detail} {error.fix}"
    assert len(service.server.requests) == 1


def test_the_handle_may_be_written_with_its_sign(
    service: Bluesky, world: World
) -> None:
    """People copy it like that."""
    world = World({**world.values, "BSKY_HANDLE": f"@{HANDLE}"})
    assert len(found(world)) == 3


@pytest.mark.parametrize(
    ("failure", "state"),
    [
        (status(400, {"error": "InvalidRequest", "message": "bad"}), State.BAD_RESPONSE),
        (status(401, {"error": "InvalidToken", "message": "bad"}), State.AUTH_FAILED),
        (status(401, {"error": "AuthMissing", "message": "bad"}), State.AUTH_FAILED),
        (page(403), State.UNREACHABLE),
        (status(403, {"message": "Request forbidden by administrative rules."}),
         State.UNREACHABLE),
        (status(429, {"error": "RateLimitExceeded"}), State.RATE_LIMITED),
        (status(429, RateLimit_Reset="1796126400",
                Date="Mon, 30 Nov 2026 12:00:00 GMT"), State.RATE_LIMITED),
        (status(500, {"error": "InternalServerError"}), State.UNREACHABLE),
        (status(502, {"error": "UpstreamFailure"}, Retry_After="900"), State.UNREACHABLE),
        (status(504, {"error": "UpstreamTimeout"}, Retry_After="900"), State.TIMEOUT),
        (status(200, {"feed": []}), State.BAD_RESPONSE),
        (status(200, [1]), State.BAD_RESPONSE),
        (status(200, {"posts": [{"id": 1}]}), State.BAD_RESPONSE),
        (cut(), State.BAD_RESPONSE),
        (empty(), State.BAD_RESPONSE),
        (page(), State.BLOCKED),
        (drop(), State.UNREACHABLE),
    ],
    ids=lambda value: getattr(value, "value", ""),
)  # fmt: skip
def test_a_failure_is_told_by_its_kind(
    service: Bluesky, world: World, failure: Failure, state: State
) -> None:
    """Never as silence, and without the token."""
    failing_search(service, failure)
    error = failure_of(world)
    assert error.state is state
    assert "eyJ0" not in f"{error.detail} {error.fix}"


@pytest.mark.parametrize(
    ("failure", "state"),
    [
        (status(429, Retry_After="900"), State.RATE_LIMITED),
        (page(403), State.BLOCKED),
        (status(500), State.UNREACHABLE),
        (status(200, {"accessJwt": None}), State.BAD_RESPONSE),
        (status(200, {"accessJwt": "a b"}), State.BAD_RESPONSE),
        (status(200, {"accessJwt": "abc", "active": False}), State.AUTH_FAILED),
        (cut(), State.BAD_RESPONSE),
    ],
    ids=lambda value: getattr(value, "value", ""),
)
def test_a_failure_to_sign_in_is_told_by_its_kind(
    service: Bluesky, world: World, failure: Failure, state: State
) -> None:
    """Nothing is searched for then."""
    service.server.fail(failure)
    assert failure_of(world).state is state
    assert service.searches == []


def test_no_answer_in_time_is_a_timeout(service: Bluesky, world: World) -> None:
    """The deadline is that of the run."""
    failing_search(service, slow(30))
    assert failure_of(World(world.values, seconds=0.5)).state is State.TIMEOUT


def test_what_arrived_beside_a_failure_is_kept(service: Bluesky, world: World) -> None:
    """The newest posts are there when the best cannot be had."""
    search = service._search
    service.server.route(
        "/xrpc/app.bsky.feed.searchPosts",
        lambda asked: (
            status(500)(search(asked))
            if asked.params["sort"] == "top"
            else search(asked)
        ),
    )
    error = failure_of(world)
    assert error.state is State.UNREACHABLE
    assert len(error.items) == 3


def test_nothing_found_is_no_failure(service: Bluesky, world: World) -> None:
    """Everything answered and there was nothing."""
    assert found(world, "nothing like it") == []
    assert world.warnings == []
