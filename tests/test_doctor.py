"""The doctor: what stands against each way, one line each, and a probe on demand."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from engine import data
from engine.contracts import check
from engine.deadline import Deadline
from engine.doctor import Check, Way, examine, probe, record, render, ways
from engine.errors import AuthError
from engine.fetch import Fetch
from engine.model import Item
from engine.settings import Settings
from engine.sources import SOURCES
from engine.x.backends import BACKENDS
from engine.x.backends.archive.formats import read_posts
from engine.x.backends.base import IO
from fakes.grokstage import Stage
from fakes.server import Server, page, slow
from fakes.xai import KEY, XAi
from fakes.xapi import TOKEN, XApi
from fakes.xposts import post
from support import ROOT, run

DOCTOR = ROOT / "scripts" / "doctor.py"
NOTHING: Mapping[str, str] = {}
NOW = datetime(2026, 11, 15, 12, tzinfo=timezone.utc)


def io_for(values: Mapping[str, str] = NOTHING, seconds: float = 10) -> IO:
    """What a way may touch."""
    settings = Settings(values, NOW)
    fetch = Fetch(settings)
    return IO(settings, Deadline(seconds), fetch, lambda w: None, lambda i, r: None)


def way(
    name: str,
    *,
    missing: Callable[[IO], str] = lambda io: "",
    expired: Callable[[IO], str] = lambda io: "",
    ask: Callable[[IO], list[Item]] = lambda io: [],
) -> Way:
    """A way to X that is ready unless a part says otherwise."""
    return Way("x", name, name.title(), missing, expired, ask)


def buggy(io: IO) -> Any:
    """A check with a bug that would show a key."""
    raise ZeroDivisionError(f"with {io.settings.get('XAI_API_KEY')}")


def test_every_way_of_both_registries_is_looked_at() -> None:
    """The backends of X by their names, the sources but X itself."""
    found = ways(BACKENDS, SOURCES)
    assert [w.name for w in found if w.source == "x"] == list(BACKENDS)
    others = [w.name for w in found if w.source != "x"]
    assert others == [name for name in SOURCES if name != "x"]


def test_each_state_has_its_fix() -> None:
    """Ready, not configured, expired, broken."""
    io = io_for({"LAST30DAYS_CRACKED_URL": "nowhere"})
    found = [
        way("fine"),
        way("bare", missing=lambda io: "set THIS_KEY"),
        way("old", expired=lambda io: "sign in again"),
        way("cracked"),
    ]
    checks = {c.name: c for c in examine(found, io)}
    assert checks["fine"] == Check("x", "fine", "Fine", "ready")
    assert checks["bare"][3:] == ("not-configured", "", "set THIS_KEY")
    assert checks["old"][3:] == ("expired", "", "sign in again")
    assert checks["cracked"].state == "broken"
    assert checks["cracked"].fix.startswith("LAST30DAYS_CRACKED_URL: write http")


def test_a_way_that_raises_hides_no_other_and_no_key_is_shown() -> None:
    """It is broken, and that is all that happens."""
    io = io_for({"XAI_API_KEY": "xai-0123456789"})
    checks = examine([way("bad", missing=buggy), way("good")], io)
    assert [c.state for c in checks] == ["broken", "ready"]
    assert "ZeroDivisionError" in checks[0].detail
    assert "0123456789" not in repr(checks)


def test_a_probe_that_hangs_hides_no_other() -> None:
    """Each has the state in which its call ended."""

    def hang(io: IO) -> list[Item]:
        time.sleep(30)
        return []

    def refuse(io: IO) -> list[Item]:
        raise AuthError("refused", fix="check the key")

    io = io_for(seconds=0.3)
    found = [
        way("hung", ask=hang),
        way("refused", ask=refuse),
        way("buggy", ask=buggy),
        way("bare", missing=lambda io: "set KEY", ask=buggy),
        way("good", ask=lambda io: [post("1", "news")]),
    ]
    began = time.monotonic()
    checks = probe(found, examine(found, io), io)
    assert time.monotonic() - began < 0.3 + 2 + 1
    states = {c.name: c.state for c in checks}
    assert states == {
        "hung": "timeout",
        "refused": "auth-failed",
        "buggy": "error",
        "bare": "not-configured",
        "good": "ready",
    }
    assert checks[1].fix == "check the key"
    assert checks[4].detail == "answered in 0.0 s with 1 items"


def test_nothing_is_asked_without_a_probe(server: Server) -> None:
    """A look at the settings costs no request."""
    io = io_for({"XAI_API_KEY": KEY, "LAST30DAYS_XAI_URL": server.url})
    checks = {c.name: c for c in examine(ways(BACKENDS, SOURCES), io)}
    assert checks["xai"].state == "ready"
    assert server.requests == []


def test_a_sandbox_without_network_is_known() -> None:
    """What is set up is blocked, with the way on; what is not is still not."""
    io = io_for({"XAI_API_KEY": KEY, "CODEX_SANDBOX_NETWORK_DISABLED": "1"})
    checks = {c.name: c for c in examine(ways(BACKENDS, SOURCES), io)}
    assert checks["xai"].state == "blocked"
    assert "allow network access" in checks["xai"].fix
    assert "--archive" in checks["xai"].fix
    assert checks["xapi"].state == "not-configured"


def test_a_login_that_has_run_out_is_expired(tmp_path: Path) -> None:
    """Found in its file, without a process."""
    stage = Stage(tmp_path)
    stage.login.write_text('{"i": {"key": "k-1234", "expires_at": "2026-11-01"}}')
    io = io_for(stage.values)
    checks = {c.name: c for c in examine(ways(BACKENDS, {}), io)}
    assert checks["grok"].state == "expired"
    assert "grok login" in checks["grok"].fix
    assert stage.calls == []


def test_nothing_set_up_is_one_line_a_way(tmp_path: Path) -> None:
    """Exit 4; each line says which variable and where to get it."""
    done = run(script=DOCTOR, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (4, "")
    lines = done.stdout.splitlines()
    for name in BACKENDS:
        assert sum(line.startswith(f"x by {name}: not configured") for line in lines)
    for part in ("XAI_API_KEY", "console.x.ai", "X_BEARER_TOKEN", "developer.x.com"):
        assert part in done.stdout
    assert "grok login" in done.stdout and "--archive" in done.stdout
    assert len(done.stdout.encode()) < 3_000


def test_one_way_to_x_is_enough(tmp_path: Path) -> None:
    """Exit 0, and the files' warnings are shown."""
    env = {"XAI_API_KEY": KEY, "LAST30DAYS_XIA_URL": "x"}
    done = run(script=DOCTOR, cwd=tmp_path, env=env)
    assert done.returncode == 0
    assert "\nx by xai: ready\n" in done.stdout
    assert "did you mean LAST30DAYS_XAI_URL?" in done.stdout
    assert KEY not in done.stdout


