"""Promotion: the gate is the share on topic, never the frequency."""

from __future__ import annotations

from typing import Any

import pytest

from engine.x.promote import MAX_PROMOTED, promotable_handles, promote
from engine.x.prune import prune_off_topic_items

ON = "Rome is lovely in November, and Rome is empty"
OFF = "Quarterly tariffs on steel were raised again"


def corpus(**authors: tuple[int, int]) -> list[dict[str, Any]]:
    """For each author so many posts on topic, of so many."""
    return [
        {"author_handle": name, "text": f"{ON if i < on else OFF} {name}{i}"}
        for name, (on, total) in authors.items()
        for i in range(total)
    ]


# What keeps the corpora of these tests from being about one thing alone.
AROUND = {"elsewhere": (0, 4), "others": (4, 4)}


@pytest.mark.parametrize(
    ("on", "total", "promoted"),
    [
        pytest.param(3, 3, True, id="3-of-3"),
        pytest.param(2, 2, True, id="2-of-2"),
        pytest.param(2, 4, True, id="exactly-half"),
        pytest.param(2, 5, False, id="under-half"),
        pytest.param(1, 4, False, id="1-of-4"),
        pytest.param(2, 8, False, id="2-of-8"),
        pytest.param(1, 1, False, id="one-post-proves-nothing"),
        pytest.param(0, 9, False, id="frequent-and-off-topic"),
    ],
)
@pytest.mark.parametrize("name", ["mamboitaliano__", "PrettyCitiesX", "rome_rome"])
def test_extracted_handles(name: str, on: int, total: int, promoted: bool) -> None:
    """Two posts on topic and half of all, whatever the account is called."""
    items = corpus(**AROUND, **{name: (on, total)})
    found = promotable_handles(items, "Rome", [name])
    assert found == ([], [name] if promoted else [])


def test_explicit_handles_are_always_promoted() -> None:
    """Off topic, without a post, extracted or not; never in both lists."""
    items = corpus(**AROUND, steipete=(0, 3), local=(3, 3))
    explicit, extracted = promotable_handles(
        items,
        "Rome",
        ["steipete", "local", "Absent"],
        explicit_handles=["@Steipete", "absent", "LOCAL"],
    )
    assert explicit == ["Steipete", "absent", "LOCAL"]
    assert extracted == []


def test_what_is_no_handle_is_promoted_nowhere() -> None:
    """Blanks, a lone @, names with blanks, sixteen characters."""
    odd = ["", "  ", "@", "Ada Low", "x" * 16, "a:b"]
    assert promotable_handles([], "Rome", odd, explicit_handles=odd) == ([], [])


def test_each_handle_stands_once() -> None:
    """In whatever case and with whatever sign it was found."""
    items = corpus(**AROUND, local=(3, 3))
    found = promotable_handles(
        items, "Rome", ["local", "@LOCAL"], explicit_handles=["Ada", "@ada"]
    )
    assert [len(handles) for handles in found] == [1, 1]


def test_no_posts_no_promotion() -> None:
    """A mention alone is no proof."""
    assert promotable_handles([], "Rome", ["visit_rome"]) == ([], [])


def test_pruning_first_would_blind_the_gate() -> None:
    """The corpus must be the one before pruning: 2 of 8 becomes 2 of 2."""
    items = corpus(**AROUND, dreamcities=(2, 8))
    assert promotable_handles(items, "Rome", ["dreamcities"])[1] == []
    pruned = prune_off_topic_items(items, "Rome")
    assert promotable_handles(pruned, "Rome", ["dreamcities"])[1] == ["dreamcities"]


def test_the_ranking_query_decides_if_there_is_one() -> None:
    """The same posts, another question."""
    items = [
        *({"author_handle": "cook", "text": f"carbonara number {i}"} for i in range(3)),
        *({"author_handle": "guide", "text": f"Rome on foot, {i}"} for i in range(3)),
    ]
    asked = "Where is the best carbonara?"
    found = promotable_handles(items, "Rome", ["cook", "guide"], ranking_query=asked)
    assert found == ([], ["cook"])


STATS = {
    "best": {"total": 9, "on_topic": 6},
    "denser": {"total": 4, "on_topic": 4},
    "a_looser": {"total": 8, "on_topic": 4},
    "fourth": {"total": 3, "on_topic": 3},
    "named": {"total": 9, "on_topic": 9},
    "single": {"total": 1, "on_topic": 1},
}


def test_three_at_most_those_with_most_on_topic() -> None:
    """Then the higher share; the order in which they were found does not count."""
    for extracted in (list(STATS), list(STATS)[::-1]):
        found = promote(STATS, extracted, frozenset({"named"}))
        assert found.promoted == ("best", "denser", "a_looser")
        assert len(found.promoted) == MAX_PROMOTED


def test_who_is_refused_is_told_with_figures() -> None:
    """Named handles are neither: they have their lanes."""
    found = promote(STATS, [*STATS, "mentioned"], frozenset({"named"}))
    refused = {r.handle: (r.on_topic, r.total, r.reason) for r in found.refused}
    assert refused == {
        "single": (1, 1, "a single post proves nothing"),
        "mentioned": (0, 0, "none of its own posts came up"),
        "fourth": (3, 3, "three others had more"),
    }
