"""Fetch against a real server: what comes back, and what fails how."""

from __future__ import annotations

import gzip
import time
import tracemalloc
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path

import pytest

from engine.deadline import Deadline
from engine.errors import (
    AuthError,
    BadResponseError,
    BlockedError,
    RateLimitError,
    SourceError,
    UnreachableError,
)
from engine.exchange import Request
from engine.fetch import RETRIES, USER_AGENT, Fetch
from engine.settings import Settings
from fakes import server as fakes
from fakes.server import Answer, Failure, Server, answer_json

KEY = "xai-4fT9qLmZ72Rw"
ASKED_AGAIN = 1 + RETRIES
NOW = datetime(2026, 11, 30, tzinfo=timezone.utc)


def _asking(server: Server, path: str = "/search") -> Request:
    return Request(
        "xAI",
        server.url + path,
        headers={"Authorization": f"Bearer {KEY}"},
        secrets=(KEY,),
    )


def test_json_is_fetched_with_parameters_and_the_projects_name(
    fetch: Fetch, good: Server
) -> None:
    """A GET carries its parameters, its headers and a User-Agent."""
    request = Request("xAI", good.url + "/v1", params={"q": "Rome & Italy", "n": 10})
    assert fetch.json(request, Deadline(5)) == {
        "name": "Zoë",
        "id": 2116700000000000001,
    }
    (asked,) = good.requests
    assert (asked.method, asked.path) == ("GET", "/v1")
    assert asked.params == {"q": "Rome & Italy", "n": "10"}
    assert asked.headers["user-agent"] == USER_AGENT
    assert USER_AGENT.startswith("last30days/")


def test_a_body_is_posted_as_json(fetch: Fetch, server: Server) -> None:
    """A request with a body is a POST of it."""
    server.route("/echo", lambda asked: answer_json({"got": asked.json}))
    body = {"model": "m", "input": ["罗马"]}
    request = Request("xAI", server.url + "/echo", body=body)
    assert fetch.json(request, Deadline(5)) == {"got": body}


def test_text_is_given_as_it_is(fetch: Fetch, server: Server) -> None:
    """A feed is text, without its byte order mark."""
    server.route("/feed", Answer(body="\ufeff<?xml version='1.0'?><feed/>".encode()))
    request = Request("YouTube", server.url + "/feed")
    assert fetch.text(request, Deadline(5)) == "<?xml version='1.0'?><feed/>"


def test_gzip_is_unpacked(fetch: Fetch, server: Server) -> None:
    """A compressed answer reads like any other."""
    body = gzip.compress(b'{"ok": true}')
    server.route("/", Answer(body=body, headers={"Content-Encoding": "gzip"}))
    assert fetch.json(_asking(server), Deadline(5)) == {"ok": True}
    assert server.requests[0].headers["accept-encoding"] == "gzip"


@pytest.mark.parametrize(
    ("failure", "error", "requests"),
    [
        pytest.param(fakes.page(), BlockedError, 1, id="html-in-a-200"),
        pytest.param(fakes.page(403), BlockedError, 1, id="html-403"),
        pytest.param(fakes.empty(), BadResponseError, 1, id="empty"),
        pytest.param(fakes.cut(), BadResponseError, 1, id="cut-json"),
        pytest.param(fakes.latin(), BadResponseError, 1, id="charset"),
        pytest.param(fakes.huge(), BadResponseError, 1, id="50-mb"),
        pytest.param(fakes.bomb(), BadResponseError, 1, id="gzip-bomb"),
        pytest.param(fakes.drop(), UnreachableError, ASKED_AGAIN, id="drop"),
        pytest.param(fakes.drop(5), UnreachableError, ASKED_AGAIN, id="broken-off"),
        pytest.param(fakes.status(400), BadResponseError, 1, id="400"),
        pytest.param(fakes.status(401), AuthError, 1, id="401"),
        pytest.param(fakes.status(402), AuthError, 1, id="402"),
        pytest.param(fakes.status(403), AuthError, 1, id="403"),
        pytest.param(fakes.status(404), BadResponseError, 1, id="404"),
        pytest.param(fakes.status(410), BadResponseError, 1, id="410"),
        pytest.param(fakes.status(422), BadResponseError, 1, id="422"),
        pytest.param(fakes.status(429), RateLimitError, 1, id="429"),
        pytest.param(fakes.status(500), UnreachableError, 1, id="500"),
        pytest.param(fakes.page(503), UnreachableError, ASKED_AGAIN, id="503-html"),
        pytest.param(fakes.moved("/login"), BlockedError, 1, id="to-a-login"),
        pytest.param(fakes.moved("/other"), BadResponseError, 1, id="to-another-path"),
    ],
)
def test_each_failure_is_the_error_that_it_is(
    fetch: Fetch,
    good: Server,
    failure: Failure,
    error: type[SourceError],
    requests: int,
) -> None:
    """A failure has its type, its number of requests, and no secret in its text."""
    good.fail(failure)
    with pytest.raises(SourceError) as caught:
        fetch.json(_asking(good), Deadline(5))
    assert type(caught.value) is error or type(caught.value).__bases__ == (error,)
    assert len(good.requests) == requests
    assert caught.value.detail.startswith("xAI")
    assert KEY[:6] not in caught.value.detail


