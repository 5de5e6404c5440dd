"""One budget of time for a whole run."""

from __future__ import annotations

import math
import signal
import threading
import time

__all__ = ["Deadline", "end_on_interrupt"]

_POLL_SECONDS = 0.05


class Deadline:
    """A moment, `seconds` from its creation, at which a run has to be over.

    The clock is monotonic: a change of the wall clock moves no deadline. A deadline
    made with `before` lies inside another and ends with it.
    """

    def __init__(self, seconds: float, *, inside: Deadline | None = None) -> None:
        self.seconds = seconds
        self._end = time.monotonic() + seconds
        self._inside = inside
        self._interrupted = False

    @property
    def left(self) -> float:
        """Seconds that remain, never negative; none after an interrupt."""
        if self.interrupted:
            return 0.0
        own = max(0.0, self._end - time.monotonic())
        return own if self._inside is None else min(own, self._inside.left)

    @property
    def interrupted(self) -> bool:
        """Whether the user ended the run."""
        outer = self._inside is not None and self._inside.interrupted
        return self._interrupted or outer

    def interrupt(self) -> None:
        """End the run now: the user pressed Ctrl-C."""
        self._interrupted = True
        if self._inside is not None:
            self._inside.interrupt()

    def before(self, seconds: float) -> Deadline:
        """The deadline that lies `seconds` before this one."""
        return Deadline(max(0.0, self.left - seconds), inside=self)

    def wait_for(self, event: threading.Event, seconds: float = math.inf) -> bool:
        """Wait until `event` is set; false if this deadline or `seconds` passed first.

        An interrupt is noticed within a twentieth of a second.
        """
        end = time.monotonic() + seconds
        while not event.is_set():
            left = min(self.left, end - time.monotonic())
            if left <= 0:
                return False
            event.wait(min(left, _POLL_SECONDS))
        return True


def end_on_interrupt(deadline: Deadline) -> None:
    """Have Ctrl-C, SIGTERM and the end of the terminal end a run's fetching at once.

    What was found by then is judged and printed. A second one ends the run itself.
    """

    def handle(number: int, frame: object) -> None:
        if deadline.interrupted:
            raise KeyboardInterrupt
        deadline.interrupt()

    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        # Windows has no SIGHUP, and nohup has it ignored.
        if number and (name != "SIGHUP" or signal.getsignal(number) != signal.SIG_IGN):
            signal.signal(number, handle)
