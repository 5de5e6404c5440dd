"""Nominations that are one story become one topic, and six are researched."""

from __future__ import annotations

from engine.discovery.judgments import by_heuristic
from engine.discovery.merge import AT_ONCE, story_pages, to_topics, unite
from engine.discovery.model import Judged, Nomination, Topic
from engine.model import Item


def _judged(
    number: int, name: str, worth: int = 50, junk: bool = False, *urls: str
) -> Judged:
    item = Item(
        str(number), "hackernews", "", url=f"https://news.ycombinator.com/item?id={number}",
        urls=urls,
    )  # fmt: skip
    nomination = Nomination(f"n{number}", f"Own {number}", 40, "", (item,))
    return Judged(nomination, name, junk, worth, by_host=True)


def _ids(topics: list[Topic]) -> list[list[str]]:
    return [[one.nomination.id for one in topic.judged] for topic in topics]


def test_equal_names_are_one_topic() -> None:
    """Whatever their case and order of words; the worthiest gives the name."""
    rows = [
        _judged(1, "Foo keys leaked", 60),
        _judged(2, "Bar doubles", 70),
        _judged(3, "LEAKED Foo Keys", 80),
    ]
    topics, left = to_topics(rows)
    assert _ids(topics) == [["n3", "n1"], ["n2"]] and left == []
    assert topics[0].best.name == "LEAKED Foo Keys" and topics[0].id == "n3"
    assert [item.id for item in topics[0].items] == ["3", "1"]


def test_rows_that_share_evidence_are_one_topic() -> None:
    """Also where one links to what two others stand on."""
    page, other = "https://paper.example/a", "https://paper.example/b"
    rows = [
        _judged(1, "Foo keys", 60, False, page),
        _judged(2, "Authority trouble", 50, False, other),
        _judged(3, "Browsers act", 40, False, page, other),
        _judged(4, "Something else", 30, False, "https://paper.example/"),
    ]
    topics, _ = to_topics(rows)
    assert _ids(topics) == [["n1", "n2", "n3"], ["n4"]]


def test_a_text_with_many_links_is_about_none_of_them() -> None:
    """A weekly list would make one story of all."""
    many = tuple(f"https://paper.example/{i}" for i in range(5))
    item = Item("1", "hackernews", "", url="https://news.ycombinator.com/item?id=1")
    listed = Item("2", "reddit", "", url="https://redd.it/1ab", urls=many)
    assert story_pages([item, listed]) == {
        "https://news.ycombinator.com/item?id=1",
        "https://reddit.com/comments/1ab",
    }


def test_junk_leaves_and_the_six_worthiest_stay() -> None:
    """Each that became no topic has its reason; ties go by momentum, then number."""
    rows = [_judged(i, f"Story number {i}x", 90 - i) for i in range(1, 10)]
    rows.append(_judged(10, "Buy now", 99, junk=True))
    topics, left = to_topics(rows)
    assert AT_ONCE == 6
    assert _ids(topics) == [[f"n{i}"] for i in range(1, 7)]
    assert [(one.id, one.reason) for one in left] == [
        ("n10", "junk"),
        *((f"n{i}", "no-room") for i in (7, 8, 9)),
    ]
    shaped = Nomination("n1", "Own", 40, "help", (Item("1", "x", "help"),))
    assert "shape of junk (help)" in to_topics([by_heuristic(shaped)])[1][0].detail


def test_topics_that_found_the_same_are_one() -> None:
    """Half of the smaller evidence in common is enough."""
    one, two, three = (Topic((_judged(i, f"Story {i}x"),)) for i in (1, 2, 3))
    pages = [f"https://paper.example/{i}" for i in range(6)]
    urls = {"n1": pages[:4], "n2": [pages[0], "https://p.example/x"], "n3": pages[5:]}
    assert _ids(unite([one, two, three], urls)) == [["n1", "n2"], ["n3"]]
    urls["n2"] = [pages[0], "https://p.example/x", "https://p.example/y"]
    assert len(unite([one, two, three], urls)) == 3
    assert len(unite([one, two], {"n1": [], "n2": []})) == 2
