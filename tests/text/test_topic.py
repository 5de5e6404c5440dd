"""Topics: the user's words are data."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import UsageError
from engine.text.topic import parse_topic


@pytest.mark.parametrize(
    ("topic", "surfaces"),
    [
        ('"Claude Code"', ["Claude", "Code"]),
        ("“Claude Code”", ["Claude", "Code"]),
        ("what is (x)?", ["what", "is", "x"]),
        ("$TSLA", ["$TSLA"]),
        ("%24TSLA", ["$TSLA"]),
        ("#MAB18", ["#MAB18"]),
        ("@example education", ["@example", "education"]),
        ("-_test", ["test"]),
        ("O'Reilly", ["O'Reilly"]),
        ("AT&T", ["AT&T"]),
        ("C++", ["C++"]),
        (".NET", [".NET"]),
        ("GPT-5", ["GPT-5"]),
        ("React 19", ["React", "19"]),
        ("from:nasa moon", ["from", "nasa", "moon"]),
        ("a:b", ["a", "b"]),
        ("U.S. economy", ["US", "economy"]),
        ("\ud800x", ["x"]),
        ("大模型", ["大模型"]),
        ("GPT教程", ["GPT", "教程"]),
        ("東京のラーメン", ["東京", "ラーメン"]),
        ("서울 맛집", ["서울", "맛집"]),
        ("السعودية", ["السعودية"]),
        ("תל אביב", ["תל", "אביב"]),
        ("กรุงเทพ", ["กรุงเทพ"]),
        ("हिन्दी साहित्य", ["हिन्दी", "साहित्य"]),
        ("a\x00b\u202ec", ["a", "bc"]),
        ("ＲＯＭＥ　Ｉｔａｌｙ", ["ROME", "Italy"]),
        ("-from:nasa (OR) filter:links", ["from", "nasa", "OR", "filter", "links"]),
    ],
)
def test_terms_of_a_topic(topic: str, surfaces: list[str]) -> None:
    """Terms keep their spelling and lose whatever a platform takes for syntax."""
    assert [term.surface for term in parse_topic(topic).terms] == surfaces


@pytest.mark.parametrize(
    ("topic", "core"),
    [
        (
            "what do people think about React Server Components",
            "react server components",
        ),
        ("best latest new", "best latest new"),
        ("The Who", "the who"),
        ("It", "it"),
        ("US economy", "US economy"),
        ("us economy", "economy"),
        ("war in Ukraine", "war ukraine"),
        ("Die Hard", "die hard"),
        ("São Paulo", "são paulo"),
        ("Was denken die Leute über Tesla?", "tesla"),
        ("大家怎么看大模型", "大模型"),
        ("サッカーについてどう思う", "サッカー"),
        (
            "What notable events involving Kanye West happened in the last 30 days?",
            "kanye west",
        ),
    ],
)
def test_core_subject(topic: str, core: str) -> None:
    """Noise words go, every significant term stays; all-noise topics stay whole."""
    assert parse_topic(topic).core == core


@pytest.mark.parametrize("topic", ["", "  ", "🎉🎉", "---", "\u200b", "!?…", "\ud800"])
def test_a_topic_without_letter_or_digit_is_refused(topic: str) -> None:
    """There is nothing to look for; the message gives an example."""
    with pytest.raises(UsageError, match="no letter or digit"):
        parse_topic(topic)


@given(st.text(max_size=80))
def test_no_topic_smuggles_an_operator(topic: str) -> None:
    """Whatever is typed, no term can begin or hold an operator of a search box."""
    try:
        terms = parse_topic(topic).terms
    except UsageError:
        return
    for term in terms:
        assert not set(term.surface) & set('":()*<>[]{}|,; \n\t')
        assert not term.surface.startswith(("-", "+"))
