"""Copies: near-duplicates across sources."""

from __future__ import annotations

import random

from engine.model import Comment
from engine.rank.copies import count_copies, find_copies
from fakes.ranked import item

NEWS = "The new metro line in Rome opens on Monday after nine years of digging"


def test_the_worthiest_stays() -> None:
    """Whatever its source and wherever it stands; copies point to it."""
    items = [
        item(1, NEWS),
        item(2, "Something else entirely about the weather in town"),
        item(3, "", "hackernews", title=NEWS),
        item(4, NEWS.upper(), "web"),
    ]
    assert find_copies(items, [1, 9, 3, 2]) == {0: 2, 3: 2}


def test_the_order_of_items_means_nothing() -> None:
    """Among equals the lower source and id stays."""
    items = [item(i, NEWS, source) for i, source in enumerate(("x", "web", "x"))]
    for seed in range(4):
        random.Random(seed).shuffle(items)
        copies = find_copies(items, [0, 0, 0])
        assert {items[original].source for original in copies.values()} == {"web"}


def test_a_thread_with_comments_is_no_copy_of_another_source() -> None:
    """What people answered there is its own; inside one source it is a repost."""
    said = (Comment("a", "At last"),)
    first, other = item(1, NEWS, "hackernews"), item(2, NEWS, "reddit", comments=said)
    assert find_copies([first, other], [2, 1]) == {}
    again = item(3, NEWS, "hackernews", comments=said)
    assert find_copies([first, again], [2, 1]) == {1: 0}


def test_copies_of_copies_are_counted() -> None:
    """What a copy stood for is counted with it."""
    items = [item(1, NEWS, copies=2), item(2, NEWS, copies=4), item(3, NEWS)]
    counted = count_copies(items, {1: 0, 2: 0})
    assert [one.copies for one in counted] == [2 + (1 + 4) + 1, 4, 0]
