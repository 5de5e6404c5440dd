"""Work in the background: it is known when it has ended."""

from __future__ import annotations

import subprocess
import sys
import threading

from engine.background import in_background
from support import ROOT

_FAILING = """\
import threading
from engine.background import in_background

ended = threading.Event()
in_background(lambda: 1 / 0, ended)
print(ended.wait(5), flush=True)
"""


def test_the_event_is_set_when_the_work_has_ended() -> None:
    """And not before."""
    free, ended = threading.Event(), threading.Event()
    done: list[bool] = []
    in_background(lambda: done.append(free.wait(5)), ended)
    assert not ended.is_set()
    free.set()
    assert ended.wait(5) and done == [True]


def test_work_that_fails_has_ended_too() -> None:
    """Nobody waits for it in vain."""
    done = subprocess.run(
        [sys.executable, "-c", _FAILING],
        cwd=ROOT / "scripts",
        capture_output=True,
        text=True,
    )
    assert done.stdout == "True\n"
