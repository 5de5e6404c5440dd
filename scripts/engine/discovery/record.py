"""Records: a bundle as its file, and back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date, datetime
from typing import Any

from engine.discovery.heat import counts
from engine.discovery.items import read_item
from engine.discovery.model import Bundle, Nomination
from engine.model import Depth, SourceInfo
from engine.report.artifact import item_record, source_records
from engine.window import Window

__all__ = [
    "SCHEMA_VERSION",
    "bundle_record",
    "moment",
    "read_bundle",
]

SCHEMA_VERSION = 1


def bundle_record(bundle: Bundle, infos: Iterable[SourceInfo]) -> dict[str, Any]:
    """A bundle as schemas/discover_nominations.schema.json describes it.

    Args:
        bundle: of the first leg.
        infos: of all sources.
    """
    return {
        "schema_version": SCHEMA_VERSION,
        "kind": "discover-nominations",
        "bundle_id": bundle.id,
        "created_at": bundle.created_at,
        "origin": bundle.origin,
        "tier": bundle.tier.value,
        "domain": bundle.domain,
        "window": {"from": str(bundle.window.first), "to": str(bundle.window.last)},
        "subreddits": list(bundle.subreddits),
        "asked": list(bundle.asked),
        "sources": source_records(infos),
        "source_status": {name: dict(one) for name, one in bundle.status.items()},
        "_warnings": [dict(one) for one in bundle.warnings],
        "nominations": [_nomination(one) for one in bundle.nominations],
    }


def read_bundle(record: Mapping[str, Any]) -> Bundle:
    """The bundle in a file that keeps its contract."""
    window = record["window"]
    return Bundle(
        id=record["bundle_id"],
        created_at=record["created_at"],
        origin=record["origin"],
        tier=Depth(record["tier"]),
        domain=record["domain"],
        window=Window(*(date.fromisoformat(window[end]) for end in ("from", "to"))),
        subreddits=tuple(record["subreddits"]),
        asked=tuple(record["asked"]),
        status=record["source_status"],
        warnings=tuple(record["_warnings"]),
        nominations=tuple(
            Nomination(
                one["id"],
                one["name"],
                one["momentum"],
                one["junk_shape"],
                tuple(map(read_item, one["evidence"])),
            )
            for one in record["nominations"]
        ),
    )


def moment(at: datetime) -> str:
    """A moment in UTC as files write it."""
    return at.strftime("%Y-%m-%dT%H:%M:%SZ")


def _nomination(one: Nomination) -> dict[str, Any]:
    return {
        "id": one.id,
        "name": one.name,
        "momentum": one.momentum,
        "junk_shape": one.junk_shape,
        "engagement": counts(one.items),
        "evidence": [item_record(item) for item in one.items],
    }
