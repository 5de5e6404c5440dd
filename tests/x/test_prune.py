"""Pruning: off-topic items leave, whoever wrote them."""

from __future__ import annotations

import pytest

from engine.model import Item, Lane
from engine.x.prune import is_asked_for, prune_off_topic_items, prune_warning
from fakes.xposts import post, posts

ON = [f"Rome in November, day {i}" for i in range(1, 9)]
OFF = [f"Parliament votes on the steel tariff, round {i}" for i in range(1, 33)]


def test_eight_remain_of_forty() -> None:
    """In their order, and the very objects that were given."""
    good, bad = posts("a", ON, "local"), posts("b", OFF, "desk")
    mixed = [*bad[:16], *good, *bad[16:]]
    assert prune_off_topic_items(mixed, "Rome") == good


def test_none_on_topic_leaves_nothing() -> None:
    """An empty list, not forty pieces of junk."""
    assert prune_off_topic_items(posts("b", OFF), "Rome") == []
    assert prune_off_topic_items([], "Rome") == []


def test_posts_without_text_stay() -> None:
    """A picture cannot be judged."""
    picture = {"author_handle": "a", "text": ""}
    assert prune_off_topic_items([picture, {"text": OFF[0]}], "Rome") == [picture]


def test_equal_posts_are_told_apart_by_nothing() -> None:
    """Two dicts that are equal both stay."""
    twice = [{"text": ON[0]}, {"text": ON[0]}]
    assert prune_off_topic_items(twice, "Rome") == twice


@pytest.mark.parametrize(
    ("lane", "author", "exempt"),
    [
        (Lane.TOPIC, "Ada", True),
        (Lane.FROM, "ada", True),
        (Lane.RELATED, "bo", True),
        (Lane.MENTION, "anybody", True),
        (Lane.NAME, "anybody", False),
        (Lane.FROM_TOPIC, "promoted", False),
        (Lane.TOPIC, "anybody", False),
        (Lane.RETRY, "", False),
    ],
)
def test_who_is_exempt(lane: Lane, author: str, exempt: bool) -> None:
    """Handles that the user named, and what mentions them; nobody that was found."""
    item = Item("1", "x", "hi", author_handle=author, lane=lane.value)
    assert is_asked_for(item, frozenset({"ada", "bo"})) is exempt


def test_the_warning() -> None:
    """Its words are part of the contract."""
    found = prune_warning(32, 8)
    assert found.message == "X: pruned 32 off-topic items; 8 on-topic remain"
    assert (found.code, dict(found.data)) == (
        "pruned-off-topic",
        {"pruned": 32, "remaining": 8},
    )


def test_plain_items_work_too() -> None:
    """The function takes what other tools hold."""
    assert prune_off_topic_items([post("1", OFF[0])], "Rome") == []
