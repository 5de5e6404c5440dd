"""What counts as evidence for a topic, and what the second leg asks for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.discovery.judgments import by_heuristic
from engine.discovery.legs import infos, nominations, research
from engine.discovery.model import LIVE, Bundle, Judged, Left, Nomination, Topic
from engine.discovery.topics import Weighed, evidence, weigh
from engine.model import Depth, Item
from engine.sources.base import RiverAsk
from engine.window import Window
from fakes.asking import NOW, WINDOW, World
from fakes.research_run import thing
from fakes.rivers import Rivers

_WEEK = Window.ending(NOW.date(), 7)
_FIRST = Item(
    "1", "hackernews", "Quadnine to exit France", created_at=NOW, author_handle="ann",
    url="https://news.ycombinator.com/item?id=1", engagement={"points": 150},
)  # fmt: skip


def _topic(name: str = "Quadnine exits France", junk_shape: str = "") -> Topic:
    one = Nomination("n1", "Own", 50, junk_shape, (_FIRST,))
    return Topic((replace(by_heuristic(one), name=name, by_host=True),))


def _found(text: str, **more: Any) -> dict[str, Any]:
    return thing("reddit", 7, text, **more)


@pytest.mark.parametrize(
    ("record", "counts"),
    [
        (_found("France loses Quadnine"), True),
        (_found("Quadnine says it exits soon"), True),
        (_found("Quadnine is a resolver"), False),
        (_found("Exits of the metro in Paris"), False),
        (_found("Quadnine exits France", marks=["undated"]), False),
        (_found("Quadnine exits France", marks=["entity-miss"]), False),
        (_found("Quadnine exits France", marks=["out-of-window"]), False),
        (_found("Quadnine exits France", relevance=0.05), False),
    ],
)
def test_only_what_is_about_the_story_bears_it_out(
    record: dict[str, Any], counts: bool
) -> None:
    """Dated, on topic, and with more than half of the name's words."""
    found = evidence(_topic(), "", [record])
    assert (("reddit", "7") in found) is counts
    assert next(iter(found)) == ("hackernews", "1")


def test_the_words_of_the_domain_tell_no_story() -> None:
    """In a discovery about France every item has them."""
    said = _found("France and exits of its metro")
    assert ("reddit", "7") in evidence(_topic(), "", [said])
    assert ("reddit", "7") not in evidence(_topic(), "exits in France", [said])


def test_what_research_knows_of_an_item_replaces_what_was_swept() -> None:
    """Its comments and relevance, once."""
    richer = thing("hackernews", 1, "Quadnine to exit France", relevance=0.9)
    found = evidence(_topic(), "", [richer])
    assert list(found) == [("hackernews", "1")]
    assert found["hackernews", "1"]["relevance"] == 0.9


def test_a_topic_below_the_floor_leaves_with_its_reason() -> None:
    """150 points alone are too few; with a second source they are enough."""
    alone = weigh(_topic(), evidence(_topic(), "", []), infos(), _WEEK)
    assert isinstance(alone, list) and isinstance(alone[0], Left)
    assert alone[0].reason == "below-floor" and "150 reactions" in alone[0].detail
    second = _found("Quadnine leaves: it exits France", author_handle="bob")
    both = weigh(_topic(), evidence(_topic(), "", [second]), infos(), _WEEK)
    assert isinstance(both, Weighed)
    assert both.record["sources"] == ["hackernews", "reddit"]
    assert both.record["reactions"] == 150 and both.record["origins"] == 2
    assert both.cluster["mark"] == "" and both.cluster["title"] == both.record["name"]


@pytest.fixture
def rivers(tmp_path: Path) -> Iterator[Rivers]:
    """All services."""
    with Rivers(tmp_path) as running:
        yield running


def _bundle(world: World, rivers: Rivers) -> tuple[Bundle, list[Judged]]:
    hot = RiverAsk(None, WINDOW, Depth.DEFAULT)
    asked = ["x", "reddit", "hackernews"]
    found = nominations(hot, asked, LIVE, world.io, world.warnings, lambda answer: None)
    return found, list(map(by_heuristic, found.nominations))


def test_research_reads_the_subreddits_in_which_a_story_stood(rivers: Rivers) -> None:
    """The archive opens there where the site refuses."""
    world = World(rivers.values)
    bundle, judged = _bundle(world, rivers)
    rivers.reddit.blocked = {"site", "subreddits"}
    world = World(rivers.values)
    found = research(bundle, judged, world.io, (), lambda answer: None)
    swept = {asked["subreddit"] for asked in rivers.arctic.asked("/posts/search")}
    assert {"netsec", "privacy"} == swept
    assert found["artifact"]["source_status"]["reddit"]["state"] == "partial"


def test_what_one_topic_noted_is_no_others(rivers: Rivers) -> None:
    """Each call of X stands once in the record, and each warning."""
    world = World(rivers.values)
    bundle, judged = _bundle(world, rivers)
    world = World(rivers.values)
    found = research(bundle, judged, world.io, (), lambda answer: None)["artifact"]
    calls = [q for q in found["queries"] if q["source"] == "x"]
    assert len(calls) == len(rivers.servers["xapi"].requests)
    told = [str(warning) for warning in found["_warnings"]]
    assert len(told) == len(set(told)) and not world.warnings
