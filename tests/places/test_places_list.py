"""The static list of places, held against the gazetteers for plausibility."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import cache

from engine.places.distance import kilometres
from engine.places.lookup import world
from engine.places.lookup.china import Unit, divisions
from engine.places.lookup.own import areas, place_names, sights

_WORLD = [area for area in areas() if "at" in area]


def test_the_list_is_as_long_as_promised() -> None:
    """At least 250 places, 60 cities of the world, and six places in every group."""
    assert len(sights()) >= 250
    assert len(_WORLD) >= 60
    for area in areas():
        assert len(area["places"]) >= 6, area["area"]


def test_every_province_has_six_places() -> None:
    """All 34 of the gazetteer's provinces have a group of their own."""
    provinces = [unit for unit in divisions().values() if unit.level == "province"]
    assert len(provinces) == 34
    count = Counter(sight.adcode for sight in sights())
    assert not [unit.name for unit in provinces if count[unit.adcode] < 6]


def test_names_and_ids_are_unique() -> None:
    """No place stands there twice, under no name."""
    for names in (
        [sight.id for sight in sights()],
        [sight.name for sight in sights()],
        [sight.en for sight in sights()],
    ):
        assert not [name for name, count in Counter(names).items() if count > 1]


def test_every_field_is_of_its_kind() -> None:
    """Kinds are words, months are months, ids are slugs, coordinates are on Earth."""
    for sight in sights():
        assert sight.kind.isidentifier() and sight.kind.islower()
        assert all(1 <= month <= 12 for month in sight.months)
        assert sight.id and sight.id == sight.id.lower().strip("-")
        assert abs(sight.lat) <= 90 and abs(sight.lon) <= 180
        assert len(sight.country) == 2


def _nearest(lat: float, lon: float, places: Iterable[Unit | world.City]) -> float:
    return min(kilometres(lat, lon, place.lat, place.lon) for place in places)


def test_a_place_in_china_lies_near_a_seat_of_its_province() -> None:
    """Its nearest county seat is in the right province, or hardly farther than that.

    The package lacks the seats of some wide and empty counties, of Hong Kong and of
    Macau; a place at a border may be nearer to a seat beyond it.
    """
    seats = [unit for unit in divisions().values() if unit.exact]
    wrong = []
    for sight in sights():
        if sight.adcode:
            own = [seat for seat in seats if seat.adcode[:2] == sight.adcode[:2]]
            near = _nearest(sight.lat, sight.lon, own)
            if near > 250 or (
                near > 100 and near > _nearest(sight.lat, sight.lon, seats) + 100
            ):
                wrong.append((sight.name, round(near)))
    assert not wrong


def test_most_places_in_china_lie_within_100_km_of_a_seat() -> None:
    """Those that do not are in the empty west and north."""
    seats = [unit for unit in divisions().values() if unit.exact]
    far = {
        sight.area
        for sight in sights()
        if sight.adcode and _nearest(sight.lat, sight.lon, seats) > 100
    }
    assert far <= {"西藏", "新疆", "青海", "内蒙古", "甘肃", "黑龙江"}


@cache
def _towns(country: str) -> tuple[world.City, ...]:
    return tuple(
        city
        for same in world.cities().values()
        for city in same
        if city.country == country
    )


def test_a_city_of_the_world_is_where_the_gazetteer_has_it() -> None:
    """A town of the right country is near, and its places are around it.

    Santorini and Queenstown are smaller than the towns of the gazetteer.
    """
    wrong = []
    for area in _WORLD:
        lat, lon = area["at"]
        if _nearest(lat, lon, _towns(area["country"])) > 40:
            wrong.append(area["en"])
        for place in area["places"]:
            if kilometres(lat, lon, *place["at"]) > 350:
                wrong.append(place["en"])
    assert wrong == ["Santorini", "Queenstown"]


def test_a_place_of_the_world_lies_near_a_town_of_its_country() -> None:
    """A coordinate with swapped or mistyped digits is in another country or at sea."""
    wrong = []
    for sight in sights():
        if not sight.adcode:
            # The Vatican has no town of 15,000 people.
            towns = _towns("IT" if sight.country == "VA" else sight.country)
            if _nearest(sight.lat, sight.lon, towns) > 250:
                wrong.append(sight.en)
    assert not wrong


def test_own_names_are_where_the_gazetteers_have_them() -> None:
    """A division code exists; a country's middle is nearer to its towns than any sea."""
    names = place_names()
    for code in (*names["divisions"], *names["coordinates"]):
        assert code in divisions(), code
    for region in names["regions"]:
        for prefix in region.get("divisions", ()):
            assert any(code.startswith(prefix) for code in divisions()), prefix
        assert ("divisions" in region) != ("radius_km" in region), region["name"]
    for country in names["countries"]:
        if towns := _towns(country["code"]):
            lat, lon = country["at"]
            assert _nearest(lat, lon, towns) <= 900, country["en"]
