"""Origins: who really stands behind a group."""

from __future__ import annotations

import pytest

from engine.model import Item
from engine.rank.origins import count_origins
from fakes.ranked import item

PLATFORMS = {"x.com", "reddit.com", "news.ycombinator.com", "polymarket.com"}
ARTICLE = "https://www.paper.example/story?utm_source=x"
TEXTS = ["Rain in Rome", "The metro stops", "Bread is dear", "Museums are free", "Late"]


def test_five_posts_that_quote_one_article_are_one() -> None:
    """Whichever way the address was copied, and the article itself with them."""
    links = [ARTICLE, "http://paper.example/story/", f"{ARTICLE}#top", ARTICLE, ARTICLE]
    items = [
        item(i, text, author_handle=f"a{i}", urls=(link,))
        for i, (text, link) in enumerate(zip(TEXTS, links, strict=True))
    ]
    items.append(item("story", "The story", "web", url=ARTICLE))
    assert count_origins(items, PLATFORMS) == 1


PAIRS = [
    pytest.param(item(1, "Rain"), item(2, "Bread"), 2, id="strangers"),
    pytest.param(
        item(1, "Rain", author_handle="Ada"),
        item(2, "Bread", "reddit", author_handle="ada"),
        1,
        id="one-author",
    ),
    pytest.param(
        item(1, "Rain", author_handle="ada"),
        item(2, "See this", author_handle="bob", repost_of="Ada"),
        1,
        id="repost",
    ),
    pytest.param(
        item(1, "The new metro line opens on Monday at nine"),
        item(2, "the new METRO line opens on monday at nine!", "reddit"),
        1,
        id="same-words",
    ),
    pytest.param(
        item(1, "Rain"),
        item(2, "Bread", "reddit", urls=("https://twitter.com/ada/status/1",)),
        1,
        id="quotes-the-other",
    ),
    pytest.param(
        item(1, "Rain", "web", url="https://paper.example/rain"),
        item(2, "Bread", "web", url="https://m.paper.example/bread"),
        1,
        id="one-publisher",
    ),
    pytest.param(
        item(1, "Rain", "web", url="https://paper.example/rain"),
        item(2, "Bread", "web", url="https://other.example/bread"),
        2,
        id="two-publishers",
    ),
    pytest.param(
        item(1, "Rain", urls=("https://maker.example/",)),
        item(2, "Bread", urls=("https://maker.example",)),
        2,
        id="one-front-page",
    ),
    pytest.param(item(1, "", url=""), item(2, "", url=""), 2, id="nothing-known"),
]


@pytest.mark.parametrize(("one", "other", "expected"), PAIRS)
def test_what_makes_one_origin_of_two(one: Item, other: Item, expected: int) -> None:
    """In either order."""
    assert count_origins([one, other], PLATFORMS) == expected
    assert count_origins([other, one], PLATFORMS) == expected


def test_what_is_joined_by_a_third_is_one() -> None:
    """A post by one author that links to another's page joins both."""
    a, c = item(1, "Rain", author_handle="a"), item(3, "Bread", urls=(ARTICLE,))
    b = item(2, "Late", author_handle="a", urls=(ARTICLE,))
    assert count_origins([a, c], PLATFORMS) == 2
    assert count_origins([a, c, b], PLATFORMS) == 1


def test_nothing_has_no_origin() -> None:
    """An empty group."""
    assert count_origins([], PLATFORMS) == 0
