"""Side by side: run jobs under one deadline, and keep each failure as a value."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Sequence
from typing import TypeVar

from engine.background import in_background
from engine.deadline import Deadline
from engine.errors import DeadlineError, EngineError, SourceError

__all__ = ["together"]

T = TypeVar("T")

_GRACE_SECONDS = 2.0


def together(
    jobs: Sequence[Callable[[], T]],
    *,
    parallel: int,
    deadline: Deadline,
    grace: float = _GRACE_SECONDS,
) -> list[T | SourceError]:
    """Run jobs and wait for them.

    Args:
        jobs: each is called once, the first ones first.
        parallel: how many run at once; with 1 they run here, without a thread.
        deadline: when it passes, or on Ctrl-C, no further job starts.
        grace: so many seconds those that run then get to end by themselves.

    Returns:
        In the order of `jobs` what each gave, or the error that it raised or that says
        why it did not finish. Nothing is raised, so that what arrived is never lost;
        after Ctrl-C `deadline.interrupted` is true.
    """
    results: dict[int, T | SourceError] = {}
    waiting = deque(enumerate(jobs))

    def work() -> None:
        while waiting and deadline.left > 0:
            try:
                i, job = waiting.popleft()
            except IndexError:
                return
            results[i] = _outcome(job)

    try:
        if parallel == 1 or len(jobs) == 1:
            work()
        else:
            _on_threads(work, min(parallel, len(jobs)), deadline, grace)
    except KeyboardInterrupt:
        deadline.interrupt()
    why = "interrupted" if deadline.interrupted else "the time was used up"
    return [
        results[i] if i in results else DeadlineError(why) for i in range(len(jobs))
    ]


def _outcome(job: Callable[[], T]) -> T | SourceError:
    try:
        return job()
    except SourceError as error:
        return error
    except EngineError as error:  # A setting that is unusable, found by its user.
        return SourceError(str(error))
    except Exception as error:  # The one place where any failure becomes an outcome.
        return SourceError(f"{type(error).__name__} in this program: {error}")


def _on_threads(
    work: Callable[[], None], count: int, deadline: Deadline, grace: float
) -> None:
    """Run `work` on so many threads and wait for them, but not for one that hangs."""
    ended: list[threading.Event] = []
    try:
        for _ in range(count):
            ended.append(threading.Event())
            in_background(work, ended[-1])
        for event in ended:
            deadline.wait_for(event)
    except KeyboardInterrupt:
        deadline.interrupt()
    last = Deadline(grace)
    for event in ended:
        last.wait_for(event)
