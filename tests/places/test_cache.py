"""The cache of answers: for how long, what is kept, and what breaks nothing."""

from __future__ import annotations

import stat
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from engine.places.cache import Answers

NOW = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)
ASKED = {"query": "庐山 攻略"}


def later(folder: Path, **delta: float) -> Answers:
    return Answers(folder, NOW + timedelta(**delta))


@pytest.mark.parametrize(
    ("value", "days", "kept_for"),
    [
        (["a note"], 30, 30),
        (["a note"], 3, 3),
        ([], 30, 1),
        ([], 0.5, 0.5),
        (None, 30, 1),
    ],
    ids=["notes", "short", "empty", "empty-short", "gone"],
)
def test_an_answer_is_good_for_its_time(
    tmp_path: Path, value: object, days: float, kept_for: float
) -> None:
    """Thirty days, or what the asker says; an empty one a day at most."""
    Answers(tmp_path, NOW).put("xhs", "search", ASKED, value)
    young = later(tmp_path, days=kept_for).get("xhs", "search", ASKED, days)
    assert young is not None and young.value == value
    assert young.at == NOW.isoformat()
    old = later(tmp_path, days=kept_for, seconds=1)
    assert old.get("xhs", "search", ASKED, days) is None


def test_the_age_is_that_of_the_answer_and_not_of_the_file(tmp_path: Path) -> None:
    """A file that was copied today may hold an old answer."""
    Answers(tmp_path, NOW - timedelta(days=31)).put("xhs", "search", ASKED, ["x"])
    assert Answers(tmp_path, NOW).get("xhs", "search", ASKED, 30) is None


def test_an_answer_from_the_future_is_none(tmp_path: Path) -> None:
    """A clock was wrong, then or now."""
    later(tmp_path, days=1).put("xhs", "search", ASKED, ["x"])
    assert Answers(tmp_path, NOW).get("xhs", "search", ASKED, 30) is None


@pytest.mark.parametrize(
    ("source", "what", "asked"),
    [
        ("xhs-skills", "search", ASKED),
        ("xhs", "read", ASKED),
        ("xhs", "search", {"query": "庐山 避雷"}),
        ("xhs", "search", {**ASKED, "sort": "latest"}),
    ],
    ids=["source", "call", "query", "sort"],
)
def test_another_question_has_another_answer(
    tmp_path: Path, source: str, what: str, asked: dict[str, str]
) -> None:
    """The key holds all that was asked, and who was."""
    answers = Answers(tmp_path, NOW)
    answers.put("xhs", "search", ASKED, ["x"])
    assert answers.get(source, what, asked, 30) is None


def test_blanks_and_widths_ask_the_same(tmp_path: Path) -> None:
    """A full-width blank is a blank."""
    answers = Answers(tmp_path, NOW)
    answers.put("xhs", "search", {"query": "Rome 3日游"}, ["x"])
    assert answers.get("xhs", "search", {"query": "ｒｏｍｅ　３日游 "}, 30)


def test_a_refresh_takes_nothing_and_keeps_what_is_new(tmp_path: Path) -> None:
    """The next run has the new answer."""
    Answers(tmp_path, NOW).put("xhs", "search", ASKED, ["old"])
    fresh = Answers(tmp_path, NOW, refresh=True)
    assert fresh.get("xhs", "search", ASKED, 30) is None
    fresh.put("xhs", "search", ASKED, ["new"])
    kept = Answers(tmp_path, NOW).get("xhs", "search", ASKED, 30)
    assert kept and kept.value == ["new"]


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "null", '{"schema": 2}', "[" * 100_000],
    ids=["empty", "cut", "list", "null", "schema", "deep"],
)
def test_a_broken_file_is_no_answer(tmp_path: Path, text: str) -> None:
    """Nor does it end the run."""
    answers = Answers(tmp_path, NOW)
    answers.put("xhs", "search", ASKED, ["x"])
    (file,) = tmp_path.iterdir()
    file.write_text(text, encoding="utf-8")
    assert answers.get("xhs", "search", ASKED, 30) is None


def test_a_folder_that_cannot_be_written_loses_nothing(tmp_path: Path) -> None:
    """The answer is simply not kept."""
    file = tmp_path / "file"
    file.write_text("", encoding="utf-8")
    Answers(file / "answers", NOW).put("xhs", "search", ASKED, ["x"])


def test_the_folder_is_for_its_owner_alone(tmp_path: Path) -> None:
    """What people search for is nobody else's matter; no half file stays behind."""
    Answers(tmp_path / "answers", NOW).put("xhs", "search", ASKED, ["x"])
    assert stat.S_IMODE((tmp_path / "answers").stat().st_mode) == 0o700
    assert [f.suffix for f in (tmp_path / "answers").iterdir()] == [".json"]
