"""Files of our own: each is replaced in one step, so that no reader sees half of it."""

from __future__ import annotations

import contextlib
import os

__all__ = ["replace_file"]


def replace_file(path: str | os.PathLike[str], text: str) -> None:
    """Write a text as UTF-8, whole or not at all.

    Raises:
        OSError: it cannot be written; what was there before is still there.
    """
    # Several threads may write one file; the last one wins, with a whole text.
    half = f"{os.fspath(path)}.{os.getpid()}.{id(text)}.tmp"
    try:
        with open(half, "w", encoding="utf-8", errors="replace", newline="\n") as file:
            file.write(text)
        os.replace(half, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(half)
        raise
