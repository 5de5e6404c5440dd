"""Planning: who serves a run, which candidates it has, and what is asked about them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from engine.errors import SourceError
from engine.io import IO
from engine.places import asking, geo
from engine.places.budget import Budget
from engine.places.cities import city_of
from engine.places.distance import kilometres
from engine.places.evidence import Evidence
from engine.places.handed import take_results
from engine.places.live import ATTRIBUTIONS as LIVE
from engine.places.lookup.text import has_han
from engine.places.matrix import queries
from engine.places.model import Candidate, Center, Found, Query
from engine.places.request import Request
from engine.places.staff import Staff, hire
from engine.places.wording import short

__all__ = ["hired", "planned"]

_ASKED_PLACES = 20
_SIGHTS = {True: "景点", False: "attractions"}
_SHORT_DAYS, _LONG_DAYS = 3, 30


def hired(request: Request, io: IO, budget: Budget, evidence: Evidence) -> Staff:
    """Who serves a run; what the host handed over is in the evidence then."""
    staff = hire(
        io,
        only=request.only,
        budget=budget,
        offline=request.offline,
        refresh=request.refresh,
        keep_days=_SHORT_DAYS if request.domain == "risk" else _LONG_DAYS,
    )
    if request.results:
        staff.handed = take_results(request.results, evidence, io)
    return staff


def planned(
    request: Request, io: IO, staff: Staff | None, evidence: Evidence
) -> tuple[list[Candidate], list[Query], geo.Geography]:
    """The candidates, the queries, and what the geography has to say.

    Without `staff` nobody is asked.
    """
    named = not request.only or bool(set(request.only) & set(LIVE))
    geography = geo.candidates(
        request.parsed,
        io,
        search=partial(_geography, staff, evidence, request.parsed.centers),
        offline=request.offline or not named,
    )
    found = geography.candidates
    if request.parsed.needs_clarification:
        return found, [], geography
    asked = queries(
        request.parsed, found, request.domain, request.profile, request.creative
    )
    return found, asked, geography


def _geography(
    staff: Staff | None,
    evidence: Evidence,
    centers: Sequence[Center],
    center: Center,
) -> tuple[str, list[Found]]:
    """What the host's or the configured geographic search names around a centre."""
    for name, handed in evidence.places.items():
        return name, [one for one in handed if _belongs(one, center, centers)]
    tool = staff.tools.get("geography") if staff else None
    if tool is None:
        return "", []
    try:
        city = city_of(center) or center.name
        query = f"{short(center.name)} {_SIGHTS[has_han(center.name)]}"
        found = asking.geography(tool, query, city, _ASKED_PLACES)
    except SourceError:
        # The tool has counted it; other ways to candidates follow.
        return "", []
    return tool.connector.name, found


def _belongs(found: Found, center: Center, centers: Sequence[Center]) -> bool:
    """Whether a place lies nearer to a centre than to any other of the intent."""
    if found.lat is None or found.lon is None:
        return True
    lat, lon = found.lat, found.lon
    nearest = min(
        centers, key=lambda c: kilometres(lat, lon, c.lat, c.lon), default=center
    )
    return nearest == center
