"""What a name may mean: the places behind every name that is known without a network.

In their order: regions and countries of this project's own list, provinces, cities,
counties, places to see, city districts, cities of the world.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from engine.places.distance import kilometres
from engine.places.lookup import world
from engine.places.lookup.china import Unit, divisions, full_name, inside, short_name
from engine.places.lookup.own import Sight, areas, place_names, sights
from engine.places.lookup.text import fold, has_han
from engine.places.model import Center

__all__ = [
    "Rank",
    "Sense",
    "home",
    "home_of",
    "known",
    "of_unit",
    "of_world",
    "sense_of_city",
]


class Rank:
    """How readily a name is understood so; the lowest is the first guess."""

    REGION, PROVINCE, CITY, COUNTY, SIGHT, QUARTER, WORLD = range(7)


class Sense(NamedTuple):
    """One meaning of a name; a `weak` one counts only where a place is expected.

    `label` is how a reader is told which of several it is, `people` the population
    where it is known.
    """

    rank: int
    center: Center
    label: str
    weak: bool = False
    people: int = 0


@cache
def known() -> dict[str, tuple[Sense, ...]]:
    """The meanings of every folded name but the cities of the world."""
    found: dict[str, list[Sense]] = {}

    def add(name: str, sense: Sense) -> None:
        same = found.setdefault(fold(name), [])
        if all(other.center.name != sense.center.name for other in same) or (
            sense.rank in (Rank.COUNTY, Rank.QUARTER)
        ):
            same.append(sense)

    words = frozenset(place_names()["words"])
    _add_own(add)
    for unit in divisions().values():
        short = short_name(unit.name)
        sense = of_unit(unit)
        add(unit.name, sense)
        if short != unit.name:
            weak = sense.rank == Rank.QUARTER or short in words
            add(short, sense._replace(weak=weak))
    for sight in sights():
        # In another country a short name is more often a word than the place.
        foreign = not sight.adcode
        for name in (sight.name, sight.en, *sight.aliases):
            short_form = foreign and has_han(name) and len(name) < 3
            add(name, _of_sight(sight)._replace(weak=short_form or name in words))
    return {name: tuple(sorted(same, key=_order)) for name, same in found.items()}


def _order(sense: Sense) -> tuple[int, int, str]:
    return sense.rank, _fame(sense.center.adcode), sense.center.adcode


def _fame(adcode: str) -> int:
    """Of divisions of one name those of the big cities come first."""
    if adcode[:2] in ("11", "31", "12", "50"):
        return 0
    return 1 if adcode[2:4] == "01" else 2


def _add_own(add: Callable[[str, Sense], None]) -> None:
    names = place_names()
    for kind, level in (("regions", "region"), ("countries", "country")):
        for raw in names[kind]:
            country = raw.get("country") or raw["code"]
            center = Center(
                name=raw["name"] if country == "CN" else raw["en"],
                level=level,
                country=country,
                lat=raw["at"][0],
                lon=raw["at"][1],
                region=raw["name"],
                aliases=(raw["name"], raw["en"]),
            )
            for name in (raw["name"], raw["en"], *raw.get("aliases", ())):
                add(name, Sense(Rank.REGION, center, name))
    for area in areas():
        if "at" in area:
            center = Center(
                name=area["en"],
                level="city",
                country=area["country"],
                lat=area["at"][0],
                lon=area["at"][1],
                region=area["area"],
                aliases=(area["area"], area["en"]),
            )
            more = names["cities"].get(area["en"], ())
            for name in (area["area"], area["en"], *more):
                add(name, Sense(Rank.REGION, center, area["en"]))
    units = divisions()
    for adcode, more in names["divisions"].items():
        for name in more:
            add(name, of_unit(units[adcode]))


def of_unit(unit: Unit) -> Sense:
    """The meaning that a division is."""
    rank = {"province": Rank.PROVINCE, "city": Rank.CITY}.get(unit.level, Rank.COUNTY)
    if rank == Rank.COUNTY and unit.name.endswith("区") and unit.name[-2:] != "林区":
        rank = Rank.QUARTER
    center = Center(
        name=unit.name,
        level=unit.level,
        country="CN",
        lat=unit.lat,
        lon=unit.lon,
        adcode=unit.adcode,
        aliases=tuple(dict.fromkeys((short_name(unit.name), unit.name))),
    )
    label = full_name(unit)
    return Sense(
        rank, center, label if rank == Rank.PROVINCE else f"{label} {unit.adcode}"
    )


def _of_sight(sight: Sight) -> Sense:
    center = Center(
        name=sight.name if sight.country == "CN" else sight.en,
        level="poi",
        country=sight.country,
        lat=sight.lat,
        lon=sight.lon,
        region=sight.area,
        aliases=tuple(dict.fromkeys((sight.name, sight.en, *sight.aliases))),
    )
    return Sense(Rank.SIGHT, center, f"{sight.name}({sight.area})")


@cache
def _seats(province: str) -> tuple[Unit, ...]:
    """The seats of a province: its counties', and of cities that have no counties."""
    inner = [
        unit
        for unit in divisions().values()
        if unit.exact and unit.level != "province" and inside(unit.adcode, province)
    ]
    parted = {unit.adcode[:4] for unit in inner if unit.level == "district"}
    return tuple(
        unit
        for unit in inner
        if unit.level == "district" or unit.adcode[:4] not in parted
    )


@cache
def home(sight: Sight) -> Unit | None:
    """The division that a place to see in China lies in, by the nearest seat."""
    seats = _seats(sight.adcode) if sight.adcode else ()
    return min(
        seats,
        key=lambda unit: kilometres(sight.lat, sight.lon, unit.lat, unit.lon),
        default=None,
    )


def home_of(center: Center) -> str:
    """The division code of a place in China, its own or that of its nearest seat."""
    if center.adcode or center.country != "CN":
        return center.adcode
    here = next((sight for sight in sights() if sight.name == center.name), None)
    if here is None:
        return ""
    unit = home(here)
    return unit.adcode if unit else here.adcode


def of_world(name: str) -> tuple[Sense, ...]:
    """The cities of the world of a folded name, the most populous first."""
    return tuple(sense_of_city(city) for city in world.cities().get(name, ()))


def sense_of_city(city: world.City) -> Sense:
    """The meaning that a city of the world is: Rome, Georgia, US."""
    area = world.states().get(city.area, "") if city.country == "US" else ""
    label = ", ".join(filter(None, (city.name, area, city.country)))
    center = Center(
        name=city.name,
        level="city",
        country=city.country,
        lat=city.lat,
        lon=city.lon,
        admin=area,
        aliases=(city.name,),
    )
    return Sense(Rank.WORLD, center, label, people=city.people)