def test_a_post_that_was_sent_is_not_sent_again(fetch: Fetch, good: Server) -> None:
    """The service may have done the work before the answer broke off."""
    good.fail(fakes.drop(5))
    with pytest.raises(UnreachableError, match="broke"):
        fetch.json(replace(_asking(good), body={"input": "x"}), Deadline(5))
    assert len(good.requests) == 1


def test_a_refused_connection_names_the_reason(fetch: Fetch, server: Server) -> None:
    """A closed port is unreachable, not silence."""
    server.__exit__()
    with pytest.raises(UnreachableError, match="cannot be reached: Connection refused"):
        fetch.json(_asking(server), Deadline(0.2))


def test_an_unknown_name_is_unreachable(fetch: Fetch) -> None:
    """A host that does not exist is unreachable, with the reason."""
    request = Request("xAI", "http://api.invalid/v1")
    with pytest.raises(UnreachableError, match="cannot be reached: Name or service"):
        fetch.json(request, Deadline(0.2))


def test_a_bad_certificate_is_not_asked_again(fetch: Fetch, good: Server) -> None:
    """A failed TLS handshake is unreachable at once."""
    request = Request("xAI", good.url.replace("http", "https"))
    started = time.monotonic()
    with pytest.raises(UnreachableError):
        fetch.json(request, Deadline(5))
    assert time.monotonic() - started < 0.25 + 0.5  # The least of two pauses.


@pytest.mark.parametrize(
    "url",
    [
        "http://",
        "http://a..b/",
        "nonsense",
        "ftp://127.0.0.1/",
        "http://[::1",
        "http://x:99999",
    ],
)
def test_an_unusable_address_is_an_error_and_no_traceback(
    fetch: Fetch, url: str
) -> None:
    """Whatever requests makes of an address, the caller gets a typed error."""
    with pytest.raises(UnreachableError):
        fetch.json(Request("xAI", url), Deadline(0.2))


def test_a_sandbox_without_network_says_so(server: Server) -> None:
    """Where the host forbids the network, a failed connection is blocked, with a fix."""
    server.__exit__()
    sandboxed = Fetch(Settings({"CODEX_SANDBOX_NETWORK_DISABLED": "1"}, NOW))
    with pytest.raises(BlockedError, match="sandbox") as caught:
        sandboxed.json(_asking(server), Deadline(5))
    assert "--archive" in caught.value.fix


def test_a_redirect_to_the_same_resource_is_followed(
    fetch: Fetch, server: Server
) -> None:
    """A slash more at the end is the same resource, with the same question."""
    server.route("/search", Answer(308, headers={"Location": "/search/?q=rome"}))
    server.route("/search/", answer_json({"ok": True}))
    request = Request("xAI", server.url + "/search", params={"q": "rome"})
    assert fetch.json(request, Deadline(5)) == {"ok": True}
    assert [asked.path for asked in server.requests] == ["/search", "/search/"]


def test_credentials_never_reach_another_host(fetch: Fetch, good: Server) -> None:
    """A redirect to another host is an error that names it; nothing is sent there."""
    with Server() as other:
        other.route("/", answer_json({"stolen": True}))
        target = other.url.replace("127.0.0.1", "localhost") + "/search"
        good.fail(fakes.moved(target, 307))
        with pytest.raises(BadResponseError, match="pointed to localhost"):
            fetch.json(_asking(good), Deadline(5))
        assert other.requests == []


def test_a_redirect_in_a_circle_ends(fetch: Fetch, server: Server) -> None:
    """Two addresses that point to each other are a bad response."""
    server.route("/a", Answer(302, headers={"Location": "/a/"}))
    server.route("/a/", Answer(302, headers={"Location": "/a"}))
    with pytest.raises(BadResponseError, match="circle"):
        fetch.json(_asking(server, "/a"), Deadline(5))


@pytest.mark.parametrize("target", ["http://[::1", "http://[broken/", "//[", "http:"])
def test_a_redirect_to_no_address_is_a_bad_response(
    fetch: Fetch, good: Server, target: str
) -> None:
    """It is the service's fault, and no mistake of this program."""
    good.fail(fakes.moved(target))
    with pytest.raises(BadResponseError):
        fetch.json(_asking(good), Deadline(5))


