"""Likeness of words: endings, compounds and prefixes, and their limits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.text.likeness import ends, likeness


@pytest.mark.parametrize(
    ("wanted", "word"),
    [
        ("flood", "floods"),
        ("flooding", "flooded"),
        ("helsinki", "helsingissa"),
        ("выборы", "выборах"),
        ("versicherung", "krankenversicherung"),
        ("schule", "schulen"),
        ("السعوديه", "والسعوديه"),
        ("שלום", "ושלום"),
        ("猫", "猫好"),
    ],
)
def test_forms_of_a_word_are_alike(wanted: str, word: str) -> None:
    """Each is met, and counts less than or as much as equality."""
    assert 0.0 < likeness(wanted, word) <= likeness(wanted, wanted) == 1.0


@pytest.mark.parametrize(
    ("wanted", "word"),
    [
        ("ai", "said"),
        ("rome", "promoter"),
        ("us", "use"),
        ("19", "1987"),
        ("race", "racist"),
        ("大模", "大象"),
        ("general", "genre"),
    ],
)
def test_other_words_are_not_alike(wanted: str, word: str) -> None:
    """Letters in common are no meaning in common."""
    assert likeness(wanted, word) == 0.0


@given(
    st.text("abcde猫犬م", min_size=1, max_size=9),
    st.text("abcde猫犬م", min_size=1, max_size=9),
)
def test_like_words_share_an_end(wanted: str, word: str) -> None:
    """The index of clues by their ends loses no match."""
    if likeness(wanted, word):
        assert set(ends(wanted)) & set(ends(word)) - {""}
