"""Compile: whatever is typed, X is asked for words."""

from __future__ import annotations

import re
from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import UsageError
from engine.text.topic import parse_topic
from engine.window import Window
from engine.x.compile import MAX_CHARACTERS, MAX_TERMS, compile_query
from engine.x.fanout import variants
from engine.x.query import Query, web_syntax

NOVEMBER = Window(date(2026, 11, 1), date(2026, 11, 30))
DAYS = "since:2026-11-01 until:2026-12-01"


def compiled(topic: str, *, core: bool = False) -> Query:
    """The query for a topic."""
    return compile_query(parse_topic(topic), NOVEMBER, core=core)


@pytest.mark.parametrize(
    ("topic", "words"),
    [
        ("Rome Italy", "Rome Italy"),
        ('"Claude Code"', "Claude Code"),
        ("“Claude Code”", "Claude Code"),
        ("what is (x)?", "what is x"),
        ("$TSLA", "$TSLA"),
        ("%24TSLA", "$TSLA"),
        ("#MAB18", "#MAB18"),
        ("@example education", "@example education"),
        ("-_test", "test"),
        ("O'Reilly", "O'Reilly"),
        ("AT&T", "AT&T"),
        ("C++", "C++"),
        (".NET", ".NET"),
        ("GPT-5", "GPT-5"),
        ("React 19", "React 19"),
        ("OR", '"OR"'),
        ("cats OR dogs", 'cats "OR" dogs'),
        ("cats or dogs", 'cats "or" dogs'),
        ("from:nasa moon", "from nasa moon"),
        ("a:b", "a b"),
        ("moon -from:nasa -filter:links", "moon from nasa filter links"),
        ("min_faves:100 until:2020-01-01", "min_faves 100 until 2020-01-01"),
        ("(a OR b) {c} [d]", 'a "OR" b c d'),
        ('a" OR "b', 'a "OR" b'),
        ("x\ud800y", "x y"),
        ("x\nfrom:y", "x from y"),
        ("x\u2028-y", "x y"),
        ("ｆｒｏｍ：ｎａｓａ", "from nasa"),
        ("大模型", "大模型"),
        ("GPT教程", "GPT 教程"),
        ("東京 ラーメン", "東京 ラーメン"),
        ("서울 맛집", "서울 맛집"),
        ("São Paulo", "São Paulo"),
        ("Beyoncé", "Beyoncé"),
        ("السعودية", "السعودية"),
        ("תל אביב", "תל אביב"),
        ("กรุงเทพ", "กรุงเทพ"),
    ],
)
def test_a_topic_in_the_search_box(topic: str, words: str) -> None:
    """Quotes, brackets, colons, signs and reserved words lose their power."""
    assert web_syntax(compiled(topic)) == f"{words} {DAYS}"


def test_the_widest_form_is_the_newest_posts_unquoted() -> None:
    """Nothing but the words and the window."""
    assert compiled("Rome Italy") == Query(
        NOVEMBER, terms=("Rome", "Italy"), latest=True
    )


def test_core_asks_for_the_significant_terms() -> None:
    """Words that carry no topic are left out."""
    question = "what do people think about React Server Components"
    assert compiled(question, core=True).terms == ("React", "Server", "Components")


@pytest.mark.parametrize(
    "topic",
    [
        pytest.param("x" * 4000, id="one-word"),
        pytest.param("大" * 4000, id="one-run"),
        pytest.param("word " * 800, id="many-words"),
        pytest.param(" ".join(f"w{i}" for i in range(1000)), id="many-different-words"),
        pytest.param("Aa " * 1333, id="many-names"),
        pytest.param("the " * 1000, id="noise-alone"),
        pytest.param("(" * 3999 + "a", id="signs"),
    ],
)
def test_4000_characters_keep_the_limits(topic: str) -> None:
    """X is asked with as much as it takes, and never with nothing."""
    for query in variants(compiled(topic), 12):
        words = [*query.terms, *query.phrases]
        assert 1 <= len(query.terms) <= MAX_TERMS or query.phrases
        assert 1 <= len(" ".join(words)) <= MAX_CHARACTERS


def test_a_long_topic_keeps_its_significant_terms() -> None:
    """A word too long for X hides none of the others."""
    topic = "what is the latest news about " + "x" * 400 + " in Rome Italy"
    assert compiled(topic).terms == ("Rome", "Italy")


def test_sixteen_terms_fit() -> None:
    """The limit itself is allowed."""
    topic = " ".join(f"w{i}" for i in range(MAX_TERMS))
    assert len(compiled(topic).terms) == MAX_TERMS
    assert len(compiled(topic + " more").terms) == MAX_TERMS


@given(st.text(max_size=60))
def test_no_topic_yields_an_operator(topic: str) -> None:
    """Apart from the window nothing in the search box is an operator."""
    try:
        query = compiled(topic)
    except UsageError:
        return
    text = web_syntax(query).removesuffix(f" {DAYS}")
    assert not re.search(r"[:()*<>\[\]{}|]|(^| )[-+]|(^| )(OR|AND|NOT)( |$)", text)
    assert text.count('"') == 2 * len(re.findall(r'"(?:or|and|not)"', text, re.I))
    assert text.isprintable()
