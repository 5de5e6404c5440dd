"""Holidays: the days that people mean by the name of one.

The days themselves are from the package holidays (MIT). For a year whose arrangement of
working days is not in it yet the usual length is taken, and the window is provisional.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta
from functools import cache
from typing import NamedTuple

from engine.places.model import Dates
from engine.places.spans.text import FLAGS

__all__ = ["HOLIDAYS", "Holiday", "next_holiday"]

_DAY = timedelta(days=1)
_SATURDAY, _SUNDAY = 5, 6


class Holiday(NamedTuple):
    """A holiday: `window` gives its first and last day in a year.

    `official` is the name that the Chinese calendar has for it, empty for all others.
    """

    label: str
    pattern: re.Pattern[str]
    window: Callable[[int], tuple[date, date]]
    official: str = ""


@cache
def _china(year: int) -> dict[date, str]:
    import holidays

    found = holidays.country_holidays("CN", years=year, language="zh_CN")
    return {day: str(name) for day, name in found.items() if day.year == year}


def _is_arranged(year: int) -> bool:
    """Whether the working days that are moved for holidays are known."""
    return any("调休" in name for name in _china(year).values())


def _first(year: int, name: str) -> date:
    return min(day for day, known in _china(year).items() if name in known)


def _fixed(month: int, day: int, days: int) -> Callable[[int], tuple[date, date]]:
    def window(year: int) -> tuple[date, date]:
        first = date(year, month, day)
        return first, first + (days - 1) * _DAY

    return window


def _free(name: str) -> Callable[[int], tuple[date, date]]:
    """The day of a name and those around it that are free in one piece."""
    return lambda year: _arranged(year, name)


def _eve(year: int) -> tuple[date, date]:
    first = _first(year, "除夕")
    return first, first


def _spring(year: int) -> tuple[date, date]:
    """The usual eight days from the eve of the Spring Festival on."""
    first = _first(year, "春节") - _DAY
    return first, first + 7 * _DAY


def _after_spring(days: int, length: int) -> Callable[[int], tuple[date, date]]:
    """So many days after the Spring Festival: the Lantern Festival is 14 after it."""

    def window(year: int) -> tuple[date, date]:
        first = _first(year, "春节") + days * _DAY
        return first, first + (length - 1) * _DAY

    return window


def _christmas(year: int) -> tuple[date, date]:
    """From the Saturday before the week of Christmas to the Sunday after New Year."""
    first = date(year, 12, 20)
    last = date(year + 1, 1, 1)
    return (
        first - (first.weekday() - _SATURDAY) % 7 * _DAY,
        last + (_SUNDAY - last.weekday()) % 7 * _DAY,
    )


def _easter(year: int) -> tuple[date, date]:
    """Good Friday to Easter Monday: J. Meeus, J. M. Jones and T. H. Butcher's rule."""
    a, b, c = year % 19, year // 100, year % 100
    d = (19 * a + b - b // 4 - (b - (b + 8) // 25 + 1) // 3 + 15) % 30
    e = (32 + 2 * (b % 4) + 2 * (c // 4) - d - c % 4) % 7
    f = d + e - 7 * ((a + 11 * d + 22 * e) // 451) + 114
    sunday = date(year, f // 31, f % 31 + 1)
    return sunday - 2 * _DAY, sunday + _DAY


def _thanksgiving(year: int) -> tuple[date, date]:
    """The fourth Thursday of November and the days up to Sunday."""
    first = date(year, 11, 1)
    thursday = first + ((3 - first.weekday()) % 7 + 21) * _DAY
    return thursday, thursday + 3 * _DAY


def _holiday(
    label: str,
    pattern: str,
    window: Callable[[int], tuple[date, date]],
    official: str = "",
) -> Holiday:
    dated = rf"(?:(?P<y>20\d\d|今|明|后) ?年的?)?(?:{pattern})(?: (?P<after>20\d\d)\b)?"
    return Holiday(label, re.compile(dated, FLAGS), window, official)


_BEHIND = "(?:小?长假|假期|黄金周|节?期间|前后|节(?!日))?"
HOLIDAYS = (
    _holiday(
        "国庆",
        f"国庆{_BEHIND}|双节|(?<![二三四五六七八九十双])十一(?:长假|假期|黄金周|期间|"
        f"节)|"
        "(?<![二三四五六七八九十双第])十一(?![天日月晚点个号周人岁小公])|黄金周|"
        r"\b(?:chinese )?national day(?: (?:holiday|week))?|\bgolden week",
        _fixed(10, 1, 7),
        "国庆",
    ),
    _holiday(
        "五一",
        f"五一(?![天日月晚点个号])(?:劳动)?{_BEHIND}|劳动{_BEHIND}|"
        r"\blabou?r day(?: holiday)?|\bmay day(?: holiday)?",
        _fixed(5, 1, 5),
        "劳动",
    ),
    _holiday("除夕", f"除夕{_BEHIND}|大年三十|年三十", _eve),
    _holiday(
        "元宵",
        f"元宵{_BEHIND}|正月十五|\\blantern festival",
        _after_spring(14, 1),
    ),
    _holiday(
        "春节",
        f"春节{_BEHIND}|大年初[一二三四五六七]|过年{_BEHIND}|"
        r"\b(?:chinese|lunar) new year|\bspring festival",
        _spring,
        "春节",
    ),
    _holiday(
        "清明",
        f"清明(?!上河){_BEHIND}|\\bqingming",
        _free("清明"),
        "清明",
    ),
    _holiday("端午", f"端午{_BEHIND}|\\bdragon boat", _free("端午"), "端午"),
    _holiday(
        "中秋",
        f"中秋{_BEHIND}|\\bmid-?autumn(?: festival)?",
        _free("中秋"),
        "中秋",
    ),
    _holiday(
        "元旦",
        f"元旦{_BEHIND}|跨年|\\bnew year'?s?(?: eve| day)?\\b",
        _free("元旦"),
        "元旦",
    ),
    _holiday(
        "Christmas", r"\b(?:christmas|xmas)\b(?: holidays?| break)?|圣诞节?", _christmas
    ),
    _holiday("Easter", r"\beaster\b(?: holidays?| break| weekend)?|复活节", _easter),
    _holiday("Thanksgiving", r"\bthanksgiving\b|感恩节", _thanksgiving),
    _holiday(
        "暑假", r"暑假|暑期|\bsummer (?:holidays?|vacation|break)\b", _fixed(7, 1, 62)
    ),
    _holiday("寒假", "寒假", _fixed(1, 20, 30)),
)


def next_holiday(holiday: Holiday, today: date, year: int | None = None) -> Dates:
    """Its next days that are not over, or those of a stated year."""
    years = [year] if year else [today.year - 1, today.year, today.year + 1]
    found = [_window(holiday, each) for each in years]
    return next((dates for dates in found if dates.end >= today), found[-1])


def _window(holiday: Holiday, year: int) -> Dates:
    first, last = holiday.window(year)
    provisional = False
    if holiday.official:
        provisional = not _is_arranged(year)
        if not provisional:
            first, last = _arranged(year, holiday.official)
    return Dates(first, last, "holiday", holiday.label, provisional)


def _arranged(year: int, name: str) -> tuple[date, date]:
    """The days around those of a name that are free in one piece."""
    free = _china(year)
    first = last = _first(year, name)

    def is_free(day: date) -> bool:
        return day in free or day.weekday() >= _SATURDAY

    while is_free(first - _DAY):
        first -= _DAY
    while is_free(last + _DAY):
        last += _DAY
    return first, last
