"""Fan-out: the widest query first, and no two the same."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from engine.errors import UsageError
from engine.model import Depth
from engine.text.topic import parse_topic
from engine.window import Window
from engine.x.compile import compile_query
from engine.x.fanout import CALLS, fanout_queries, is_proper_name, variants
from engine.x.lanes import name_query
from engine.x.query import web_syntax

FIRST, LAST = "2026-11-01", "2026-11-30"
DAYS = "since:2026-11-01 until:2026-12-01"


@pytest.mark.parametrize("calls", [1, 3, 4, 12])
def test_as_many_different_queries_as_calls(calls: int) -> None:
    """Each call brings something of its own."""
    found = fanout_queries("Rome Italy", FIRST, LAST, calls)
    assert len(found) == len(set(found)) == calls


def test_the_order_for_a_topic_that_is_no_name() -> None:
    """Plain, with a floor, with links, without replies; each inside the window."""
    assert fanout_queries("Rome Italy", FIRST, LAST, 4) == [
        f"Rome Italy {DAYS}",
        f"Rome Italy {DAYS} min_faves:5",
        f"Rome Italy {DAYS} filter:links",
        f"Rome Italy {DAYS} -filter:replies",
    ]


def test_a_name_gets_its_phrase() -> None:
    """It takes the place of the links."""
    assert fanout_queries("Peter Steinberger", FIRST, LAST, 4) == [
        f"Peter Steinberger {DAYS}",
        f"Peter Steinberger {DAYS} min_faves:5",
        f'"Peter Steinberger" {DAYS}',
        f"Peter Steinberger {DAYS} -filter:replies",
    ]


@pytest.mark.parametrize("topic", ["Rome Italy", '"Rome Italy"', "ROME ITALY"])
def test_a_place_is_never_quoted(topic: str) -> None:
    """Not even if the user quoted it: a quoted place finds next to nothing."""
    assert not any('"' in query for query in fanout_queries(topic, FIRST, LAST, 12))


def test_the_name_lane_quotes() -> None:
    """Others write a name as it is written."""
    window = Window(date.fromisoformat(FIRST), date.fromisoformat(LAST))
    found = web_syntax(name_query("Peter Steinberger", window, ("steipete",)))
    assert found == f'"Peter Steinberger" -from:steipete {DAYS} min_faves:2'


def test_calls_by_depth() -> None:
    """One, three, twelve."""
    assert [CALLS[d] for d in (Depth.QUICK, Depth.DEFAULT, Depth.DEEP)] == [1, 3, 12]


@pytest.mark.parametrize("days", [1, 2, 5, 8, 9, 30, 365])
def test_deep_parts_cover_the_window_exactly(days: int) -> None:
    """At most eight runs of whole days, one after the other."""
    window = Window.ending(date.fromisoformat(LAST), days)
    found = variants(compile_query(parse_topic("Rome Italy"), window), 12)
    assert len(found) == len({web_syntax(query) for query in found})
    parts = [query.window for query in found[4:]]
    assert len(parts) == (min(days, 8) if days > 1 else 0)
    covered = [p.first + timedelta(d) for p in parts for d in range(p.days)]
    every_day = [window.first + timedelta(d) for d in range(days)]
    assert covered == (every_day if days > 1 else [])


@pytest.mark.parametrize(
    ("topic", "expected"),
    [
        ("Peter Steinberger", True),
        ("Jean-Luc Picard", True),
        ("Ludwig van Beethoven", True),
        ("Sinéad O'Connor", True),
        ("Samuel L. Jackson", True),
        ("Александр Пушкин", True),
        ("Claude Code", True),
        ("Rome", False),
        ("Steinberger", False),
        ("Rome Italy", False),
        ("Peter Rome", False),
        ("New York Times", False),
        ("Los Angeles", False),
        ("San Francisco", False),
        ("São Paulo", False),
        ("North Face", False),
        ("peter steinberger", False),
        ("Peter steinberger", False),
        ("PETER STEINBERGER", False),
        ("NASA Artemis", False),
        ("React 19", False),
        ("GPT5 Turbo", False),
        ("van Beethoven", False),
        ("大模型 教程", False),
        ("$TSLA Earnings", False),
        ("", False),
        ("  ", False),
    ],
)
def test_is_proper_name(topic: str, expected: bool) -> None:
    """Places, compass words, capitals throughout, digits and single words are none."""
    assert is_proper_name(topic) is expected


def test_a_topic_without_words_is_refused() -> None:
    """There is nothing to ask for."""
    with pytest.raises(UsageError):
        fanout_queries("🎉", FIRST, LAST, 3)
