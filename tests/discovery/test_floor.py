"""The confidence floor and the heat of stories."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timezone

import pytest

from engine.discovery.floor import ALONE, LEAST, below_floor
from engine.discovery.heat import counts, interactions, momentum
from engine.discovery.legs import infos
from engine.model import Item
from engine.window import Window

_WEEK = Window.ending(datetime(2026, 11, 30).date(), 7)


def _item(source: str, **engagement: int) -> Item:
    at = datetime(2026, 11, 30, 8, tzinfo=timezone.utc)
    return Item("1", source, "Foo", created_at=at, engagement=engagement)


@pytest.mark.parametrize(
    ("reactions", "sources", "shape", "passes"),
    [
        (LEAST, 2, "", True),
        (LEAST - 1, 2, "", False),
        (LEAST - 1, 5, "", False),
        (ALONE, 1, "", True),
        (ALONE - 1, 1, "", False),
        (10 * ALONE, 1, "help", False),
        (LEAST, 2, "help", True),
        (ALONE, 0, "", True),
        (0, 0, "", False),
    ],
)
def test_a_story_passes_by_two_sources_or_by_one_that_is_loud(
    reactions: int, sources: int, shape: str, passes: bool
) -> None:
    """25 reactions and two sources, or 200 on one; a shape of junk needs two."""
    assert (LEAST, ALONE) == (25, 200)
    assert bool(below_floor(reactions, sources, shape)) is not passes


def test_reactions_are_what_people_did() -> None:
    """Votes, points and comments; a thousand dollars or ten stars count as one."""
    items = [
        _item("hackernews", points=100, comments=20),
        _item("reddit", score=30, comments=4, best_comment=500),
        _item("polymarket", volume=7_000, liquidity=2_000),
        _item("youtube", views=90_000, likes=40, comments=2),
        _item("github", stars=50),
    ]
    wanted = 100 + 20 + 30 + 4 + 7 + 2 + 40 + 2 + 5
    assert interactions(items, infos()) == wanted
    assert counts(items)["hackernews"] == {"points": 100, "comments": 20}


def test_momentum_falls_with_age_and_rises_with_sources() -> None:
    """The heat of the best item, halved over the week; 5 for each of two more sources."""
    hot = _item("hackernews", points=10**6, comments=10**6)
    old = replace(hot, created_at=datetime(2026, 11, 24, tzinfo=timezone.utc))
    known = infos()
    assert momentum([hot], known, _WEEK) == 100
    assert momentum([old], known, _WEEK) == round(100 * 0.5)
    assert momentum([old], known, _WEEK, 2) == round(100 * 0.5) + 5
    assert momentum([old], known, _WEEK, 9) == round(100 * 0.5) + 2 * 5
    assert momentum([old, hot], known, _WEEK, 3) == 100
    assert momentum([_item("reddit")], known, _WEEK) == 20
