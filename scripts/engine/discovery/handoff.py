"""The files between the legs: written whole, found by their id, refused when stale.

Each leg writes its file twice: under the plain name, which is that of the latest run,
and under its id, so that another run in the same folder takes nothing away.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta, timezone
from typing import Any

from engine.contracts import check, read_json
from engine.errors import ContractError, UsageError
from engine.files import replace_file
from engine.report.artifact import dump
from engine.settings import Settings
from engine.values import parse_time

__all__ = ["NOMINATIONS", "PENDING", "find", "lifetime", "new_id", "path_of", "write"]

NOMINATIONS, PENDING = "nominations", "pending"

_MAX_BYTES = 20_000_000
_SETTING = "LAST30DAYS_DISCOVER_TTL_MINUTES"
_MINUTES, _MOST_MINUTES = 60.0, 10_080.0
_NEVER = datetime(1970, 1, 1, tzinfo=timezone.utc)
_ID = re.compile("[0-9a-f]{16}")
_REMEDY = {
    NOMINATIONS: "run discover.py nominate first, with the same --save-dir",
    PENDING: "run discover.py research --judgments FILE first, with the same "
    "--save-dir",
}
_LEGS = {NOMINATIONS: "research", PENDING: "finalize"}


def new_id() -> str:
    """An id that no other run has."""
    return secrets.token_hex(8)


def path_of(kind: str, folder: str, bundle_id: str = "") -> str:
    """Where a file is: that of a bundle, or without its id that of the latest run."""
    own = f"-{bundle_id}" if bundle_id else ""
    return os.path.join(folder, f"discover-{kind}{own}.json")


def lifetime(settings: Settings) -> timedelta:
    """How long a file is taken, by the setting for it.

    Raises:
        UsageError: it is no number of minutes.
    """
    given = settings.get(_SETTING)
    try:
        minutes = float(given) if given else _MINUTES
    except ValueError:
        minutes = 0.0
    if not 0 < minutes <= _MOST_MINUTES:
        raise UsageError(f"{_SETTING} {given!r}: give 1 to {_MOST_MINUTES:g} minutes")
    return timedelta(minutes=minutes)


def write(kind: str, folder: str, record: Mapping[str, Any]) -> str:
    """Write a leg's file; the path under the plain name is returned.

    Raises:
        UsageError: it cannot be written; what was there before is still there.
    """
    path = path_of(kind, folder)
    check(record, f"discover_{kind}", name=path)
    try:
        # The one under its id first: of the other the last of several runs remains.
        for each in (path_of(kind, folder, record["bundle_id"]), path):
            replace_file(each, dump(record))
    except OSError as error:
        raise UsageError(f"--save-dir {folder}: {error.strerror or error}") from None
    return path


def find(
    kind: str,
    folder: str,
    settings: Settings,
    *,
    origin: str | None = None,
    bundle_id: str | None = None,
    asked_by: str = "",
) -> dict[str, Any]:
    """The file of a leg that another one goes on from.

    Args:
        kind: nominations or pending.
        folder: of `--save-dir`.
        settings: with the clock, and how long a file is taken.
        origin: live, demo or archive, which it has to be of; None takes any.
        bundle_id: which one; None takes that of the latest run.
        asked_by: the file that holds `bundle_id`, for messages.

    Raises:
        ContractError: there is none, it breaks its contract, is stale, of another id or
            of another origin; the text says what to do.
    """
    path = path_of(kind, folder)
    if bundle_id is not None and _ID.fullmatch(bundle_id):
        own = path_of(kind, folder, bundle_id)
        # What another run did to the plain name is of no concern to this one.
        path = own if os.path.exists(own) else path
    record = _read(kind, path)
    if bundle_id not in (None, record["bundle_id"]):
        raise _mismatch(kind, folder, str(bundle_id), record["bundle_id"], asked_by)
    _demand_fresh(kind, record, settings)
    if origin is not None and record["origin"] != origin:
        raise ContractError(
            f"bundle {record['bundle_id']} is {record['origin']} and this run would be "
            f"{origin}: the two never mix; run this leg with the same --demo or "
            "--archive as nominate, or nominate again without them"
        )
    return record


def _read(kind: str, path: str) -> dict[str, Any]:
    try:
        record = read_json(path, what=f"file of {kind}", limit=_MAX_BYTES)
        check(record, f"discover_{kind}", name=path)
    except UsageError as error:
        raise ContractError(f"{error}; {_REMEDY[kind]}") from None
    found: dict[str, Any] = record
    return found


def _demand_fresh(kind: str, record: Mapping[str, Any], settings: Settings) -> None:
    made = parse_time(record["created_at"]) or _NEVER
    allowed = lifetime(settings)
    # One from the future was made by another clock, of which nothing is known.
    if abs(settings.now - made) > allowed:
        minutes = (settings.now - made) / timedelta(minutes=1)
        raise ContractError(
            f"bundle {record['bundle_id']} is {minutes:.0f} minutes old and is taken "
            f"for {allowed / timedelta(minutes=1):g} ({_SETTING}): what rises has "
            f"moved on; {_REMEDY[kind]}"
        )


def _mismatch(
    kind: str, folder: str, given: str, wanted: str, asked_by: str
) -> ContractError:
    return ContractError(
        f"{asked_by}: bundle_id is {given[:60]!r}, and the {kind} in {folder} are of "
        f"{wanted!r}: correct the bundle_id field and run this leg "
        f"({_LEGS[kind]}) again; nothing before it has to be repeated"
    )
