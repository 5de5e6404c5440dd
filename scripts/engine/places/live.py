"""Places around a point from services that want no key.

API pages: https://wiki.openstreetmap.org/wiki/Overpass_API and
https://www.mediawiki.org/wiki/API:Geosearch. Both ask for a User-Agent that names the
program and for one request at a time; their data carry the attributions below.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from engine.errors import (
    BadResponseError,
    DeadlineError,
    RateLimitError,
    SourceError,
)
from engine.exchange import Request
from engine.io import IO
from engine.model import Outcome, State
from engine.pacing import wait_turn
from engine.places.model import Center, Found
from engine.together import together
from engine.values import as_mapping, as_sequence, as_text

__all__ = ["ATTRIBUTIONS", "LEVELS", "NAMES", "around"]

OVERPASS = "https://overpass-api.de/api/interpreter"
WIKIVOYAGE = "https://{language}.wikivoyage.org/w/api.php"
ATTRIBUTIONS: Mapping[str, str] = {
    "overpass": "© OpenStreetMap contributors, ODbL",
    "wikivoyage": "Wikivoyage, CC BY-SA",
}
NAMES = tuple(ATTRIBUTIONS)
LEVELS = ("city", "district", "poi")
"""What is small enough to be asked about as a circle."""

_SPACING_SECONDS = 1.1
_MOST_METRES = 30_000
# The most that geosearch takes.
_WIKI_METRES = 10_000
_WANTED = 60
_SERVER_SECONDS = 25
_KINDS = "attraction|museum|viewpoint|zoo|theme_park|gallery"
_MAX_NAME = 60


class _Asked(NamedTuple):
    center: Center
    metres: int
    language: str


def around(
    center: Center, io: IO, *, radius_km: float, language: str
) -> tuple[dict[str, list[Found]], dict[str, Outcome]]:
    """What the services name around a centre, and how each of them ended.

    Args:
        center: a city or something smaller.
        io: what the run may touch.
        radius_km: how far; never more than 30 km, beyond which they are of no use.
        language: zh or en, in which names are wanted.
    """
    metres = int(min(max(radius_km * 1000, 500), _MOST_METRES))
    asked = _Asked(center, metres, language)
    services: dict[str, Callable[[_Asked, IO], list[Found]]] = {
        "overpass": _overpass,
        "wikivoyage": _wikivoyage,
    }

    def job(name: str) -> Callable[[], list[Found]]:
        return lambda: services[name](asked, io)

    answers = together(
        [job(name) for name in services], parallel=2, deadline=io.deadline
    )
    found: dict[str, list[Found]] = {}
    outcomes: dict[str, Outcome] = {}
    for name, answer in zip(services, answers, strict=True):
        if isinstance(answer, SourceError):
            outcomes[name] = answer.outcome()
        else:
            found[name] = answer
            state = State.OK if answer else State.NO_RESULTS
            outcomes[name] = Outcome(state, ATTRIBUTIONS[name] if answer else "")
    return found, outcomes


def _overpass(asked: _Asked, io: IO) -> list[Found]:
    spot = f"{asked.metres},{asked.center.lat:.5f},{asked.center.lon:.5f}"
    query = (
        f"[out:json][timeout:{_SERVER_SECONDS}];"
        f'nwr(around:{spot})["tourism"~"^({_KINDS})$"]["name"]["wikidata"];'
        f"out center tags {_WANTED};"
    )
    wait_turn(io, "overpass", _SPACING_SECONDS)
    url = io.settings.base_url("overpass", OVERPASS)
    answer = io.fetch.json(Request("Overpass", url, {"data": query}), io.deadline)
    body = as_mapping(answer)
    if not isinstance(body.get("elements"), list):
        raise BadResponseError("Overpass gave no list of elements")
    remark = as_text(body.get("remark"))
    if "timed out" in remark:
        raise DeadlineError("Overpass ran out of its own time")
    if "error" in remark:
        raise BadResponseError("Overpass could not finish the query")
    return [
        found
        for raw in as_sequence(body["elements"])
        if (found := _element(as_mapping(raw), asked.language)) is not None
    ]


def _element(raw: Mapping[str, object], language: str) -> Found | None:
    tags = as_mapping(raw.get("tags"))
    spot = as_mapping(raw.get("center")) or raw
    own = as_text(tags.get("name"))
    name = as_text(tags.get(f"name:{language}")) or own
    names = (own, as_text(tags.get("name:zh")), as_text(tags.get("name:en")))
    aliases = tuple(dict.fromkeys(n for n in names if n and n != name))
    return _found(name, spot, as_text(tags.get("tourism")), aliases)


def _wikivoyage(asked: _Asked, io: IO) -> list[Found]:
    base = WIKIVOYAGE.format(language=asked.language)
    parameters: dict[str, str | int] = {
        "action": "query",
        "list": "geosearch",
        "gscoord": f"{asked.center.lat:.5f}|{asked.center.lon:.5f}",
        "gsradius": min(asked.metres, _WIKI_METRES),
        "gslimit": _WANTED,
        "format": "json",
        "formatversion": 2,
    }
    wait_turn(io, "wikivoyage", _SPACING_SECONDS)
    url = io.settings.base_url("wikivoyage", base)
    request = Request("Wikivoyage", url, parameters)
    body = as_mapping(io.fetch.json(request, io.deadline))
    error = as_text(as_mapping(body.get("error")).get("code"))
    if error in ("ratelimited", "maxlag"):
        raise RateLimitError("Wikivoyage had too many requests")
    pages = as_mapping(body.get("query")).get("geosearch")
    if error or not isinstance(pages, list):
        raise BadResponseError("Wikivoyage refused the query")
    return [
        found
        for raw in pages
        if (page := as_mapping(raw))
        and (found := _found(as_text(page.get("title")), page, "", ())) is not None
    ]


def _found(
    name: str, spot: Mapping[str, object], kind: str, aliases: tuple[str, ...]
) -> Found | None:
    """A place, if it has a name that can be shown and stands on the globe."""
    lat, lon = spot.get("lat"), spot.get("lon")
    if isinstance(lat, bool) or isinstance(lon, bool):
        return None
    if not isinstance(lat, (int, float)) or not isinstance(lon, (int, float)):
        return None
    if not (name and name.isprintable() and len(name) <= _MAX_NAME):
        return None
    if not (abs(lat) <= 90 and abs(lon) <= 180):
        return None
    kept = tuple(a for a in aliases if a.isprintable() and len(a) <= _MAX_NAME)
    return Found(name, float(lat), float(lon), kept, kind)
