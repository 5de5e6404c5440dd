"""Waiting under a deadline."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Iterator

import pytest

from engine.deadline import Deadline, end_on_interrupt


def test_an_event_ends_the_wait_at_once() -> None:
    """What is awaited comes through without delay."""
    event = threading.Event()
    threading.Timer(0.1, event.set).start()
    started = time.monotonic()
    assert Deadline(5).wait_for(event)
    assert time.monotonic() - started < 0.1 + 2


def test_the_wait_ends_with_the_deadline_or_the_seconds() -> None:
    """The earlier of the two."""
    for deadline, seconds in ((Deadline(0.1), 5.0), (Deadline(5), 0.1)):
        started = time.monotonic()
        assert not deadline.wait_for(threading.Event(), seconds)
        assert 0.1 <= time.monotonic() - started < 0.1 + 2


def test_an_interrupt_ends_the_wait_of_an_inner_deadline() -> None:
    """A deadline inside another is over when the run is."""
    run = Deadline(5)
    threading.Timer(0.1, run.interrupt).start()
    started = time.monotonic()
    assert not run.before(1).wait_for(threading.Event())
    assert time.monotonic() - started < 0.1 + 0.7


def test_what_has_happened_is_seen_without_time() -> None:
    """A set event counts also after the deadline."""
    event = threading.Event()
    event.set()
    assert Deadline(0).wait_for(event)


@pytest.fixture
def handlers() -> Iterator[None]:
    """The handlers of signals are put back."""
    names = (name for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
    numbers = [getattr(signal, name) for name in names]
    before = {number: signal.getsignal(number) for number in numbers}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.skipif(os.name != "posix", reason="signals to itself")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_the_first_interrupt_ends_the_deadline_and_the_second_the_run(
    name: str, handlers: None
) -> None:
    """Whatever runs at that moment goes on to its end."""
    number = getattr(signal, name)
    deadline = Deadline(5)
    end_on_interrupt(deadline)
    os.kill(os.getpid(), number)
    assert deadline.interrupted and deadline.left == 0
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), number)


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such signal")
def test_a_run_that_outlives_its_terminal_still_does(handlers: None) -> None:
    """What nohup had ignored stays ignored."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    deadline = Deadline(5)
    end_on_interrupt(deadline)
    os.kill(os.getpid(), signal.SIGHUP)
    assert not deadline.interrupted
