"""Discovery end to end: three legs as processes, over services that are played."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from engine.contracts import check
from engine.report.laws import check_brief
from fakes.asking import NOW
from fakes.rivers import JUNK, ONE_STORY, Rivers, verdict
from fakes.server import status

_HOUR = timedelta(hours=1)
_DAY = timedelta(days=1)


@pytest.fixture
def rivers(tmp_path: Path) -> Iterator[Rivers]:
    """All services, and a folder for the files."""
    with Rivers(tmp_path) as running:
        yield running


def _titles(bundle: dict[str, Any]) -> dict[str, str]:
    """The id of each nomination by the title of its hottest item."""
    return {one["evidence"][0]["title"]: one["id"] for one in bundle["nominations"]}


def _angles(rivers: Rivers, bundle_id: str, *rows: object) -> str:
    path = rivers.folder / "angles.json"
    path.write_text(json.dumps({"bundle_id": bundle_id, "angles": rows}), "utf-8")
    return str(path)


def _brief(rivers: Rivers, pending: dict[str, Any], *rows: object, **more: Any) -> str:
    return rivers.leg(
        "finalize", "--angles", _angles(rivers, pending["bundle_id"], *rows), **more
    )


def test_the_protocol_end_to_end(rivers: Rivers) -> None:
    """Fifteen nominations, three of them one story, two junk, become a brief."""
    shown = rivers.leg("nominate")
    bundle = rivers.file("discover-nominations.json")
    ids = _titles(bundle)
    assert list(ids.values()) == [f"n{i}" for i in range(1, 16)]
    assert set(ids) >= {*ONE_STORY, *JUNK}
    shapes = {
        t: n["junk_shape"] for t, n in zip(ids, bundle["nominations"], strict=True)
    }
    assert [t for t, shape in shapes.items() if shape] == list(JUNK)
    assert bundle["bundle_id"] in shown and "out/discover-nominations.json" in shown
    assert shown.count('"worthiness": 50') == 15

    pending = rivers.judged(bundle)
    topics = pending["discovery"]["topics"]
    first = topics[0]
    assert first["name"] == "Veritrust CA keys leaked"
    assert {first["id"], *first["merged"]} == {ids[title] for title in ONE_STORY}
    assert first["sources"] == ["hackernews", "reddit"]
    left = {one["id"]: one["reason"] for one in pending["discovery"]["left"]}
    assert {left[ids[title]] for title in JUNK} == {"junk"}

    brief = _brief(
        rivers, pending, {"id": first["id"], "podcast": "Who looks at buckets?"}
    )
    assert "1. **Veritrust CA keys leaked** · momentum " in brief
    assert "surfaced 1st time" in brief
    assert "   Confirmed across Hacker News, Reddit (2 independent origins)" in brief
    assert '   Voice: "The keys were there for a month." [@ann](https://news.y' in brief
    assert "   Podcast: Who looks at buckets?" in brief
    assert "Pipeline: 15 nominated, 15 judged by you, 6 researched, " in brief
    assert "   Next: `/last30days Veritrust CA keys leaked`" in brief
    (saved,) = rivers.folder.glob("out/discover-what-is-rising-*.md")
    assert saved.read_text(encoding="utf-8") == brief
    record = json.loads(saved.with_suffix(".json").read_text(encoding="utf-8"))
    check(record, "artifact", name="it")
    assert check_brief(brief, record) == []


def test_a_name_that_the_evidence_does_not_hold_stays_marked(rivers: Rivers) -> None:
    """In the file, in the digest of the second leg, and in the brief."""
    bundle = rivers.nominate()
    path = rivers.judge(map(verdict, bundle["nominations"]), bundle["bundle_id"])
    shown = rivers.leg("research", "--judgments", path)
    assert "UNGROUNDED, not in the evidence: Pwn2Own" in shown
    pending = rivers.file("discover-pending.json")
    marked = {t["name"]: t["ungrounded"] for t in pending["discovery"]["topics"]}
    assert marked.pop("Orbit phone hacked Pwn2Own") == ["Pwn2Own"]
    assert marked["星河手机发布会"] == [] and not any(marked.values())
    assert "   Ungrounded: Pwn2Own (in the name" in rivers.leg("finalize")


def test_a_page_of_vacancies_is_no_second_source(rivers: Rivers) -> None:
    """150 points and a careers page of the same site: below the floor."""
    bundle = rivers.nominate()
    ids = _titles(bundle)
    wanted = ids["DeepForge engine doubles DeepMoon inference"]
    rows = [
        {**verdict(one), "junk": one["id"] != wanted} for one in bundle["nominations"]
    ]
    path = rivers.judge(rows, bundle["bundle_id"])
    shown = rivers.leg("research", "--judgments", path)
    (left,) = (
        one
        for one in rivers.file("discover-pending.json")["discovery"]["left"]
        if one["id"] == wanted
    )
    assert left["reason"] == "below-floor" and "one source alone" in left["detail"]
    assert rivers.web.asked["searxng"], "the page was found"
    assert "Nothing solid this window." in shown
    assert "Nothing solid this window." in rivers.leg("finalize")


def test_rows_that_are_missing_or_malformed_fall_back(rivers: Rivers) -> None:
    """The others hold; what was not taken is told in the digest."""
    bundle = rivers.nominate()
    ids = _titles(bundle)
    keep = ids["Kestrel 4 beats every human at Go"]
    rows: list[object] = [
        {"id": keep, "name": "Kestrel wins at Go", "junk": False, "worthiness": 99},
        {"id": ids[JUNK[0]], "name": "Learning Rust late", "junk": "false"},
        {"id": "n77", "name": "No such story", "junk": False, "worthiness": 9},
        "a row",
    ]
    path = rivers.judge(rows, bundle["bundle_id"])
    shown = rivers.leg("research", "--judgments", path)
    discovery = rivers.file("discover-pending.json")["discovery"]
    assert discovery["topics"][0]["name"] == "Kestrel wins at Go"
    assert discovery["judged"] == 2
    assert [t["by_host"] for t in discovery["topics"]].count(False) >= 3
    junk = {one["id"] for one in discovery["left"] if one["reason"] == "junk"}
    assert junk == {ids[title] for title in JUNK}, "their shape decides"
    assert "judgments, n77: there is no such id" in shown
    assert "judgments, row 4: it is no object with an id" in shown


def test_sources_that_fail_in_either_leg_are_named_in_the_brief(
    rivers: Rivers,
) -> None:
    """What could not be seen may hide what rises."""
    rivers.fail(status(429), "reddit", "arctic_shift")
    bundle = rivers.nominate()
    assert bundle["source_status"]["reddit"]["state"] == "rate-limited"
    rivers.fail(None, "reddit", "arctic_shift")
    rivers.fail(status(500), "searxng")
    pending = rivers.judged(bundle)
    states = pending["artifact"]["source_status"]
    assert states["reddit"]["state"] == "partial"
    assert states["reddit"]["detail"].startswith("sweep: ")
    assert states["web"]["state"] == "unreachable"
    brief = rivers.leg("finalize")
    assert "Not seen in full: Reddit (partial: sweep: " in brief
    assert "Web (unreachable: research" in brief and "⚠️ Not every source" in brief


def test_a_quiet_window_has_no_further_legs(rivers: Rivers) -> None:
    """It says so, and nothing is written."""
    rivers.hackernews.stories = [
        story for story in rivers.hackernews.stories if story.id == 212
    ]
    shown = rivers.leg("nominate", "quantum gardening")
    assert "Nothing solid this window. No nominations" in shown
    assert "research" not in shown.split("Nothing solid")[1]
    assert not list((rivers.folder / "out").iterdir())
    found = json.loads(rivers.leg("nominate", "quantum gardening", "--emit", "json"))
    assert found["nominations"] == []


def test_a_domain_gates_what_is_swept(rivers: Rivers) -> None:
    """Its words in any script, or a subreddit of it; X and the web are asked as well."""
    found = rivers.nominate("Orbit phone")
    assert len(found["nominations"]) == 2
    sources = {i["source"] for n in found["nominations"] for i in n["evidence"]}
    assert sources == {"hackernews", "x"}
    assert found["domain"] == "Orbit phone" and found["bundle_id"]
    (story,) = rivers.nominate("星河手机")["nominations"]
    assert story["evidence"][0]["title"] == "星河手机发布会定档十二月八日"
    (thread,) = rivers.nominate("DNS resolvers", "--subreddits", "privacy")[
        "nominations"
    ]
    assert thread["evidence"][0]["container"] == "r/privacy"


def test_three_days_and_a_new_name(rivers: Rivers) -> None:
    """Surfaced 3rd time; what was covered stays so under another name."""
    for day, ordinal in enumerate(("1st", "2nd", "3rd")):
        at = NOW + day * _DAY
        pending = rivers.judged(rivers.nominate(at=at), at=at)
        assert f"surfaced {ordinal} time" in rivers.leg("finalize", at=at)
        assert f"surfaced {ordinal} time" in rivers.leg("finalize", at=at), (
            "not counted"
        )
    listed = rivers.leg("queue", "list")
    assert (
        "Veritrust CA keys leaked · surfaced 3 times · 2026-11-30 to 2026-12-02"
        in listed
    )
    rivers.leg("queue", "cover", "veritrust", "CA", "keys", "leaked")
    at = NOW + 3 * _DAY
    bundle = rivers.nominate(at=at)
    rows = [verdict(one) for one in bundle["nominations"]]
    for row in rows:
        row["name"] = row["name"].replace("Veritrust CA keys", "bucket of Veritrust")
    path = rivers.judge(rows, bundle["bundle_id"])
    rivers.leg("research", "--judgments", path, at=at)
    brief = rivers.leg("finalize", at=at)
    assert "Covered before: bucket of Veritrust leaked." in brief
    assert "**bucket of Veritrust" not in brief
    assert pending["bundle_id"] != bundle["bundle_id"]


def test_two_runs_at_once_in_one_folder(rivers: Rivers) -> None:
    """Each of the two goes on with its own bundle to its own brief."""
    with ThreadPoolExecutor(2) as pool:
        runs = [pool.submit(rivers.leg, "nominate", "--emit", "json") for _ in range(2)]
        bundles = [json.loads(run.result()) for run in runs]
    ids = [bundle["bundle_id"] for bundle in bundles]
    assert len(set(ids)) == 2
    for bundle in bundles:
        assert rivers.judged(bundle)["bundle_id"] == bundle["bundle_id"]
    for bundle_id in ids:
        rivers.leg("finalize", "--angles", _angles(rivers, bundle_id))
    assert len(list(rivers.folder.glob("out/discover-what-is-rising-*.md"))) == 2


def test_a_stale_bundle_is_refused_and_costs_nothing(rivers: Rivers) -> None:
    """After an hour nobody is asked; the setting makes it longer."""
    bundle = rivers.nominate()
    sent = sum(len(server.requests) for server in rivers.servers.values())
    path = rivers.judge([], bundle["bundle_id"])
    late = NOW + 2 * _HOUR
    args = ("research", "--judgments", path, "--save-dir", "out")
    done = rivers.run(*args, at=late)
    assert done.returncode == 2 and "is 120 minutes old" in done.stderr
    assert done.stdout == "" and "nominate first" in done.stderr
    assert sum(len(server.requests) for server in rivers.servers.values()) == sent
    assert (
        rivers.run(*args, at=late, LAST30DAYS_DISCOVER_TTL_MINUTES="180").returncode
        == 0
    )
    done = rivers.run("finalize", "--save-dir", "out", at=late + 2 * _HOUR)
    assert done.returncode == 2 and "discover.py research" in done.stderr
