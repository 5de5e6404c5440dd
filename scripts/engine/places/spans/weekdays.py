"""Days counted from today: weekends, days of the week, tomorrow."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, timedelta

from engine.places.spans.text import FLAGS

__all__ = ["BACK", "RELATIVE", "returning"]

Span = tuple[date, date, "int | None"]

_DAY = timedelta(days=1)
_WEEKDAYS = "一二三四五六日"
_ENGLISH = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
_NAMED = (
    r"(?:周|星期|礼拜)(?P<{0}>[一二三四五六日天])|"
    r"\b(?P<{0}_en>mon|tue|wed|thu|fri|sat|sun)(?:s|nes|rs|ur)?day\b"
)
_SATURDAY = 5


def _number(match: re.Match[str], name: str) -> int:
    if match[name]:
        return _WEEKDAYS.index(match[name].replace("天", "日"))
    return _ENGLISH.index(match[f"{name}_en"].lower())


def _next(today: date, weekday: int) -> date:
    """The next such day, today included."""
    return today + (weekday - today.weekday()) % 7 * _DAY


def _weeks(text: str) -> int:
    """0 for this week, 1 for the next, 2 for the one after it."""
    return text.count("下") or int(text.lower().startswith("next"))


def _of_week(today: date, weekday: int, weeks: int) -> date:
    return today + (weekday - today.weekday() + 7 * weeks) * _DAY


def _weekend(match: re.Match[str], today: date) -> Span:
    """A weekend that has begun is this one still; a bare one says no days."""
    saturday = _of_week(today, _SATURDAY, _weeks(match["week"] or ""))
    return saturday, saturday + _DAY, None


def _there_and_back(match: re.Match[str], today: date) -> Span:
    weeks = _weeks(match["week"] or "")
    if weeks:
        first = _of_week(today, _number(match, "go"), weeks)
    else:
        first = _next(today, _number(match, "go"))
    last = _next(first, _number(match, "back"))
    return first, last, (last - first).days + 1


def _one_day(match: re.Match[str], today: date) -> Span:
    weeks = _weeks(match["week"] or "")
    number = _number(match, "go")
    day = _of_week(today, number, weeks) if weeks else _next(today, number)
    return day, day, None


def returning(match: re.Match[str], first: date) -> date:
    """The day of the week of `BACK` that follows a day of departure."""
    return _next(first, _number(match, "back"))


def _whole_week(match: re.Match[str], today: date) -> Span:
    monday = _of_week(today, 0, _weeks(match[0]))
    return max(today, monday), monday + 6 * _DAY, None


def _ahead(match: re.Match[str], today: date) -> Span:
    word = match[0].lower()
    known = {"今天": 0, "今晚": 0, "today": 0, "tonight": 0, "明天": 1, "明早": 1}
    known |= {"tomorrow": 1, "后天": 2, "大后天": 3}
    day = today + known[word] * _DAY
    return day, day, None


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, FLAGS)


_WEEK = r"(?P<week>下+个?|这个?|本|next |this (?:coming )?|coming )?"
_LEAVE = r"(?:早上|上午|中午|下午|傍晚|晚上?|night|evening|morning| )*(?:出发|走|去)?"

RELATIVE: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], date], Span]], ...] = (
    (
        _pattern(
            rf"{_WEEK}(?:{_NAMED.format('go')}){_LEAVE}[,、 ]?(?:-|~|到|至|to|"
            rf"through|until)? ?"
            rf"(?:下|这)?(?:{_NAMED.format('back')})(?:早上|上午|中午|下午|"
            rf"晚上?)?(?:回来?|返回?|return)?"
        ),
        _there_and_back,
    ),
    (_pattern(rf"{_WEEK}(?:周末|双休日?|礼拜六日|weekend)"), _weekend),
    (_pattern(rf"{_WEEK}(?:{_NAMED.format('go')})"), _one_day),
    (
        _pattern(r"大后天|后天|明天|明早|今天|今晚|\btomorrow\b|\btoday\b|\btonight\b"),
        _ahead,
    ),
    (
        _pattern(
            r"下+个?(?:周|星期|礼拜)(?![一-龥])|下周|这周|本周|\bnext week\b|"
            r"\bthis week\b"
        ),
        _whole_week,
    ),
)

BACK = _pattern(
    rf"(?:{_NAMED.format('back')})(?:早上|上午|中午|下午|傍晚|晚上?| evening| night)?"
    r" ?(?:回来?|返程?|return)"
)
"""When the traveller is back, said apart from the departure: 周五从上海出发,周日回."""
