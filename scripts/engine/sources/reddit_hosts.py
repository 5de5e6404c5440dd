"""How a run treats the two services that know Reddit: slowly, and not too often."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from copy import copy
from typing import ClassVar, TypeVar

from engine.deadline import Deadline
from engine.errors import BlockedError, RateLimitError, SourceError, UnreachableError
from engine.exchange import Request
from engine.io import IO
from engine.model import Depth
from engine.pacing import wait_turn

__all__ = ["ArchiveHost", "FeedHost"]

T = TypeVar("T")


class _Host:
    """One service, shared by all calls of a run.

    `refusal` is the answer after which nothing more is asked of it.
    """

    label: ClassVar[str]
    spacing: ClassVar[float]
    most: ClassVar[Mapping[Depth, int]]
    patience: ClassVar[int]

    def __init__(self) -> None:
        self.refusal: SourceError | None = None
        self._lock = threading.Lock()
        self._sent = 0
        self._refused = 0

    def ask(
        self,
        send: Callable[[Request, Deadline], T],
        request: Request,
        depth: Depth,
        io: IO,
    ) -> T:
        """Send a request when its turn has come.

        Raises:
            SourceError: what the service answered, or that it is not asked any more.
        """
        self._claim(self.most[depth])
        wait_turn(io, self.label, self.spacing)
        try:
            return send(request, io.deadline)
        except (RateLimitError, BlockedError, UnreachableError) as error:
            with self._lock:
                self._refused += 1
                if self._refused >= self.patience:
                    self.refusal = error
            raise

    def _claim(self, most: int) -> None:
        with self._lock:
            if self.refusal is not None:
                raise copy(self.refusal)
            if self._sent >= most:
                raise SourceError(
                    f"{self.label}: the {most} requests of a run are used"
                )
            self._sent += 1


class FeedHost(_Host):
    """reddit.com, which throttles hard.

    It may refuse the search and still give other feeds, so that a second refusal is
    waited for.
    """

    label = "Reddit"
    spacing = 2.0
    most: ClassVar[Mapping[Depth, int]] = {
        Depth.QUICK: 8,
        Depth.DEFAULT: 16,
        Depth.DEEP: 30,
    }
    patience = 2


class ArchiveHost(_Host):
    """Arctic Shift, which takes a few requests a second."""

    label = "Arctic Shift"
    spacing = 0.4
    most: ClassVar[Mapping[Depth, int]] = {
        Depth.QUICK: 15,
        Depth.DEFAULT: 40,
        Depth.DEEP: 70,
    }
    patience = 1
