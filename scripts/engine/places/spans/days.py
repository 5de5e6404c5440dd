"""How long: days and nights."""

from __future__ import annotations

import re

from engine.places.spans.numbers import NUMBER, whole
from engine.places.spans.text import FLAGS, Cut

__all__ = ["Stay", "read_stay"]

Stay = tuple["int | tuple[int, int] | None", "int | None"]
"""Days, or the least and the most of them, and nights; None is unknown."""

_MOST = 365

_HAN = "[一二两三四五六七八九]"
_PAIR = re.compile(
    rf"(?<![第\d{_HAN[1:-1]}十])(?:(?P<least>{NUMBER}) ?(?:-|~|–|到|至|或者?|to|or)"
    rf" ?(?P<most>{NUMBER})"
    rf"|(?P<close>{_HAN}{_HAN})) ?(?:天|日(?=游|$)|-?days?\b)"
    rf"(?:(?P<nights>{NUMBER}) ?(?:晚上?|夜))?",
    FLAGS,
)
_DAYS = re.compile(
    rf"(?<![第\d])(?P<days>{NUMBER})[ -]?(?:个?(?:整|白)?天(?!后|前|气)|日(?=游|行程|"
    rf"往返|自由行|[一二两三四五六七八九\d]+[晚夜])|-?days?\b)"
    rf"(?:时间|左右|行程|游)?(?: ?(?:and|,|/|&)? ?(?P<nights>{NUMBER}) ?(?:个?晚上?|"
    rf"夜|-?nights?\b))?",
    FLAGS,
)
# "两日" alone at the end of a phrase; "五日" after a month is a day of it.
_HAN_DAYS = re.compile(
    rf"(?<![第月周十廿{_HAN[1:-1]}])(?P<days>{_HAN})日(?=$|[,。;!\s\x1f])"
)
_NIGHTS = re.compile(
    rf"(?<!每)(?<![第\d])(?P<nights>{NUMBER})[ -]?(?:个?(?:晚上?|夜)(?!市|景|宵)|"
    rf"-?nights?\b)",
    FLAGS,
)
_WEEKS = re.compile(
    rf"(?<![下上这本每第\d])(?P<weeks>{NUMBER})[ -]?(?:个?(?:星期|礼拜)"
    rf"(?![一二三四五六日天])|周(?![一二三四五六日末边围])|-?weeks?\b)",
    FLAGS,
)
_HALF_MONTH = re.compile(r"半个?月")
_HALF = re.compile(r"半天|half[- ]day|day trip|当天往返|当天来回", FLAGS)


def read_stay(cut: Cut) -> Stay:
    """The days and nights that an intent states, taken out of it.

    Nights without days are a day more; half a day is one.
    """
    if pair := cut.take(_PAIR):
        close = pair["close"]
        least, most = (
            (whole(close[0]), whole(close[1]))
            if close
            else (whole(pair["least"]), whole(pair["most"]))
        )
        if least and most and least < most <= _MOST:
            return (least, most), _count(pair["nights"])
    if match := cut.take(_DAYS):
        days = _count(match["days"])
        nights = _count(match["nights"])
        if days and nights is None and (more := cut.take(_NIGHTS)):
            nights = _count(more["nights"])
        return days, nights
    if match := cut.take(_HAN_DAYS):
        return _count(match["days"]), None
    if match := cut.take(_NIGHTS):
        nights = _count(match["nights"])
        return nights and nights + 1, nights
    if match := cut.take(_WEEKS):
        weeks = _count(match["weeks"])
        return weeks and weeks * 7, None
    if cut.take(_HALF_MONTH):
        return 15, None
    return (1, None) if cut.take(_HALF) else (None, None)


def _count(text: str | None) -> int | None:
    number = whole(text) if text else None
    return number if number and number <= _MOST else None
