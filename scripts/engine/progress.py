"""Progress on standard error: a live line on a terminal, else a line an answer."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.research import Answer

__all__ = ["clear", "progress"]

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
