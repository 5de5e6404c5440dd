"""Rank: what is one note or one place, and whose evidence comes first."""

from __future__ import annotations

import math
from datetime import datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.places.attach import Attached, Place, attach
from engine.places.evidence import Answer, Evidence
from engine.places.model import Note, Page
from engine.places.rank import merge_notes, scored, spread
from engine.places.sentiment import sentiment

NOW = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)
VERY_HIGH = math.log(1 + 100_000) + math.log(1 + 5_000)


def note(number: int, title: str = "庐山攻略", **more: Any) -> Note:
    return Note(f"n{number}", "xhs", title, queried_at=NOW.isoformat(), **more)


def place(name: str, *aliases: str) -> Place:
    question = f"{name}旅游怎么样，景点、路线、美食、住宿、避雷"
    return Place(name, (name, *aliases), question)


def test_a_note_is_one_whatever_found_it() -> None:
    """With all its queries, its higher counts, and its own token."""
    one = note(1, likes=5, matched_queries=("a",))
    again = note(1, likes=9, comments=2, matched_queries=("b", "a"), token="t1")
    (merged,) = merge_notes([one, again])
    assert merged.matched_queries == ("a", "b")
    assert (merged.likes, merged.comments, merged.token) == (9, 2, "t1")


def test_the_same_first_words_by_the_same_author_are_a_repost() -> None:
    """The first one stays, and the other's token opens another note."""
    words = "庐山两日游攻略，一篇讲清楚" * 6
    one = note(1, words, author="阿波", matched_queries=("a",))
    copy = note(2, words + "！", author="阿波", matched_queries=("b",), token="t2")
    (merged,) = merge_notes([one, copy])
    assert (merged.note_id, merged.token) == ("n1", "")
    assert merged.matched_queries == ("a", "b")
    assert len(merge_notes([one, note(2, words, author="别人")])) == 2
    assert (
        len(merge_notes([note(1, "庐山", author="a"), note(2, "庐山", author="a")]))
        == 2
    )


def test_the_score_is_the_product_on_a_log_scale() -> None:
    """Inside its half: a base, the product of likes and comments, the queries."""
    found = scored(
        note(1, likes=999, comments=99, matched_queries=("a", "b")), 0.6, True, NOW
    )
    product = math.log((1 + 999) * (1 + 99)) / VERY_HIGH
    inside = 0.1 + 0.7 * product + 0.2 * 1 / 3
    assert found.score == pytest.approx(0.5 + 0.5 * inside, abs=1e-3)
    assert found.score_parts["popularity"] == pytest.approx(product, abs=1e-4)


def test_likes_times_comments_is_the_order_and_no_comment_is_no_zero() -> None:
    """200 × 10 comes before 1000 × 1, and 1000 likes alone before 10."""
    pairs = [(200, 10), (1000, 1), (1000, 0), (10, 0), (None, None)]
    scores = [
        scored(note(1, likes=likes, comments=said), 0.5, True, NOW).score
        for likes, said in pairs
    ]
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == len(scores)


@given(st.integers(0, 10**9), st.integers(0, 10**9), st.integers(1, 9))
def test_relevance_comes_before_any_number_of_likes(
    likes: int, comments: int, queries: int
) -> None:
    """A title that shouts never passes a note that is surely about the place."""
    found_by = tuple(map(str, range(queries)))
    loud = note(1, likes=likes, comments=comments, matched_queries=found_by)
    assert scored(loud, 0.2, False, NOW).score < scored(note(2), 0.9, True, NOW).score


def test_an_old_note_counts_less_and_an_undated_one_is_not_punished() -> None:
    """A tenth a year of what popularity earned."""
    then = (NOW - timedelta(days=731)).isoformat()
    new = scored(note(1, likes=100), 0.5, True, NOW)
    old = scored(note(1, likes=100, published_at=then), 0.5, True, NOW)
    assert old.score - 0.5 == pytest.approx((new.score - 0.5) * 0.9**2, abs=1e-3)


