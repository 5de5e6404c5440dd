"""A query in the X API's language: complete, bounded, and never more than was asked."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.text.topic import parse_topic
from engine.window import Window
from engine.x.backends.xapi_query import v2_syntax
from engine.x.compile import compile_query
from engine.x.lanes import from_query, name_query
from engine.x.query import Query
from fakes.xapi_query import read_v2

WINDOW = Window(date(2026, 11, 1), date(2026, 11, 30))
RECENT, ALL = 512, 1024


def _syntax(**parts: Any) -> str:
    return v2_syntax(Query(WINDOW, **parts), RECENT)


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ({"terms": ("Rome", "Italy")}, "Rome Italy -is:retweet"),
        ({"terms": ("#Rome", "$TSLA")}, "#Rome $TSLA -is:retweet"),
        ({"terms": ("@urbe", "x")}, "(@urbe OR from:urbe) x -is:retweet"),
        ({"terms": ("rock", "OR", "and")}, 'rock "OR" "and" -is:retweet'),
        (
            {"terms": ("C++", "state-of-the-art")},
            '"C++" "state-of-the-art" -is:retweet',
        ),
        ({"phrases": ("Ann Lee",)}, '"Ann Lee" -is:retweet'),
        (
            {"terms": ("a",), "min_likes": 5, "links_only": True, "no_replies": True},
            "a -is:retweet min_likes:5 has:links -is:reply",
        ),
        (
            {"terms": ("a",), "exclude": ("b", "c d"), "not_from": ("foo",)},
            'a -is:retweet -from:foo -b -"c d"',
        ),
        ({"from_handles": ("foo", "bar")}, "(from:foo OR from:bar) -is:retweet"),
        ({"mention": "foo", "not_from": ("foo",)}, "@foo -is:retweet -from:foo"),
    ],
    ids=[
        *("words", "tags", "name-term", "reserved", "signs", "phrase", "floors"),
        *("exclusions", "authors", "mention"),
    ],
)
def test_every_part_has_its_operator(parts: dict[str, Any], expected: str) -> None:
    """What web search says with min_faves: and filter: is said as the API says it."""
    assert _syntax(**parts) == expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (from_query("steipete", WINDOW), "from:steipete -is:retweet"),
        (
            from_query("visegrad24", WINDOW, ("Rome",)),
            "from:visegrad24 Rome -is:retweet",
        ),
        (
            name_query("Ann Lee", WINDOW, ("annlee",)),
            '"Ann Lee" -is:retweet min_likes:2 -from:annlee',
        ),
    ],
    ids=["from", "from-topic", "name"],
)
def test_lanes_are_expressed(query: Query, expected: str) -> None:
    """Handle and name lanes need nothing that the API lacks."""
    assert v2_syntax(query, RECENT) == expected


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        ("from:elonmusk", '"from:elonmusk"'),
        ("-rome", '"-rome"'),
        ('x" OR from:a OR "y', '"x OR from:a OR y"'),
        ("“x” OR y", '"x OR y"'),
        ("(a OR b)", '"(a OR b)"'),
        ("a\u202e\nb\x00c\\", '"a b c"'),
        ("@two words", '"@two words"'),
    ],
    ids=["colon", "minus", "quotes", "curly", "group", "invisible", "no-handle"],
)
def test_hostile_text_stays_text(term: str, expected: str) -> None:
    """Signs lose their power inside of quotes, and quotes cannot be left."""
    assert _syntax(terms=(term,)) == f"{expected} -is:retweet"
    assert _syntax(phrases=(term,)) == f"{expected} -is:retweet"


@pytest.mark.parametrize("handle", ["a OR from:b", "a)", "", "x" * 16])
def test_what_is_no_handle_is_not_sent(handle: str) -> None:
    """A handle outside of X's grammar finds nobody and leaves nobody out."""
    query = Query(WINDOW, ("a",), from_handles=(handle,), not_from=(handle,))
    assert v2_syntax(replace(query, mention=handle), ALL) == "a -is:retweet"


@given(st.lists(st.text(), max_size=3), st.lists(st.text(), max_size=3))
@example(["OR"], ["-", "("])
@example(["#a", "$b"], ["@c"])
def test_no_text_becomes_an_operator(wanted: list[str], unwanted: list[str]) -> None:
    """Whatever the words, the service reads words, and each is where it was put."""
    query = Query(WINDOW, terms=("x", *wanted), exclude=tuple(unwanted))
    parts = read_v2(v2_syntax(query, 4096), floors=True)
    assert set(parts) <= {"terms", "phrases", "exclude"}
    assert len(parts["terms"]) + len(parts.get("phrases", ())) <= 1 + len(wanted)
    assert len(parts.get("exclude", ())) <= len(unwanted)


@given(st.text())
@example('"ROME" OR (-rome) from:rome')
@example("until:2020-01-01 𝟙 ①")
def test_no_topic_becomes_an_operator(topic: str) -> None:
    """The same from what the user typed to what is sent."""
    if not any(map(str.isalnum, topic)):
        return
    query = compile_query(parse_topic(f"x {topic}"), WINDOW)
    sent = v2_syntax(query, RECENT)
    assert len(sent) <= RECENT
    assert set(read_v2(sent, floors=True)) <= {"terms", "phrases", "mention"}


@pytest.mark.parametrize(
    "parts",
    [
        {},
        {"exclude": ("a",), "not_from": ("b",), "no_replies": True},
        {"min_likes": 5},
        {"terms": ('"',)},
        {"terms": ("x" * (RECENT + 1),)},
        {"from_handles": ("no handle",)},
    ],
    ids=["nothing", "negations", "floor", "no-letter", "too-long", "no-handle"],
)
def test_a_query_that_looks_for_nothing_is_empty(parts: dict[str, Any]) -> None:
    """The API refuses it, and without words it would give anything at all."""
    assert _syntax(**parts) == ""


@pytest.mark.parametrize("limit", [RECENT, ALL])
def test_exclusions_that_do_not_fit_are_left_out(limit: int) -> None:
    """The words stay: what is excluded is checked on every post that comes back."""
    names = tuple(f"account_{i:03d}" for i in range(100))
    query = Query(WINDOW, terms=("rome", "italy"), not_from=names, min_likes=5)
    sent = v2_syntax(query, limit)
    assert sent.startswith("rome italy -is:retweet min_likes:5 -from:account_000 ")
    assert limit - len(" -from:account_000") < len(sent) <= limit


def test_a_floor_can_be_left_out() -> None:
    """Without the operator more is seen, and nothing else changes."""
    query = Query(WINDOW, terms=("rome",), min_likes=5, links_only=True)
    assert v2_syntax(query, RECENT, floors=False) == "rome -is:retweet has:links"
