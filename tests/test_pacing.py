"""Turns of requests to one service."""

from __future__ import annotations

import time
from datetime import datetime, timezone

import pytest

from engine.deadline import Deadline
from engine.errors import DeadlineError
from engine.fetch import Fetch
from engine.io import IO
from engine.pacing import wait_turn
from engine.settings import Settings
from engine.together import together


def _io(seconds: float = 10, **values: str) -> IO:
    settings = Settings(values, datetime(2026, 11, 30, tzinfo=timezone.utc))
    return IO(settings, Deadline(seconds), Fetch(settings), print, print)


def test_requests_start_apart_on_all_threads() -> None:
    """The first waits for nobody, the third for two turns."""
    io, began = _io(), time.monotonic()

    def start() -> float:
        wait_turn(io, "Service", 0.2)
        return time.monotonic() - began

    starts = together([start] * 3, parallel=3, deadline=io.deadline)
    times = sorted(at for at in starts if isinstance(at, float))
    assert times == pytest.approx([0, 0.2, 0.4], abs=0.15)


def test_services_do_not_wait_for_each_other() -> None:
    """Each has turns of its own."""
    io, began = _io(), time.monotonic()
    for service in ("one", "two", "three"):
        wait_turn(io, service, 5)
    assert time.monotonic() - began < 1


def test_pacing_can_be_switched_off() -> None:
    """A mirror or a test has no limits to keep."""
    io, began = _io(LAST30DAYS_PACING="0"), time.monotonic()
    for _ in range(5):
        wait_turn(io, "Service", 5)
    assert time.monotonic() - began < 1


def test_a_turn_after_the_deadline_is_not_waited_for() -> None:
    """The run ends in time and says why."""
    io = _io(1)
    wait_turn(io, "Service", 5)
    with pytest.raises(DeadlineError, match="Service takes a request every 5 s"):
        wait_turn(io, "Service", 5)
