"""One place by several names, from several sources."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from engine.places.distance import kilometres
from engine.places.gray import is_city
from engine.places.lookup.text import fold
from engine.places.model import Candidate, Center, Found

__all__ = ["candidate_of", "joined", "same_place"]

_SAME_KM = 3.0
# The middle of a lake or a mountain lies where the one who wrote it down thinks.
_SAME_NAME_KM = 30.0


def candidate_of(
    found: Found,
    source: str,
    grade: str,
    center: Center,
    code: str,
    static: Sequence[Candidate],
) -> Candidate:
    """A place that a search found, with what the static list knows of it.

    Args:
        found: what the search gave.
        source, grade: the name of the search, and how far it is to be believed.
        center, code: around what it was asked, and the division code of that; a place
            without a coordinate is taken to lie there.
        static: the candidates of the static list.
    """
    lat, lon = found.lat, found.lon
    fresh = Candidate(
        id=f"{source}-{fold(found.name).replace(' ', '-')}",
        name=found.name,
        aliases=found.aliases,
        kind=found.kind,
        country=center.country,
        source=source,
        grade=grade,
        adcode=code if lat is None else "",
        lat=lat,
        lon=lon,
        coord_source=source if lat is not None else "",
        search_data=found.data,
    )
    twin = next((one for one in static if same_place(one, fresh)), None)
    return fresh if twin is None else _completed(fresh, twin)


def _completed(fresh: Candidate, twin: Candidate) -> Candidate:
    """A place with what the static list says of it; its own coordinate comes first."""
    names = dict.fromkeys((*fresh.aliases, twin.name, *twin.aliases))
    known = fresh.lat is not None
    return replace(
        fresh,
        id=twin.id,
        aliases=tuple(name for name in names if name != fresh.name),
        kind=twin.kind,
        country=twin.country,
        admin=twin.admin,
        adcode=twin.adcode,
        lat=fresh.lat if known else twin.lat,
        lon=fresh.lon if known else twin.lon,
        coord_source=fresh.coord_source if known else twin.coord_source,
        season=twin.season,
    )


def same_place(one: Candidate, other: Candidate) -> bool:
    """Whether two are one place: one of their names, and no distance against it.

    Less than three kilometres apart, a name that holds the other is enough.
    """
    if one.id == other.id:
        return True
    names = {fold(name) for name in (one.name, *one.aliases)}
    others = {fold(name) for name in (other.name, *other.aliases)}
    if None in (one.lat, one.lon, other.lat, other.lon):
        return bool(names & others)
    km = kilometres(one.lat or 0, one.lon or 0, other.lat or 0, other.lon or 0)
    if names & others:
        return km <= _SAME_NAME_KM
    held = any(
        a in b or b in a for a in names for b in others if min(len(a), len(b)) > 1
    )
    return km < _SAME_KM and held and not (is_city(one) or is_city(other))


def joined(
    first: Sequence[Candidate], more: Iterable[Candidate], most: int
) -> list[Candidate]:
    """Two lists as one, each place once, up to a length."""
    found = list(first)
    for candidate in more:
        if len(found) >= most:
            break
        if not any(same_place(candidate, other) for other in found):
            found.append(candidate)
    return found
