"""The Chinese cities that a run is about, for services that must be told one.

Such a service takes Beijing for a city that it is not told, so that it is asked only
about places whose city is known.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.places.distance import kilometres
from engine.places.lookup.china import Unit, divisions
from engine.places.model import Candidate, Center, Parsed, Query

__all__ = ["city_of", "questions"]

_MUNICIPALITIES = ("11", "12", "31", "50")
_MOST_KM = 150.0


def questions(
    parsed: Parsed,
    candidates: Sequence[Candidate],
    queries: Sequence[Query],
    most: int,
) -> tuple[tuple[str, str], ...]:
    """Which city is asked which query, the most telling first, each city once."""
    first: dict[str, str] = {}
    for query in queries:
        first.setdefault(query.location, query.text)
    found: dict[str, str] = {}
    places: list[Center | Candidate] = [*parsed.centers, *candidates]
    for place in places:
        city = city_of(place)
        if city and place.name in first:
            found.setdefault(city, first[place.name])
    return tuple(found.items())[:most]


def city_of(place: Center | Candidate) -> str:
    """The city in which a place lies, without its kind; empty if that is not known."""
    if place.country != "CN":
        return ""
    if place.adcode[:2] in _MUNICIPALITIES:
        return divisions()[f"{place.adcode[:2]}0000"].name.removesuffix("市")
    unit = divisions().get(f"{place.adcode[:4]}00") if place.adcode else None
    if unit is None or unit.level != "city":
        is_wide = isinstance(place, Center) and place.level not in ("district", "poi")
        unit = None if is_wide else _nearest(place)
    return unit.name.removesuffix("市") if unit else ""


def _nearest(place: Center | Candidate) -> Unit | None:
    if place.lat is None or place.lon is None:
        return None
    lat, lon = place.lat, place.lon

    def distance_km(unit: Unit) -> float:
        return kilometres(lat, lon, unit.lat, unit.lon)

    inside = place.adcode[:2]
    cities = [
        unit
        for unit in divisions().values()
        if unit.level == "city" and unit.adcode.startswith(inside)
    ]
    nearest = min(cities, key=distance_km, default=None)
    return nearest if nearest and distance_km(nearest) <= _MOST_KM else None
