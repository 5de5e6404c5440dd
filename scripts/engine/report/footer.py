"""The footer: the tree of counts that the host model passes on verbatim."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.report.clean import clean_line, clip
from engine.report.counts import amounts, counted
from engine.report.seen import items_of, items_shown, not_seen, totals

__all__ = ["footer"]

_LABEL_LENGTH = 20
_PATH_BYTES = 300
_BRIEF_PATH_BYTES = 60
# A file of --save-dir has a shorter name.
_NAME_LENGTH = 150


def footer(record: Mapping[str, Any], *, brief: bool = False) -> list[str]:
    """The lines of the footer; every count in it comes from the artifact.

    Sources that were not asked have none. If it has to be brief, a source's line has
    how many items it gave and nothing more.
    """
    statuses = record["source_status"]
    lines = ["✅ All sources reported back"]
    if any(not_seen(status["state"]) for status in statuses.values()):
        lines = ["⚠️ Not every source could be seen"]
    for name, status in statuses.items():
        if status["state"] != "not-asked":
            label = _label(record["sources"][name])
            lines.append(f"├─ {label}: {_tally(record, name, status['state'], brief)}")
    window, saved = record["window"], record["saved"]
    room = _BRIEF_PATH_BYTES if brief else _PATH_BYTES
    last = f"saved: {_path(saved, room)}" if saved else "not saved"
    lines.append(f"└─ 🗓 {window['from']} to {window['to']} · {last}")
    return lines


def _label(info: Mapping[str, str]) -> str:
    return clip(clean_line(f"{info['emoji']} {info['label']}"), _LABEL_LENGTH)


def _path(saved: str, room: int) -> str:
    """The path, or its last part if it is so long that it would crowd out the rest."""
    path = clean_line(saved)
    short = len(path.encode("utf-8", "replace")) <= room
    return path if short else f"…/{clip(path.rpartition('/')[2], _NAME_LENGTH)}"


def _tally(record: Mapping[str, Any], name: str, state: str, brief: bool) -> str:
    mark = f"⚠️ {state}" if not_seen(state) else state
    shown = items_shown(record, name)
    if not shown:
        return mark
    info = record["sources"][name]
    parts = [counted(len(shown), clean_line(info["noun"]))]
    if not brief:
        own = items_of(record, name)
        authors = {item["author_handle"].lower() for item in own} - {""}
        if authors:
            parts.append(counted(len(authors), "authors"))
        parts += amounts(totals(record, name), info["counts"])
    if state != "ok":
        parts.append(mark)
    return " · ".join(parts)
