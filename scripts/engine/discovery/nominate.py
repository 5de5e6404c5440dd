"""Nominate: what the hot lists hold becomes stories with names and a momentum."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from engine.discovery.heat import by_heat, momentum
from engine.discovery.junk import junk_shape
from engine.discovery.model import Nomination
from engine.discovery.naming import heuristic_name
from engine.discovery.support import independent_sources
from engine.model import Item, SourceInfo
from engine.rank.cluster import SIMILARITY
from engine.rank.grouping import group
from engine.rank.similarity import print_of
from engine.sources.base import RiverAsk
from engine.text.matching import find
from engine.text.relevance import RELEVANCE_FLOOR, prepare, weigh
from engine.text.statement import statement

__all__ = ["MOST", "nominate"]

MOST = 15
"""So many stories a judge reads with care."""

_ITEMS = 8
_TEXT, _COMMENTS, _COMMENT = 600, 3, 300
_SAID_FIRST = 120
_SENTENCE = re.compile(r"(?<=[.!?…。！？])\s")
# So much of an item is enough to judge it by.
_JUDGED_LENGTH = 2_000


def nominate(
    items: Sequence[Item], hot: RiverAsk, infos: Mapping[str, SourceInfo]
) -> list[Nomination]:
    """The stories in what was swept, those with most momentum first, at most 15.

    What has the shape of junk comes behind the rest, for the judge to see.

    Args:
        items: of all sources, dated.
        hot: with the domain to which they have to belong.
        infos: of all sources, by name.
    """
    platforms = {info.site for info in infos.values()}
    items = by_heat(_of_domain(items, hot), infos)
    groups = group([print_of(item) for item in items], SIMILARITY["story"])
    found = [
        _nomination([items[i] for i in members], hot, infos, platforms)
        for members in groups
    ]
    found.sort(key=lambda one: (bool(one.junk_shape), -one.momentum))
    named: dict[str, Nomination] = {}
    for number, one in enumerate(found[:MOST], 1):
        name = heuristic_name(_title(one.items[0]), named)
        named[name.casefold()] = replace(one, id=f"n{number}", name=name)
    return list(named.values())


def _of_domain(items: Sequence[Item], hot: RiverAsk) -> list[Item]:
    """The items that name the domain and are about it, or stand in a place that is."""
    if hot.domain is None or not items:
        return list(items)
    places = {f"r/{name}".lower() for name in hot.hints.subreddits}
    texts = [statement(item)[:_JUDGED_LENGTH] for item in items]
    (question,) = prepare(hot.domain.text)
    named = find(question, texts)
    verdicts = weigh(texts, (question,))
    return [
        item
        for item, hits, verdict in zip(items, named, verdicts, strict=True)
        if item.lane
        or item.container.lower() in places
        # Of a front page hardly anything is on topic, which misleads the judge.
        or (hits and verdict.relevance >= RELEVANCE_FLOOR)
    ]


def _nomination(
    items: Sequence[Item],
    hot: RiverAsk,
    infos: Mapping[str, SourceInfo],
    platforms: Collection[str],
) -> Nomination:
    sources = independent_sources(items, platforms)
    return Nomination(
        id="",
        name="",
        momentum=momentum(items, infos, hot.week, len(sources)),
        junk_shape=junk_shape(_title(items[0])),
        items=tuple(map(_shortened, items[:_ITEMS])),
    )


def _title(item: Item) -> str:
    """The title of an item, or what it says first."""
    if item.title:
        return item.title
    said = " ".join(item.text.split())[:_SAID_FIRST]
    return _SENTENCE.split(said, maxsplit=1)[0]


def _shortened(item: Item) -> Item:
    comments = (c._replace(text=c.text[:_COMMENT]) for c in item.comments[:_COMMENTS])
    return replace(item, text=item.text[:_TEXT], comments=tuple(comments))
