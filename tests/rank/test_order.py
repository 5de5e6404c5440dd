"""The order inside one stream."""

from __future__ import annotations

from dataclasses import replace

from engine.model import Item
from engine.rank.order import order
from engine.x.stream import INFO
from fakes.xposts import WINDOW, post


def ids(items: list[Item]) -> list[str]:
    """The ids in their order."""
    return [item.id for item in items]


def test_the_score_of_an_item() -> None:
    """0.65 relevance, 0.25 freshness, 0.10 engagement, to four places."""
    item = replace(post("1", "a", day=29), relevance=0.5)
    assert order([item], WINDOW, INFO)[0].score == round(0.65 * 0.5 + 0.25 * 0, 4)
    newest = replace(item, created_at=post("2", "a", day=0).created_at)
    assert order([newest], WINDOW, INFO)[0].score == round(0.65 * 0.5 + 0.25 * 1, 4)


def test_the_best_first() -> None:
    """Relevance outweighs the day, and the day breaks what is left."""
    given = [
        replace(post("old", "a", day=29), relevance=0.9),
        replace(post("new", "a", day=0), relevance=0.2),
        replace(post("mid", "a", day=15), relevance=0.9),
        replace(post("unjudged", "", day=0), relevance=None),
    ]
    assert ids(order(given, WINDOW, INFO)) == ["mid", "old", "new", "unjudged"]


def test_ties_by_the_newest_then_by_id() -> None:
    """The time of day does not score, but it breaks a tie."""
    noon = replace(post("9", "a"), relevance=0.5)
    assert noon.created_at is not None
    later = replace(noon, id="8", created_at=noon.created_at.replace(hour=13))
    given = [replace(noon, id="3"), noon, later, replace(noon, id="2")]
    for shuffled in (given, given[::-1]):
        assert ids(order(shuffled, WINDOW, INFO)) == ["8", "2", "3", "9"]


def test_undated_comes_last() -> None:
    """However relevant: it may be years old."""
    undated = replace(post("1", "a", likes=10**6), created_at=None, relevance=1.0)
    dated = replace(post("2", "a", day=29), relevance=0.1)
    assert ids(order([undated, dated], WINDOW, INFO)) == ["2", "1"]


def test_the_mode_of_a_plan() -> None:
    """Where age hardly counts, the relevance of an old post does."""
    old = replace(post("old", "a", day=29), relevance=0.6)
    new = replace(post("new", "a", day=0), relevance=0.4)
    assert ids(order([old, new], WINDOW, INFO)) == ["new", "old"]
    found = order([old, new], WINDOW, INFO, "evergreen_ok")
    assert [(item.id, item.score) for item in found] == [
        ("new", round(0.65 * 0.4 + 0.25 * (0.6 * 100 + 40) / 100, 4)),
        ("old", round(0.65 * 0.6 + 0.25 * 40 / 100, 4)),
    ]
