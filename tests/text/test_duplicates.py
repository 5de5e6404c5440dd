"""Near-duplicates: the same words in nearly the same order."""

from __future__ import annotations

import random

import pytest

from engine.text.duplicates import SIMILARITY, near_duplicates
from engine.text.tokens import read

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


def test_a_copy_points_to_its_original() -> None:
    """One changed word in twenty-five is a copy, another text is none."""
    text = " ".join(f"{a}{b}" for a in "abcde" for b in "vwxyz")
    copy = text.replace("ez", "new")
    assert near_duplicates([text, "something else altogether is said here", copy]) == [
        0,
        1,
        0,
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("a b c d e f g h i j 5 k l m n", "a b c d e f g h i j 6 k l m n"),
        ("too few words here", "too few words here"),
        ("", ""),
    ],
    ids=["numbers make news", "four words", "no words"],
)
def test_no_duplicates(one: str, other: str) -> None:
    """Different numbers and very short texts are never duplicates."""
    assert near_duplicates([one, other]) == [0, 1]


def test_links_handles_and_case_do_not_tell_copies_apart() -> None:
    """A copy with another link and another greeting is a copy."""
    text = "The metro of line A stops at Termini again this morning"
    assert near_duplicates([text, f"@ann {text.upper()} https://t.co/z"]) == [0, 0]


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        ("Rome is lovely in spring", "RT @ann: Rome is lovely in spring", [0, 0]),
        ("RT @bo_1:Rome is lovely in spring", "Rome is lovely in spring", [0, 0]),
        ("Rome is so lovely", "RT @ann: Rome is so lovely", [0, 1]),
        ("Rome is lovely in spring", "so RT @ann: Rome is lovely in spring", [0, 1]),
    ],
    ids=["repost", "repost-first", "four-words", "words-of-its-own"],
)
def test_a_repost_is_compared_by_what_it_repeats(
    one: str, other: str, found: list[int]
) -> None:
    """What stands before it would make a short one look like another text."""
    assert near_duplicates([one, other]) == found


def test_the_same_as_comparing_all_pairs() -> None:
    """Prefix filtering finds exactly what a plain comparison finds."""
    rng = random.Random(7)
    texts = []
    for _ in range(120):
        words = [rng.choice(WORDS) for _ in range(rng.randrange(4, 30))]
        texts.append(" ".join(words))
        if rng.random() < 0.6:
            words[rng.randrange(len(words))] = rng.choice(WORDS)
            texts.append(" ".join(words))
    assert near_duplicates(texts) == _all_pairs(texts)


def _all_pairs(texts: list[str]) -> list[int]:
    found: list[int] = []
    for i, text in enumerate(texts):
        grams = _grams(text)
        for j in range(i):
            other = _grams(texts[j])
            if found[j] == j and grams and other:
                shared = len(grams & other)
                if shared / len(grams | other) >= SIMILARITY:
                    found.append(j)
                    break
        else:
            found.append(i)
    return found


def _grams(text: str) -> set[tuple[str, ...]]:
    words = read(text).words
    if len(words) < 5:
        return set()
    return {words[i : i + 3] for i in range(len(words) - 2)}
