"""How far: a radius in kilometres."""

from __future__ import annotations

import re
from typing import NamedTuple

from engine.places.spans.text import FLAGS, Cut

__all__ = ["DEFAULT_KM", "Reach", "read_reach"]

DEFAULT_KM = 200.0
"""What "around" means where no radius is stated."""

_LEAST, _MOST = 0.1, 1000.0

_UNITS = (
    ("公里|千米|km|kms|kilomet(?:er|re)s?", 1.0),
    ("英里|miles?|mi", 1.609344),
    ("华里|里(?!程|斯|约|昂|士|面|程碑)", 0.5),
    ("米|m|met(?:er|re)s?", 0.001),
)
_UNIT = "|".join(f"(?P<u{i}>{names})" for i, (names, _) in enumerate(_UNITS))
_NUMBER = r"(?P<number>(?<!\d)(?<!\d\.)\d{1,9}(?:\.\d{1,4})?|[一二两三五六八十百]{1,4})"
_BEFORE = (
    "(?P<before>半径|方圆|周边|附近|周围|以内|within|radius(?: of)?|(?:up to|under|"
    "less than)|不超过|最多)"
    r"(?:是|为|约|大约|大概| |:|about)*"
)
_AFTER = (
    "(?P<after> ?(?:的?(?:范围)?(?:之内|以内|以外|内(?!蒙)|左右|范围|半径|附近|周边|"
    "周围)"
    r"|(?:radius|around|away|or less)\b|drive\b|\bof\b|\bfrom\b))"
)
_RADIUS = tuple(
    re.compile(pattern, FLAGS)
    for pattern in (
        rf"{_BEFORE} ?{_NUMBER} ?(?:个)?(?:{_UNIT})(?![A-Za-z])"
        rf"(?:的?(?:范围)?(?:之内|以内|内(?!蒙)|左右|范围)|(?: of\b))?",
        rf"{_NUMBER}[ -]?(?:个)?(?:{_UNIT})(?![A-Za-z]){_AFTER}",
    )
)
_TIME = re.compile(
    r"(?:(?<!\d)\d{1,9}(?:\.\d{1,4})?|[一二两三四五六七八九十半]{1,2})个?半?(?:小时|钟头|分钟)"
    "(?:高铁|飞机|火车|自驾|开车|车程|飞行)*"
    r"(?:以内|之内|内(?!蒙)|左右|能到|可达|可到|到达|圈|路程)?(?:的)?"
    r"|(?:within |under |less than |up to )?(?:(?<!\d)\d{1,9}(?:\.\d{1,4})?"
    r"|an?|one|two|three|four|"
    "five|six)[ -]"
    r"(?:hours?|hrs?|h|minutes?|mins?)\b(?:'s?)?(?: (?:drive|flight|by (?:train|car)|"
    "ride|of|from|away))*",
    FLAGS,
)
_HUNDREDS = {"一": 1, "二": 2, "两": 2, "三": 3, "五": 5, "六": 6, "八": 8}


class Reach(NamedTuple):
    """A stated radius; `warnings` are codes, `around` that the words mean a circle."""

    km: float | None = None
    warnings: tuple[str, ...] = ()


def read_reach(cut: Cut) -> Reach:
    """The radius that an intent states, taken out of it.

    One that no trip has is brought into 0.1 … 1000 km, with a warning. A time of travel
    is no radius: it is taken out too, and the warning says so.
    """
    warnings: list[str] = []
    if cut.take_all(_TIME):
        warnings.append("travel_time_not_used")
    match = next(filter(None, (cut.take(pattern) for pattern in _RADIUS)), None)
    number = _number(match["number"]) if match else None
    if match is None or number is None:
        return Reach(None, tuple(warnings))
    per_unit = next(km for i, (_, km) in enumerate(_UNITS) if match[f"u{i}"])
    km = number * per_unit
    if not _LEAST <= km <= _MOST:
        km = min(max(km, _LEAST), _MOST)
        warnings.append("radius_clamped")
    return Reach(round(km, 3), tuple(warnings))


def _number(text: str) -> float | None:
    from engine.places.spans.numbers import whole

    try:
        return float(text)
    except ValueError:
        number = whole(text)
        return None if number is None else float(number)
