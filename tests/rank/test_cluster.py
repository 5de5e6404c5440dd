"""Clusters: candidates about one event, and how well they bear it out."""

from __future__ import annotations

import pytest

from engine.model import Item
from engine.rank.candidate import Candidate
from engine.rank.cluster import SIMILARITY, Cluster, cluster
from fakes.ranked import item

PLATFORMS = {"x.com", "reddit.com", "news.ycombinator.com"}
ARTICLE = "https://paper.example/metro"


def ranked(*items: Item) -> list[Candidate]:
    """Candidates of falling scores."""
    return [
        Candidate(
            key=f"{one.source}:{one.id}",
            item=one,
            sources=(one.source,),
            item_ids=(f"{one.source}:{one.id}",),
            places=(),
            relevance=0.5,
            fusion=0.0,
            final=90.0 - i,
        )
        for i, one in enumerate(items)
    ]


def ids(found: list[Cluster]) -> list[list[str]]:
    """The ids of the members of each cluster."""
    return [[one.item.id for one in part.members] for part in found]


METRO = ranked(
    item(1, "", "hackernews", title="Rome opens metro line C", author_handle="a"),
    item(2, "Bread prices rise in Naples", author_handle="b"),
    item(3, "Rome opens the metro line C at last", author_handle="c"),
    item(4, "Bread prices: Naples asks why they rise", author_handle="d"),
    item(5, "What nobody else says", "reddit", author_handle="e"),
)


@pytest.mark.parametrize("mode", SIMILARITY)
def test_what_tells_of_one_event_is_one_cluster(mode: str) -> None:
    """Across sources; the best first, in clusters and among them."""
    found = cluster(METRO, mode, PLATFORMS)
    assert ids(found) == [["1", "3"], ["2", "4"], ["5"]]
    assert [part.score for part in found] == [90, 89, 86]
    assert [part.sources for part in found] == [
        ("hackernews", "x"),
        ("x",),
        ("reddit",),
    ]
    assert [part.origins for part in found] == [2, 2, 1]
    assert [part.mark for part in found] == ["", "single-source", "single-source"]


def test_without_clusters_each_stands_alone() -> None:
    """As the plan may ask."""
    found = cluster(METRO, "none", PLATFORMS)
    assert ids(found) == [[one.item.id] for one in METRO]


def test_sources_that_quote_one_article_are_thin() -> None:
    """Five posts on three sources, and one origin."""
    sources = ("x", "reddit", "hackernews", "x", "reddit")
    posts = [
        item(
            i,
            f"word{i} and nothing in common",
            s,
            author_handle=f"a{i}",
            urls=(ARTICLE,),
        )
        for i, s in enumerate(sources)
    ]
    [found] = cluster(ranked(*posts), "story", PLATFORMS)
    assert (len(found.members), found.origins, found.mark) == (5, 1, "thin-evidence")
    assert found.sources == ("hackernews", "reddit", "x")


def test_representatives_are_good_and_unlike_each_other() -> None:
    """The best, then what adds most to it: a near repetition waits."""
    posts = [
        item(1, "Rome opens metro line C today", urls=(ARTICLE,)),
        item(2, "Rome opens metro line C today!", urls=("https://b.example/",)),
        item(
            3, "Rome opens metro line C with free rides", urls=("https://c.example/",)
        ),
        item(4, "Metro line C opens, Rome celebrates", urls=("https://d.example/",)),
    ]
    [found] = cluster(ranked(*posts), "story", PLATFORMS)
    assert [one.item.id for one in found.representatives] == ["1", "3", "4"]
    assert [one.item.id for one in found.members] == ["1", "2", "3", "4"]


@pytest.mark.parametrize(
    ("title", "text", "expected"),
    [
        ("A  title\nhere", "text", "A title here"),
        ("", "A short post", "A short post"),
        ("", "word " * 40, "word " * 18 + "word…"),
        ("", "罗马" * 80, "罗马" * 49 + "罗…"),
        ("", "", ""),
    ],
    ids=["title", "text", "long", "without-spaces", "nothing"],
)
def test_the_title_of_a_cluster(title: str, text: str, expected: str) -> None:
    """The best item's title, or the beginning of its text on one line."""
    [found] = cluster(ranked(item(1, text, title=title)), "story", PLATFORMS)
    assert found.title == expected
    assert len(found.title) <= 100


def test_nothing_gives_no_cluster() -> None:
    """An empty pool."""
    assert cluster([], "story", PLATFORMS) == []
