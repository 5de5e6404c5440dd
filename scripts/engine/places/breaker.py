"""The breaker of a connector: after failures it lets nothing through for a while.

Three failures in a row open it, and at once what another call would only make worse: a
captcha, a block, a lost login. Open lasts across runs; when its time is over one call
is let through as a probe, and what that meets decides.
"""

from __future__ import annotations

import json
import threading
from datetime import datetime, timedelta
from pathlib import Path

from engine.files import replace_file
from engine.model import State

__all__ = ["AT_ONCE", "FAILURES", "Breaker"]

FAILURES = 3
"""So many failures in a row open a breaker."""

AT_ONCE = frozenset((State.RATE_LIMITED, State.BLOCKED, State.AUTH_FAILED))
"""States that open it at the first time."""

_COOL_DOWN = timedelta(minutes=30)
# Users report that a blocked address stays so for about a day.
_BLOCKED = timedelta(hours=24)


class Breaker:
    """Whether one connector may be called; several threads may use it at once.

    Args:
        name: of the connector.
        folder: where the state is kept between runs; None keeps it for this run alone.
        now: the moment of the run.
    """

    def __init__(self, name: str, folder: Path | None, now: datetime) -> None:
        self._path = folder / f"{name}.json" if folder else None
        self._now = now
        self._lock = threading.Lock()
        self._in_a_row = 0
        self._state: State | None = None
        self._until: datetime | None = None
        self._probing = False
        self._read()

    @property
    def state(self) -> State | None:
        """The failure that opened it; None while it is closed."""
        return self._state

    @property
    def until(self) -> datetime | None:
        """When an open breaker lets a probe through; None while it is closed."""
        return self._until

    @property
    def shown(self) -> str:
        """closed, open or half-open."""
        if self._until is None:
            return "closed"
        return "open" if self._now < self._until else "half-open"

    def allows(self) -> bool:
        """Whether a call may start now; after the cool-down only the first may."""
        with self._lock:
            if self._until is None:
                return True
            if self._now < self._until or self._probing:
                return False
            self._probing = True
            return True

    def note(self, state: State) -> None:
        """Take in how a call ended; a connector that answers with nothing is well."""
        with self._lock:
            if not state.failed:
                changed = self._until is not None
                self._in_a_row, self._state, self._until = 0, None, None
                self._probing = False
                if changed:
                    self._write()
                return
            self._in_a_row += 1
            if state in AT_ONCE or self._probing or self._in_a_row >= FAILURES:
                wait = _BLOCKED if state is State.BLOCKED else _COOL_DOWN
                self._state, self._until = state, self._now + wait
                self._probing = False
                self._write()

    def _read(self) -> None:
        """Take over the state of an earlier run; what is no file of ours is none."""
        if self._path is None:
            return
        try:
            kept = json.loads(self._path.read_text(encoding="utf-8"))
            state, until = State(kept["state"]), datetime.fromisoformat(kept["until"])
            # A clock that was wrong then must not keep a connector away for years.
            if state.failed and until - self._now <= _BLOCKED:
                self._state, self._until = state, until
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return

    def _write(self) -> None:
        if self._path is None:
            return
        try:
            if self._until is None or self._state is None:
                self._path.unlink(missing_ok=True)
                return
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            kept = {"state": self._state.value, "until": self._until.isoformat()}
            replace_file(self._path, json.dumps(kept))
        except OSError:
            # One that cannot be kept still holds for this run.
            return
