"""Numbers as intents write them: 4, 四, 十五, 两, 1.5万, 3千5, 8k."""

from __future__ import annotations

import re

__all__ = ["AMOUNT", "NUMBER", "amount", "whole"]

_DIGITS = {"零": 0, "〇": 0, "一": 1, "二": 2, "两": 2, "俩": 2, "三": 3, "四": 4}
_DIGITS |= {"五": 5, "六": 6, "七": 7, "八": 8, "九": 9}
_UNITS = {"十": 10, "百": 100, "千": 1_000, "万": 10_000}
_WORDS = {
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "twelve": 12,
    "couple of": 2,
    "a couple of": 2,
    "fourteen": 14,
}
_SCALES = {"k": 1_000, "w": 10_000, "千": 1_000, "万": 10_000, "百": 100}

NUMBER = (
    r"(?:\d{1,4}|[零一二两俩三四五六七八九十百]{1,4}|"
    r"\b(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fourteen)\b)"
)
"""A small whole number, for patterns that ignore case."""

AMOUNT = (
    r"(?:(?<!\d)(?<!\d\.)\d[\d,]{0,15}(?:\.\d{1,4})?"
    r"(?: ?[kKwW千万百](?![A-Za-z]))?\d{0,3}"
    r"|[一二两三四五六七八九十百千万]{1,8})"
)
"""An amount of money. Its digits are bounded: patterns try it at every character."""

_MIXED = re.compile(r"(\d+(?:\.\d+)?) ?([kwKW千万百])?(\d{0,3})")


def whole(text: str) -> int | None:
    """A whole number in digits, Chinese characters or an English word."""
    text = text.strip().lower()
    if text.isdecimal():
        return int(text)
    return _WORDS[text] if text in _WORDS else _chinese(text)


def amount(text: str) -> float | None:
    """An amount: 5000, 5,000, 8k, 1.5万, 3千5, 三千五."""
    text = text.replace(",", "").strip()
    match = _MIXED.fullmatch(text)
    if match is None:
        found = _chinese(text)
        return None if found is None else float(found)
    scale = _SCALES.get((match[2] or "").lower(), 1)
    if not match[2]:
        return float(match[1] + match[3])
    # 3千5 is 3,500 and 1万2 is 12,000: the digit counts the next lower unit.
    rest = int(match[3]) * scale / 10 ** len(match[3]) if match[3] else 0.0
    return float(match[1]) * scale + rest


def _chinese(text: str) -> int | None:
    """十五 is 15, 二十 is 20, 三千五 is 3,500; None for what is no such number."""
    total = section = digit = 0
    last_unit = 1
    for char in text:
        if char in _DIGITS:
            if digit:
                return None
            digit = _DIGITS[char]
        elif char == "万":
            total = (total + section + digit or 1) * _UNITS[char]
            section = digit = 0
            last_unit = _UNITS[char]
        elif char in _UNITS:
            section += (digit or 1) * _UNITS[char]
            digit, last_unit = 0, _UNITS[char]
        else:
            return None
    if digit and last_unit >= 100 and text[-2:-1] not in ("零", "〇", ""):
        digit *= last_unit // 10
    return total + section + digit if text else None
