"""Fields of posts as others wrote them: times, counts, links, JSON of any type.

Nothing here raises: what cannot be read is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta, timezone
from typing import TypeGuard

__all__ = [
    "as_line",
    "as_mapping",
    "as_sequence",
    "as_text",
    "drop_surrogates",
    "is_web_address",
    "parse_count",
    "parse_counts",
    "parse_time",
    "unescape",
]

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
_MAX_URL = 2_000
_MAX_COUNT = 10**12

_COUNT = re.compile(r"([0-9]{1,13})(?:\.0)?")
_SURROGATE = re.compile("[\ud800-\udfff]")
_ISO = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)"
    r"(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?"
    r"\s*(?:Z|UTC|([+-])(\d\d):?(\d\d)?)?)?",
    re.ASCII | re.IGNORECASE,
)
_TWITTER = re.compile(
    r"[A-Z][a-z]{2} ([A-Z][a-z]{2}) (\d\d?) (\d\d):(\d\d):(\d\d) ([+-])(\d\d)(\d\d) "
    r"(\d{4})",
    re.ASCII,
)
_UNIX = re.compile(r"([0-9]{9,10})(?:\.[0-9]+)?|([0-9]{12,13})")
_MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec"


def parse_time(raw: str) -> datetime | None:
    """A moment in UTC, or None if `raw` is none.

    Read are ISO 8601 (a time without zone is UTC, a day is its first instant),
    Twitter's "Wed Oct 10 20:19:24 +0000 2018", and Unix seconds or milliseconds.
    """
    raw = raw.strip()
    try:
        if match := _ISO.fullmatch(raw):
            return _from_iso(*match.groups())
        if match := _TWITTER.fullmatch(raw):
            month, day, hour, minute, second, sign, *offset, year = match.groups()
            number = _MONTHS.index(month) // 3 + 1
            moment = datetime(
                int(year), number, int(day), int(hour), int(minute), int(second)
            )
            return _to_utc(moment, sign, *offset)
    except (ValueError, OverflowError):
        return None
    if match := _UNIX.fullmatch(raw):
        seconds, milliseconds = match.groups()
        return _EPOCH + timedelta(
            seconds=int(seconds or 0), milliseconds=int(milliseconds or 0)
        )
    return None


def _from_iso(
    year: str,
    month: str,
    day: str,
    hour: str | None,
    minute: str | None,
    second: str | None,
    fraction: str | None,
    *offset: str | None,
) -> datetime:
    micro = int(fraction[:6].ljust(6, "0")) if fraction else 0
    clock = (int(hour or 0), int(minute or 0), int(second or 0), micro)
    return _to_utc(datetime(int(year), int(month), int(day), *clock), *offset)


def _to_utc(
    moment: datetime, sign: str | None, hours: str | None, minutes: str | None
) -> datetime:
    moment = moment.replace(tzinfo=timezone.utc)
    if sign is None:
        return moment
    offset = timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
    return moment + offset if sign == "-" else moment - offset


def parse_count(value: object) -> int | None:
    """A whole number from 0 up, also in a string; None for all else."""
    if isinstance(value, str):
        match = _COUNT.fullmatch(value.strip())
        value = int(match[1]) if match else None
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if 0 <= value <= _MAX_COUNT else None


def parse_counts(values: Mapping[str, object]) -> dict[str, int]:
    """The counts by name, as `parse_count` reads them; what is none is left out."""
    counts = {name: parse_count(value) for name, value in values.items()}
    return {name: count for name, count in counts.items() if count is not None}


def is_web_address(value: object) -> TypeGuard[str]:
    """Whether `value` is an http(s) address of a sane length, safe to print."""
    return (
        isinstance(value, str)
        and value.startswith(("https://", "http://"))
        and len(value) <= _MAX_URL
        and value.isprintable()
        and " " not in value
    )


def drop_surrogates(text: str) -> str:
    """The text without halves of characters, which no output could encode."""
    return text if text.isascii() else _SURROGATE.sub("", text)


def unescape(text: str) -> str:
    """Undo the three HTML entities that X and Reddit write into texts."""
    if "&" not in text:
        return text
    return text.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")


def as_mapping(value: object) -> Mapping[str, object]:
    """`value` if it is a JSON object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_sequence(value: object) -> Sequence[object]:
    """`value` if it is a JSON array, else an empty one."""
    return value if isinstance(value, list) else ()


def as_text(value: object) -> str:
    """A JSON string, or the digits of a whole number; empty for all else."""
    if isinstance(value, str):
        return value
    is_number = isinstance(value, int) and not isinstance(value, bool)
    return str(value) if is_number else ""


def as_line(value: object, most: int) -> str:
    """What `as_text` gives, on one line of at most so many characters."""
    return " ".join(drop_surrogates(as_text(value)).split())[:most]
