"""Lanes: what handles are asked for."""

from __future__ import annotations

import pytest

from engine.model import BackendInfo, Lane
from engine.text.topic import parse_topic
from engine.x.calls import Call
from engine.x.lanes import lane_calls, reserve
from engine.x.query import web_syntax
from fakes.xposts import WINDOW

DAYS = "since:2026-10-17 until:2026-11-16"


def lanes(
    topic: str,
    explicit: tuple[str, ...] = (),
    related: tuple[str, ...] = (),
    promoted: tuple[str, ...] = (),
) -> list[Call]:
    """The lanes of a run."""
    return lane_calls(
        parse_topic(topic),
        WINDOW,
        explicit=explicit,
        related=related,
        promoted=promoted,
    )


def shown(calls: list[Call]) -> list[tuple[str, str, int]]:
    """Lane, query without the window, limit."""
    return [
        (call.lane.value, web_syntax(call.query).replace(f" {DAYS}", ""), call.limit)
        for call in calls
    ]


def test_an_explicit_handle() -> None:
    """Without the topic: people do not write their own name."""
    assert shown(lanes("Peter Steinberger", explicit=("steipete",))) == [
        ("from", "from:steipete", 8),
        ("mention", "@steipete -from:steipete", 5),
        ("name", '"Peter Steinberger" -from:steipete min_faves:2', 5),
    ]


def test_a_promoted_handle_has_to_name_the_topic() -> None:
    """It has to prove that it writes about it; noise is left out."""
    found = lanes("what is new in Rome", promoted=("visegrad24",))
    assert shown(found) == [("from-topic", "from:visegrad24 Rome", 8)]


def test_a_related_handle() -> None:
    """Three of its posts, without the topic, and no lane about it."""
    found = lanes("Rome", related=("nuria",))
    assert shown(found) == [("related", "from:nuria", 3)]


def test_an_explicit_handle_needs_no_related_lane() -> None:
    """It has a wider one, in whatever case it was given twice."""
    found = lanes("Rome Italy", explicit=("Nuria",), related=("nuria",))
    assert [call.lane for call in found] == [Lane.FROM, Lane.MENTION]


def test_explicit_handles_come_first() -> None:
    """If time runs out, the others go without."""
    found = lanes("Rome", ("a", "b"), ("c",), ("d",))
    assert [call.lane for call in found] == [
        Lane.FROM,
        Lane.FROM,
        Lane.MENTION,
        Lane.MENTION,
        Lane.NAME,
        Lane.RELATED,
        Lane.FROM_TOPIC,
    ]


@pytest.mark.parametrize(
    ("topic", "phrase"),
    [
        pytest.param("Bentgo", '"Bentgo"', id="one-word"),
        pytest.param("latest Bentgo news", '"Bentgo"', id="one-word-that-counts"),
        pytest.param("$TSLA", '"TSLA"', id="cashtag"),
        pytest.param("Peter Steinberger", '"Peter Steinberger"', id="name"),
        pytest.param("大模型", '"大模型"', id="one-run"),
        pytest.param("Rome Italy", "", id="place"),
        pytest.param("swift package manager", "", id="common-words"),
    ],
)
def test_the_name_lane_is_for_names(topic: str, phrase: str) -> None:
    """Of one word or a proper name; its subject's own posts are left out."""
    found = [c for c in lanes(topic, explicit=("a", "b")) if c.lane is Lane.NAME]
    names = [web_syntax(c.query).replace(f" {DAYS}", "") for c in found]
    assert names == ([f"{phrase} -from:a -from:b min_faves:2"] if phrase else [])


def test_nobody_named_nobody_promoted() -> None:
    """No lane, and no name lane without an explicit handle."""
    assert lanes("Bentgo") == []


def test_a_topic_over_the_limits_stays_inside_them_in_lanes() -> None:
    """The name and the topic in a lane are as short as in the first query."""
    for call in lanes("x" * 4000, explicit=("a",), promoted=("b",)):
        assert len(web_syntax(call.query)) < 400


def test_time_is_kept_for_explicit_handles() -> None:
    """Two of the backend's shortest calls; the topic has as much before them."""
    info = BackendInfo("slow", "Slow", "", "", frozenset(), min_seconds=15)
    assert reserve(("a",), info, left=100) == 2 * 15
    assert reserve(("a",), info, left=40) == 40 - 2 * 15
    assert reserve(("a",), info, left=20) == 0
    assert reserve((), info, left=100) == 0
