"""The evidence: what was found, in the order and the length that fit.

Texts are shortened first, then items are left out from the end and counted.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from engine.report.block import LEVELS, Level, also, block, telling_block
from engine.report.clean import clean_line, clip
from engine.report.counts import counted
from engine.report.groups import Group, groups, is_solid, is_weak, sides
from engine.report.lines import NAME_LENGTH, name, size
from engine.report.telling import ENOUGH, Telling, telling

__all__ = ["evidence"]

# The part of the room that the comments of all sources may take.
_TELLING_SHARE = 5
_TELLING_HEAD = "MOST TELLING COMMENTS"
_ALSO = 3


class _Chunk(NamedTuple):
    """Lines that are shown together or not at all, and how many items they hold."""

    lines: list[str]
    items: int


def evidence(record: Mapping[str, Any], room: int, explain: bool) -> list[str]:
    """The lines of the evidence of an artifact, in at most `room` bytes."""
    items = record["items"]
    if not items:
        return [_no_evidence(record)]
    solid = any(map(is_solid, items))
    shown = items if solid else [item for item in items if not is_weak(item)]
    lines = [] if solid else [_nothing_solid(len(shown), len(items))]
    if not shown:
        return lines
    mark = f"{zlib.crc32(json.dumps(items).encode()):08x}"
    lines.append(f"EVIDENCE {mark}")
    told = _told(shown, record, room // _TELLING_SHARE)
    tail = [line for one in told for line in telling_block(one, record)]
    tail = [_TELLING_HEAD, *tail] if told else []
    room -= size(tail)
    first = 1
    for left, side in zip(range(len(sides(record)), 0, -1), sides(record), strict=True):
        own = _worth_showing(groups(record, side), solid)
        head = _side_head(record, side, own)
        part = _fitted(own, record, room // left - size(head), told, first, explain)
        first += sum(len(group.best) for group in own)
        room -= size([*head, *part])
        lines += [*head, *part]
    return [*lines, *tail, f"END OF EVIDENCE {mark}"]


def _no_evidence(record: Mapping[str, Any]) -> str:
    states = {status["state"] for status in record["source_status"].values()}
    if states <= {"no-results", "not-asked"}:
        return (
            "No evidence: everything that was asked answered, with nothing on topic. "
            "Say so, and name the days."
        )
    if "no-results" in states:
        return (
            "No evidence: what answered had nothing on topic, and the rest could not "
            "be looked at. Say both, and pass on what the lines with ! say."
        )
    return (
        "No evidence: it could not be looked at. Say that it was not seen, and pass on "
        "what the lines with ! say."
    )


def _nothing_solid(shown: int, count: int) -> str:
    line = "Nothing solid this window."
    if shown:
        line += " What follows is undated or older: context, no news."
    if weak := count - shown:
        line += f" {counted(weak, 'items')} that may be about something else left out."
    return line


def _told(
    items: Sequence[Mapping[str, Any]], record: Mapping[str, Any], room: int
) -> list[Telling]:
    """The most telling comments that fit, or none if one alone does."""
    found: list[Telling] = []
    for one in telling(items, record["sources"]):
        room -= size(telling_block(one, record))
        if room < 0:
            break
        found.append(one)
    return found if len(found) >= ENOUGH else []


def _worth_showing(found: Sequence[Group], solid: bool) -> list[Group]:
    if solid:
        return list(found)
    strong = [group.without(is_weak) for group in found]
    return [group for group in strong if group.best]


def _side_head(record: Mapping[str, Any], side: str, own: Sequence[Group]) -> list[str]:
    if not side:
        return []
    names = record["sides"]
    count = sum(len(group.best) + len(group.others) for group in own)
    place = f"SIDE {names.index(side) + 1} OF {len(names)}"
    title = clip(clean_line(side), NAME_LENGTH)
    return [f"{place} · {counted(count, 'items')} · {title}"]


def _fitted(
    own: Sequence[Group],
    record: Mapping[str, Any],
    room: int,
    told: Sequence[Telling],
    first: int,
    explain: bool,
) -> list[str]:
    """The groups in at most `room` bytes, but for the line that counts the rest."""
    without = [one.comment for one in told]
    for level in LEVELS:
        chunks = list(_chunks(own, record, level, without, first, explain))
        if sum(size(chunk.lines) for chunk in chunks) <= room:
            break
    kept: list[str] = []
    for place, chunk in enumerate(chunks):
        room -= size(chunk.lines)
        if room < 0:
            left = sum(chunk.items for chunk in chunks[place:])
            where = record["saved"] and "in the artifact"
            kept.append(f"({left} more did not fit; {where or 'keep: --save-dir'})")
            break
        kept += chunk.lines
    return kept


def _chunks(
    own: Sequence[Group],
    record: Mapping[str, Any],
    level: Level,
    without: Sequence[Mapping[str, Any]],
    first: int,
    explain: bool,
) -> Iterator[_Chunk]:
    rank = first
    for number, group in enumerate(own, 1):
        head = _cluster_head(number, group)
        for item in group.best:
            lines = block(rank, item, record, level, explain=explain, without=without)
            yield _Chunk([*head, *lines], 1)
            head, rank = [], rank + 1
        if group.others:
            lines = [also(item, record) for item in group.others[:_ALSO]]
            if more := len(group.others) - len(lines):
                lines.append(f"also {more} more in this cluster")
            yield _Chunk(lines, len(group.others))


def _cluster_head(number: int, group: Group) -> list[str]:
    """The figures of a cluster; its title is that of its first item, which follows."""
    cluster = group.cluster
    if cluster is None:
        return []
    parts = [f"CLUSTER {number}", f"score {cluster['score']:.0f}"]
    parts += [", ".join(map(name, cluster["sources"]))]
    parts += [counted(cluster["origins"], "origins"), name(cluster["mark"])]
    return [" · ".join(filter(None, parts))]
