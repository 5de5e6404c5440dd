"""The order of a run, over tools that are real executables and a real server."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fakes.server import Server
from fakes.travelrun import FOUND, NOTES, SIGHTS, Trip, ready, sources
from fakes.travelstage import note
from support import ROOT


@pytest.fixture
def trip(tmp_path: Path, server: Server) -> Trip:
    """Everything is set up and well."""
    return ready(tmp_path, server)


@pytest.fixture
def bare(tmp_path: Path, server: Server) -> Trip:
    """No tool is installed; the web is there."""
    return Trip(tmp_path, server)


def test_candidates_come_in_the_order_of_their_evidence(trip: Trip) -> None:
    """The best first; evidence lies only where it belongs."""
    document = trip.run()
    scores = [one["score"] for one in document["candidates"]]
    assert scores == sorted(scores, reverse=True) and scores[0] > 0
    for one in document["candidates"]:
        for evidence in one["xhs_evidence"]:
            assert any(
                name in evidence["title"] for name in (one["name"], *one["aliases"])
            ) or any(s in one["name"] and s in evidence["title"] for s in SIGHTS)


def test_the_budget_holds_and_is_told_before(trip: Trip) -> None:
    """At the most that each call may take; the fake counts what it really sent."""
    document = trip.run()
    stats = document["metadata"]["stats"]
    assert trip.requests <= stats["requests_spent"] <= stats["requests_limit"] == 90
    assert stats["requests_planned"] <= 90
    (said,) = trip.said
    assert "at most 90 of 90 requests" in said
    assert trip.count("xhs", "search") == 12
    assert len(trip.web.asked["searxng"]) == len(document["queries"]) - 12


@pytest.mark.parametrize("limit", [0, 5, 17])
def test_a_smaller_budget_holds_too(trip: Trip, limit: int) -> None:
    """The queries it does not pay for go to the web."""
    document = trip.run(requests=limit)
    assert trip.requests <= limit
    assert document["candidates"] and trip.web.asked["searxng"]


def test_deep_makes_the_seeds_full_numbers(trip: Trip) -> None:
    """20 searches, whole comment sets; all queries go to Xiaohongshu."""
    document = trip.run(deep=True)
    assert trip.count("xhs", "search") == len(document["queries"])
    assert trip.count("xhs", "comments") == 5
    assert trip.requests <= document["metadata"]["stats"]["requests_limit"]
    assert not trip.web.asked["searxng"]


def test_a_second_run_is_answered_by_the_cache(trip: Trip) -> None:
    """No process is started again; evidence says when it is from."""
    first = trip.run()
    before = len(trip.calls)
    again = trip.run(now="2026-11-30T20:00:00Z")
    assert len(trip.calls) == before
    assert [c["name"] for c in again["candidates"]] == [
        c["name"] for c in first["candidates"]
    ]
    noted = [n for c in again["candidates"] for n in c["xhs_evidence"]]
    assert noted and all(n["from_cache"] for n in noted)
    assert {n["queried_at"] for n in noted} == {"2026-11-30T12:00:00+08:00"}
    assert any(n["full_text"] for n in noted)
    trip.run(refresh=True)
    assert len(trip.calls) > before


_CAPTCHA = {"ok": False, "error": {"code": "verification_required", "message": "x"}}
_FAILURES: dict[str, tuple[dict[str, Any], str, int]] = {
    "captcha": ({"stdout": _CAPTCHA}, "rate-limited", 1),
    "461": ({"stderr": "Captcha triggered 461"}, "rate-limited", 1),
    "yaml": ({"stdout": "ok: false\nerror: {code: not_authenticated}"}, "auth-failed", 1),
    "block": ({"stdout": {"ok": False, "error": {"code": "ip_blocked"}}}, "blocked", 1),
    "no-items": ({"stdout": {"ok": True, "data": {}}, "status": 0}, "bad-response", 3),
    "20-mb": ({"junk": 20, "status": 0}, "bad-response", 3),
    "utf-8": ({"junk": "bytes", "status": 0}, "bad-response", 3),
    "connection": ({"stderr": "connection refused"}, "unreachable", 3),
    "killed": ({"status": 137}, "bad-response", 3),
}  # fmt: skip


@pytest.mark.parametrize(("how", "state", "started"), _FAILURES.values(), ids=_FAILURES)
def test_a_failing_tool_is_named_left_alone_and_replaced(
    trip: Trip, how: dict[str, Any], state: str, started: int
) -> None:
    """After the breaker opens exactly no process; every query goes to the web."""
    trip.fail("xhs", "search", **how)
    document = trip.run()
    xhs = sources(document)["xhs"]
    assert trip.count("xhs") == started
    assert (xhs["status"], xhs["breaker"]) == (state, "open")
    assert xhs["message"] and document["stage"] == "partial"
    assert len(trip.web.asked["searxng"]) == len(document["queries"])
    assert any(one["web_evidence"] for one in document["candidates"])
    again = trip.run(refresh=True)
    assert trip.count("xhs") == started, "an open breaker holds for the next run"
    assert sources(again)["xhs"]["status"] == state


def test_what_arrived_before_a_failure_is_kept(trip: Trip) -> None:
    """A login that is lost in the middle: the notes of the first queries stay."""
    told = {"ok": False, "error": {"code": "not_authenticated", "message": ""}}
    trip.fail("xhs", "search", stdout=told, **{"from": 4})
    document = trip.run()
    assert trip.count("xhs", "search") == 4 and trip.count("xhs", "read") == 0
    assert sources(document)["xhs"]["status"] == "partial"
    assert any(one["xhs_evidence"] for one in document["candidates"])


def test_a_captcha_while_reading_keeps_what_was_read(trip: Trip) -> None:
    """And starts nothing more."""
    trip.fail("xhs", "read", stdout=_CAPTCHA, **{"from": 3})
    document = trip.run()
    notes = {n["note_id"]: n for c in document["candidates"] for n in c["xhs_evidence"]}
    assert sum(bool(n["full_text"]) for n in notes.values()) == 2
    assert trip.count("xhs", "read") == 3 and trip.count("xhs", "comments") == 0


def test_a_title_that_names_no_place_is_settled_by_its_text(trip: Trip) -> None:
    """Read last, within the budget; the text gives it to a place, or to none."""
    plain = note(30, "三天两夜保姆级攻略", "庐山路线：三叠泉、五老峰，值得")
    other = note(31, "人均八百吃遍全城", "庐山脚下的晚餐，全是吃的")
    trip.play("xhs", notes=[*NOTES, plain, other])
    document = trip.run()
    lushan = next(c for c in document["candidates"] if "庐山" in c["name"])
    found = {n["note_id"]: n for n in lushan["xhs_evidence"]}
    assert found[plain["id"]]["full_text"] == plain["desc"]
    read = [call["words"][1] for call in trip.calls if call["operation"] == "read"]
    assert read.index(plain["id"]) > read.index(NOTES[0]["id"])


def test_meituan_errors_with_a_good_exit_status_are_failures(
    tmp_path: Path, server: Server
) -> None:
    """And lose nothing of the others."""
    trip = Trip(tmp_path, server, "xhs", "mttravel")
    trip.play("xhs", notes=NOTES)
    trip.fail("mttravel", "answer", stdout={"code": 401, "msg": "token"}, status=0)
    document = trip.run()
    assert sources(document)["mttravel"]["status"] == "auth-failed"
    assert trip.count("mttravel") == 1
    assert any(one["confidence"] == "green" for one in document["candidates"])


def test_the_browser_skill_serves_as_well(tmp_path: Path, server: Server) -> None:
    """Its other shape gives the same evidence."""
    trip = Trip(tmp_path, server, "xhs-skills")
    trip.values["LAST30DAYS_XHS_SKILLS_COMMAND"] = str(trip.bin / "xhs-skills")
    trip.play("xhs-skills", notes=NOTES)
    document = trip.run()
    assert sources(document)["xhs-skills"]["status"] == "ok"
    notes = [n for c in document["candidates"] for n in c["xhs_evidence"]]
    assert any(n["full_text"] and n["top_comments"] for n in notes)
    other = sources(document)["xhs-mcp"]
    assert other["status"] == "not-asked" and "same service" in other["message"]
    assert sources(document)["xhs"]["status"] == "skipped-unconfigured"


def test_without_first_hand_tools_the_web_makes_it_yellow(bare: Trip) -> None:
    """And what is not set up says how it would be."""
    document = bare.run()
    marks = {one["confidence"] for one in document["candidates"]}
    assert marks <= {"yellow", "gray"} and "yellow" in marks
    assert sources(document)["xhs"]["status"] == "skipped-unconfigured"
    assert "install xhs" in sources(document)["xhs"]["fix"]


def test_results_of_the_hosts_own_tools_are_evidence(bare: Trip) -> None:
    """In the shape of their connector or in plain fields; a failure is told."""
    feeds = [
        {
            "id": "65f0aa1",
            "xsecToken": "token-x",
            "modelType": "note",
            "noteCard": {
                "displayTitle": "婺源攻略 路线",
                "interactInfo": {"likedCount": "1.7万", "commentCount": "96"},
            },
        }
    ]
    results = [
        {"connector": "amap", "kind": "places", "document": {"message": "OK", "places": FOUND}},
        {"connector": "xhs-mcp", "kind": "notes", "query": "婺源", "document": {"success": True, "data": {"feeds": feeds}}},
        {"connector": "xhs-mcp", "kind": "detail", "note_id": "65f0aa1", "document": {"success": True, "data": {"data": {"note": {"title": "婺源攻略 路线", "desc": "婺源篁岭值得"}, "comments": {"list": [{"content": "同意", "likeCount": "3"}]}}}}},
        {"connector": "search", "kind": "pages", "document": {"pages": [{"url": "https://example.org/a", "title": "三清山 攻略", "snippet": "三清山路线"}]}},
        {"connector": "mt", "kind": "answer", "query": "q", "at": "2026-11-29T00:00:00Z", "document": {"answer": "婺源民宿￥2XX"}},
        {"connector": "dead", "kind": "notes", "document": {"ok": False, "error": "401"}},
    ]  # fmt: skip
    path = bare.folder / "results.json"
    path.write_text(json.dumps(results), encoding="utf-8")
    document = bare.run(results=str(path))
    by_name = sources(document)
    states = {name: by_name[name]["status"] for name in ("amap", "xhs-mcp", "search")}
    assert states == {"amap": "ok", "xhs-mcp": "ok", "search": "ok"}
    assert by_name["dead"]["status"] == "auth-failed"
    wuyuan = next(c for c in document["candidates"] if "婺源" in c["name"])
    assert wuyuan["confidence"] == "green" and "amap" in wuyuan["source"]
    (found,) = wuyuan["xhs_evidence"]
    assert found["full_text"] == "婺源篁岭值得" and found["top_comments"] == ["同意"]
    assert found["likes"] == 17_000
    assert wuyuan["search_data"]["mt"][0]["queried_at"].startswith("2026-11-29T08")


def test_sources_are_asked_alone(trip: Trip) -> None:
    """The others are not asked, and say so."""
    document = trip.run(only=("web",))
    assert trip.calls == []
    assert sources(document)["xhs"]["status"] == "not-asked"
    assert sources(document)["web"]["status"] == "ok"


def test_keyless_services_are_sources_too(bare: Trip) -> None:
    """They are asked about cities; one that fails is named, and the list fills in."""
    document = bare.run("Rome 5 days in May")
    states = {name: sources(document)[name]["status"] for name in ("overpass", "web")}
    assert states["overpass"] == "bad-response" and document["stage"] == "partial"
    assert len(document["candidates"]) >= 6
    assert document["queries"][0]["text"] == "Rome trip"


def test_places_of_the_host_go_to_the_nearest_centre(bare: Trip) -> None:
    """Of two cities each gets its own."""
    found = [
        {"name": "宽窄巷子", "lat": 30.67, "lon": 104.05},
        {"name": "洪崖洞", "lat": 29.56, "lon": 106.58},
    ]
    path = bare.folder / "results.json"
    results = [{"connector": "amap", "kind": "places", "document": {"places": found}}]
    path.write_text(json.dumps(results), encoding="utf-8")
    document = bare.run("成都或者重庆 选一个，3天", results=str(path))
    centers = {c["name"]: c["center"] for c in document["candidates"]}
    assert (centers["宽窄巷子"], centers["洪崖洞"]) == ("成都市", "重庆市")


def _intents() -> list[dict[str, Any]]:
    path = ROOT.parent / "shared" / "data" / "places_intents_dev.jsonl"
    if not path.exists():
        return []
    lines = path.read_text(encoding="utf-8").splitlines()
    found = [json.loads(line) for line in lines]
    return [case for case in found if "expect" in case]


@pytest.mark.parametrize("case", _intents(), ids=lambda case: str(case["id"]))
def test_every_example_intent_makes_a_sound_run(
    bare: Trip, case: dict[str, Any]
) -> None:
    """Offline: queries of plain words, nothing excluded among them, gray candidates."""
    domain = case.get("domain", "destination")
    document = bare.run(case["text"], domain=domain, offline=True)
    wanted = case["expect"]
    if wanted["clarify"]:
        assert document["stage"] == "needs_clarification" and not document["sources"]
        return
    shown = json.dumps(
        [document["queries"], document["candidates"]], ensure_ascii=False
    )
    assert not any(name in shown for name in wanted["exclude"])
    assert "rm -rf" not in shown and "ssh" not in shown
    assert 15 <= len(document["queries"]) <= 20
    assert {c["confidence"] for c in document["candidates"]} == {"gray"}
    assert len(document["candidates"]) >= 6
