"""Freshness: 100 on the last day, 0 on the first."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest

from engine.rank.freshness import freshness, recency
from engine.window import Window
from fakes.xposts import WINDOW


@pytest.mark.parametrize(
    ("day", "expected"),
    [
        ("2026-11-15", 100),
        ("2026-10-17", 0),
        ("2026-11-14", 100 * 28 / 29),
        ("2026-10-16", 0),
        ("2026-11-16", 100),
    ],
    ids=["last", "first", "second-last", "before", "after"],
)
def test_it_falls_linearly(day: str, expected: float) -> None:
    """Thirty days are 29 steps; the time of day does not count."""
    for clock in ("00:00:00", "23:59:59"):
        moment = datetime.fromisoformat(f"{day}T{clock}+00:00")
        assert recency(moment, WINDOW) == pytest.approx(expected)


def test_undated_is_old() -> None:
    """What has no date earns nothing for it."""
    assert recency(None, WINDOW) == 0


def test_a_window_of_one_day() -> None:
    """All of it is the last day."""
    noon = datetime(2026, 11, 15, 12, tzinfo=timezone.utc)
    assert recency(noon, Window(WINDOW.last, WINDOW.last)) == 100


@pytest.mark.parametrize(
    ("mode", "newest", "middle", "oldest"),
    [
        ("strict_recent", 100, 100 * 12 / 29, 0),
        ("balanced_recent", 0.8 * 100 + 10, 0.8 * 100 * 12 / 29 + 10, 10),
        ("evergreen_ok", 0.6 * 100 + 40, 0.6 * 100 * 12 / 29 + 40, 40),
    ],
)
def test_the_modes(mode: str, newest: float, middle: float, oldest: float) -> None:
    """A plan says how much the date counts; undated is as old as the window."""
    days = ("2026-11-15", "2026-10-29", "2026-10-17")
    moments = [datetime.fromisoformat(f"{day}T12:00:00+00:00") for day in days]
    found = [freshness(moment, WINDOW, mode) for moment in [*moments, None]]
    assert found == pytest.approx([newest, middle, oldest, oldest])
