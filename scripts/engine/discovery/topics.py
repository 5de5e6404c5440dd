"""Topics: what research found for each, and whether that is enough to tell of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.discovery.floor import below_floor
from engine.discovery.grounding import ungrounded
from engine.discovery.heat import interactions, momentum
from engine.discovery.items import read_item
from engine.discovery.merge import same_words, story_pages
from engine.discovery.model import Left, Topic
from engine.discovery.support import independent_sources, origin_count
from engine.model import Item, SourceInfo
from engine.report.artifact import item_record
from engine.report.groups import is_solid
from engine.text.topic import parse_topic
from engine.window import Window

__all__ = ["Found", "Weighed", "evidence", "weigh"]

Found = dict[tuple[str, str], Mapping[str, Any]]
"""Records of items by source and id."""

_MOST_ITEMS = 8
_BEST = 3


@dataclass(frozen=True, slots=True)
class Weighed:
    """A topic that may be told of: its record, and the items that bear it out."""

    record: Mapping[str, Any]
    items: tuple[Mapping[str, Any], ...]
    cluster: Mapping[str, Any]


def evidence(topic: Topic, domain: str, found: Sequence[Mapping[str, Any]]) -> Found:
    """The items that bear a topic out, the nominated ones first.

    Args:
        topic: with what was nominated.
        domain: of the discovery; its words tell no story from another.
        found: items of the artifact of its research. Only what is dated, on topic and
            says most of the name's other words is about this very story.
    """
    items: Found = {(i.source, i.id): item_record(i) for i in topic.items}
    name = _telling(topic.best.name, domain)
    for record in found:
        key = (record["source"], record["id"])
        if key in items:
            items[key] = record
        elif is_solid(record):
            absent = ungrounded(" ".join(name), [read_item(record)])
            if 2 * len(absent) < len(name):
                items[key] = record
    return items


def _telling(name: str, domain: str) -> list[str]:
    """The words of a name that are not the domain's; all of them if none is left."""
    words = [term.surface for term in parse_topic(name).significant]
    known = same_words(domain)
    return [word for word in words if not same_words(word) <= known] or words


def weigh(
    topic: Topic,
    records: Found,
    infos: Mapping[str, SourceInfo],
    week: Window,
) -> Weighed | list[Left]:
    """A topic that may be told of, or why its nominations are not."""
    items = list(map(read_item, records.values()))
    platforms = {info.site for info in infos.values()}
    sources = independent_sources(items, platforms)
    reactions = interactions(items, infos)
    why = below_floor(reactions, len(sources), topic.junk_shape)
    if why:
        return [
            Left(one.nomination.id, one.name, "below-floor", why)
            for one in topic.judged
        ]
    ranked = _ranked(records, items, sources)
    record = {
        **_record(topic),
        "momentum": momentum(items, infos, week, len(sources)),
        "reactions": reactions,
        "sources": list(sources),
        "origins": origin_count(items, platforms),
        "items": [f"{one['source']}:{one['id']}" for one in ranked],
    }
    return Weighed(record, tuple(ranked), _cluster(record, items))


def _record(topic: Topic) -> dict[str, Any]:
    best = topic.best
    return {
        "id": topic.id,
        "merged": [one.nomination.id for one in topic.judged[1:]],
        "name": best.name,
        "by_host": best.by_host,
        "ungrounded": list(best.ungrounded),
        "junk_shape": topic.junk_shape,
        "worthiness": best.worthiness,
        "pages": sorted(story_pages(topic.items)),
    }


def _cluster(record: Mapping[str, Any], items: Sequence[Item]) -> dict[str, Any]:
    """A topic as a cluster of an artifact."""
    return {
        "title": record["name"],
        "score": record["momentum"],
        "item_ids": record["items"],
        "best_ids": record["items"][:_BEST],
        "sources": sorted({item.source for item in items}),
        "origins": record["origins"],
        "mark": "" if len(record["sources"]) > 1 else "single-source",
    }


def _ranked(
    records: Found,
    items: Sequence[Item],
    sources: Sequence[str],
) -> list[Mapping[str, Any]]:
    """At most eight items, the first of each independent source before all others."""
    first = {item.source: (item.source, item.id) for item in reversed(items)}
    keys = [first[source] for source in sources]
    order = [*keys, *(key for key in records if key not in keys)]
    return [records[key] for key in order[:_MOST_ITEMS]]
