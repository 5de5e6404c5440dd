"""Items as they stand in a hand-off file or an artifact."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.model import Comment, Item
from engine.values import parse_time

__all__ = ["read_item"]


def read_item(raw: Mapping[str, Any]) -> Item:
    """The item whose record, as `item_record` writes it, this is."""
    return Item(
        id=raw["id"],
        source=raw["source"],
        text=raw["text"],
        url=raw["url"],
        author_handle=raw["author_handle"],
        author_name=raw["author_name"],
        title=raw["title"],
        created_at=parse_time(raw["created_at"] or ""),
        lang=raw["lang"],
        engagement=raw["engagement"],
        in_reply_to=raw["in_reply_to"],
        repost_of=raw["repost_of"],
        urls=tuple(raw["urls"]),
        container=raw["container"],
        comments=tuple(
            Comment(c["author"], c["text"], c["votes"], c["url"])
            for c in raw["comments"]
        ),
        lane=raw["lane"],
        backend=raw["backend"],
        relevance=raw["relevance"],
        score=raw["score"],
        copies=raw["copies"],
    )
