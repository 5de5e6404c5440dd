"""Fusion: many lists into one, by rank."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from engine.model import Comment
from engine.rank.candidate import Place, Stream
from engine.rank.fusion import RRF_K, fuse
from fakes.ranked import item, stream


def test_the_formula() -> None:
    """Σ weight / (60 + rank) over the streams that hold it, scaled to the run's best."""
    a, b, c = (item(i) for i in "abc")
    found = fuse([stream(a, b, c), stream(b, a, subquery="q2", weight=0.7)])
    raw = {
        "a": 1 / (60 + 1) + 0.7 / (60 + 2),
        "b": 1 / (60 + 2) + 0.7 / (60 + 1),
        "c": 1 / (60 + 3),
    }
    assert RRF_K == 60
    assert [one.item.id for one in found] == ["a", "b", "c"]
    for one in found:
        expected = 100 * raw[one.item.id] / raw["a"]
        assert one.fusion == pytest.approx(expected, abs=1e-4)


@pytest.mark.parametrize("weight", [1e-300, 5e-324, 0.0])
def test_any_weight_can_be_scaled(weight: float) -> None:
    """A plan may give weights of which nothing is left."""
    found = fuse([stream(item("a"), item("b"), weight=weight)])
    assert {one.item.id for one in found} == {"a", "b"}
    assert all(0 <= one.fusion <= 100 for one in found)


def test_one_url_in_two_streams_is_one_candidate() -> None:
    """It keeps both sources, both items and both ranks."""
    page = "https://www.example.org/a?utm_source=x"
    web = item(1, "short", "web", url=page, relevance=0.2)
    thread = item(9, "long text", "reddit", url="http://example.org/a/", relevance=0.6)
    other = item(2, source="web")
    one, two = fuse([stream(other, web), stream(thread)])
    assert one.key == "https://example.org/a"
    assert one.sources == ("reddit", "web")
    assert one.item_ids == ("reddit:9", "web:1")
    assert one.places == (Place("reddit", "q1", 1), Place("web", "q1", 2))
    assert one.relevance == 0.6
    assert one.fusion == 100
    assert two.fusion == pytest.approx(100 * (1 / 61) / (1 / 61 + 1 / 62), abs=1e-4)


def test_without_a_url_an_item_is_known_by_its_id() -> None:
    """An id is unique inside its source only."""
    found = fuse(
        [
            stream(item(1, url=""), item(2, url="no url")),
            stream(item(1, url=""), subquery="q2"),
            stream(item(1, source="web", url="")),
        ]
    )
    assert [one.key for one in found] == ["x:1", "web:1", "x:2"]


def test_twice_in_one_stream_counts_once() -> None:
    """The better rank counts: a stream cannot vote twice."""
    [one] = fuse(
        [stream(item(1, url="https://a.example/b"), item(2, url="http://a.example/b/"))]
    )
    assert one.places == (Place("x", "q1", 1),)
    assert one.item_ids == ("x:1", "x:2")


def test_the_richer_copy_stays_and_lacks_nothing_that_another_has() -> None:
    """Counts, comments, words and a title are kept from whichever copy has them."""
    bare = item(1, "", "reddit", title="A title", relevance=None)
    known = replace(
        bare,
        text="What was said",
        title="",
        engagement={"score": 7},
        comments=(Comment("b", "Yes"),),
        relevance=0.5,
    )
    counted = replace(bare, engagement={"score": 9, "comments": 2}, relevance=0.3)
    linked = item("z", "What was said and a long footer", "web", url=bare.url)
    copies = [bare, known, counted, linked]
    for seed in range(6):
        random.Random(seed).shuffle(copies)
        [one] = fuse([stream(c, subquery=str(i)) for i, c in enumerate(copies)])
        assert (one.item.source, one.item.id) == ("reddit", "1")
        assert one.item.title == "A title"
        assert one.item.text == linked.text
        assert one.item.engagement == {"score": 9, "comments": 2}
        assert [c.text for c in one.item.comments] == ["Yes"]
        assert one.relevance == one.item.relevance == 0.5


def test_counts_of_another_source_are_not_mixed_in() -> None:
    """Twelve comments there are none here."""
    here = item(1, "text", "youtube", counts={"views": 50})
    there = replace(item(2, "", "hackernews", counts={"comments": 12}), url=here.url)
    [one] = fuse([stream(here), stream(there)])
    assert (one.item.source, one.item.engagement) == ("youtube", {"views": 50})


def test_the_order_of_streams_means_nothing() -> None:
    """The same candidates, to the last digit."""
    rng = random.Random(3)
    pool = [item(i) for i in range(40)]
    streams = [
        Stream("x", str(n), rng.random(), tuple(rng.sample(pool, 25))) for n in range(8)
    ]
    expected = fuse(streams)
    for _ in range(5):
        rng.shuffle(streams)
        assert fuse(streams) == expected


def test_nothing_gives_nothing() -> None:
    """No stream, or empty ones."""
    assert fuse([]) == fuse([Stream("x", "q1", 1.0, ())]) == []
