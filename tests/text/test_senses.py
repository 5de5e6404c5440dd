"""Senses: the warning that a topic is ambiguous."""

from __future__ import annotations

from engine.text.relevance import prepare
from engine.text.senses import Sense, senses

CITY = [
    "A rainy day in Rome, the museums were packed",
    "Trains to Rome are late again",
    "Visiting Rome with kids, museums are free on Sunday",
    "Rome Airport is on strike",
]
PLAYER = [
    "Rome Odell scores a touchdown for the Wolves",
    "Start or sit: Rome Odell?",
    "What a touchdown, Rome Odell!",
]


def test_two_senses_that_nothing_tells_apart_are_shown() -> None:
    """Each in a few words of its own, the one with most posts first."""
    city, player = senses(CITY + PLAYER, prepare("Rome")[0])
    assert city == Sense(("Rome", "museums", *city.words[2:]), len(CITY))
    assert player == Sense(("Rome Odell", "touchdown", *player.words[2:]), len(PLAYER))
    assert "museums" not in player.words


def test_question_that_tells_needs_no_warning() -> None:
    """The host has asked well enough already."""
    query = "Which museums in Rome are open?"
    assert senses(CITY + PLAYER, prepare("Rome", [query])[0]) == []


def test_a_namesake_now_and_then_is_no_ambiguity() -> None:
    """Two posts of another sense are not worth a warning."""
    assert senses(CITY + PLAYER[:2], prepare("Rome")[0]) == []


def test_kinds_of_places_are_no_other_sense() -> None:
    """What goes on after the name of a city may still be the city."""
    airport = [f"Rome Airport is {word} today" for word in ("shut", "full", "calm")]
    assert senses(CITY + airport, prepare("Rome")[0]) == []
