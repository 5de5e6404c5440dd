"""Save a run: its artifact and its envelope, whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from engine.contracts import check
from engine.errors import UsageError
from engine.files import replace_file
from engine.report.artifact import dump, slug

__all__ = ["demand_writable", "save"]


def demand_writable(directory: str | None) -> None:
    """Make the folder of `--save-dir`, before anything costly is done.

    Raises:
        UsageError: it cannot be made or written.
    """
    if directory is None:
        return
    try:
        os.makedirs(directory, exist_ok=True)
    except OSError as error:
        raise UsageError(f"--save-dir {directory}: {error.strerror}") from None
    if not os.access(directory, os.W_OK | os.X_OK):
        raise UsageError(f"--save-dir {directory}: no permission to write there")


def save(
    record: dict[str, Any],
    directory: str,
    rendered: Callable[[], str],
    stem: str = "",
) -> UsageError | None:
    """Write `<slug>-<last day>.json` and `.md` into a folder that was made before.

    Args:
        record: an artifact; where it was saved is noted in it.
        rendered: gives the envelope of the artifact as it then is.
        stem: the name of the files without `-<last day>`; the topic's slug if empty.

    Returns:
        The error that kept it from being saved, so that the run is printed first.
    """
    path = os.path.join(
        directory, f"{stem or slug(record['topic'])}-{record['window']['to']}"
    )
    record["saved"] = f"{path}.json"
    check(record, "artifact", name=record["saved"])
    written: list[str] = []
    try:
        replace_file(f"{path}.json", dump(record))
        written.append(f"{path}.json")
        replace_file(f"{path}.md", rendered())
    except OSError as error:
        record["saved"] = None
        for half in written:
            # Where it is gone or kept, the run is to be printed all the same.
            with suppress(OSError):
                os.unlink(half)
        return UsageError(f"--save-dir {directory}: {error.strerror or error}")
    return None