def test_reading_goes_by_turns_of_the_places() -> None:
    """Each note once, however many places it is about."""
    lists = [[note(1), note(2), note(3)], [note(4), note(1)], []]
    assert [one.note_id for one in spread(lists)] == ["n1", "n4", "n2", "n3"]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("真的值得，太美了", "positive"),
        ("千万别去，被坑", "negative"),
        ("不值得，门票白花", "negative"),
        ("风景惊艳但是人挤人", "mixed"),
        ("没有踩雷", "unknown"),
        ("三天两晚行程", "unknown"),
        ("Absolutely worth it, stunning views", "positive"),
        ("not worth it", "negative"),
        ("a beautiful place but overpriced", "mixed"),
        ("not crowded at all", "unknown"),
        ("worthless scampi", "unknown"),
        ("", "unknown"),
    ],
)
def test_words_of_praise_and_blame_make_the_sentiment(text: str, label: str) -> None:
    """A negation turns praise into blame and blame into nothing."""
    assert sentiment(text)[0] == label


def judged(evidence: Evidence, *places: Place, centers: Any = ()) -> Attached:
    return attach(evidence, places, centers, NOW)


def test_a_note_belongs_to_the_places_that_it_names() -> None:
    """By any of their names; one that names none belongs to none."""
    evidence = Evidence(
        notes=[
            note(1, "庐山避雷！三叠泉别走错路"),
            note(2, "Lushan in two days: what to see"),
            note(3, "庐山和婺源五日游路线"),
            note(4, "江西旅游路线大全，景点都在这"),
            note(5, "今天的晚餐"),
        ]
    )
    found = judged(
        evidence, place("庐山", "Lushan"), place("婺源"), centers=[place("江西")]
    )
    assert {one.note_id for one in found.notes["庐山"]} == {"n1", "n2", "n3"}
    assert {one.note_id for one in found.notes["婺源"]} == {"n3"}
    assert [one.note_id for one in found.loose_notes] == ["n4"]
    assert found.off_topic == 1


def test_rome_the_city_is_no_club_and_no_player() -> None:
    """The judge tells senses of a name apart by all that was found."""
    texts = [
        "AS Roma beat Lazio in the derby",
        "Rome Odunze scores twice for the Bears",
        "Rome Odunze injury update: out for week 12",
        "Fantasy: start Rome Odunze or bench him?",
        "Three days in Rome: what to see and eat",
        "Rome hotels are expensive in May, avoid Termini",
        "Best pizza in Rome",
    ]
    evidence = Evidence(
        pages=[
            ("q", Page(f"https://example.com/{i}", text))
            for i, text in enumerate(texts)
        ]
    )
    question = "What is a trip to Rome like: sights, routes, food, hotels"
    found = judged(evidence, Place("rome", ("Rome",), question))
    assert {page.title for page in found.pages["rome"]} == set(texts[4:])


def test_of_an_answer_a_place_gets_the_lines_that_name_it() -> None:
    """What names no candidate stays loose."""
    evidence = Evidence(
        answers=[
            Answer(
                "ht-ai", "q", "庐山门票￥1XX\n九江的酒店\n婺源篁岭值得", NOW.isoformat()
            ),
            Answer("ht-ai", "q2", "南昌的酒店", NOW.isoformat()),
        ]
    )
    found = judged(evidence, place("庐山"), place("婺源"))
    assert [one.text for one in found.answers["庐山"]] == ["庐山门票￥1XX"]
    assert [one.text for one in found.answers["婺源"]] == ["婺源篁岭值得"]
    assert [one.query for one in found.loose_answers] == ["q2"]


def test_better_evidence_earns_a_place_more() -> None:
    """And each further piece half as much as the one before."""
    evidence = Evidence(
        notes=[
            note(1, "庐山攻略 路线", likes=9_000, comments=900),
            note(2, "婺源攻略 路线", likes=9, comments=9),
        ],
        pages=[("q", Page("https://example.com/1", "三清山攻略 路线"))],
    )
    found = judged(
        evidence, place("庐山"), place("婺源"), place("三清山"), place("龙虎山")
    )
    scores = found.scores
    assert scores["庐山"] > scores["婺源"] > scores["三清山"] > scores["龙虎山"] == 0
    assert scores["庐山"] == pytest.approx(found.notes["庐山"][0].score / 2, abs=1e-4)


def test_nothing_found_is_attached_to_nothing() -> None:
    """No evidence is no error."""
    found = judged(Evidence(), place("庐山"))
    assert found.notes["庐山"] == [] and found.scores["庐山"] == 0
