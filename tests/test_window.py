"""The window of a run: whole UTC days, both ends inside."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.window import Window

NOVEMBER = Window(date(2026, 11, 1), date(2026, 11, 30))


def test_thirty_days_are_today_and_the_29_before() -> None:
    """A window of n days ending on a day holds n days, that one included."""
    window = Window.ending(date(2026, 11, 30), 30)
    assert window == NOVEMBER
    assert window.days == 1 + 29


def test_one_day_is_that_day() -> None:
    """The shortest window begins and ends on the same day."""
    window = Window.ending(date(2028, 2, 29), 1)
    assert (window.first, window.last, window.days) == (window.last, window.first, 1)
    assert window.until == date(2028, 3, 1)


@pytest.mark.parametrize(
    ("moment", "inside"),
    [
        pytest.param("2026-10-31T23:59:59+00:00", False, id="a-second-before"),
        pytest.param("2026-11-01T00:00:00+00:00", True, id="first-second"),
        pytest.param("2026-11-30T23:59:59+00:00", True, id="last-second"),
        pytest.param("2026-11-30T23:59:59.999999+00:00", True, id="last-instant"),
        pytest.param("2026-12-01T00:00:00+00:00", False, id="a-second-after"),
        pytest.param("2026-11-01T01:00:00+05:30", False, id="still-october-in-utc"),
        pytest.param("2026-11-30T23:00:00-10:00", False, id="already-december-in-utc"),
    ],
)
def test_edges(moment: str, inside: bool) -> None:
    """Both edges count in UTC, wherever a moment was written."""
    assert NOVEMBER.contains(datetime.fromisoformat(moment)) is inside


def test_start_and_end_are_utc_midnights() -> None:
    """The end is the first instant that is no longer inside."""
    assert NOVEMBER.start == datetime(2026, 11, 1, tzinfo=timezone.utc)
    assert NOVEMBER.end - NOVEMBER.start == timedelta(days=30)


@given(days=st.integers(1, 400), count=st.integers(1, 40))
def test_parts_cover_the_window_exactly(days: int, count: int) -> None:
    """Parts are whole days, one after the other, nearly equal, none lost or twice."""
    window = Window.ending(date(2026, 11, 30), days)
    parts = window.parts(count)
    assert len(parts) == min(count, days)
    assert (parts[0].first, parts[-1].last) == (window.first, window.last)
    assert all(a.until == b.first for a, b in zip(parts, parts[1:], strict=False))
    lengths = [part.days for part in parts]
    assert min(lengths) >= 1
    assert max(lengths) - min(lengths) <= 1
