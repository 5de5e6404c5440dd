"""The script over all services at once: whole runs, plans, saving, the cache, its end."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from engine.contracts import check
from engine.sources import SOURCES
from fakes.live import after
from fakes.server import slow, status
from fakes.services import SCRIPT, SECRETS, TOPIC, Services
from support import environment

if os.name != "posix":
    pytest.skip("the fake tool is a script", allow_module_level=True)

MAX_BYTES = 24_000


@pytest.fixture
def services(tmp_path: Path) -> Iterator[Services]:
    """All services, all of them well."""
    with Services(tmp_path) as running:
        yield running


def _states(record: Mapping[str, Any]) -> dict[str, str]:
    return {name: told["state"] for name, told in record["source_status"].items()}


def _of(record: Mapping[str, Any], source: str) -> list[Mapping[str, Any]]:
    return [item for item in record["items"] if item["source"] == source]


def _codes(record: Mapping[str, Any]) -> list[str]:
    return [warning["code"] for warning in record["_warnings"]]


def _write_plan(services: Services, *subqueries: dict[str, Any], **more: Any) -> str:
    plan = {
        "intent": "concept",
        "freshness_mode": "balanced_recent",
        "cluster_mode": "none",
        "subqueries": list(subqueries),
        **more,
    }
    path = services.folder / "plan.json"
    path.write_text(json.dumps(plan), encoding="utf-8")
    return str(path)


def _subquery(query: str, *sources: str, **more: Any) -> dict[str, Any]:
    return {
        "search_query": query,
        "ranking_query": "How are people building and using Skills in Claude Code?",
        "sources": list(sources),
        **more,
    }


def test_a_run_over_all_sources(services: Services) -> None:
    """Each is asked, all answer, and the whole is one valid artifact."""
    args = (TOPIC, "--archive", services.archive, "--save-dir", "out")
    done = services.run(*args)
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.encode()) <= MAX_BYTES
    (path,) = Path(services.folder, "out").glob("*.json")
    record = json.loads(path.read_text(encoding="utf-8"))
    check(record, "artifact", name=path.name)
    assert _states(record) == dict.fromkeys(SOURCES, "ok")
    for name in SOURCES:
        assert len(_of(record, name)) >= 3
        assert done.stderr.count(f"\n{name}: ") + done.stderr.startswith(name) == 1
    assert done.stderr.count("\n") == len(SOURCES)
    # Posts on disk are searched instead of a service that costs money.
    assert services.servers["xapi"].requests == []
    assert record["x"]["backend"] == "archive"
    assert not [s for s in SECRETS if s in f"{record}{done.stdout}{done.stderr}"]


def test_every_item_is_in_one_cluster(services: Services) -> None:
    """Clusters name items by source and id, the best of them among all."""
    record = services.record(TOPIC)
    ids = [f"{item['source']}:{item['id']}" for item in record["items"]]
    members = [one for cluster in record["clusters"] for one in cluster["item_ids"]]
    assert sorted(members) == sorted(ids)
    for cluster in record["clusters"]:
        assert cluster["best_ids"] and not set(cluster["best_ids"]) - set(members)


@pytest.mark.parametrize("emit", ["compact", "json", "html"])
def test_a_replay_prints_the_same_bytes(emit: str, services: Services) -> None:
    """Without asking anybody."""
    args = (TOPIC, "--archive", services.archive, "--save-dir", "out", "--emit", emit)
    first = services.run(*args)
    sent = services.sent
    (path,) = Path(services.folder, "out").glob("*.json")
    again = services.run("--replay", str(path), "--emit", emit)
    assert (first.returncode, again.returncode) == (0, 0)
    assert again.stdout == first.stdout and TOPIC in first.stdout
    assert services.sent == sent
    assert again.stderr == ""


ALONE = ("--exclude", "x,bluesky,youtube", "--exclude", "web")


def _on_a_bad_day(services: Services) -> None:
    """The address is a data centre's: Reddit's feeds and GitHub refuse it."""
    services.reddit.blocked = {"site", "subreddits"}
    services.github.anonymous = 0


def test_the_engine_plans_alone(services: Services) -> None:
    """One question everywhere; what was lost by that is said first."""
    _on_a_bad_day(services)
    done = services.run(TOPIC, *ALONE, "--save-dir", "out")
    assert done.returncode == 0
    (path,) = Path(services.folder, "out").glob("*.json")
    record = json.loads(path.read_text(encoding="utf-8"))
    states = _states(record)
    assert states["reddit"] == "blocked" and _of(record, "reddit") == []
    assert "--subreddits" in record["source_status"]["reddit"]["fix"]
    assert states["hackernews"] == "ok" and len(_of(record, "hackernews")) == 4
    assert states["github"] == "rate-limited" and _of(record, "github") == []
    assert "GITHUB_TOKEN" in record["source_status"]["github"]["fix"]
    assert "gh auth login" in record["source_status"]["github"]["fix"]
    left_out = ("x", "bluesky", "youtube", "web")
    assert {states[name] for name in left_out} == {"not-asked"}
    assert _codes(record)[0] == "no-plan"
    notes = [line for line in done.stdout.splitlines() if line.startswith("! ")]
    assert notes[0].startswith("! No --plan")


def test_the_plan_of_the_model(services: Services) -> None:
    """Each of its queries is asked; a blocked Reddit stays blocked."""
    _on_a_bad_day(services)
    every = ("reddit", "hackernews", "github")
    path = _write_plan(
        services,
        _subquery("claude code skills", *every, "polymarket"),
        _subquery("skills release notes", *every, weight=0.7, label="notes"),
    )
    record = services.record(TOPIC, "--plan", path)
    states = _states(record)
    assert states["reddit"] == "blocked" and states["github"] == "rate-limited"
    assert states["hackernews"] == states["polymarket"] == "ok"
    searches = [params["query"] for params in services.hackernews.searches]
    assert sorted(searches) == ["claude code skills", "skills release notes"]
    assert [p["q"] for p in services.polymarket.searches] == ["claude code skills"]
    # Both were under way when the first was refused; no other is tried after that.
    assert len(services.github.queries) <= 2
    assert "no-plan" not in _codes(record)
    assert record["plan"]["subqueries"][1]["weight"] == 0.7
    for name in ("x", "bluesky", "youtube", "web"):
        assert states[name] == "not-asked"


def test_the_plan_with_subreddits(services: Services) -> None:
    """The archive answers where Reddit itself refuses, and that is said."""
    _on_a_bad_day(services)
    path = _write_plan(services, _subquery("claude code skills", "reddit", "github"))
    args = (TOPIC, "--plan", path, "--subreddits", "ClaudeAI,r/ClaudeCode")
    record = services.record(*args)
    found = _of(record, "reddit")
    assert {item["container"] for item in found} == {"r/ClaudeAI", "r/ClaudeCode"}
    assert {item["backend"] for item in found} == {"archive"}
    assert all(item["engagement"]["score"] for item in found)
    assert _states(record)["reddit"] == "partial"
    refused = {
        warning["data"]["tier"]: warning["data"]["state"]
        for warning in record["_warnings"]
        if warning["code"] == "tier-refused"
    }
    assert refused["site search"] == "blocked"


def test_a_quoted_query_keeps_its_hits(services: Services) -> None:
    """Quotes are syntax: no title has to hold them."""
    path = _write_plan(services, _subquery('"Claude Code" skills', "hackernews"))
    record = services.record(TOPIC, "--plan", path)
    assert len(_of(record, "hackernews")) == 4
    assert services.hackernews.searches[0]["query"] == '"Claude Code" skills'


def test_sources_can_be_named_and_left_out(services: Services) -> None:
    """The others are not asked, and nothing is sent to them."""
    record = services.record(
        TOPIC, "--sources", "hackernews,github,web", "--exclude", "web"
    )
    asked = {name for name, state in _states(record).items() if state != "not-asked"}
    assert asked == {"hackernews", "github"}
    reached = {name for name, server in services.servers.items() if server.requests}
    assert reached == {"hackernews", "github"}


def test_hints_reach_their_sources(services: Services) -> None:
    """Subreddits, an account, repositories, keywords, handles, pages of the host."""
    pages = services.folder / "pages.json"
    pages.write_text(json.dumps([
        {"url": "https://host.example/a", "title": "Claude Code skills in the office"}
    ]), encoding="utf-8")  # fmt: skip
    record = services.record(
        TOPIC, "--archive", services.archive,
        "--subreddits", "ClaudeAI", "--subreddits", "/r/ClaudeCode/",
        "--github-user", "@dev_1".replace("_", "-"), "--github-repo", "https://github.com/o/foo",
        "--polymarket-keywords", "skills store, skills",
        "--x-handle", "writer_1", "--web-results", "pages.json",
    )  # fmt: skip
    subreddits = {
        params["subreddit"] for params in services.arctic.asked("/posts/search")
    }
    assert subreddits == {"ClaudeAI", "ClaudeCode"}
    queries = " ".join(services.github.queries)
    assert "author:dev-1" in queries and "repo:o/foo" in queries
    keywords = {params["q"] for params in services.polymarket.searches}
    assert keywords == {"claude code skills", "skills store", "skills"}
    assert record["x"]["handles"]["explicit"] == ["writer_1"]
    assert [item["url"] for item in _of(record, "web")] == ["https://host.example/a"]
    assert services.web.asked["searxng"] == []


def test_strict_tells_partial_coverage_from_none(services: Services) -> None:
    """3 where one source failed, 4 where all did, 0 without the flag."""
    services.fail("github", status(500))
    args = (TOPIC, "--sources", "github,hackernews")
    assert services.run(*args).returncode == 0
    assert services.run(*args, "--strict").returncode == 3
    assert services.run(*args, env={"LAST30DAYS_STRICT_EXIT": "1"}).returncode == 3
    services.fail("hackernews", status(500))
    done = services.run(*args, "--strict")
    assert done.returncode == 4
    assert "NOT SEEN hackernews (unreachable), github (unreachable)" in done.stdout


def test_the_second_run_takes_its_answers_from_the_cache(services: Services) -> None:
    """Nothing is sent, the age is said, and no credential is on disk."""
    env = {"XDG_CACHE_HOME": str(services.folder / "cache"), "GITHUB_TOKEN": ""}
    args = (TOPIC, "--exclude", "youtube,bluesky,x", "--cache", "6")
    first = services.record(*args, env=env)
    sent = services.sent
    later = {**env, "LAST30DAYS_NOW": "2026-11-30T14:30:00Z"}
    again = services.record(*args, env=later)
    assert services.sent == sent > 0
    assert "cached" not in _codes(first) and "cached" in _codes(again)
    (told,) = (w for w in again["_warnings"] if w["code"] == "cached")
    assert told["data"]["hours"] == 14.5 - 12
    assert "2.5 hours" in told["message"]
    assert _states(again) == _states(first)
    shown = services.run(*args, env=later).stdout
    assert told["message"] in shown
    # A login is never kept: the service that needs one is asked again.
    services.run(TOPIC, "--sources", "bluesky", "--cache", "6", env=env)
    files = list(Path(services.folder, "cache").rglob("*.json"))
    kept = "".join(file.read_text(encoding="utf-8") for file in files)
    assert files and "searchPosts" not in kept
    assert not [s for s in (*SECRETS, "eyJ", "Bearer") if s in kept]


def test_a_comparison_keeps_its_sides_apart(services: Services) -> None:
    """One run a side, one artifact, and each entry names its side."""
    record = services.record(
        "Claude Code skills vs Notion templates", "--sources", "hackernews,web"
    )
    check(record, "artifact", name="artifact")
    assert record["sides"] == ["Claude Code skills", "Notion templates"]
    assert {item["side"] for item in record["items"]} == {"Claude Code skills"}
    searches = [params["query"] for params in services.hackernews.searches]
    assert sorted(searches) == ["claude code skills", "notion templates"]
    assert _states(record)["hackernews"] == "ok"
    entries = [*record["queries"], *record["items"], *record["clusters"]]
    assert all(entry["side"] in record["sides"] for entry in entries)
    assert _codes(record)[0] == "no-plan"


def _start(services: Services, *args: str, **streams: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(SCRIPT), *args],
        cwd=services.folder,
        env=environment(services.folder, **services.values),
        encoding="utf-8",
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams},
    )


@pytest.mark.parametrize("topic", [TOPIC, f"{TOPIC} vs Claude Code agents"])
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["INT", "TERM"])
def test_an_interrupt_prints_what_was_found(
    topic: str, number: signal.Signals, services: Services
) -> None:
    """Exit 130 with the items that had come; the rest was interrupted."""
    services.fail("hackernews", slow(30))
    services.youtube.play(list={"sleep": 30})
    args = (topic, "--sources", "hackernews,github,youtube", "--emit", "json")
    with _start(services, *args) as child:
        assert child.stderr and child.stdout
        told = child.stderr.readline()
        time.sleep(0.3)
        child.send_signal(number)
        began = time.monotonic()
        out, _ = child.communicate(timeout=20)
    assert told.startswith("github: ")
    assert child.returncode == 130
    assert time.monotonic() - began < 2 + 2
    record = json.loads(out)
    check(record, "artifact", name="artifact")
    assert _of(record, "github")
    states = _states(record)
    assert states["hackernews"] == states["youtube"] == "timeout"


def test_an_interrupt_inside_a_source_keeps_what_it_had(services: Services) -> None:
    """The source alone is asked, and gives what came before its second answer."""
    services.fail("github", after(1, slow(30)))
    with _start(services, TOPIC, "--sources", "github", "--emit", "json") as child:
        until = time.monotonic() + 10
        while len(services.github.queries) < 2 and time.monotonic() < until:
            time.sleep(0.02)
        child.send_signal(signal.SIGINT)
        out, _ = child.communicate(timeout=20)
    assert child.returncode == 130
    record = json.loads(out)
    assert len(_of(record, "github")) == 4
    assert _states(record)["github"] == "partial"


def test_what_has_arrived_by_the_deadline_is_kept(services: Services) -> None:
    """A source that hangs is a timeout, and the run ends in its time."""
    services.fail("hackernews", slow(30))
    began = time.monotonic()
    done = services.run(
        TOPIC, "--exclude", "youtube", "--timeout", "2", "--emit", "json"
    )
    assert time.monotonic() - began < 2 + 3
    record = json.loads(done.stdout)
    states = _states(record)
    assert states.pop("hackernews") == "timeout"
    assert states.pop("youtube") == "not-asked"
    assert set(states.values()) == {"ok"}
    assert done.returncode == 0


def test_a_reader_of_progress_that_went_away_costs_nothing(services: Services) -> None:
    """No source fails since nobody reads standard error any more."""
    args = (TOPIC, "--sources", "hackernews,github,web", "--emit", "json")
    read, write = os.pipe()
    os.close(read)
    with _start(services, *args, stderr=write) as child:
        os.close(write)
        out, _ = child.communicate(timeout=20)
    assert child.returncode == 0
    states = set(_states(json.loads(out)).values())
    assert states == {"ok", "not-asked"}


def test_on_a_terminal_progress_is_one_live_line(services: Services) -> None:
    """It is written over, and gone before the result is printed."""
    controller, terminal = os.openpty()
    args = (TOPIC, "--sources", "hackernews,github,web")
    with _start(services, *args, stderr=terminal) as child:
        os.close(terminal)
        out, _ = child.communicate(timeout=20)
    seen = os.read(controller, 65_536).decode()
    os.close(controller)
    assert child.returncode == 0 and out.startswith("🌐")
    clear = "\r\x1b[2K"
    assert seen.count(clear) == 3 + 1 and seen.endswith(clear)
    assert "\n" not in seen
