"""What is told on standard error: progress, and how a run went or ended.

A live line on a terminal, else a line an answer. Nothing here fails: a result is not
lost because nobody reads what is said about it.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.research import Answer

__all__ = ["clear", "progress", "say"]

_CLEAR = "\r\x1b[2K"


def progress(answer: Answer) -> None:
    """Say that a source has answered."""
    count = len(answer.items)
    what = f"{count} item{'' if count == 1 else 's'}"
    if answer.error is not None:
        what = f"{answer.error.state.value}, {what}"
    line = f"{answer.source}: {what} ({answer.seconds:.1f} s)"
    # In one piece, since several threads write.
    _write(f"{_CLEAR}{line}" if sys.stderr.isatty() else f"{line}\n")


def say(message: str) -> None:
    """Say something in one line; controls, as a file name may hold, are left out."""
    from engine.report.clean import visible_line

    _write(f"{visible_line(message)}\n")


def clear() -> None:
    """Take the live line away, before the result is printed."""
    if sys.stderr.isatty():
        _write(_CLEAR)


def _write(text: str) -> None:
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except OSError:
        # A reader that went away is no reason to lose an answer, nor to end badly.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
