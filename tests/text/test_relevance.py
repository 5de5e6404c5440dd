"""Relevance: what holds whatever is weighed."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import UsageError
from engine.text.relevance import RELEVANCE_FLOOR, prepare, weigh

CORPUS = [
    "Trams in Lisbon stopped for an hour, drivers on strike",
    "Lisbon drivers want higher pay, the strike goes on",
    "No trams today: the strike in Lisbon is in its second week",
    "Grilled sardines and a view of the river, Lisbon in June",
    "The strike at the car plant in Ohio is over",
    "My cat sleeps on the router again",
    "Tram fans meet in Vienna this weekend",
    "Drivers of the number 28 will strike again on Monday",
    "A fox in my garden this morning",
    "Shares fell three percent after the report",
]
QUESTION = "How does the strike of tram drivers in Lisbon go on?"


def test_order_changes_no_verdict() -> None:
    """Posts come in any order and keep their verdicts to the last digit."""
    question = prepare("Lisbon strike", [QUESTION])
    expected = dict(zip(CORPUS, weigh(CORPUS, question), strict=True))
    for seed in range(5):
        shuffled = random.Random(seed).sample(CORPUS, len(CORPUS))
        verdicts = weigh(shuffled, prepare("Lisbon strike", [QUESTION]))
        assert dict(zip(shuffled, verdicts, strict=True)) == expected


def test_copies_change_no_verdict() -> None:
    """A text that is posted a hundred times teaches as much as one."""
    question = prepare("Lisbon strike", [QUESTION])
    once = weigh(CORPUS, question)
    often = weigh(CORPUS + CORPUS[5:6] * 100, question)
    assert often[: len(CORPUS)] == once
    assert set(often[len(CORPUS) :]) == {once[5]}


def test_corpus_teaches_what_goes_with_the_topic() -> None:
    """A post without any topic word is lifted by words of those that have it."""
    silent = "Drivers of the number 28 walk out again"
    question = prepare("Lisbon strike")
    alone = weigh([silent], question)[0]
    *others, among = weigh([*CORPUS, silent], question)
    assert alone.relevance == 0.0
    assert among.relevance > max(v.relevance for v in others[8:])
    assert "drivers" in among.matched


def test_corpus_of_one_falls_back_to_words() -> None:
    """There is a sensible verdict where nothing can be compared."""
    question = prepare("Lisbon", [QUESTION])
    good, bad = weigh(CORPUS[:1], question)[0], weigh(CORPUS[5:6], question)[0]
    assert good.likely and good.share == 1.0
    assert not bad.likely and bad.share == 0.0 and bad.relevance == 0.0


def test_empty_corpus_has_no_verdicts() -> None:
    """Nothing in, nothing out."""
    assert weigh([], prepare("Lisbon")) == []


def test_best_of_several_questions_counts() -> None:
    """With several ranking queries a post needs to answer one."""
    food = "Where are the best sardines in Lisbon?"
    both = weigh(CORPUS, prepare("Lisbon", [QUESTION, food]))
    each = [weigh(CORPUS, prepare("Lisbon", [query])) for query in (QUESTION, food)]
    for verdict, *single in zip(both, *each, strict=True):
        assert verdict.relevance == max(v.relevance for v in single)


def test_verdict_names_the_terms_that_spoke() -> None:
    """Terms for a post are the question's as typed; those in doubt speak against it."""
    posts = ["Clerk cut our login code in half", "The county clerk of Ohio resigned"]
    good, other = weigh(posts, prepare("Clerk", ["Is Clerk good for login?"]))
    assert good.matched == ("Clerk", "login")
    assert good.against == ()
    assert other.matched == ()
    assert other.against == ("Clerk",)


def test_words_of_other_posts_speak_against() -> None:
    """Words that only posts off topic share are named."""
    other = [f"The derby: {word} scored for the club" for word in ("he", "Max", "Bo")]
    verdicts = weigh([*CORPUS[:4], *other], prepare("Lisbon"))
    assert {"derby", "club"} & set(verdicts[-1].against)


@pytest.mark.parametrize("ranking_query", ["", "   ", "?!", "🙂"])
def test_ranking_query_without_a_word_is_ignored(ranking_query: str) -> None:
    """Only the topic is left to judge against."""
    assert prepare("Lisbon", [ranking_query]) == prepare("Lisbon")


def test_topic_without_a_word_is_refused() -> None:
    """There is nothing to judge against."""
    with pytest.raises(UsageError):
        prepare("🙂")


@given(st.lists(st.text(), max_size=12), st.text(min_size=1), st.text())
def test_any_text_has_a_verdict(posts: list[str], topic: str, query: str) -> None:
    """No text breaks the judge, and all figures lie in 0…1."""
    try:
        question = prepare(topic, [query])
    except UsageError:
        return
    for verdict in weigh(posts, question):
        assert 0.0 <= verdict.relevance <= 1.0
        assert 0.0 <= verdict.share <= 1.0
        assert not verdict.likely or verdict.relevance >= RELEVANCE_FLOOR
