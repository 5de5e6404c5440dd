"""Grouping: what is alike comes together, found without comparing all."""

from __future__ import annotations

import random

import pytest

from engine.rank.grouping import group
from engine.rank.similarity import Print, print_of, similarity
from fakes.ranked import item

WORDS = [
    "sun",
    "rain",
    "train",
    "metro",
    "wine",
    "bread",
    "museum",
    "river",
    "bridge",
    "queue",
    "ticket",
    "night",
]


def _compared_with_all(prints: list[Print], least: float) -> list[list[int]]:
    groups: dict[int, list[int]] = {}
    for i, one in enumerate(prints):
        alike = [(-similarity(one, prints[j]), j) for j in groups]
        best, leader = min(alike, default=(0.0, i))
        groups.setdefault(leader if -best >= least else i, []).append(i)
    return list(groups.values())


@pytest.mark.parametrize("least", [0.4, 0.45, 0.5])
@pytest.mark.parametrize("seed", range(6))
def test_the_same_as_comparing_all_pairs(seed: int, least: float) -> None:
    """The filter loses nothing, among short texts and long ones."""
    rng = random.Random(seed)
    prints = []
    for i in range(90):
        words = [
            rng.choice(WORDS) + rng.choice(["", "s"])
            for _ in range(rng.randrange(1, 12))
        ]
        title = " ".join(words[: rng.randrange(6)])
        prints.append(print_of(item(i, " ".join(words), title=title)))
    found = group(prints, least)
    assert found == _compared_with_all(prints, least)
    assert any(len(members) > 1 for members in found)


def test_a_member_is_like_its_leader() -> None:
    """Being like another member is not enough: chains would join everything."""
    texts = ["a1 b2 c3 d4", "c3 d4 e5 f6 a1 b2", "e5 f6 g7 h8 c3 d4"]
    prints = [print_of(item(i, text)) for i, text in enumerate(texts)]
    assert similarity(prints[1], prints[2]) >= 0.45
    assert group(prints, 0.45) == [[0, 1], [2]]


def test_many_leaders_with_a_word_in_common_are_not_compared() -> None:
    """What hundreds have tells nothing; what few have still finds its own."""
    texts = [f"rome metro w{i} x{i} y{i} z{i}" for i in range(300)]
    prints = [print_of(item(i, text)) for i, text in enumerate([*texts, *texts[:50]])]
    found = group(prints, 0.45)
    assert [len(members) for members in found] == [2] * 50 + [1] * 250
