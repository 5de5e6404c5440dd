"""Dates as people write them."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from engine.text.dates import parse_date

NOW = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)
TWENTIETH = datetime(2026, 11, 20, tzinfo=timezone.utc)


@pytest.mark.parametrize(
    ("raw", "ago"),
    [
        ("3 days ago", timedelta(days=3)),
        ("1 day ago", timedelta(days=1)),
        ("an hour ago", timedelta(hours=1)),
        ("a week ago", timedelta(weeks=1)),
        ("about 5 hours ago", timedelta(hours=5)),
        ("2 weeks ago", timedelta(weeks=2)),
        ("1 Month ago", timedelta(days=30)),
        ("2 years ago", timedelta(days=2 * 365)),
        ("40 mins ago", timedelta(minutes=40)),
        ("3d ago", timedelta(days=3)),
        ("2mo ago", timedelta(days=2 * 30)),
        ("  30   seconds ago ", timedelta(seconds=30)),
        ("Yesterday", timedelta(days=1)),
        ("just now", timedelta(0)),
        ("today", timedelta(0)),
    ],
)
def test_ages_count_back_from_now(raw: str, ago: timedelta) -> None:
    """Months have 30 days and years 365."""
    assert parse_date(raw, NOW) == NOW - ago


@pytest.mark.parametrize(
    "raw",
    [
        "Nov 20, 2026",
        "nov. 20 2026",
        "November 20th, 2026",
        "20 Nov 2026",
        "20 November, 2026",
        "20-Nov-2026",
        "Friday, November 20, 2026",
        "Fri, 20 Nov 2026 10:00:00 GMT",
        "Nov 20, 2026, 10:00 AM",
        "Nov 20",
        "20 Nov",
        "2026-11-20",
        "2026-11-20T00:00:00",
        "2026/11/20",
        "2026.11.20",
        "2026年11月20日",
        "20261120",
    ],
)
def test_days_are_their_first_instant(raw: str) -> None:
    """In whichever order day, month and year stand."""
    assert parse_date(raw, NOW) == TWENTIETH


def test_a_time_without_zone_is_in_utc() -> None:
    """And one with a zone is where it says."""
    assert parse_date("2026-11-20T10:00:00", NOW) == TWENTIETH + timedelta(hours=10)
    assert parse_date("2026-11-20T10:00:00+02:00", NOW) == TWENTIETH + timedelta(
        hours=8
    )


def test_a_day_without_a_year_is_the_last_that_came() -> None:
    """Tomorrow may be today somewhere; the day after is a year ago."""
    assert parse_date("Dec 1", NOW) == datetime(2026, 12, 1, tzinfo=timezone.utc)
    assert parse_date("Dec 2", NOW) == datetime(2025, 12, 2, tzinfo=timezone.utc)


@pytest.mark.parametrize(
    "raw",
    [
        "",
        "soon",
        "3 parsecs ago",
        "days ago",
        "Nov 31, 2026",
        "Feb 29",
        "32 Nov 2026",
        "11/20/2026",
        "2026-13-40",
        "20261340",
        "9999 years ago",
        "Nov 20, 2026\x00",
        "Nov 20, 2026 is when " + "x" * 100,
        "²³ days ago",
        "٣ days ago ago",
    ],
)
def test_what_names_no_moment_is_unknown(raw: str) -> None:
    """It is never guessed."""
    assert parse_date(raw, NOW) is None
