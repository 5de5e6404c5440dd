"""Sentiment: whether a note speaks well of a place, by words that it uses."""

from __future__ import annotations

import re
from functools import cache

from engine import data

__all__ = ["sentiment"]

_BEFORE = 4
_WORDS = 3


def sentiment(text: str) -> tuple[str, tuple[str, ...]]:
    """positive, mixed, negative or unknown, and the words that decided it.

    A word of praise after a negation counts against the place; one of blame after a
    negation says nothing.
    """
    told = text.lower()
    good: list[str] = []
    bad: list[str] = []
    for match in _words().finditer(told):
        word = match[0]
        is_negated = _negated(told, match.start())
        if word in data.sections("sentiment.txt")["negative"]:
            bad += [] if is_negated else [word]
        elif is_negated:
            bad.append(f"not {word}" if word.isascii() else f"不{word}")
        else:
            good.append(word)
    said = tuple(dict.fromkeys((*good, *bad)))
    if good and bad:
        return "mixed", said
    if good or bad:
        return "positive" if good else "negative", said
    return "unknown", ()


@cache
def _words() -> re.Pattern[str]:
    lists = data.sections("sentiment.txt")
    found = sorted(lists["positive"] | lists["negative"], key=lambda w: (-len(w), w))
    latin = "|".join(map(re.escape, (w for w in found if w.isascii())))
    others = "|".join(map(re.escape, (w for w in found if not w.isascii())))
    return re.compile(rf"\b(?:{latin})\b|{others}")


def _negated(text: str, start: int) -> bool:
    negations = data.sections("sentiment.txt")["negation"]
    if text[start : start + 1].isascii():
        words = re.findall(r"[a-z']+", text[max(0, start - 40) : start])
        return any(word in negations for word in words[-_WORDS:])
    before = text[max(0, start - _BEFORE) : start]
    return any(before.endswith(word) for word in negations)
