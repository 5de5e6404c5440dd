"""Names that the engine makes by itself, and how names from outside are cut."""

from __future__ import annotations

import pytest

from engine.discovery.junk import junk_shape
from engine.discovery.naming import clean_name, heuristic_name, word_count


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Quadnine to exit France", "Quadnine exit France"),
        ("Show HN: DeepForge – fast DeepMoon models", "DeepForge fast DeepMoon models"),
        ("Security advisory: critical hole in Foo 2.3", "Security advisory Foo 2.3"),
        ("[D] Kestrel 4 beats Go", "Kestrel 4 beats Go"),
        ("we all want it", "we all want it"),
        ("星河手机发布会定档十二月八日", "星河手机发布会定档十二月"),
        ("🎉🎉", "untitled"),
    ],
)
def test_a_name_is_made_of_the_telling_words(title: str, name: str) -> None:
    """Names first, filled up with other words, in the order of the title."""
    assert heuristic_name(title) == name


def test_equal_names_are_told_apart() -> None:
    """By a further word, or by a number: none is dropped."""
    taken = {"quadnine exit france"}
    assert heuristic_name("Quadnine to exit France", taken) == "Quadnine exit France #2"
    longer = heuristic_name(
        "Foo Bar Zed open lots of doors again", {"foo bar zed open"}
    )
    assert longer.startswith("Foo Bar Zed open ")


def test_names_from_outside_are_one_line_and_short() -> None:
    """At most 96 characters, cut at the end of a word; without a word there is none."""
    assert clean_name(' "Foo\x00\n \u202ebar" ') == "Foo bar"
    long = clean_name("seven77 " * 40)
    assert long == " ".join(["seven77"] * 12) and len(long) == 12 * 8 - 1 <= 96
    assert clean_name("x" * 200) == "x" * 96
    assert clean_name("?! …") == ""


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("one", 1),
        ("one two", 2),
        ("a b c d e f g", 7),
        ("星河手机发布会", 3),
        ("小米", 1),
    ],
)
def test_words_are_counted_in_any_script(name: str, words: int) -> None:
    """Three characters without spaces between them are one."""
    assert word_count(name) == words


@pytest.mark.parametrize(
    ("title", "shape"),
    [
        ("How do I learn Rust?", "help"),
        ("Ask HN: What is your favourite editor?", "help"),
        ("Is anyone else seeing this?", "help"),
        ("求助：编译不过", "help"),
        ("¿Cómo instalo esto?", "help"),
        ("Things to know when you get cancer", "musing"),
        ("Unpopular opinion: tabs", "musing"),
        ("Why I quit Google", "musing"),
        ("PHP 8.2.35", "release"),
        ("curl 8.11.0 released", "release"),
        ("Foo release notes", "release"),
        ("I built a skill to find jobs", "promotion"),
        ("Who is hiring? (November)", "promotion"),
        ("40% off everything today", "promotion"),
        ("双十一优惠汇总", "promotion"),
        ("Kestrel 4 beats every human at Go", ""),
        ("Python 3.15 released", ""),
        ("Critical hole in Foo 2.3.1 lets anyone in", ""),
        ("What the Veritrust leak means", ""),
        ("How the Foo team reviews code", ""),
    ],
)
def test_shapes_of_junk_are_known(title: str, shape: str) -> None:
    """Questions for help, musings, plain releases, promotion; the rest may be news."""
    assert junk_shape(title) == shape
