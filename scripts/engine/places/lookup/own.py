"""What this project wrote itself: names of places, and the list of places to see."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from engine import data

__all__ = ["Sight", "areas", "place_names", "read_yaml", "sights"]

_SIGHTS = Path(__file__).resolve().parents[4] / "references" / "places.yaml"


@dataclass(frozen=True, slots=True)
class Sight:
    """A place worth seeing; `rank` is its position in its group, 0 the best known.

    `area` is the Chinese name of its group, `adcode` the code of that province, empty
    outside China; `months` are those in which it is at its best, empty for any.
    """

    name: str
    en: str
    area: str
    country: str
    lat: float
    lon: float
    kind: str
    rank: int
    adcode: str = ""
    months: tuple[int, ...] = ()
    aliases: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        """Stable between runs: the English name in lower case with hyphens."""
        letters = (char if char.isalnum() else " " for char in self.en.lower())
        return "-".join("".join(letters).split())


def read_yaml(text: str) -> Any:
    """A YAML text of this project, with the fast reader where there is one."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load(text, Loader=loader)


@cache
def place_names() -> Mapping[str, Any]:
    """The sections of engine/data/place_names.yaml."""
    found: dict[str, Any] = read_yaml(data.text("place_names.yaml"))
    return found


@cache
def areas() -> tuple[Mapping[str, Any], ...]:
    """The groups of references/places.yaml as they stand there."""
    return tuple(read_yaml(_SIGHTS.read_text(encoding="utf-8")))


@cache
def sights() -> tuple[Sight, ...]:
    """All places of references/places.yaml."""
    return tuple(
        Sight(
            name=place["name"],
            en=place["en"],
            area=area["area"],
            country=place.get("country", area["country"]),
            lat=place["at"][0],
            lon=place["at"][1],
            kind=place["kind"],
            rank=rank,
            adcode=area.get("adcode", ""),
            months=_months(str(place.get("months", ""))),
            aliases=tuple(place.get("aliases", ())),
        )
        for area in areas()
        for rank, place in enumerate(area["places"])
    )


def _months(text: str) -> tuple[int, ...]:
    """The months of "4-10", "11-3" or "3-4,10"."""
    found: list[int] = []
    for part in filter(None, text.split(",")):
        first, _, last = part.partition("-")
        count = (int(last or first) - int(first)) % 12 + 1
        found += [(int(first) - 1 + i) % 12 + 1 for i in range(count)]
    return tuple(found)
