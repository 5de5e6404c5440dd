"""Feedback: what a corpus teaches about words."""

from __future__ import annotations

from math import log

from engine.text.feedback import learn


def test_words_take_the_side_of_their_posts() -> None:
    """Words of good posts speak for, words of the others against."""
    bags = [("tram", "strike"), ("tram", "pay"), ("tram", "line")] * 4
    bags += [("cat", "router"), ("cat", "sofa"), ("cat", "sun")] * 4
    lesson = learn(bags, [1.5] * 12 + [0.0] * 12, {})
    assert lesson.odds["tram"] > log(2)
    assert lesson.odds["cat"] < -log(2)
    assert min(lesson.shifts[:12]) > 0 > max(lesson.shifts[12:])


def test_a_post_does_not_vouch_for_its_own_words() -> None:
    """A word shared by a good and a bad post speaks against the good one."""
    bags = [("fox",), ("fox",), *[("tram",)] * 9, *[("cat",)] * 9]
    scores = [1.5, 0.0, *[1.5] * 9, *[0.0] * 9]
    good, bad = learn(bags, scores, {}).shifts[:2]
    assert good < bad


def test_shifts_stay_inside_one() -> None:
    """However much a corpus says, the words of the question keep their weight."""
    bags = [("a", "b", "c", "d", "e", "f")] * 300 + [("x", "y", "z")] * 300
    lesson = learn(bags, [3.0] * 300 + [0.0] * 300, {})
    assert all(-1.0 < shift < 1.0 for shift in lesson.shifts)


def test_words_of_the_question_have_credit() -> None:
    """Where two posts know nothing of each other, the imagined posts tell them apart."""
    on, off = learn([("rome", "sun"), ("cat", "sun")], [0.7, 0.0], {"rome": 1.0}).shifts
    assert on > off


def test_nothing_teaches_nothing() -> None:
    """An empty corpus is no special case."""
    assert learn([], [], {}).shifts == []
