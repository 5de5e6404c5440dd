"""The words of queries: phrases in two languages, and nothing but words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from engine import data
from engine.places.lookup.text import has_han

__all__ = [
    "MOST_CHARS",
    "fill",
    "named",
    "phrases",
    "plain",
    "short",
]

MOST_CHARS = 40
"""No query is longer."""

_BLANK = re.compile(r"\{(\w+)\}")
_KEPT = "·'’.&+-"
_OPERATORS = ("AND", "OR", "NOT")
# 朝阳区 and 朝阳市 are two places, so that a district keeps its word.
_DIVISION = re.compile(
    "(?:特别行政区|(?:壮族|回族|维吾尔)?自治区|省|市|县|风景名胜区|风景区|景区)$"
)


@cache
def phrases() -> Mapping[str, Any]:
    """What stands in engine/data/query_templates.yaml."""
    import yaml

    text = data.text("query_templates.yaml")
    found: dict[str, Any] = yaml.safe_load(text)
    return found


def plain(text: str) -> str:
    """A text of words alone: no sign that a search service takes for an operator."""
    text = unicodedata.normalize("NFKC", text)
    kept = "".join(
        char if unicodedata.category(char)[0] in "LMN" or char in _KEPT else " "
        for char in text
    )
    words = (word.strip(_KEPT) for word in kept.split())
    return " ".join(w.lower() if w in _OPERATORS else w for w in words if w)


def short(name: str) -> str:
    """A Chinese name without the word for its division, as people write it."""
    found = _DIVISION.sub("", name)
    return found if len(found) >= 2 else name


def named(name: str, aliases: Iterable[str], language: str) -> str:
    """How a place is called in a language, if one of its names is in it.

    Args:
        language: zh or en.
    """
    names = [plain(one) for one in (name, *aliases) if plain(one)]
    fits = [one for one in names if has_han(one) == (language == "zh")]
    found = [one for one in fits or names if len(one) <= MOST_CHARS // 2]
    return short(found[0]) if found else plain(name)[: MOST_CHARS // 2].strip()


def fill(template: str, values: Mapping[str, str]) -> str | None:
    """A template with its blanks filled in; None if a value is unknown or too long."""
    if any(not values.get(blank) for blank in _BLANK.findall(template)):
        return None
    text = _BLANK.sub(lambda blank: values[blank[1]], template)
    return text if len(text) <= MOST_CHARS else None
