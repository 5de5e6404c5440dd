"""When: days, months, weekends and holidays, as a span of days from today on."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, timedelta
from typing import NamedTuple

from engine.places.model import Dates
from engine.places.spans.holidays import HOLIDAYS, next_holiday
from engine.places.spans.numbers import whole
from engine.places.spans.text import FLAGS, Cut
from engine.places.spans.weekdays import BACK, RELATIVE, returning

__all__ = ["When", "read_dates", "read_season", "season_of"]


class When(NamedTuple):
    """The dates of an intent, and what is wrong with them.

    `days` follows from a departure and a return that the intent states. `problem` is a
    code: invalid_date for a day that no calendar has, past_date for one that is over.
    """

    dates: Dates | None = None
    days: int | None = None
    problem: str = ""


_DAY = timedelta(days=1)
_ENGLISH = [
    "jan",
    "feb",
    "mar",
    "apr",
    "may",
    "jun",
    "jul",
    "aug",
    "sep",
    "oct",
    "nov",
    "dec",
]
_MONTH = (
    r"(?P<m{0}>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|"
    r"aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
_YEAR = r"(?:(?P<y>20\d\d|今|明|后) ?年的?)?"
_HAN = "[一二三四五六七八九十\\d]{1,3}"
_TO = r" ?(?:-|~|–|—|到|至|to|until|till|through) ?"
_NTH = r"(?:st|nd|rd|th)?"

_PATTERNS: tuple[str, ...] = (
    rf"(?P<y>20\d\d)[-/.年](?P<m1>\d\d?)[-/.月](?P<d1>\d\d?)"
    rf"[日号]?(?:{_TO}(?:20\d\d[-/.年])?"
    r"(?:(?P<m2>\d\d?)[-/.月])?(?P<d2>\d\d?)[日号]?(?!\d|[天晚]))?",
    rf"{_YEAR}(?P<m1>{_HAN})月(?P<d1>{_HAN})[日号]?{_TO}(?:(?P<m2>{_HAN})"
    rf"月)?(?P<d2>{_HAN})[日号]",
    rf"{_YEAR}(?P<m1>{_HAN})月(?P<d1>{_HAN})(?:日(?!游)|号)",
    rf"(?<![\d.])(?P<m1>1[0-2]|0?[1-9])[./](?P<d1>3[01]|[12]\d|0?[1-9]){_TO}"
    r"(?:(?P<m2>1[0-2]|0?[1-9])[./])?(?P<d2>3[01]|[12]\d|0?[1-9])[日号]?(?![\d.天晚])",
    rf"(?:\bfrom )?\b{_MONTH.format(1)} (?P<d1>\d\d?){_NTH}{_TO}"
    rf"(?:{_MONTH.format(2)} )?"
    rf"(?P<d2>\d\d?){_NTH}(?:,? (?P<y>20\d\d))?\b(?! ?days)",
    rf"\b(?P<d1>\d\d?){_NTH}{_TO}(?P<d2>\d\d?){_NTH} (?:of )?{_MONTH.format(1)}"
    r"(?:,? (?P<y>20\d\d))?\b",
    rf"(?:\bon )?\b{_MONTH.format(1)} (?P<d1>\d\d?){_NTH}\b(?:,? (?P<y>20\d\d)"
    rf")?(?! ?days)",
    rf"(?:\bon )?\b(?P<d1>\d\d?){_NTH} (?:of )?{_MONTH.format(1)}\b(?:,? (?P<y>20\d\d)"
    rf")?",
    r"(?<![\d.])(?P<m1>1[0-2]|[1-9])[./](?P<d1>3[01]|[12]\d|0?[1-9])(?=出发|去|到|走|"
    "号)",
)
_DAYS = tuple(re.compile(pattern, FLAGS) for pattern in _PATTERNS)

_PARTS = {"上": (1, 10), "初": (1, 10), "中": (11, 20), "下": (21, 31), "底": (21, 31)}
_PARTS |= {"early": (1, 10), "mid": (11, 20), "late": (21, 31)}
_MONTHS = (
    re.compile(
        rf"(?:(?P<y>20\d\d|今|明|后) ?年?的?)?(?P<m1>{_HAN}|正|腊)"
        rf"月(?:份)?(?:的?(?P<part>[上中下])旬|(?P<end>初|中|底)(?!国|秋))?(?:左右|"
        rf"前后)?"
    ),
    re.compile(
        r"(?:\b(?:in|during|for|around|throughout|next|this|end of|beginning of) )"
        rf"(?:(?P<part>early|mid|late)[- ])?{_MONTH.format(1)}(?:,? (?P<y>20\d\d))?\b",
        FLAGS,
    ),
    re.compile(
        rf"\b(?P<part>early|mid|late)[- ]{_MONTH.format(1)}(?:,? (?P<y>20\d\d))?\b",
        FLAGS,
    ),
    re.compile(rf"\b{_MONTH.format(1)},? (?P<y>20\d\d)\b", FLAGS),
    # "may" and "march" are words, so they need a sign of being months.
    re.compile(
        r"\b(?P<m1>january|february|april|june|july|august|september|october|"
        r"november|december)\b",
        FLAGS,
    ),
    re.compile(
        r"(?:^|(?<=[\s,]))(?P<m1>May|March)\b(?=$|[,.\x1f]| in [A-Z]| \d+[- ](?:day|"
        r"night|week)s?\b)"
    ),
)
_NEAR_MONTH = re.compile(
    r"(?P<next>下个?月)|(?P<this>这个?月|本月)|\bnext month\b|\bthis month\b",
    FLAGS,
)
_SEASONS = {
    "spring": (
        3,
        "春天|春季|开春|春游|\\b(?:in )?(?:the )?spring(?:time)?\\b(?! festival)",
    ),
    "summer": (6, "夏天|夏季|盛夏|\\b(?:in )?(?:the )?summer(?:time)?\\b"),
    "autumn": (9, "秋天|秋季|深秋|金秋|\\b(?:in )?(?:the )?(?:autumn|fall)\\b"),
    "winter": (12, "冬天|冬季|隆冬|\\b(?:in )?(?:the )?winter(?:time)?\\b"),
}
_SEASON = {
    name: (month, re.compile(pattern, FLAGS))
    for name, (month, pattern) in _SEASONS.items()
}


def read_dates(cut: Cut, today: date) -> When:
    """The dates that an intent states, taken out of it.

    A day or month without a year is its next one.
    """
    for read in (_read_days, _read_holiday, _read_relative, _read_month):
        when = read(cut, today)
        if when is not None:
            return when
    return When()


def _read_days(cut: Cut, today: date) -> When | None:
    match = next(filter(None, (cut.take(pattern) for pattern in _DAYS)), None)
    if match is None:
        return None
    parts = match.groupdict()
    year = _year(parts.get("y"), today)
    first = _day(parts["m1"], parts["d1"], year, today)
    last = first
    if first and parts.get("d2"):
        last = _day(parts.get("m2") or parts["m1"], parts["d2"], first.year, today)
        if last and last < first:
            last = _day(
                parts.get("m2") or parts["m1"], parts["d2"], first.year + 1, today
            )
    if first is None or last is None or last < first:
        return When(problem="invalid_date")
    if last < today:
        return When(problem="past_date")
    count = (last - first).days + 1
    label = match[0].strip()
    return When(Dates(first, last, "day", label), count if last > first else None)


def _day(month: str, day: str, year: int | None, today: date) -> date | None:
    """A day of a year, or the next one of its kind; None if there is none."""
    number, of_month = _month(month), whole(day)
    if number is None or of_month is None:
        return None
    try:
        if year:
            return date(year, number, of_month)
        found = date(today.year, number, of_month)
        return found if found >= today else date(today.year + 1, number, of_month)
    except ValueError:
        return None


def _month(text: str) -> int | None:
    if text.isascii() and text[0].isalpha():
        return _ENGLISH.index(text[:3].lower()) + 1
    number = {"正": 2, "腊": 1}.get(text) or whole(text)
    return number if number and number <= 12 else None


def _year(text: str | None, today: date) -> int | None:
    if not text:
        return None
    return int(text) if text.isdecimal() else today.year + "今明后".index(text)


def _read_holiday(cut: Cut, today: date) -> When | None:
    for holiday in HOLIDAYS:
        match = cut.take(holiday.pattern)
        if match is not None:
            year = _year(match["y"] or match["after"], today)
            dates = next_holiday(holiday, today, year)
            return When(problem="past_date") if dates.end < today else When(dates)
    return None


def _read_month(cut: Cut, today: date) -> When | None:
    if match := cut.take(_NEAR_MONTH):
        following = bool(match["next"]) or match[0].lower().startswith("next")
        ahead = today.month + following
        year = today.year + (ahead > 12)
        return _whole_month(year, (ahead - 1) % 12 + 1, (1, 31), match[0], today)
    for pattern in _MONTHS:
        match = pattern.search(cut.text)
        month = _month(match["m1"]) if match else None
        if match is None or month is None:
            continue
        cut.remove(*match.span())
        parts = match.groupdict()
        part = (parts.get("part") or parts.get("end") or "").lower()
        year = _year(parts.get("y"), today) or today.year + (month < today.month)
        label = re.sub(r"^(?:in|during|for|around|throughout) ", "", match[0].strip())
        return _whole_month(year, month, _PARTS.get(part, (1, 31)), label, today)
    return None


def _whole_month(
    year: int, month: int, part: tuple[int, int], label: str, today: date
) -> When:
    last = monthrange(year, month)[1]
    dates = Dates(
        date(year, month, part[0]),
        date(year, month, min(part[1], last)),
        "month",
        label,
    )
    return When(problem="past_date") if dates.end < today else When(dates)


def read_season(cut: Cut, today: date, *, south: bool) -> tuple[str, Dates] | None:
    """The season that an intent names and its next months, taken out of it.

    `south` says that the place lies in the southern hemisphere.
    """
    for season, (month, pattern) in _SEASON.items():
        match = cut.take(pattern)
        if match is not None:
            first_month = (month + 5) % 12 + 1 if south else month
            found = [_quarter(today.year + i, first_month) for i in (-1, 0, 1)]
            first, last = next(span for span in found if span[1] >= today)
            label = re.sub(r"^(?:in )?(?:the )?", "", match[0])
            return season, Dates(first, last, "season", label)
    return None


def season_of(day: date, *, south: bool) -> str:
    """spring, summer, autumn or winter, by the month."""
    quarter = day.month % 12 // 3
    return ("winter", "spring", "summer", "autumn")[(quarter + 2 * south) % 4]


def _quarter(year: int, month: int) -> tuple[date, date]:
    """Three whole months from the first of `month` on."""
    ahead = month + 2
    end_year, end_month = year + (ahead > 12), (ahead - 1) % 12 + 1
    return date(year, month, 1), date(
        end_year, end_month, monthrange(end_year, end_month)[1]
    )


def _read_relative(cut: Cut, today: date) -> When | None:
    for pattern, span in RELATIVE:
        match = cut.take(pattern)
        if match is not None:
            first, last, days = span(match, today)
            back = cut.take(BACK) if first == last else None
            if back is not None:
                last = returning(back, first)
                days = (last - first).days + 1
            return When(Dates(first, last, "day", match[0].strip()), days)
    return None
