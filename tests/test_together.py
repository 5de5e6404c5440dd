"""Side by side: the order of results, failures as values, one deadline, Ctrl-C."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.deadline import Deadline
from engine.errors import DeadlineError, RateLimitError, SourceError, UsageError
from engine.model import State
from engine.together import together

SCRIPTS = Path(__file__).resolve().parents[1] / "scripts"
BOTH_WAYS = pytest.mark.parametrize("parallel", [1, 3], ids=["here", "threads"])


def sleeper(seconds: float, value: int) -> Callable[[], int]:
    """A job that takes its time."""

    def job() -> int:
        time.sleep(seconds)
        return value

    return job


@BOTH_WAYS
def test_results_stand_in_the_order_of_the_jobs(parallel: int) -> None:
    """However long each took."""
    jobs = [sleeper(0.06 - 0.02 * i, i) for i in range(4 - 1)]
    assert together(jobs, parallel=parallel, deadline=Deadline(5)) == [0, 1, 2]


@BOTH_WAYS
def test_a_failure_is_a_value_beside_the_others(parallel: int) -> None:
    """A job that fails takes nothing from the others."""
    error = RateLimitError("slow down", retry_after=7)

    def failing() -> int:
        raise error

    jobs = [sleeper(0, 1), failing, sleeper(0, 2)]
    assert together(jobs, parallel=parallel, deadline=Deadline(5)) == [1, error, 2]


@BOTH_WAYS
def test_a_bug_becomes_a_source_error(parallel: int) -> None:
    """It is named as one of this program, and the rest goes on."""

    def buggy() -> int:
        raise ZeroDivisionError("by zero")

    found = together([buggy, sleeper(0, 1)], parallel=parallel, deadline=Deadline(5))
    assert isinstance(found[0], SourceError)
    assert found[0].state is State.ERROR
    assert found[0].detail == "ZeroDivisionError in this program: by zero"
    assert found[1] == 1


def test_an_unusable_setting_is_no_bug() -> None:
    """Its message alone says what to do."""

    def job() -> int:
        raise UsageError("THIS_URL: write http://")

    (found,) = together([job], parallel=1, deadline=Deadline(5))
    assert isinstance(found, SourceError)
    assert found.detail == "THIS_URL: write http://"


def test_no_more_than_parallel_run_at_once() -> None:
    """And that many do."""
    running, most = 0, 0
    lock = threading.Lock()

    def job() -> None:
        nonlocal running, most
        with lock:
            running += 1
            most = max(most, running)
        time.sleep(0.02)
        with lock:
            running -= 1

    together([job] * 9, parallel=3, deadline=Deadline(5))
    assert most == 3


@BOTH_WAYS
def test_after_the_deadline_nothing_starts(parallel: int) -> None:
    """What was not started is a timeout, told from an empty answer."""
    started: list[int] = []
    found = together(
        [lambda: started.append(1)] * 3, parallel=parallel, deadline=Deadline(0)
    )
    assert started == []
    assert [type(result) for result in found] == [DeadlineError] * 3


def test_a_job_that_hangs_is_left_behind() -> None:
    """The others' results are kept, and the wait is the deadline and the grace."""
    release = threading.Event()

    def hanging() -> int:
        release.wait(30)
        return 0

    started = time.monotonic()
    found = together([hanging, sleeper(0, 1)], parallel=2, deadline=Deadline(0.2))
    took = time.monotonic() - started
    release.set()
    assert isinstance(found[0], DeadlineError)
    assert found[0].detail == "the time was used up"
    assert found[1] == 1
    assert took < 0.2 + 2.0 + 0.5


def test_no_job() -> None:
    """Nothing to do is done at once."""
    assert together([], parallel=4, deadline=Deadline(5)) == []


CHILD = """
import sys, threading, time
from engine.deadline import Deadline
from engine.together import together

def waiting():
    print("ready", flush=True)
    while deadline.left > 0:
        time.sleep(0.02)
    return "late"

deadline = Deadline(30)
jobs = [lambda: "done", waiting, *[lambda: time.sleep(30)] * 2]
found = together(jobs, parallel=int(sys.argv[1]), deadline=deadline)
print([str(result) for result in found], deadline.interrupted, flush=True)
"""


@pytest.mark.parametrize(
    ("parallel", "expected"),
    [
        pytest.param(
            1, "['done', 'interrupted', 'interrupted', 'interrupted'] True", id="here"
        ),
        pytest.param(
            2, "['done', 'late', 'interrupted', 'interrupted'] True", id="threads"
        ),
    ],
)
def test_ctrl_c_keeps_what_arrived(parallel: int, expected: str) -> None:
    """The process goes on with what is there; running jobs may still end."""
    with subprocess.Popen(
        [sys.executable, "-c", CHILD, str(parallel)],
        env={**os.environ, "PYTHONPATH": str(SCRIPTS)},
        stdout=subprocess.PIPE,
        text=True,
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        child.send_signal(signal.SIGINT)
        assert child.stdout.readline() == expected + "\n"
    assert child.returncode == 0