def test_the_body_of_a_redirect_is_never_unpacked_whole(
    fetch: Fetch, good: Server
) -> None:
    """Whether it is followed or not."""
    fetch.json(_asking(good), Deadline(5))
    bomb = fakes.bomb()
    good.fail(lambda answer: bomb(fakes.moved("/elsewhere")(answer)))
    tracemalloc.start()
    try:
        with pytest.raises(BadResponseError, match="another address"):
            fetch.json(_asking(good), Deadline(5))
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()


def test_an_echoed_key_is_hidden(fetch: Fetch, good: Server) -> None:
    """Whole, its beginning or its end: no piece of a key stays in the error."""
    said = f"Incorrect key {KEY}, begins {KEY[:9]}, ends {KEY[-7:]}\u001b[31m!"
    good.fail(fakes.status(401, {"error": said}))
    with pytest.raises(AuthError) as caught:
        fetch.json(_asking(good), Deadline(5))
    detail = caught.value.detail
    assert detail.endswith("Incorrect key ***, begins ***, ends *** [31m!")
    assert "\u001b" not in detail


def test_a_services_own_meaning_wins_and_is_final(fetch: Fetch, good: Server) -> None:
    """What `refine` makes of a failed answer is raised, and nothing is asked again."""

    def refine(code: int, text: str) -> SourceError | None:
        if code == 429 and "spending limit" in text:
            return RateLimitError("xAI: the spending limit is reached")
        return None

    good.fail(fakes.status(429, {"error": "reached its monthly spending limit"}))
    request = Request("xAI", good.url, refine=refine)
    with pytest.raises(RateLimitError, match="the spending limit"):
        fetch.json(request, Deadline(5))
    assert len(good.requests) == 1


def test_a_key_that_no_header_can_carry_is_refused(fetch: Fetch, good: Server) -> None:
    """A line break or a curly quote in a key is told before anything is sent."""
    for key in ("two\nlines", "“curly”"):
        request = Request("xAI", good.url, headers={"Authorization": f"Bearer {key}"})
        with pytest.raises(AuthError) as caught:
            fetch.json(request, Deadline(5))
        assert key not in str(caught.value)
    assert good.requests == []


def test_netrc_and_cookies_add_no_credentials(
    fetch: Fetch, server: Server, home: Path
) -> None:
    """Only the request's own credentials are sent."""
    (home / ".netrc").write_text("machine 127.0.0.1 login me password secret\n")
    (home / ".netrc").chmod(0o600)
    server.route("/", answer_json({}, Set_Cookie="session=1"))
    request = Request("HN", server.url)
    for _ in range(2):
        fetch.json(request, Deadline(5))
    for asked in server.requests:
        assert not {"authorization", "cookie"} & asked.headers.keys()


def test_a_proxy_of_the_environment_is_used(
    fetch: Fetch, good: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """HTTP_PROXY carries the request, whatever host it is for."""
    monkeypatch.setenv("HTTP_PROXY", good.url)
    request = Request("xAI", "http://api.invalid/v1/x")
    assert fetch.json(request, Deadline(5))["name"] == "Zoë"
    assert good.requests[0].headers["host"] == "api.invalid"


def test_a_missing_certificate_bundle_is_told(server: Server) -> None:
    """A variable that names no file is a typed error."""
    session = Fetch(Settings({"SSL_CERT_FILE": "/nowhere/ca.pem"}, NOW))
    request = Request("xAI", server.url.replace("http", "https"))
    with pytest.raises(UnreachableError, match="certificate bundle"):
        session.json(request, Deadline(5))


def test_the_limit_is_the_requests_own(fetch: Fetch, server: Server) -> None:
    """A body of exactly the limit passes, one byte more does not."""
    body = b'"' + b"x" * 98 + b'"'
    server.route("/", Answer(body=body))
    assert len(fetch.json(Request("xAI", server.url, limit=100), Deadline(5))) == 98
    with pytest.raises(BadResponseError, match="more than 99 bytes"):
        fetch.json(Request("xAI", server.url, limit=99), Deadline(5))


def test_a_bomb_is_never_unpacked_whole(fetch: Fetch, good: Server) -> None:
    """Fifty compressed megabytes take hardly more memory than the limit."""
    fetch.json(_asking(good), Deadline(5))
    good.fail(fakes.bomb())
    tracemalloc.start()
    try:
        with pytest.raises(BadResponseError, match="more than 100,000 bytes"):
            fetch.json(Request("xAI", good.url, limit=100_000), Deadline(5))
        assert tracemalloc.get_traced_memory()[1] < 10 * 100_000
    finally:
        tracemalloc.stop()


def test_an_unexpected_error_is_raised_where_it_was_asked(
    fetch: Fetch, good: Server
) -> None:
    """A mistake in this program, such as a body that is no JSON, is not lost."""
    with pytest.raises(TypeError):
        fetch.json(Request("xAI", good.url, body={"n": object()}), Deadline(5))
