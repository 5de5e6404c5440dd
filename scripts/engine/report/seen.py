"""What an artifact says of each of its sources."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["items_of", "items_shown", "marks", "not_seen", "totals"]

_SEEN = frozenset(("ok", "no-results", "not-asked"))


def not_seen(state: str) -> bool:
    """True if a source that was to be asked was not seen, or not in full."""
    return state not in _SEEN


def items_shown(record: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    """The items that a source brought, each once; other sources may have them too."""
    return _distinct(
        item
        for item in record["items"]
        if name in item.get("sources", ()) or item["source"] == name
    )


def items_of(record: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    """The items whose text and counts are those of a source, each once."""
    return _distinct(item for item in record["items"] if item["source"] == name)


def totals(record: Mapping[str, Any], name: str) -> dict[str, int]:
    """What the items of a source add up to, by the names of its counts."""
    own = items_of(record, name)
    return {
        kind: sum(item["engagement"].get(kind, 0) for item in own)
        for kind in record["sources"][name]["counts"]
    }


def marks(item: Mapping[str, Any]) -> list[str]:
    """What to know of an item beside its date, which says itself if it is unknown."""
    return [mark for mark in item.get("marks", ()) if mark != "undated"]


def _distinct(items: Any) -> list[Mapping[str, Any]]:
    """The sides of a comparison may have found the same."""
    return list({(item["source"], item["id"]): item for item in items}.values())
