"""Which sources bear a story out independently: origins count, not items."""

from __future__ import annotations

from typing import Any

import pytest

from engine.discovery.support import independent_sources, origin_count
from engine.model import Item

_PLATFORMS = {"news.ycombinator.com", "reddit.com", "x.com", "github.com", "web"}
_PAGES = {
    "hackernews": "https://news.ycombinator.com/item?id=",
    "reddit": "https://www.reddit.com/comments/",
    "x": "https://x.com/w/status/",
    "web": "https://other.example/",
}


def _item(source: str, number: int, text: str, **more: Any) -> Item:
    more.setdefault("url", f"{_PAGES[source]}{number}")
    more.setdefault("author_handle", f"{source}_{number}")
    return Item(str(number), source, text, **more)


_STORY = _item(
    "hackernews",
    1,
    "DeepForge doubles inference",
    urls=("https://deepforge.example/post",),
)

# Each stands beside the story, and whether it is a second source.
_BESIDE = {
    "own-words": (_item("reddit", 2, "Ran DeepForge all night on two cards"), True),
    "own-article": (_item("web", 2, "We measured DeepForge"), True),
    "same-article": (
        _item("reddit", 2, "Fast!", urls=("http://www.deepforge.example/post/",)),
        False,
    ),
    "same-article-in-the-text": (
        _item("x", 2, "Fast: https://deepforge.example/post?utm_source=x"),
        False,
    ),
    "links-the-story": (
        _item("x", 2, "On HN", urls=("https://news.ycombinator.com/item?id=1",)),
        False,
    ),
    "page-of-the-linked-site": (
        _item("web", 2, "DeepForge team", url="https://deepforge.example/about-us"),
        False,
    ),
    "careers": (
        _item("web", 2, "Engineer", url="https://deepforge.example/careers/9"),
        False,
    ),
    "job-board": (
        _item("web", 2, "Engineer", url="https://boards.greenhouse.io/deepforge/9"),
        False,
    ),
    "same-author": (
        _item("x", 2, "Look at this", author_handle="HackerNews_1"),
        False,
    ),
    "repost": (_item("x", 2, "Look", repost_of="hackernews_1"), False),
}


@pytest.mark.parametrize("name", _BESIDE)
def test_only_an_origin_of_its_own_is_a_second_source(name: str) -> None:
    """Whoever links, repeats or hires bears nothing out."""
    beside, confirms = _BESIDE[name]
    found = independent_sources([_STORY, beside], _PLATFORMS)
    assert found == (("hackernews", beside.source) if confirms else ("hackernews",))


def test_a_page_that_quotes_the_first_source_is_none() -> None:
    """Eight words in a row are somebody's own."""
    words = "we doubled the speed of inference on two old cards last night"
    first = _item("hackernews", 1, f"DeepForge: {words}")
    quotes = _item("web", 2, f"As its makers say, {words}. More below.")
    differs = _item("web", 2, "As its makers say, it is fast on two old cards")
    assert independent_sources([first, quotes], _PLATFORMS) == ("hackernews",)
    assert len(independent_sources([first, differs], _PLATFORMS)) == 2


def test_many_items_of_one_origin_count_once() -> None:
    """Five posts on one article are one origin, whichever sources they come from."""
    link = ("https://paper.example/a",)
    items = [_item(s, i, f"Seen {i}", urls=link) for i, s in enumerate(_PAGES)]
    assert origin_count(items, _PLATFORMS) == 1
    assert independent_sources(items, _PLATFORMS) == ("hackernews",)


def test_each_source_needs_an_origin_that_no_other_uses() -> None:
    """Two origins carry two sources whichever of them each source shares."""
    link = ("https://paper.example/a",)
    shared = [
        _item("hackernews", 1, "One", urls=link),
        _item("reddit", 2, "Two", urls=link),
    ]
    own = _item("hackernews", 3, "Three of my own")
    assert independent_sources([*shared, own], _PLATFORMS) == ("hackernews", "reddit")
    assert independent_sources(shared, _PLATFORMS) == ("hackernews",)
    assert independent_sources([], _PLATFORMS) == ()
