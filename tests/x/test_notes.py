"""Notes: what a reader has to know beside the outcomes."""

from __future__ import annotations

from engine.text.relevance import prepare
from engine.x.notes import ambiguous_topic, dropped_posts

CITY = [
    "Rome in November has no queues at the Pantheon",
    "Rome metro line B is closed again",
    "The best cacio e pepe in Rome costs 11 euros",
    "Rome hotels are half price this week",
]
PLAYER = [
    "Rome Odell with 112 yards on Sunday",
    "Rome Odell caught two touchdowns for the Bears",
    "What a catch by Rome Odell tonight",
    "Trade rumours around Rome Odell again",
]


def test_senses_that_nothing_tells_apart_are_named() -> None:
    """The city and the player stay both, and the host is told to ask better."""
    found = ambiguous_topic(CITY + PLAYER, prepare("Rome"))
    assert found is not None
    assert found.code == "ambiguous-topic"
    assert len(found.data["senses"]) == 2  # type: ignore[arg-type]
    assert "odell" in str(found.data["senses"]).lower()


def test_a_question_that_says_which_ends_the_doubt() -> None:
    """With a question about the metro and hotels of the city there is no warning."""
    asked = prepare("Rome", ["How are the metro and hotels of the city of Rome?"])
    assert ambiguous_topic(CITY + PLAYER, asked) is None
    assert ambiguous_topic(CITY, prepare("Rome")) is None


def test_drops_are_counted_by_reason() -> None:
    """One warning for all, none for nothing."""
    found = dropped_posts(["unproven", "out-of-window", "unproven"])
    assert found is not None
    assert found.data == {"reasons": {"out-of-window": 1, "unproven": 1 + 1}}
    assert dropped_posts([]) is None
