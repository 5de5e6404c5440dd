"""Dates as pages and search services write them for people."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone

from engine.values import parse_time

__all__ = ["parse_date"]

_MONTHS = (
    *("jan", "feb", "mar", "apr", "may", "jun"),
    *("jul", "aug", "sep", "oct", "nov", "dec"),
)
# A month is 30 days and a year 365: nobody who writes so knows it better.
_UNITS = (
    (1, "second sec s"),
    (60, "minute min m"),
    (3_600, "hour hr h"),
    (86_400, "day d"),
    (7 * 86_400, "week wk w"),
    (30 * 86_400, "month mth mo"),
    (365 * 86_400, "year yr y"),
)
_SECONDS = {name: seconds for seconds, names in _UNITS for name in names.split()}
_MAX_LENGTH = 80

_AGO = re.compile(r"(?:about |over )?(\d{1,4}|an?|one) ?([a-z]{1,7}?)s?\.? ago")
_RECENT = {"just now": 0, "now": 0, "today": 0, "yesterday": 1}
_WEEKDAY = r"(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?,? )?"
_MONTH = rf"({'|'.join(_MONTHS)})[a-z]*\.?"
# A time of the day is left out: without its zone it says little.
_CLOCK = r"(?:,? (?:at )?\d\d?:.*)?"
_DAY = r"(\d\d?)(?:st|nd|rd|th)?"
_MONTH_FIRST = re.compile(rf"{_WEEKDAY}{_MONTH} {_DAY}(?:,? (\d{{4}}))?{_CLOCK}")
_DAY_FIRST = re.compile(
    rf"{_WEEKDAY}{_DAY}[ -](?:of )?{_MONTH},?(?:[ -](\d{{4}}))?{_CLOCK}"
)
_YEAR_FIRST = re.compile(
    rf"(\d{{4}}) ?[年/.] ?(\d\d?) ?[月/.] ?(\d\d?)日?{_CLOCK}|(\d{{4}})(\d\d)(\d\d)"
)


def parse_date(raw: str, now: datetime) -> datetime | None:
    """The moment that a text names, in UTC; None if it names none.

    Read are what `parse_time` reads, "3 days ago", "yesterday", "Nov 20, 2026",
    "20 November 2026", "2026/11/20" and "20261120". A day is its first instant; one
    without a year is the last of its kind that has come.

    Args:
        raw: any text.
        now: the moment, in UTC, from which "ago" counts.
    """
    text = " ".join(raw.split()).lower()
    if not text.isprintable() or len(text) > _MAX_LENGTH:
        return None
    try:
        return parse_time(" ".join(raw.split())) or _ago(text, now) or _day(text, now)
    except (ValueError, OverflowError):
        return None


def _ago(text: str, now: datetime) -> datetime | None:
    if text in _RECENT:
        return now - timedelta(days=_RECENT[text])
    match = _AGO.fullmatch(text)
    if match is None:
        return None
    count = int(match[1]) if match[1].isdecimal() else 1
    seconds = _SECONDS.get(match[2])
    return None if seconds is None else now - timedelta(seconds=count * seconds)


def _day(text: str, now: datetime) -> datetime | None:
    if match := _YEAR_FIRST.fullmatch(text):
        year, month, day = (int(part) for part in match.groups() if part)
        return datetime(year, month, day, tzinfo=timezone.utc)
    if match := _MONTH_FIRST.fullmatch(text):
        name, number, stated = match.groups()
    elif match := _DAY_FIRST.fullmatch(text):
        number, name, stated = match.groups()
    else:
        return None
    month = _MONTHS.index(name) + 1
    if stated:
        return datetime(int(stated), month, int(number), tzinfo=timezone.utc)
    # A zone east of here may be a day ahead.
    latest = now + timedelta(days=1)
    found = datetime(now.year, month, int(number), tzinfo=timezone.utc)
    return found if found <= latest else found.replace(year=now.year - 1)
