"""Background: work on a thread that nobody has to wait for."""

from __future__ import annotations

import threading
from collections.abc import Callable

__all__ = ["in_background"]


def in_background(work: Callable[[], object], ended: threading.Event) -> None:
    """Begin work on a thread.

    Args:
        work: what is to be done.
        ended: set once that has ended, however it did. It is the caller's, who then
            knows of the thread even if Ctrl-C comes while that begins.

    An event and not the thread: after Ctrl-C inside a join CPython may take a thread
    for dead. The thread is a daemon: one that hangs must not keep the process alive.
    """

    def run() -> None:
        try:
            work()
        finally:
            ended.set()

    threading.Thread(target=run, daemon=True).start()
