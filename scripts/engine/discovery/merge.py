"""Merge: nominations that are one story become one topic."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from engine.discovery.model import Judged, Left, Topic
from engine.model import Item
from engine.text.tokens import read
from engine.text.urls import canonical_url, linked_pages

__all__ = ["AT_ONCE", "same_words", "story_pages", "to_topics", "unite"]

AT_ONCE = 6
"""So many topics are researched in a run, side by side."""

# Two topics whose research found mostly the same are one story.
_SHARED = 0.5
_FEW_LINKS = 2


def to_topics(judged: Sequence[Judged]) -> tuple[list[Topic], list[Left]]:
    """The topics to research, the worthiest first, and what became none.

    Junk leaves; equal names, and rows that share an item or a page of their evidence,
    are one topic; the six worthiest stay.
    """
    left = [_left(one, "junk", _why_junk(one)) for one in judged if one.junk]
    kept = sorted((one for one in judged if not one.junk), key=_worth)
    groups: list[list[Judged]] = []
    for one in kept:
        same = [group for group in groups if any(_same(one, other) for other in group)]
        joined = [*(member for group in same for member in group), one]
        groups = [group for group in groups if group not in same]
        groups.append(sorted(joined, key=_worth))
    groups.sort(key=lambda group: _worth(group[0]))
    topics = [Topic(tuple(group)) for group in groups]
    for topic in topics[AT_ONCE:]:
        detail = f"{AT_ONCE} were worthier"
        left += [_left(one, "no-room", detail) for one in topic.judged]
    return topics[:AT_ONCE], left


def unite(topics: Sequence[Topic], urls: Mapping[str, Collection[str]]) -> list[Topic]:
    """The same topics; those of which most of the evidence is the same are one.

    Args:
        topics: the worthiest first.
        urls: of the evidence of each, by its id.
    """
    found: list[tuple[Topic, set[str]]] = []
    for topic in topics:
        own = {page for url in urls[topic.id] if (page := canonical_url(url))}
        for place, (other, known) in enumerate(found):
            fewer = min(len(own), len(known))
            if fewer and len(own & known) >= _SHARED * fewer:
                joined = Topic((*other.judged, *topic.judged))
                found[place] = (joined, known | own)
                break
        else:
            found.append((topic, own))
    return [topic for topic, _ in found]


def story_pages(items: Iterable[Item]) -> frozenset[str]:
    """The pages on which items stand, and those that they are about.

    A text with many links is about none of them.
    """
    about = (
        (item.url, *(item.urls if len(item.urls) <= _FEW_LINKS else ()))
        for item in items
    )
    return linked_pages(*chain.from_iterable(about))


def same_words(name: str) -> frozenset[str]:
    """What equal names have in common, whatever their case and order."""
    return frozenset(read(name).words)


def _same(one: Judged, other: Judged) -> bool:
    if same_words(one.name) == same_words(other.name):
        return True
    pages = story_pages(one.nomination.items)
    return not pages.isdisjoint(story_pages(other.nomination.items))


def _worth(one: Judged) -> tuple[Any, ...]:
    number = int(one.nomination.id[1:] or 0)
    return (-one.worthiness, -one.nomination.momentum, number)


def _why_junk(one: Judged) -> str:
    if one.by_host:
        return "by the judge"
    return f"it has the shape of junk ({one.nomination.junk_shape})"


def _left(one: Judged, reason: str, detail: str) -> Left:
    return Left(one.nomination.id, one.name, reason, detail)