def test_a_broken_configuration_file_is_a_usage_error(tmp_path: Path) -> None:
    """One line names file and line."""
    (tmp_path / ".env").write_text("what is this\n")
    env = {"LAST30DAYS_CONFIG_DIR": str(tmp_path)}
    done = run(script=DOCTOR, cwd=tmp_path, env=env)
    assert done.returncode == 2 and done.stdout == ""
    assert ".env, line 1: write NAME=value" in done.stderr


def test_a_word_that_it_does_not_know_is_named(tmp_path: Path) -> None:
    """As it was typed, with nothing added."""
    done = run("ready", script=DOCTOR, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "doctor.py: unrecognized arguments: ready; see --help\n"


def test_json_keeps_its_contract(tmp_path: Path) -> None:
    """Every state stands in the schema, and the summary is that of the checks."""
    done = run("--emit", "json", script=DOCTOR, cwd=tmp_path, env={"XAI_API_KEY": KEY})
    found = json.loads(done.stdout)
    check(found, "doctor", name="stdout")
    assert (found["x_ready"], found["probed"]) == (True, False)
    assert {c["name"] for c in found["checks"]} == {*BACKENDS, *SOURCES} - {"x"}


def _services(server: Server) -> dict[str, str]:
    posts = [p for p in read_posts(data.path("demo_rome.jsonl"), print)]
    XAi(server, posts)
    XApi(server, posts, NOW)
    return {
        "XAI_API_KEY": KEY,
        "X_BEARER_TOKEN": TOKEN,
        "LAST30DAYS_XAI_URL": f"{server.url}/v1",
        "LAST30DAYS_XAPI_URL": server.url,
    }


def test_a_probe_makes_one_small_call_each(server: Server) -> None:
    """The same service answers two ways, and both say so."""
    io = io_for(_services(server))
    found = ways(BACKENDS, {})
    checks = {c.name: c for c in probe(found, examine(found, io), io)}
    assert checks["xai"].detail.startswith("answered in ")
    assert checks["xapi"].detail.startswith("answered in ")
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("failure", "state"),
    [(page(), "blocked"), (slow(30), "timeout")],
    ids=["login-page", "slow"],
)
def test_a_probe_that_fails_has_its_state(
    server: Server, failure: Any, state: str
) -> None:
    """What does not answer is not ready, and no search of X will be."""
    io = io_for(_services(server), seconds=0.5)
    server.fail(failure)
    found = ways(BACKENDS, {})
    checks = probe(found, examine(found, io), io)
    assert {c.state for c in checks if c.name in ("xai", "xapi")} == {state}
    shown = record(checks, [], probed=True)
    check(shown, "doctor", name="doctor")
    assert not shown["x_ready"]
    assert "X cannot be searched" in render(shown)
