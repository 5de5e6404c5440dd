"""Live runs of the script: failover, one budget for all, interrupts, every lane."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from fakes.live import Live, after
from fakes.server import Server, slow, status
from support import environment, post, read_envelope, run, write_posts

if os.name != "posix":
    pytest.skip("the fake tool is a script", allow_module_level=True)

PAID = ("xai", "xapi")
# A run may take so much longer than its budget: starting Python, ending threads.
SLACK = 3.0
FIRST = datetime(2026, 10, 18, 8, tzinfo=timezone.utc)


def _at(number: int, text: str, **more: object) -> dict[str, Any]:
    """A post some uneven hours after the one before: even ids look made up."""
    moment = FIRST + timedelta(hours=7 * number + number * number % 5)
    return post(number, text, f"{moment:%Y-%m-%dT%H:%M:%SZ}", **more)


# No call reaches its limit of ten over so few posts.
FEW = [
    *(
        _at(i, f"Rome Italy tip {i}: the metro to stop {i} was free", likes=7 * i + 9)
        for i in range(5)
    ),
    _at(20, "Parliament votes on the steel tariff", author_handle="romewalks"),
    _at(21, "Tomorrow's tour starts at nine", author_handle="romewalks"),
    _at(22, "@romewalks is the tour in Rome Italy on?", in_reply_to="romewalks"),
    _at(23, "Rome Italy: see https://rome.example/", urls=["https://rome.example/"]),
]


def _live(folder: Path, server: Server, *ways: str, **more: Any) -> Live:
    return Live(folder / "-".join(ways), server, ways, **more)


@pytest.mark.parametrize("way", ["grok", *PAID])
def test_a_live_run_gives_what_the_posts_on_disk_give(
    way: str, server: Server, tmp_path: Path
) -> None:
    """The same items in the same order, with the same verdicts and lanes."""
    posts = write_posts(tmp_path / "posts.jsonl", FEW)
    wanted = _live(tmp_path / "disk", server, way).run(
        "--archive", posts, "--x-handle", "romewalks"
    )
    live = _live(tmp_path, server, way, posts=posts)
    found = live.run("--backend", way, "--x-handle", "romewalks")
    assert (found.code, wanted.code) == (0, 0)
    assert found.status == wanted.status == {"state": "ok", "detail": "", "fix": ""}
    assert len(found.record["items"]) == len(FEW)
    assert _told(found.record) == _told(wanted.record)


def _told(record: Mapping[str, Any]) -> list[object]:
    fields = ("id", "author_handle", "text", "date", "relevance", "lane", "engagement")
    return [[item[name] for name in fields] for item in record["items"]]


def test_both_the_failure_and_the_answer_are_visible(
    server: Server, tmp_path: Path
) -> None:
    """The next way answers, its cost is said before, and the first is not forgotten."""
    live = _live(tmp_path, server, "grok", "xai", "xapi")
    live.play("fail", message="Not signed in")
    found = live.run(seconds=30)
    assert (found.code, found.status["state"]) == (0, "ok")
    assert {query["backend"] for query in found.record["queries"]} == {"xai"}
    (moved,) = (w for w in found.record["_warnings"] if w["code"] == "failover")
    assert moved["data"]["failed"] == "grok" and moved["data"]["state"] == "auth-failed"
    assert "not signed in" in found.envelope and "costs money" in found.envelope
    assert {asked.path for asked in found.requests} == {"/v1/responses"}


def test_when_all_fail_each_failure_is_told(server: Server, tmp_path: Path) -> None:
    """Exit 4; two are warnings and the last is the outcome."""
    live = _live(tmp_path, server, "grok", "xai", "xapi")
    live.play("write")
    server.fail(status(402, {"error": "no credits"}))
    found = live.run(seconds=30)
    assert (found.code, found.status["state"]) == (4, "auth-failed")
    for label in ("Grok CLI printed nothing", "xAI API says", "X API says"):
        assert label in found.envelope
    assert "on topic" not in found.envelope and "no-results" not in found.envelope


def test_an_empty_answer_does_not_move_on(server: Server, tmp_path: Path) -> None:
    """Nothing is paid for since nothing was found."""
    live = _live(tmp_path, server, "grok", "xai")
    live.play("say", text="[]")
    found = live.run()
    assert (found.code, found.status["state"]) == (0, "no-results")
    assert found.requests == ()


def test_with_nothing_set_up_every_way_is_named(tmp_path: Path) -> None:
    """Exit 4 and a small envelope."""
    env = {**environment(tmp_path), "PATH": "/nowhere"}
    done = run("Rome Italy", cwd=tmp_path, env=env)
    assert done.returncode == 4
    assert len(done.stdout.encode()) < 3_000
    ways = ("grok login", "XAI_API_KEY", "X_BEARER_TOKEN", "--archive FILE", "--demo")
    assert not [way for way in ways if way not in done.stdout]
    assert "skipped-unconfigured" in read_envelope(done.stdout).coverage


def test_a_sandbox_without_network_is_blocked_at_once(
    server: Server, tmp_path: Path
) -> None:
    """Each way says how to go on, and the tool is not even started."""
    live = _live(tmp_path, server, "grok", "xai", "xapi")
    live.play("hang")
    nowhere = "http://127.0.0.1:9"
    live.env |= {"LAST30DAYS_XAI_URL": nowhere, "LAST30DAYS_XAPI_URL": nowhere}
    live.env["CODEX_SANDBOX_NETWORK_DISABLED"] = "1"
    found = live.run(seconds=60)
    assert (found.code, found.status["state"]) == (4, "blocked")
    assert found.seconds < SLACK and not found.calls
    assert "allow network access" in found.status["fix"]
    assert "--archive" in found.status["fix"]
    failed = [w for w in found.record["_warnings"] if w["code"] == "failover"]
    assert [w["data"]["state"] for w in failed] == ["blocked", "blocked"]


@pytest.mark.parametrize(
    "number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=["int", "term", "hup"]
)
@pytest.mark.parametrize("way", ["grok", *PAID])
def test_an_interrupt_prints_what_had_arrived(
    way: str, number: int, server: Server, tmp_path: Path
) -> None:
    """Exit 130 soon; the retry that hung is ended, the fan-out's posts are there."""
    live = _live(tmp_path, server, way)
    live.play("answer", "answer", "answer", "hang")
    server.fail(after(3, slow(30)))
    with live.started("--backend", way, seconds=60) as process:
        assert _within(20, lambda: len(server.requests) > 3 or _hangs(live))
        process.send_signal(number)
        began = time.monotonic()
        out, err = process.communicate(timeout=30)
        took = time.monotonic() - began
    found = live.ended(process, out, err, took)
    assert (found.code, found.status["state"]) == (130, "partial")
    assert took < SLACK and found.left == []
    assert "interrupted" in found.status["detail"]
    assert found.record["items"] and "EVIDENCE" in found.envelope
    assert "Traceback" not in err


