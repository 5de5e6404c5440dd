"""The artifact: the full record of a run as one JSON object."""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from typing import Any

from engine.contracts import check
from engine.errors import ContractError
from engine.model import Depth, Item, Outcome, SourceInfo, Warning
from engine.report.clean import escape_hidden
from engine.window import Window

__all__ = [
    "SCHEMA_VERSION",
    "artifact",
    "check_artifact",
    "dump",
    "item_record",
    "slug",
    "source_records",
    "status_records",
    "warning_records",
]

SCHEMA_VERSION = 1
# File systems take 255 bytes; the day, a suffix and a check sum come behind it.
_SLUG_BYTES = 120
_MAX_WINDOW = timedelta(days=366)


def artifact(
    *,
    tool: str,
    topic: str,
    plan: Mapping[str, Any] | None,
    window: Window,
    depth: Depth,
    queries: Sequence[Mapping[str, Any]],
    x: Mapping[str, Any] | None,
    items: Sequence[Mapping[str, Any]],
    pruned: Sequence[Mapping[str, Any]],
    infos: Iterable[SourceInfo],
    outcomes: Mapping[str, Outcome],
    warnings: Sequence[Warning],
    clusters: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """Put the record of a run together; see schemas/artifact.schema.json."""
    return {
        "schema_version": SCHEMA_VERSION,
        "tool": tool,
        "topic": topic,
        "plan": plan,
        "window": {"from": str(window.first), "to": str(window.last)},
        "depth": depth.value,
        "queries": list(queries),
        "x": x,
        "items": list(items),
        "pruned": list(pruned),
        "clusters": list(clusters),
        "sources": source_records(infos),
        "sides": [],
        "source_status": status_records(outcomes),
        "_warnings": warning_records(warnings),
        "saved": None,
    }


def source_records(infos: Iterable[SourceInfo]) -> dict[str, dict[str, Any]]:
    """What a report has to know of each source, by its name."""
    return {info.name: _source(info) for info in infos}


def _source(info: SourceInfo) -> dict[str, Any]:
    return {
        "label": info.label,
        "emoji": info.emoji,
        "noun": info.noun,
        "at": info.at,
        "counts": list(info.weights),
        "reference": info.reference,
    }


def status_records(outcomes: Mapping[str, Outcome]) -> dict[str, dict[str, str]]:
    """How sources ended, by their names."""
    return {
        name: {"state": one.state.value, "detail": one.detail, "fix": one.fix}
        for name, one in outcomes.items()
    }


def warning_records(warnings: Iterable[Warning]) -> list[dict[str, Any]]:
    """Warnings in their JSON form."""
    return [{**one._asdict(), "data": dict(one.data)} for one in warnings]


def item_record(item: Item) -> dict[str, Any]:
    """The JSON form of an item."""
    moment = item.created_at
    return {
        "id": item.id,
        "source": item.source,
        "url": item.url,
        "author_handle": item.author_handle,
        "author_name": item.author_name,
        "title": item.title,
        "text": item.text,
        "created_at": moment.strftime("%Y-%m-%dT%H:%M:%SZ") if moment else None,
        "date": str(moment.date()) if moment else None,
        "lang": item.lang,
        "engagement": dict(item.engagement),
        "in_reply_to": item.in_reply_to,
        "repost_of": item.repost_of,
        "urls": list(item.urls),
        "container": item.container,
        "comments": [
            {"author": c.author, "text": c.text, "votes": c.votes, "url": c.url}
            for c in item.comments
        ],
        "lane": item.lane,
        "backend": item.backend,
        "relevance": item.relevance,
        "score": item.score,
        "copies": item.copies,
    }


def check_artifact(record: object, *, name: str) -> dict[str, Any]:
    """Hold what may be an artifact, perhaps an edited one, against its contract.

    Args:
        record: what `json.loads` gave.
        name: the file, for messages.

    Raises:
        ContractError: it breaks the schema, or contradicts itself where a report
            relies on it.
    """
    check(record, "artifact", name=name)
    found: dict[str, Any] = record  # type: ignore[assignment]
    for fault in _contradictions(found):
        raise ContractError(f"{name}: {fault}")
    return found


def _contradictions(record: Mapping[str, Any]) -> Iterator[str]:
    sources, statuses = record["sources"], record["source_status"]
    for field in ("items", "pruned"):
        for place, item in enumerate(record[field]):
            if item["source"] not in sources:
                yield f"{field}[{place}].source: {item['source']} is not in sources"
    for source in statuses:
        if source not in sources:
            yield f"source_status.{source}: it is not in sources"
    if record["x"] is not None and "x" not in statuses:
        yield "x: there is no x in source_status"
    window = record["window"]
    try:
        first, last = map(date.fromisoformat, (window["from"], window["to"]))
    except ValueError as error:
        yield f"window: {error}"
    else:
        if not timedelta(0) <= last - first < _MAX_WINDOW:
            yield "window: it must have 1 to 366 days"


def dump(record: Mapping[str, Any]) -> str:
    """The artifact as text: the same record gives the same bytes."""
    return escape_hidden(json.dumps(record, ensure_ascii=False, indent=1)) + "\n"


def slug(topic: str) -> str:
    """A file name for a topic: its words, and a check sum where they say too little."""
    words = re.findall(r"[^\W_]+", topic.lower())
    whole = "-".join(words)
    name = whole.encode()[:_SLUG_BYTES].decode("utf-8", "ignore").strip("-")
    plain = " ".join(words) == topic.lower() and name == whole and name.isascii()
    return name if plain else f"{name}-{zlib.crc32(topic.encode()):08x}".lstrip("-")
