"""What travellers like and avoid, how they move, how fast."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from engine import data
from engine.places.lookup.own import read_yaml
from engine.places.lookup.text import has_han
from engine.places.spans.text import FLAGS

__all__ = ["Wishes", "kinds_of", "read_wishes"]


class Wishes(NamedTuple):
    """The wishes of an intent, each once, in the order of the text."""

    like: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()
    mode: tuple[str, ...] = ()
    pace: str | None = None


_NO = (
    "(?:不(?:想|要|用|爱|喜欢|能|去|太|会|吃|走|看|坐|是|需要|准备|打算|考虑)*|别|"
    "避开|避免|拒绝|没有?|讨厌|"
    r"怕|无|\b(?:no|not|avoid(?:ing)?|without|skip|hate|don'?t (?:like|want)|dislike|"
    r"nothing|less|too)\b)"
    r"(?:太|很|那么|去|any|too|much|so|of|like|to|the| )*$"
)
_REFUSAL = re.compile(_NO, FLAGS)
# How far before a word its refusal may stand.
_REACH = 16


@cache
def _table() -> Mapping[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = read_yaml(data.text("wishes.yaml"))
    return found


@cache
def _patterns() -> dict[str, tuple[re.Pattern[str], dict[str, tuple[str, str]]]]:
    """Of each kind of wish the pattern of its words, and what each word stands for."""
    found = {}
    for kind, wishes in _table().items():
        for key in ("words", "alone"):
            names = {
                word.lower(): (wish["zh"], wish["en"])
                for wish in wishes
                for word in wish.get(key, ())
            }
            if names:
                found[f"{kind} {key}"] = (_any_of(names), names)
    return found


def _any_of(words: Mapping[str, object]) -> re.Pattern[str]:
    longest = sorted(words, key=len, reverse=True)
    parts = (
        re.escape(word) if has_han(word) else rf"(?<![\w-]){re.escape(word)}(?![\w-])"
        for word in longest
    )
    return re.compile("|".join(parts), FLAGS)


def read_wishes(text: str) -> Wishes:
    """The wishes in a text; one that is refused is to be avoided."""
    like: dict[str, None] = {}
    avoid: dict[str, int] = {}
    mode: dict[str, None] = {}
    for label, refused, _ in _found("like words", text):
        if not refused:
            like[label] = None
    for label, refused, at in _found("avoid words", text):
        if refused:
            avoid[label] = at
    for label, _, at in _found("avoid alone", text):
        avoid[label] = at
    for label, refused, at in _found("like words", text):
        if refused:
            avoid.setdefault(label, at)
    for label, refused, _ in _found("mode words", text):
        if not refused:
            mode[label] = None
    pace = next((label for label, _, _ in _found("pace words", text)), None)
    by_place = sorted(avoid, key=lambda label: avoid[label])
    return Wishes(
        tuple(label for label in like if label not in avoid),
        tuple(by_place),
        tuple(label for label in mode if label not in avoid),
        pace,
    )


def _found(kind: str, text: str) -> list[tuple[str, bool, int]]:
    """The wishes of a kind, whether each is refused, and where it stands."""
    pattern, names = _patterns()[kind]
    found = []
    for match in pattern.finditer(text):
        chinese, english = names[match[0].lower()]
        before = text[max(0, match.start() - _REACH) : match.start()]
        refused = _REFUSAL.search(before) is not None
        label = chinese if has_han(match[0]) else english
        found.append((label, refused, match.start()))
    return found


def kinds_of(likes: tuple[str, ...]) -> frozenset[str]:
    """The kinds of places that fit some wishes."""
    return frozenset(
        kind
        for wish in _table()["like"]
        if wish["zh"] in likes or wish["en"] in likes
        for kind in wish["kinds"]
    )
