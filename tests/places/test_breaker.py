"""The breaker: when it opens, for how long, and what a probe decides."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from engine.model import State
from engine.places.breaker import AT_ONCE, FAILURES, Breaker

NOW = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)
OPENS_AT_ONCE = sorted(AT_ONCE)
COUNTED = [State.TIMEOUT, State.UNREACHABLE, State.BAD_RESPONSE, State.ERROR]


@pytest.mark.parametrize("state", COUNTED)
def test_three_failures_in_a_row_open_it(state: State) -> None:
    """The third one does, whatever kind they are."""
    breaker = Breaker("xhs", None, NOW)
    for _ in range(FAILURES):
        assert breaker.allows() and breaker.shown == "closed"
        breaker.note(state)
    assert not breaker.allows()
    assert (breaker.shown, breaker.state) == ("open", state)


def test_an_answer_between_failures_starts_the_count_anew() -> None:
    """An empty answer is an answer."""
    breaker = Breaker("xhs", None, NOW)
    for state in (State.OK, State.NO_RESULTS):
        for _ in range(FAILURES - 1):
            breaker.note(State.TIMEOUT)
        breaker.note(state)
    assert breaker.allows()


@pytest.mark.parametrize("state", OPENS_AT_ONCE)
def test_what_another_call_would_make_worse_opens_it_at_once(state: State) -> None:
    """A captcha, a block, a lost login."""
    breaker = Breaker("xhs", None, NOW)
    breaker.note(state)
    assert not breaker.allows()


@pytest.mark.parametrize(
    ("state", "wait"),
    [
        (State.RATE_LIMITED, timedelta(minutes=30)),
        (State.AUTH_FAILED, timedelta(minutes=30)),
        (State.BLOCKED, timedelta(hours=24)),
    ],
)
def test_open_lasts_across_runs_until_its_time_is_over(
    tmp_path: Path, state: State, wait: timedelta
) -> None:
    """Then one probe is let through, and no second call before it has ended."""
    Breaker("xhs", tmp_path, NOW).note(state)
    early = Breaker("xhs", tmp_path, NOW + wait - timedelta(seconds=1))
    assert not early.allows()
    late = Breaker("xhs", tmp_path, NOW + wait)
    assert late.shown == "half-open"
    assert late.allows() and not late.allows()


def test_a_probe_that_fails_opens_it_again(tmp_path: Path) -> None:
    """With one failure of any kind, and for a whole time."""
    Breaker("xhs", tmp_path, NOW).note(State.RATE_LIMITED)
    later = NOW + timedelta(hours=1)
    probe = Breaker("xhs", tmp_path, later)
    assert probe.allows()
    probe.note(State.TIMEOUT)
    assert not Breaker("xhs", tmp_path, later + timedelta(minutes=29)).allows()


def test_a_probe_that_succeeds_closes_it(tmp_path: Path) -> None:
    """For later runs too."""
    Breaker("xhs", tmp_path, NOW).note(State.RATE_LIMITED)
    probe = Breaker("xhs", tmp_path, NOW + timedelta(hours=1))
    assert probe.allows()
    probe.note(State.OK)
    assert probe.allows() and probe.shown == "closed"
    assert Breaker("xhs", tmp_path, NOW).shown == "closed"
    assert list(tmp_path.iterdir()) == []


def test_each_connector_has_its_own(tmp_path: Path) -> None:
    """One that is open says nothing of another."""
    Breaker("xhs", tmp_path, NOW).note(State.BLOCKED)
    assert Breaker("ht-ai", tmp_path, NOW).allows()


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "[" * 100_000,
        '{"state": "odd", "until": "2026-12-01T00:00:00+00:00"}',
        '{"state": "ok", "until": "2026-12-01T00:00:00+00:00"}',
        '{"state": "blocked", "until": "soon"}',
        '{"state": "blocked", "until": "2026-12-01T00:00:00"}',
        json.dumps({"state": "blocked", "until": "2099-01-01T00:00:00+00:00"}),
    ],
    ids=["empty", "cut", "list", "deep", "state", "well", "time", "naive", "far"],
)
def test_a_file_that_is_none_of_ours_keeps_nothing_away(
    tmp_path: Path, text: str
) -> None:
    """Nor one that a wrong clock wrote."""
    (tmp_path / "xhs.json").write_text(text, encoding="utf-8")
    assert Breaker("xhs", tmp_path, NOW).allows()


def test_a_folder_that_cannot_be_written_breaks_nothing(tmp_path: Path) -> None:
    """The breaker then holds for its own run."""
    file = tmp_path / "file"
    file.write_text("", encoding="utf-8")
    breaker = Breaker("xhs", file / "folder", NOW)
    breaker.note(State.BLOCKED)
    assert not breaker.allows()
