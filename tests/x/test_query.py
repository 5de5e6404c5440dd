"""Queries: their form in X's search box, and what they demand of an item."""

from __future__ import annotations

from datetime import date

import pytest

from engine.model import Item
from engine.window import Window
from engine.x.query import Query, admits, clean_handle, web_syntax
from fakes.xposts import post

NOVEMBER = Window(date(2026, 11, 1), date(2026, 11, 30))
DAYS = "since:2026-11-01 until:2026-12-01"


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        pytest.param(Query(NOVEMBER, terms=("Rome", "Italy")), f"Rome Italy {DAYS}", id="terms"),
        pytest.param(Query(NOVEMBER, phrases=("Ada Low",)), f'"Ada Low" {DAYS}', id="phrase"),
        pytest.param(Query(NOVEMBER, terms=("a", "OR", "not")), f'a "OR" "not" {DAYS}', id="reserved-words"),
        pytest.param(Query(NOVEMBER, terms=("Rome",), exclude=("Odell", "AS Roma")), f'Rome -Odell -"AS Roma" {DAYS}', id="exclusions"),
        pytest.param(Query(NOVEMBER, from_handles=("ada",)), f"from:ada {DAYS}", id="from"),
        pytest.param(Query(NOVEMBER, from_handles=("ada", "bo")), f"(from:ada OR from:bo) {DAYS}", id="from-several"),
        pytest.param(Query(NOVEMBER, mention="ada", not_from=("ada",)), f"@ada -from:ada {DAYS}", id="mention"),
        pytest.param(Query(NOVEMBER, terms=("Rome",), min_likes=5), f"Rome {DAYS} min_faves:5", id="floor"),
        pytest.param(
            Query(NOVEMBER, terms=("Rome",), links_only=True, no_replies=True),
            f"Rome {DAYS} filter:links -filter:replies",
            id="filters",
        ),
    ],
)  # fmt: skip
def test_web_syntax(query: Query, expected: str) -> None:
    """`until:` names the day after the last, since X excludes its day."""
    assert web_syntax(query) == expected


FROM_ADA = Query(NOVEMBER, from_handles=("Ada", "bo"))
NOT_ADA = Query(NOVEMBER, terms=("Rome",), not_from=("Ada",))
MENTION = Query(NOVEMBER, mention="Ada", not_from=("Ada",))
NO_ROMA = Query(NOVEMBER, terms=("Rome",), exclude=("AS Roma", "Odell"))


@pytest.mark.parametrize(
    ("query", "text", "author", "admitted"),
    [
        pytest.param(FROM_ADA, "hi", "aDA", True, id="from-in-any-case"),
        pytest.param(FROM_ADA, "hi", "Bo", True, id="from-the-second"),
        pytest.param(FROM_ADA, "hi", "ada_2", False, id="from-another"),
        pytest.param(FROM_ADA, "hi", "", False, id="from-nobody"),
        pytest.param(NOT_ADA, "Rome", "ada", False, id="left-out"),
        pytest.param(NOT_ADA, "Rome", "cy", True, id="not-left-out"),
        pytest.param(NOT_ADA, "nothing of it", "cy", True, id="terms-are-the-judges"),
        pytest.param(MENTION, "thanks @ADA!", "cy", True, id="mentioned"),
        pytest.param(MENTION, "thanks Ada", "cy", False, id="named-only"),
        pytest.param(MENTION, "thanks @ada_2", "cy", False, id="longer-handle"),
        pytest.param(MENTION, "mail me at cy@ada", "cy", False, id="mail-address"),
        pytest.param(MENTION, "I am @ada", "Ada", False, id="by-herself"),
        pytest.param(NO_ROMA, "Rome, and as   roma won", "cy", False, id="excluded-phrase"),
        pytest.param(NO_ROMA, "ODELL in Rome", "cy", False, id="excluded-word"),
        pytest.param(NO_ROMA, "as in Roma, Rome", "cy", True, id="words-apart"),
        pytest.param(NO_ROMA, "Odells of Rome", "cy", True, id="whole-words"),
    ],
)  # fmt: skip
def test_admits(query: Query, text: str, author: str, admitted: bool) -> None:
    """Authors, mention and exclusions hold, whatever a backend did with them."""
    assert admits(query, post("1", text, author)) is admitted


def test_a_reply_to_the_account_is_a_mention() -> None:
    """X leaves the name out of the text of many a reply."""
    assert admits(MENTION, post("1", "thanks", "cy", in_reply_to="ADA"))


def test_floors_and_filters_are_not_enforced() -> None:
    """They only widen what is seen."""
    query = Query(NOVEMBER, min_likes=500, links_only=True, no_replies=True)
    assert admits(query, post("1", "hi", "cy", in_reply_to="ada"))


def test_an_exclusion_without_words_excludes_nothing() -> None:
    """There is nothing that a text could hold."""
    assert admits(Query(NOVEMBER, exclude=("!?",)), post("1", "hi", "cy"))


@pytest.mark.parametrize(
    ("raw", "handle"),
    [
        ("steipete", "steipete"),
        (" @Steipete ", "Steipete"),
        ("@@a", "a"),
        ("a_1", "a_1"),
        ("a" * 15, "a" * 15),
        ("a" * 16, ""),
        ("", ""),
        ("@", ""),
        ("  ", ""),
        ("Peter Steinberger (@steipete)", ""),
        ("bad'; drop", ""),
        ("a OR from", ""),
        ("a\n", "a"),
        ("é", ""),
        ("１２", ""),
    ],
)
def test_clean_handle(raw: str, handle: str) -> None:
    """Only X's grammar survives; all else is no handle."""
    assert clean_handle(raw) == handle


@pytest.mark.parametrize(
    ("excluded", "text", "admitted"),
    [
        ("大模型", "国产大模型评测", False),
        ("大模型", "模型大了", True),
        ("猫", "小猫很可爱", False),
        ("猫", "小狗", True),
        ("GPT-5", "gpt5 is out", False),
        ("!!!", "anything", True),
    ],
)
def test_an_exclusion_is_found_in_every_script(
    excluded: str, text: str, admitted: bool
) -> None:
    """A piece of a run without spaces is found; one without words excludes nothing."""
    query = Query(NOVEMBER, terms=("x",), exclude=(excluded,))
    assert admits(query, Item("1", "x", text)) is admitted
