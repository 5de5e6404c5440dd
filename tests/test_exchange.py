"""What replies mean, read as values."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest

from engine.errors import BadResponseError, BlockedError, RateLimitError
from engine.exchange import Reply, Request, redirected, status_error, wait_asked
from engine.model import State

DATE = "Mon, 30 Nov 2026 12:00:00 GMT"
NOON = 1796040000
ASKED = Request("X", "https://api.x.com/2/search", params={"query": "rome"})


def _reply(
    status: int = 200, body: bytes = b"", headers: Mapping[str, str] | None = None
) -> Reply:
    return Reply(status, headers or {}, body, "https://api.x.com/2/search?query=rome")


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        pytest.param({}, None, id="nothing"),
        pytest.param({"retry-after": "7"}, 7, id="seconds"),
        pytest.param({"retry-after": "1.5"}, 1.5, id="fraction"),
        pytest.param({"retry-after": "soon"}, None, id="nonsense"),
        pytest.param({"retry-after": "-3"}, None, id="negative"),
        pytest.param({"retry-after": "9" * 400}, None, id="absurd"),
        pytest.param(
            {"retry-after": "Mon, 30 Nov 2026 12:01:30 GMT", "date": DATE},
            60 + 30,
            id="date",
        ),
        pytest.param(
            {"retry-after": "Mon, 30 Nov 2026 11:00:00 GMT", "date": DATE}, 0, id="past"
        ),
        pytest.param(
            {"x-rate-limit-reset": str(NOON + 20), "date": DATE}, 20 + 1, id="reset"
        ),
        pytest.param(
            {"x-ratelimit-reset": str(NOON + 20), "date": DATE},
            20 + 1,
            id="github-reset",
        ),
        pytest.param(
            {"ratelimit-reset": str(NOON + 20), "date": DATE}, 20 + 1, id="short-reset"
        ),
        pytest.param(
            {"x-ratelimit-reset": "240", "date": DATE}, None, id="seconds-left"
        ),
        pytest.param({"x-rate-limit-reset": str(NOON)}, None, id="reset-without-date"),
        pytest.param(
            {"retry-after": "3", "x-rate-limit-reset": str(NOON + 20), "date": DATE},
            3,
            id="both",
        ),
    ],
)
def test_the_wait_is_read(headers: dict[str, str], seconds: float | None) -> None:
    """Seconds, a date or a reset, measured against the reply's own clock."""
    assert wait_asked(_reply(429, headers=headers)) == seconds


@pytest.mark.parametrize(
    ("body", "said"),
    [
        pytest.param(b"plain  words\n", "plain words", id="text"),
        pytest.param(b'{"code": "x", "error": "bad model"}', "bad model", id="xai"),
        pytest.param(
            b'{"errors": [{"message": "value 5 is too small"}], "title": "Invalid", '
            b'"detail": "A parameter was invalid."}',
            "A parameter was invalid.; value 5 is too small; Invalid",
            id="x",
        ),
        pytest.param(b'{"error": {"message": "no"}}', "no", id="nested"),
        pytest.param(b"[" * 100_000, "[" * 199 + "…", id="deep"),
        pytest.param(b"{}", "{}", id="nothing-said"),
        pytest.param(b"\xff\xfe", "��", id="no-text"),
    ],
)
def test_what_a_service_says_is_shown(body: bytes, said: str) -> None:
    """The sentences of an error body, whatever its shape."""
    found = status_error(ASKED, _reply(400, body))
    assert found is not None
    assert found[0].detail == f"X refused the request (HTTP 400): {said}"


def test_a_web_page_is_no_message() -> None:
    """The source of an error page tells the reader nothing."""
    found = status_error(ASKED, _reply(500, b"<html><h1>Oops</h1>"))
    assert found is not None
    assert found[0].detail == "X failed (HTTP 500)"


@pytest.mark.parametrize(
    ("secrets", "body", "headers"),
    [
        pytest.param((), b'{"error": "Forbidden"}', {}, id="without-credentials"),
        pytest.param(("abcdef",), b"<!doctype html><p>", {}, id="a-page"),
        pytest.param(("abcdef",), b"", {"cf-mitigated": "challenge"}, id="a-challenge"),
    ],
)
def test_a_403_that_is_not_about_the_account_is_blocked(
    secrets: tuple[str, ...], body: bytes, headers: dict[str, str]
) -> None:
    """Who sent no key cannot have a wrong one, and a page is a wall."""
    request = Request("Reddit", "https://reddit.example", secrets=secrets)
    found = status_error(request, _reply(403, body, headers))
    assert found is not None
    assert isinstance(found[0], BlockedError)
    assert found[1] is None


@pytest.mark.parametrize(
    ("status", "state", "passes"),
    [
        (400, State.BAD_RESPONSE, False),
        (401, State.AUTH_FAILED, False),
        (402, State.AUTH_FAILED, False),
        (404, State.BAD_RESPONSE, False),
        (408, State.TIMEOUT, False),
        (410, State.BAD_RESPONSE, False),
        (418, State.BAD_RESPONSE, False),
        (429, State.RATE_LIMITED, False),
        (500, State.UNREACHABLE, False),
        (501, State.UNREACHABLE, False),
        (502, State.UNREACHABLE, True),
        (503, State.UNREACHABLE, True),
        (504, State.TIMEOUT, True),
    ],
)
def test_a_status_is_a_state(status: int, state: State, passes: bool) -> None:
    """Each status has its state, and only the passing ones are asked again."""
    found = status_error(ASKED, _reply(status))
    assert found is not None
    assert (found[0].state, found[1]) == (state, 0 if passes else None)


