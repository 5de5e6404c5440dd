"""Pacing: requests to one service start some time apart, whichever thread asks."""

from __future__ import annotations

import threading
import time

from engine.deadline import Deadline
from engine.errors import DeadlineError
from engine.io import IO

__all__ = ["wait_turn"]


class _Turns:
    """When the next request to each service may start."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._next: dict[str, float] = {}

    def take(self, service: str, spacing: float, deadline: Deadline) -> float:
        """Seconds until the turn, which is the caller's from now on."""
        with self._lock:
            now = time.monotonic()
            turn = max(now, self._next.get(service, now))
            if turn - now > deadline.left:
                raise DeadlineError(
                    f"{service} takes a request every {spacing:g} s, and no turn was "
                    "left"
                )
            self._next[service] = turn + spacing
            return turn - now


def wait_turn(
    io: IO, service: str, spacing: float, *, in_vain: threading.Event | None = None
) -> None:
    """Wait until a request may start, `spacing` seconds after the one before.

    With LAST30DAYS_PACING=0 nobody waits; nor once `in_vain` is set.

    Raises:
        DeadlineError: the turn comes after the deadline.
    """
    if io.settings.get("LAST30DAYS_PACING") == "0":
        return
    seconds = io.memory.of(_Turns).take(service, spacing, io.deadline)
    io.deadline.wait_for(in_vain or threading.Event(), seconds)
