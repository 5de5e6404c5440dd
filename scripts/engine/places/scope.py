"""The area of an intent: what belongs to a centre, and how far it reaches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from typing import Any

from engine.places.distance import kilometres
from engine.places.lookup.china import inside
from engine.places.lookup.own import place_names
from engine.places.lookup.senses import home_of
from engine.places.model import Candidate, Center, Parsed

__all__ = ["Scope", "scopes"]

# How far a trip goes from its centre where the intent names no radius. A province, a
# region or a country has its borders instead.
_CITY_KM, _SMALL_KM, _ORIGIN_KM, _ROAD_KM = 60.0, 30.0, 300.0, 80.0
# Nearest of these a route is measured from.
_STEPS = 24
_SAME_PLACE_KM = 3.0


@dataclass(frozen=True, slots=True)
class Scope:
    """The area around one centre.

    `radius_km` is how far it reaches beyond its borders, `hard` that nothing farther is
    a candidate, `flagged` that the intent named the radius or meant it. `path` are the
    points of a route.
    """

    center: Center
    code: str
    radius_km: float
    hard: bool = False
    flagged: bool = False
    is_origin: bool = False
    path: tuple[tuple[float, float], ...] = ()

    @property
    def wide(self) -> bool:
        """Whether its borders say more than a circle would."""
        return self.center.level in ("province", "region", "country")

    def placed(self, candidate: Candidate) -> Candidate:
        """The candidate with its distance from this centre."""
        if candidate.lat is None or candidate.lon is None:
            return replace(candidate, center=self.center.name)
        here = self.center
        km = kilometres(here.lat, here.lon, candidate.lat, candidate.lon)
        return replace(
            candidate,
            center=here.name,
            distance_km=round(km, 1),
            within_radius=km <= self.radius_km if self.flagged else None,
        )

    def has(self, candidate: Candidate) -> bool:
        """Whether a placed candidate belongs to the centre, however far it is."""
        center = self.center
        if center.level == "country":
            return candidate.country == center.country
        if center.level == "region":
            return self._in_region(candidate)
        if center.level == "poi":
            near = candidate.distance_km is not None
            return near and (candidate.distance_km or 0.0) <= _SAME_PLACE_KM
        if center.adcode:
            return bool(candidate.adcode) and inside(candidate.adcode, center.adcode)
        # Outside China the list says by its groups what belongs to a city.
        return bool(center.region) and candidate.admin == center.region

    def _in_region(self, candidate: Candidate) -> bool:
        region = _regions().get(self.center.region, {})
        if "divisions" in region:
            return candidate.adcode.startswith(tuple(region["divisions"]))
        reach: float = region.get("radius_km", _CITY_KM)
        return candidate.distance_km is not None and candidate.distance_km <= reach

    def reaches(self, candidate: Candidate) -> bool:
        """Whether a placed candidate is near enough without belonging to it."""
        if self.path and candidate.lat is not None and candidate.lon is not None:
            lat, lon = candidate.lat, candidate.lon
            return min(kilometres(lat, lon, *at) for at in self.path) <= _ROAD_KM
        km = candidate.distance_km
        return km is not None and km <= self.radius_km

    def progress(self, candidate: Candidate) -> int:
        """How far along the route a candidate lies."""
        if not self.path or candidate.lat is None or candidate.lon is None:
            return 0
        lat, lon = candidate.lat, candidate.lon
        steps = range(len(self.path))
        return min(steps, key=lambda i: kilometres(lat, lon, *self.path[i]))


@cache
def _regions() -> dict[str, Any]:
    return {region["name"]: region for region in place_names()["regions"]}


def scopes(parsed: Parsed) -> list[Scope]:
    """The area of every centre; of a route or a trip from somewhere its one area."""
    centers = list(parsed.centers)
    if parsed.relation == "route" and (route := _route(parsed)) is not None:
        return [route]
    is_origin = not centers and parsed.origin is not None
    if is_origin and parsed.origin is not None:
        centers = [parsed.origin]
    return [_scope(center, parsed, is_origin=is_origin) for center in centers]


def _scope(center: Center, parsed: Parsed, *, is_origin: bool) -> Scope:
    km = parsed.radius_km
    default = _CITY_KM if center.level == "city" else _SMALL_KM
    if center.level in ("province", "region", "country"):
        default = 0.0
    if is_origin:
        default = _ORIGIN_KM
    hard = parsed.radius_source == "explicit"
    if km is not None and center.level == "district" and not hard:
        km = max(km, _SMALL_KM)
    return Scope(
        center=center,
        code=home_of(center),
        radius_km=default if km is None else km,
        hard=hard,
        flagged=km is not None,
        is_origin=is_origin,
    )


def _route(parsed: Parsed) -> Scope | None:
    stops: Sequence[Center] = parsed.centers
    if parsed.origin is not None:
        stops = (parsed.origin, *stops)
    if len(stops) < 2:
        return None
    path = [
        (a.lat + (b.lat - a.lat) * i / _STEPS, a.lon + (b.lon - a.lon) * i / _STEPS)
        for a, b in pairwise(stops)
        for i in range(_STEPS + 1)
    ]
    last = parsed.centers[-1]
    scope = _scope(last, replace(parsed, radius_km=None), is_origin=False)
    return replace(scope, path=tuple(path), hard=False, flagged=False)