def test_a_success_is_no_error() -> None:
    """Any 2xx."""
    assert status_error(ASKED, _reply(200)) is None
    assert status_error(ASKED, _reply(204)) is None


def test_a_rate_limit_says_when_to_come_back() -> None:
    """In the text and as a number."""
    found = status_error(ASKED, _reply(429, b"slow down", {"retry-after": "90"}))
    assert found is not None
    error, wait = found
    assert isinstance(error, RateLimitError)
    assert error.retry_after == wait == 90
    assert (
        error.detail == "X had too many requests (HTTP 429), again in 90 s: slow down"
    )


@pytest.mark.parametrize(
    "body",
    [
        b"nope",
        b'{"a": 1',
        b'{"a": NaN}',
        b"[" * 100_000,
        b"1" * 10_000,
        '{"a": 1}'.encode("utf-16"),
    ],
    ids=["word", "cut", "nan", "deep", "long-number", "utf-16"],
)
def test_what_is_no_json_is_a_bad_response(body: bytes) -> None:
    """No parser error of any kind gets through."""
    with pytest.raises(BadResponseError):
        _reply(body=body).json("X")


@pytest.mark.parametrize(
    "body",
    [
        b"<!DOCTYPE html><p>Log in",
        b"\xef\xbb\xbf\n <HTML lang=en>",
        b"<!-- wall --> <html>",
        b"<head><title>Just a moment...</title>",
    ],
    ids=["doctype", "bom", "comment", "head"],
)
def test_a_web_page_in_a_success_is_blocked(body: bytes) -> None:
    """A login or challenge page is no answer, whatever its status says."""
    with pytest.raises(BlockedError):
        _reply(body=body).text("X")


def test_json_keeps_its_ids_and_its_mark() -> None:
    """Ids have all their digits; a byte order mark is no part of the text."""
    body = b"\xef\xbb\xbf" + json.dumps({"id": 2116700000000000001}).encode()
    assert _reply(body=body).json("X") == {"id": 2116700000000000001}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("http://a.example/x?q=1", "https://a.example/x?q=1"),
        ("https://a.example/x?q=1", "https://a.example/x/?q=1"),
        ("https://a.example/x?q=1&r=a%20b", "https://a.example/x/?r=a+b&q=1"),
    ],
    ids=["to-https", "slash", "order"],
)
def test_the_same_resource_is_followed(old: str, new: str) -> None:
    """The new address is asked, with nothing added to it."""
    followed = redirected(ASKED, Reply(301, {"location": new}, b"", old))
    assert followed.url == new
    assert followed.params == {}


@pytest.mark.parametrize(
    ("new", "error"),
    [
        ("https://evil.example/x?q=1", BadResponseError),
        ("http://a.example/x?q=1", BadResponseError),
        ("https://a.example:8443/x?q=1", BadResponseError),
        ("https://a.example/x", BadResponseError),
        ("https://a.example/", BadResponseError),
        ("https://a.example/x?q=1", BadResponseError),
        ("https://[broken/", BadResponseError),
        ("https://a.example/i/flow/login?back=/x", BlockedError),
        ("https://accounts.a.example/", BlockedError),
        ("https://a.example/sorry/index", BlockedError),
    ],
    ids=[
        *("host", "http", "port", "question-lost", "home", "itself", "broken"),
        *("login", "accounts", "captcha"),
    ],
)
def test_another_resource_is_not_followed(new: str, error: type[Exception]) -> None:
    """It would be an answer to another question, or leak what was asked."""
    reply = Reply(302, {"location": new}, b"", "https://a.example/x?q=1")
    with pytest.raises(error):
        redirected(ASKED, reply)


def test_a_post_is_not_turned_into_a_get() -> None:
    """A 302 would lose the body, a 307 keeps it."""
    post = Request("xAI", "https://a.example/x", body={})
    headers = {"location": "https://a.example/x/"}
    with pytest.raises(BadResponseError):
        redirected(post, Reply(302, headers, b"", post.url))
    assert redirected(post, Reply(307, headers, b"", post.url)).body == {}


def test_a_request_shows_no_secret() -> None:
    """The text of a request in a traceback holds neither headers nor parameters."""
    request = Request(
        "xAI",
        "https://a.example",
        params={"key": "hush-hush"},
        headers={"Authorization": "hush-hush"},
        secrets=("hush-hush",),
    )
    assert "hush" not in repr(request)


@pytest.mark.parametrize(
    ("body", "headers"),
    [
        pytest.param(b'{"message": "API rate limit exceeded"}', {}, id="said"),
        pytest.param(b"{}", {"x-ratelimit-remaining": "0"}, id="nothing-left"),
        pytest.param(b"{}", {"retry-after": "60"}, id="wait"),
    ],
)
@pytest.mark.parametrize("secrets", [(), ("key-123456",)], ids=["nobody", "account"])
def test_a_403_may_mean_too_many_requests(
    body: bytes, headers: Mapping[str, str], secrets: tuple[str, ...]
) -> None:
    """With or without credentials it is a limit if the answer says so in any way."""
    asked = Request("GitHub", "https://api.github.com/search/issues", secrets=secrets)
    found = status_error(asked, _reply(403, body, headers))
    assert found is not None
    assert isinstance(found[0], RateLimitError)


def test_a_403_with_a_web_page_stays_a_block() -> None:
    """A page may speak of rate limits and is one of a firewall all the same."""
    found = status_error(ASKED, _reply(403, b"<html>rate limit</html>"))
    assert found is not None
    assert isinstance(found[0], BlockedError)