def _hangs(live: Live) -> bool:
    return (live.stage.bin / "child.pid").exists()


def _within(seconds: float, holds: Callable[[], bool]) -> bool:
    end = time.monotonic() + seconds
    while not holds() and time.monotonic() < end:
        time.sleep(0.02)
    return holds()


def test_the_budget_leaves_room_for_the_lanes_of_a_named_handle(
    server: Server, tmp_path: Path
) -> None:
    """Two of three variants hang; the account's own posts come all the same."""
    posts = write_posts(tmp_path / "posts.jsonl", FEW)
    live = _live(tmp_path, server, "xapi", posts=posts)
    live.xapi.late = lambda query: 30.0 * ("has:" in query or "min_likes:5" in query)
    found = live.run("--x-handle", "romewalks", seconds=5)
    assert (found.code, found.status["state"]) == (0, "partial")
    assert found.seconds < 5 + SLACK
    ended = {q["lane"]: q["outcome"] for q in found.record["queries"]}
    assert (ended["from"], ended["mention"]) == ("ok", "ok")
    assert any(item["lane"] == "from" for item in found.record["items"])


def test_at_the_deadline_what_there_is_is_shown(server: Server, tmp_path: Path) -> None:
    """One variant of three answered."""
    live = _live(tmp_path, server, "xapi")
    server.fail(after(1, slow(30)))
    found = live.run(seconds=3)
    assert (found.code, found.status["state"]) == (0, "partial")
    assert 3 <= found.seconds < 3 + SLACK
    assert found.record["items"]
    assert found.status["detail"].endswith("X API gave no answer in time")
    assert found.left == []


def test_no_query_is_sent_twice(server: Server, tmp_path: Path) -> None:
    """Not even where flags repeat an account."""
    live = _live(tmp_path, server, "xapi")
    handles = ("--x-handle", "urbe_welcome_it,@Urbe_Welcome_It", "--x-related")
    found = live.run(*handles, "urbe_welcome_it", "--deep")
    asked = [str(sorted(request.params.items())) for request in found.requests]
    assert (found.code, found.status["state"]) == (0, "ok")
    assert [text for text in asked if asked.count(text) > 1] == []
    lanes = [query["lane"] for query in found.record["queries"]]
    assert len(lanes) == len(asked)
    assert lanes.count("topic") == 12
    assert (lanes.count("from"), lanes.count("related")) == (1, 0)


@pytest.fixture
def many(tmp_path: Path) -> str:
    """Three posts a day of as many authors, no two alike."""
    texts = (
        f"Rome Italy notebook {i}: at stop {i * 7} the walk {i * 11} begins"
        for i in range(90)
    )
    listed = (_at(i, text) for i, text in enumerate(texts))
    return write_posts(tmp_path / "many.jsonl", listed)


@pytest.mark.parametrize("way", ["grok", *PAID])
def test_deep_yields_sixty_posts_where_they_exist(
    way: str, many: str, server: Server, tmp_path: Path
) -> None:
    """Of ninety, by calls that give ten each."""
    found = _live(tmp_path, server, way, posts=many).run("--deep", seconds=40)
    assert (found.code, found.status["state"]) == (0, "ok")
    assert len(found.record["items"]) >= 60
    assert len({item["id"] for item in found.record["items"]}) >= 60
    assert all(query["returned"] <= 10 for query in found.record["queries"])


def test_recent_search_says_which_part_it_covers(
    server: Server, tmp_path: Path
) -> None:
    """Without access to the archive, the verdict names the days."""
    live = _live(tmp_path, server, "xapi")
    live.xapi.archive = 403
    found = live.run()
    assert (found.code, found.status["state"]) == (0, "partial")
    assert "covers 7 of 30 days" in found.envelope
