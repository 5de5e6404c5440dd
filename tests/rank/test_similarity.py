"""Similarity: whether two items tell of one thing."""

from __future__ import annotations

import pytest

from engine.rank.similarity import jaccard, print_of, similarity
from fakes.ranked import item


def alike(one: str, other: str) -> float:
    """The similarity of two texts."""
    return similarity(print_of(item(1, one)), print_of(item(2, other)))


def test_shared_words_over_all_words() -> None:
    """Without noise: "the" and "in" are no likeness."""
    assert alike("The metro in Rome stops", "Metro strike: Rome stops dead") == 3 / 5


def test_word_three_grams_count_where_they_say_more() -> None:
    """Words that carry nothing alone do so in their order."""
    found = alike("to be or not to be that", "to be or not to be this")
    assert found == jaccard({1, 2, 3, 4, 5}, {1, 2, 3, 4, 6}) == 4 / 6


def test_titles_are_compared_too() -> None:
    """A bare link and a long thread of the same title tell of one thing."""
    title = "Metro line C opens in Rome"
    link = item(1, "", "hackernews", title=title)
    thread = item(
        2, "What I saw there " + " ".join(f"w{i}" for i in range(60)), title=title
    )
    assert similarity(print_of(link), print_of(thread)) == 1


def test_two_words_of_a_title_are_alike_by_chance() -> None:
    """Titles need three words that carry something."""
    one = item(1, "Sun and rain and wind over the city today", title="Rome news")
    other = item(2, "Prices rise again for bread, milk, rent", title="The Rome news")
    assert similarity(print_of(one), print_of(other)) < 0.2


def test_noise_in_titles_is_no_likeness() -> None:
    """Everybody asks what people think."""
    one = item(1, "Sun and wind", title="What do people think about Rome")
    other = item(2, "Dear milk", title="What do people think about bread")
    assert similarity(print_of(one), print_of(other)) < 0.45


def test_only_the_beginning_of_a_long_text_counts() -> None:
    """What it goes on to say would drown what it is about."""
    said = " ".join(f"a{i}" for i in range(30))
    on = " ".join(f"b{i}" for i in range(500))
    one = item(1, said, title="Naples")
    other = item(2, f"{said} {on}", title="Rome")
    # Titles apart, 30 words are shared; 1 and 30, and 40 are all.
    expected = 30 / (31 + 40 - 30)
    assert similarity(print_of(one), print_of(other)) == pytest.approx(expected)


def test_a_page_in_common_needs_no_word_in_common() -> None:
    """In whatever languages people speak of it."""
    page = "https://paper.example/story"
    one = item(1, "Questo è importante", urls=(f"{page}?utm_source=x",))
    other = item(2, "这很重要", urls=("http://www.paper.example/story",))
    assert similarity(print_of(one), print_of(other)) == 1
    assert similarity(print_of(one), print_of(item(3, "", "web", url=page))) == 1


@pytest.mark.parametrize(
    ("one", "other", "third"),
    [
        ("地铁C线周一在罗马开通", "罗马地铁C线周一开通了", "罗马的面包又涨价了"),
        (
            "ローマの地下鉄が月曜に開通",
            "月曜にローマの地下鉄が開通した",
            "ローマのパンが高い",
        ),
        ("Метро в Риме открыли", "В Риме открыли метро", "Хлеб в Риме дорогой"),
        ("افتتاح مترو روما اليوم", "مترو روما: افتتاح جديد", "الخبز في روما غال"),
    ],
    ids=["chinese", "japanese", "russian", "arabic"],
)
def test_every_language(one: str, other: str, third: str) -> None:
    """In scripts without spaces the words are pairs."""
    assert alike(one, other) >= 0.4 > alike(one, third)


def test_nothing_is_like_nothing() -> None:
    """Two empty items have nothing in common."""
    assert alike("", "") == 0
