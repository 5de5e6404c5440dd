"""The keyless services, played by a real server, and how their failures are told."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest

from engine.model import State
from engine.places import geo, live
from engine.places.intent import parse_intent
from engine.places.model import Center
from fakes.asking import World
from fakes.server import Failure, Server, answer_json, drop, page, slow, status

_ROME = Center("Rome", "city", "IT", 41.893, 12.483)


def _element(number: int, name: str, lat: float, lon: float, **tags: str) -> Any:
    return {
        "type": "way",
        "id": number,
        "center": {"lat": lat, "lon": lon},
        "tags": {"name": name, "tourism": "attraction", "wikidata": "Q1", **tags},
    }


_OVERPASS = {
    "version": 0.6,
    "elements": [
        _element(1, "Colosseo", 41.8902, 12.4923, **{"name:en": "Colosseum"}),
        _element(2, "Old Gate", 41.89, 12.49),
        {"type": "node", "id": 3, "tags": {"name": "No spot"}},
        {"type": "node", "id": 4, "lat": 41.9, "lon": 12.5, "tags": {}},
    ],
}
_WIKI = {
    "batchcomplete": True,
    "query": {
        "geosearch": [
            {
                "pageid": 1,
                "title": "Trastevere",
                "lat": 41.889,
                "lon": 12.47,
                "dist": 9.0,
            }
        ]
    },
}


@pytest.fixture
def world(server: Server) -> World:
    """Both services on the loopback interface."""
    server.route("/overpass", answer_json(_OVERPASS))
    server.route("/wiki", answer_json(_WIKI))
    return World(
        {
            "LAST30DAYS_OVERPASS_URL": f"{server.url}/overpass",
            "LAST30DAYS_WIKIVOYAGE_URL": f"{server.url}/wiki",
        },
        seconds=3.0,
    )


def _around(world: World) -> Any:
    return live.around(_ROME, world.io, radius_km=60, language="en")


def test_places_come_with_their_names_and_attribution(world: World) -> None:
    """Names in the language asked for, the local one as an alias."""
    found, outcomes = _around(world)
    assert [place.name for place in found["overpass"]] == ["Colosseum", "Old Gate"]
    assert found["overpass"][0].aliases == ("Colosseo",)
    assert [place.name for place in found["wikivoyage"]] == ["Trastevere"]
    for name in live.NAMES:
        assert outcomes[name] == (State.OK, live.ATTRIBUTIONS[name], "")


def test_the_questions_keep_to_the_limits(world: World, server: Server) -> None:
    """Latitude first, 30 km for one service and 10 km for the other."""
    _around(world)
    asked = {request.path: request.params for request in server.requests}
    assert "around:30000,41.89300,12.48300" in asked["/overpass"]["data"]
    assert asked["/wiki"]["gscoord"] == "41.89300|12.48300"
    assert asked["/wiki"]["gsradius"] == "10000"


@pytest.mark.parametrize(
    ("failure", "state"),
    [
        (status(429), State.RATE_LIMITED),
        (status(403), State.BLOCKED),
        (page(), State.BLOCKED),
        (status(500), State.UNREACHABLE),
        (drop(), State.UNREACHABLE),
        (slow(9), State.TIMEOUT),
        (lambda _: answer_json([]), State.BAD_RESPONSE),
        (lambda _: answer_json({"elements": 3, "query": []}), State.BAD_RESPONSE),
    ],
    ids=["429", "403", "page", "500", "drop", "slow", "list", "shape"],
)
def test_a_failure_is_an_outcome(
    world: World, server: Server, failure: Failure, state: State
) -> None:
    """And never an empty success."""
    server.fail(failure)
    found, outcomes = _around(world)
    assert not found
    assert {outcome.state for outcome in outcomes.values()} == {state}


@pytest.mark.parametrize(
    ("body", "service", "state"),
    [
        ({"elements": []}, "overpass", State.NO_RESULTS),
        (
            {"elements": [], "remark": "runtime error: Query timed out in x"},
            "overpass",
            State.TIMEOUT,
        ),
        (
            {"elements": [], "remark": "runtime error: out of memory"},
            "overpass",
            State.BAD_RESPONSE,
        ),
        ({"query": {"geosearch": []}}, "wikivoyage", State.NO_RESULTS),
        ({"error": {"code": "ratelimited"}}, "wikivoyage", State.RATE_LIMITED),
        ({"error": {"code": "toobig"}}, "wikivoyage", State.BAD_RESPONSE),
    ],
    ids=["none", "timed-out", "memory", "none-wiki", "limited", "too-big"],
)
def test_what_a_success_hides_is_found(
    world: World, server: Server, body: object, service: str, state: State
) -> None:
    """Both services tell of failures inside a 200."""
    server.route("/overpass" if service == "overpass" else "/wiki", answer_json(body))
    assert _around(world)[1][service].state is state


def test_hostile_names_are_left_out(world: World, server: Server) -> None:
    """Control characters, endless names and impossible coordinates are no places."""
    elements = [
        _element(1, "a\u202eb", 41.8, 12.4),
        _element(2, "x" * 200, 41.8, 12.4),
        _element(3, "Nowhere", 141.8, 12.4),
    ]
    server.route("/overpass", answer_json({"elements": elements}))
    assert _around(world)[0]["overpass"] == []


def test_live_finds_are_yellow_and_come_before_the_list(world: World) -> None:
    """What the list knows too first, then gray ones up to ten; each place once."""
    parsed = parse_intent("Rome 5 days", date(2026, 11, 30))
    found = geo.candidates(parsed, world.io)
    grades = [candidate.grade for candidate in found.candidates]
    assert grades == sorted(grades, reverse=True)
    assert grades.count("yellow") == 3
    ids = [candidate.id for candidate in found.candidates]
    assert ids[0] == "colosseum" and len(set(ids)) == len(ids)
    assert set(found.outcomes) == set(live.NAMES)
    json.dumps([candidate.name for candidate in found.candidates])


@pytest.mark.parametrize("intent", ["江西 4天", "意大利 10天"])
def test_large_areas_are_not_asked_about(
    world: World, server: Server, intent: str
) -> None:
    """A circle says nothing of a province or a country."""
    geo.candidates(parse_intent(intent, date(2026, 11, 30)), world.io)
    assert server.requests == []


def test_offline_asks_nobody(world: World, server: Server) -> None:
    """The static list answers."""
    parsed = parse_intent("Rome 5 days", date(2026, 11, 30))
    assert geo.candidates(parsed, world.io, offline=True).candidates
    assert server.requests == []
