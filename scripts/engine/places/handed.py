"""Answers of tools that the host runs itself, handed over in a file.

They are data like all others: read by the record of their connector, judged, and never
followed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime, timezone
from typing import Any

from engine.contracts import MAX_BYTES, check, read_json
from engine.errors import ContractError, SourceError
from engine.io import IO
from engine.places import reading
from engine.places.calling import checked
from engine.places.connectors import HOST, Connector, connectors
from engine.places.evidence import Answer, Evidence
from engine.places.model import Note
from engine.places.rank import with_comments, with_detail
from engine.values import parse_time

__all__ = ["take_results"]

_MOST_BYTES = 16 * MAX_BYTES


def take_results(
    path: str, evidence: Evidence, io: IO
) -> dict[str, list[int | SourceError]]:
    """Read a file of results into the evidence of a run.

    Returns:
        For each connector what its answers brought: a number of finds, or a failure.

    Raises:
        UsageError: it cannot be read.
        ContractError: it breaks schemas/places_results.schema.json.
    """
    name = "standard input" if path == "-" else path
    raw = read_json(path, what="list of results", limit=_MOST_BYTES)
    check(raw, "places_results", name=name)
    ends: dict[str, list[int | SourceError]] = {}
    for number, result in enumerate(raw):
        at = _moment(result, f"{name}: [{number}].at", io.settings.now)
        connector = _record(result["connector"], result["kind"])
        end: int | SourceError
        try:
            document = checked(connector, result["document"], "", io)
            end = _take(connector, result, document, at, evidence)
        except SourceError as error:
            end = error
        ends.setdefault(connector.name, []).append(end)
    return ends


def _moment(result: Mapping[str, Any], where: str, now: datetime) -> datetime:
    if "at" not in result:
        return now
    moment = parse_time(result["at"])
    if moment is None:
        raise ContractError(
            f"{where}: is no time; write it as 2026-11-30T12:00:00Z, or leave it out"
        )
    return moment.astimezone(timezone.utc)


def _record(name: str, kind: str) -> Connector:
    """The record that can read this; that of the host's tools if no other can."""
    known = connectors()
    found = known.get(name)
    if found is not None and kind in found.read:
        return found
    return replace(known[HOST], name=name, label=name)


def _take(
    connector: Connector,
    result: Mapping[str, Any],
    document: Any,
    at: datetime,
    evidence: Evidence,
) -> int:
    """Add what a document holds to the evidence; how much that was."""
    query, moment = result.get("query", ""), at.isoformat()
    if result["kind"] == "places":
        places = reading.places(connector, document)
        evidence.places.setdefault(connector.name, []).extend(places)
        return len(places)
    if result["kind"] == "answer":
        text = reading.answer(connector, document)
        if text:
            evidence.answers.append(Answer(connector.name, query, text, moment))
        return int(bool(text))
    if result["kind"] == "pages":
        pages = reading.pages(connector, document, at)
        evidence.pages += [(query, page) for page in pages]
        return len(pages)
    if result["kind"] == "notes":
        notes = reading.notes(connector, document, query, moment)
    else:
        notes = _detailed(connector, result["note_id"], document, moment)
    evidence.notes += notes
    return len(notes)


def _detailed(
    connector: Connector, number: str, document: Any, moment: str
) -> list[Note]:
    told = reading.detail(connector, document)
    if told is None:
        return []
    url = f"https://www.xiaohongshu.com/explore/{number}"
    bare = Note(number, connector.name, told.title, url=url, queried_at=moment)
    note = with_detail(bare, told)
    try:
        return [with_comments(note, reading.comments(connector, document))]
    except SourceError:
        # A note without its comments is a note all the same.
        return [note]
