"""Fetch and time: pauses, the deadline, interrupts, side by side."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from email.utils import format_datetime

import pytest

from engine.deadline import Deadline
from engine.errors import (
    DeadlineError,
    RateLimitError,
)
from engine.exchange import Request
from engine.fetch import Fetch
from fakes import server as fakes
from fakes.server import Failure, Server

KEY = "xai-4fT9qLmZ72Rw"


def _asking(server: Server, path: str = "/search") -> Request:
    return Request(
        "xAI",
        server.url + path,
        headers={"Authorization": f"Bearer {KEY}"},
        secrets=(KEY,),
    )


def test_a_passing_failure_is_survived(fetch: Fetch, good: Server) -> None:
    """After one 503 the second request answers."""
    good.fail(fakes.status(503), times=1)
    assert fetch.json(_asking(good), Deadline(5))["name"] == "Zoë"
    assert len(good.requests) == 2


@pytest.mark.parametrize("code", [429, 503])
def test_the_pause_that_a_service_asks_for_is_kept(
    fetch: Fetch, good: Server, code: int
) -> None:
    """Retry-After in seconds is waited for before the second request."""
    good.fail(fakes.status(code, Retry_After="1"), times=1)
    started = time.monotonic()
    fetch.json(_asking(good), Deadline(5))
    assert 1 <= time.monotonic() - started < 2
    assert len(good.requests) == 2


def test_a_reset_inside_the_budget_is_waited_for(fetch: Fetch, good: Server) -> None:
    """A limit that ends in a moment costs that moment, not the answer."""
    reset = str(int(time.time()) + 1)
    good.fail(fakes.status(429, x_rate_limit_reset=reset), times=1)
    assert fetch.json(_asking(good), Deadline(6))["name"] == "Zoë"


@pytest.mark.parametrize("kind", ["seconds", "date", "reset"])
def test_a_pause_beyond_the_budget_is_reported(
    fetch: Fetch, good: Server, kind: str
) -> None:
    """No waiting that cannot end in time: the error says when to come back."""
    then = time.time() + 90
    moment = format_datetime(datetime.fromtimestamp(then, timezone.utc), usegmt=True)
    headers = {
        "seconds": {"Retry_After": "90"},
        "date": {"Retry_After": moment},
        "reset": {"x_rate_limit_reset": str(int(then))},
    }[kind]
    good.fail(fakes.status(429, **headers))
    started = time.monotonic()
    with pytest.raises(RateLimitError) as caught:
        fetch.json(_asking(good), Deadline(5))
    assert time.monotonic() - started < 1
    assert len(good.requests) == 1
    assert caught.value.retry_after == pytest.approx(90, abs=2)
    assert "again in" in caught.value.detail


@pytest.mark.parametrize(
    "failure",
    [
        pytest.param(fakes.slow(5), id="slow-first-byte"),
        pytest.param(fakes.drip(0.1), id="drip"),
    ],
)
def test_no_answer_outlives_the_deadline(
    fetch: Fetch, good: Server, failure: Failure
) -> None:
    """Neither a late first byte nor a dripping body takes longer than there is."""
    good.fail(failure)
    started = time.monotonic()
    with pytest.raises(DeadlineError):
        fetch.json(_asking(good), Deadline(0.4))
    assert time.monotonic() - started < 0.4 + 2
    assert len(good.requests) == 1


def test_nothing_is_sent_after_the_deadline(fetch: Fetch, good: Server) -> None:
    """A deadline that has passed lets no request out."""
    with pytest.raises(DeadlineError):
        fetch.json(_asking(good), Deadline(0))
    assert good.requests == []


@pytest.mark.parametrize(
    "failure",
    [
        pytest.param(fakes.slow(30), id="while-waiting-for-an-answer"),
        pytest.param(fakes.status(429, Retry_After="20"), id="while-pausing"),
    ],
)
def test_an_interrupt_ends_every_request_at_once(
    fetch: Fetch, good: Server, failure: Failure
) -> None:
    """What waits in other threads comes back within a fraction of a second."""
    good.fail(failure)
    deadline = Deadline(60)
    threading.Timer(0.3, deadline.interrupt).start()
    started = time.monotonic()
    with ThreadPoolExecutor(3) as pool:
        jobs = [pool.submit(fetch.json, _asking(good), deadline) for _ in range(3)]
        for job in jobs:
            with pytest.raises(DeadlineError, match="interrupted"):
                job.result()
    assert time.monotonic() - started < 0.3 + 3


def test_twelve_requests_run_side_by_side(fetch: Fetch, good: Server) -> None:
    """Twelve answers of 0.3 s take little more than one."""
    good.fail(fakes.slow(0.3))
    fetch.json(_asking(good), Deadline(5))
    started = time.monotonic()
    with ThreadPoolExecutor(12) as pool:
        jobs = [pool.submit(fetch.json, _asking(good), Deadline(5)) for _ in range(12)]
        assert len([job.result() for job in jobs]) == 12
    assert time.monotonic() - started < 0.3 * 6
