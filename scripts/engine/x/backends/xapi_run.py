"""What the calls of a run learn of the X API, so that none has to learn it again."""

from __future__ import annotations

import time
from copy import copy
from datetime import datetime, timedelta
from threading import Event, Lock

from engine.errors import SourceError
from engine.settings import Settings

__all__ = ["REACH_DAYS", "Run"]

REACH_DAYS = 7
# The service's clock, which draws the line, may be some minutes behind.
_REACH_MARGIN = timedelta(minutes=5)


class Run:
    """Shared by the calls of a run, which may be on several threads.

    `archive_tried` is set once it is known whether the account may search the archive,
    `archive_refused` is true if it may not. `avoided` are the parts of a request that
    the service does not take. `stopped` is set once no request is sent any more.
    """

    def __init__(self) -> None:
        self.archive_tried = Event()
        self.archive_refused = False
        self.avoided: frozenset[str] = frozenset()
        self.stopped = Event()
        self._refusal: SourceError | None = None
        self._began = time.monotonic()
        self._claimed: set[str] = set()
        self._lock = Lock()

    def now(self, settings: Settings) -> datetime:
        """The run's time of day, which goes on from the moment it began."""
        return settings.now + timedelta(seconds=time.monotonic() - self._began)

    def reach(self, settings: Settings) -> datetime:
        """The first moment that recent search knows of."""
        return self.now(settings) - timedelta(days=REACH_DAYS) + _REACH_MARGIN

    def claim(self, task: str) -> bool:
        """True for the first call that asks for a task, which then is its own."""
        with self._lock:
            free = task not in self._claimed
            self._claimed.add(task)
            return free

    def avoid(self, part: str) -> None:
        """Send no request with this part any more."""
        with self._lock:
            self.avoided |= {part}

    def stop(self, refusal: SourceError) -> None:
        """Send no request any more: each would be refused as one has been."""
        self._refusal = refusal
        self.stopped.set()

    def check(self) -> None:
        """Raise the refusal after which no request is sent, if there was one."""
        if self._refusal is not None:
            refusal = copy(self._refusal)
            refusal.items = ()
            raise refusal
