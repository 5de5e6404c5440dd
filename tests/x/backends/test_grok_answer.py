"""What the grok tool prints, as an answer or as a failure."""

from __future__ import annotations

import json
import re

import pytest

from engine.child import Result
from engine.errors import (
    AuthError,
    BadResponseError,
    RateLimitError,
    SourceError,
    UnreachableError,
)
from engine.x.backends.grok_answer import read_answer
from fakes.grokstage import (
    KEY,
    REFRESH,
    Stage,
)


@pytest.mark.parametrize(
    ("message", "kind"),
    [
        ("Not signed in. Please run grok login.", AuthError),
        ("You are not logged in", AuthError),
        ("oauth: invalid_grant", AuthError),
        ("the refresh token has been revoked", AuthError),
        ("session expired", AuthError),
        ("Authentication failed", AuthError),
        ("HTTP 401 Unauthorized", AuthError),
        ("HTTP 429", RateLimitError),
        ("rate limit reached", RateLimitError),
        ("monthly quota used", RateLimitError),
        ("you are out of credits", RateLimitError),
        ("spending limit hit", RateLimitError),
        ("dns error: failed to lookup address", UnreachableError),
        ("connect ECONNREFUSED 127.0.0.1:9", UnreachableError),
        ("getaddrinfo ENOTFOUND api.x.ai", UnreachableError),
        ("503 Service Unavailable", UnreachableError),
        ("unexpected argument '--no-auto-update' found", BadResponseError),
        ("something odd", BadResponseError),
    ],
)
@pytest.mark.parametrize("way", ["object", "stderr", "stdout"])
def test_failures_are_told_apart(
    way: str, message: str, kind: type[SourceError]
) -> None:
    """Wherever the message stands, with the colours of a terminal or without."""
    shown = f"\x1b[31m{message}\x1b[0m\n"
    printed = json.dumps({"type": "error", "message": message})
    result = {
        "object": Result(printed, "note: an update is there\n", 1, False),
        "stderr": Result("", f"note: an update is there\n{shown}", 1, False),
        "stdout": Result(shown, "", 1, False),
    }[way]
    with pytest.raises(SourceError) as caught:
        read_answer(result, ())
    assert type(caught.value) is kind
    assert "[31m" not in caught.value.detail and "\x1b" not in caught.value.detail
    if way != "stdout" and "argument" not in message:
        assert message.rstrip(".") in caught.value.detail
    if kind is AuthError:
        assert "grok login" in caught.value.fix


@pytest.mark.parametrize(
    ("play", "detail"),
    [
        pytest.param({"stdout": ""}, "printed nothing", id="empty"),
        pytest.param({"stdout": " \n"}, "printed nothing", id="blank"),
        pytest.param({"stdout": "hello"}, "printed no answer", id="words"),
        pytest.param({"stdout": '{"text": "[{'}, "printed no answer", id="half-object"),
        pytest.param({"stdout": '{"text": 3}'}, "printed no answer", id="no-text"),
        pytest.param({"stdout": '{"text": ""}'}, "printed no answer", id="empty-text"),
        pytest.param({"stdout": "[[[[" * 50_000}, "printed no answer", id="brackets"),
        pytest.param({"stdout": "\xff\xfe\x00"}, "printed no answer", id="bytes"),
        pytest.param(
            {"stderr": "Error: odd\n", "status": 3}, "status 3: Error: odd", id="status"
        ),
        pytest.param({"status": 130}, "status 130", id="interrupted"),
    ],
)
def test_what_is_no_answer_is_a_bad_response(
    stage: Stage, play: dict[str, object], detail: str
) -> None:
    """Nothing, half a thing, noise: never taken for silence."""
    stage.play("write", **play)
    with pytest.raises(BadResponseError, match=re.escape(detail)):
        stage.search()


def test_a_flood_of_output_is_a_bad_response(stage: Stage) -> None:
    """Both pipes are drained and the output is capped."""
    stage.play("flood")
    with pytest.raises(BadResponseError, match="more than any answer"):
        stage.search()


def test_broken_characters_are_replaced(stage: Stage) -> None:
    """Bytes that are no UTF-8 cost one character, not the answer."""
    stage.play("bad-bytes")
    items = stage.search()
    assert len(items) == 4
    assert "\ufffd" in "".join(item.text for item in items)


@pytest.mark.parametrize(
    "message", [f"bad key {KEY}", f"{REFRESH[:9]} revoked", "key=xai-paid-key"]
)
@pytest.mark.parametrize("way", ["object", "stderr"])
def test_no_secret_gets_out(stage: Stage, message: str, way: str) -> None:
    """Also when the tool echoes it, or a piece of it."""
    if way == "object":
        stage.play("fail", message=message)
    else:
        stage.play("write", status=1, stderr=message)
    with pytest.raises(SourceError) as caught:
        stage.search()
    shown = f"{caught.value.detail} {caught.value.fix} {stage.warnings!r}"
    assert "***" in shown
    assert not any(secret[:9] in shown for secret in (KEY, REFRESH, "xai-paid-key"))
