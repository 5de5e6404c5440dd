"""Once a run: work that several calls of a source need, and that only one does."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from copy import copy
from typing import Generic, TypeVar

from engine.errors import SourceError

__all__ = ["Once"]

T = TypeVar("T")


class _Job(Generic[T]):
    """The work of one key: `answers` is empty until it was done."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.answers: list[T | SourceError] = []


class Once(Generic[T]):
    """Answers by key, failures among them, for the memory of a run."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._jobs: dict[Hashable, _Job[T]] = {}

    def get(self, key: Hashable, work: Callable[[], T]) -> T:
        """What `work` gives, which is called for the first who asks for `key`.

        Others who ask wait for the first.

        Raises:
            SourceError: the work failed, now or when it was done.
        """
        with self._lock:
            job = self._jobs.setdefault(key, _Job())
        with job.lock:
            if not job.answers:
                job.answers.append(_outcome(work))
            answer = job.answers[0]
        if isinstance(answer, SourceError):
            # A copy, since each thread that raises an error writes its own trace to it.
            raise copy(answer)
        return answer


def _outcome(work: Callable[[], T]) -> T | SourceError:
    try:
        return work()
    except SourceError as error:
        return error
