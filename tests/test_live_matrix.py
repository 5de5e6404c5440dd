"""Each failure of each way to X through the script: what it says, asks, costs, leaves.

A cell gives the state in which X has to end and the most requests that may be made.
Cells run side by side, since the longest only wait.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from engine.contracts import check
from engine.fetch import RETRIES
from engine.model import State
from fakes.grokstage import KEY as GROK_KEY
from fakes.grokstage import REFRESH
from fakes.live import SECRETS, Live, Run, after
from fakes.server import FAILURES, Answer, Failure, Server, page, slow, status
from fakes.xai import FAILURES as XAI_FAILURES
from fakes.xai import KEY
from fakes.xapi import TOKEN
from fakes.xapi_failures import FAILURES as XAPI_FAILURES
from fakes.xapi_failures import edited, limited

if os.name != "posix":
    pytest.skip("the fake tool is a script", allow_module_level=True)

# A little over the least time in which a call of each is started.
BUDGETS = {"grok": 16.0, "xai": 11.0, "xapi": 3.0}
# Starting Python, and ending what did not end by itself, while other cells run.
SLACK = 3.0
# The calls of a fan-out, and those of a run that goes on to a retry and lanes.
FANOUT, WHOLE = 3, 3 + 3 + 3
TRIES = 1 + RETRIES
OK = State.OK.value

SetUp = Callable[[Live], object]


class Cell(NamedTuple):
    """How X ends, the most requests, and what is done to the service before."""

    state: str
    most: int
    set_up: SetUp
    retrieved: int | None = None


def _served(failure: Failure) -> SetUp:
    return lambda live: live.server.fail(failure)


def _played(*plays: str, **scenario: object) -> SetUp:
    return lambda live: live.play(*plays, **scenario)


def _http(
    own: Mapping[str, Failure], key: str, expected: Mapping[str, tuple[str, int]]
) -> dict[str, Cell]:
    """The failures of an HTTP service: any server's and its own, and echoed keys."""
    soon = {
        "429-reset": limited(900),
        "429-soon": status(429, Retry_After="1"),
        "echo-400": status(400, {"error": f"no such key: {key}"}),
        "echo-500": status(500, {"error": f"no such key: {key}"}),
        "echo-page": lambda _: Answer(403, f"<html>{key}</html>".encode()),
    }
    every = {**FAILURES, **own, **soon}
    return {
        name: Cell(state, most, _served(every[name]))
        for name, (state, most) in expected.items()
    }


def _states(**named: str) -> dict[str, tuple[str, int]]:
    """Each name in a value, under the state that its key stands for, one call each."""
    return {
        name: (state.replace("_", "-"), FANOUT)
        for state, names in named.items()
        for name in names.split()
    }


# What holds for every HTTP service. A status that cannot pass is asked for once.
_ANY = _states(
    timeout="slow drip",
    unreachable="drop broken-off 500 echo-500",
    blocked="html echo-page",
    bad_response="empty cut huge bomb charset 400 410 422 echo-400",
    auth_failed="401 402 403",
    rate_limited="429 429-reset",
) | {
    "503-html": ("unreachable", FANOUT * TRIES),
    "429-soon": ("rate-limited", FANOUT * TRIES),
}


def _told(edit: Callable[[dict[str, Any]], object]) -> SetUp:
    """The xAI API, whose model tells of its posts what an edit makes of them."""

    def shape(posts: list[dict[str, Any]]) -> str:
        for post in posts:
            edit(post)
        return json.dumps(posts)

    return lambda live: setattr(live.xai, "shape", shape)


def _text(text: str) -> SetUp:
    return lambda live: setattr(live.xai, "shape", lambda posts: text)


def _years_ago(post: dict[str, Any]) -> None:
    post["id"] = str(int(post["id"]) - (400 * 86_400_000 << 22))
    post["created_at"] = "2025-10-10"


def _misdated(post: dict[str, Any]) -> None:
    early = post["created_at"] < "2026-11-05"
    post["created_at"] = "2026-11-15" if early else "2026-10-20"


def _xai() -> dict[str, Cell]:
    own = _states(
        auth_failed="wrong-key no-credits",
        rate_limited="spent requests-until",
        bad_response="model retired failed error-in-200 error-object no-output null "
        "uncited users-only prose admits",
    )
    bad = State.BAD_RESPONSE.value
    return _http(XAI_FAILURES, KEY, _ANY | own) | {
        "null-entries": Cell(OK, WHOLE, _served(XAI_FAILURES["null-entries"])),
        "incomplete": Cell("partial", WHOLE, _served(XAI_FAILURES["incomplete"])),
        "rounded-ids": Cell(bad, FANOUT, _told(lambda p: p.update(id=float(p["id"])))),
        "misdated": Cell(bad, FANOUT, _told(_misdated)),
        "out-of-window": Cell(bad, FANOUT, _told(_years_ago)),
        "nothing": Cell("no-results", FANOUT, _text("[]")),
        "echo-in-200": Cell(OK, WHOLE, _told(lambda p: p.update(name=f"is {KEY}"))),
        "then-slow": Cell("partial", WHOLE, _served(after(1, slow(30))), 10),
        "then-page": Cell("partial", WHOLE, _served(after(1, page())), 10),
    }


def _xapi() -> dict[str, Cell]:
    own = _states(
        auth_failed="credits no-credits",
        rate_limited="limited-until code-88 code-88-in-200 capped",
        bad_response="error-in-200 neither null only-nulls rounded-ids out-of-window",
    )
    # The first call shows that the archive is refused, or waits in vain for all.
    special = {
        **{name: ("timeout", 1) for name in ("slow", "drip")},
        **{name: ("unreachable", FANOUT * TRIES) for name in ("drop", "broken-off")},
        **{name: ("auth-failed", 1 + FANOUT) for name in ("401", "403")},
        "echo-page": ("blocked", 1 + FANOUT),
    }
    stopped: tuple[str, ...] = (
        "402",
        "429",
        "429-reset",
        "credits",
        "no-credits",
        "limited-until",
    )
    stopped += ("code-88", "code-88-in-200", "capped")
    expected = _ANY | own | special
    expected |= {name: (expected[name][0], 1) for name in stopped}
    echoed = edited(lambda body: [u.update(name=TOKEN) for u in _users(body)])
    return _http(XAPI_FAILURES, TOKEN, expected) | {
        "null-entries": Cell(OK, WHOLE, _served(XAPI_FAILURES["null-entries"])),
        "partial-errors": Cell(OK, WHOLE, _served(XAPI_FAILURES["partial-errors"])),
        "repeated-cursor": Cell(OK, 2 * WHOLE, _stuck),
        "echo-in-200": Cell(OK, WHOLE, _served(echoed)),
        "then-slow": Cell("partial", WHOLE, _served(after(1, slow(30))), 10),
        "then-limit": Cell("partial", FANOUT, _served(after(1, limited(900))), 10),
    }


def _users(body: Mapping[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = body.get("includes", {}).get("users", [])
    return found


def _stuck(live: Live) -> None:
    live.xapi.page_size, live.xapi.stuck = 4, True


def _grok() -> dict[str, Cell]:
    failing = {
        "auth": ("auth-failed", "Not signed in"),
        "limit": ("rate-limited", "429 Too many requests"),
        "dns": ("unreachable", "dns error"),
        "echo": ("bad-response", f"no such key: {GROK_KEY}, {REFRESH}"),
    }
    cells = {
        name: Cell(state, FANOUT, _played("fail", message=message))
        for name, (state, message) in failing.items()
    }
    bad = partial(Cell, "bad-response", FANOUT)
    flag = "error: unexpected argument '--no-auto-update' found"
    return cells | {
        "hang": Cell("timeout", FANOUT, _played("hang")),
        "answer-and-hang": Cell("partial", WHOLE, _played("answer-and-hang")),
        "leave-child": Cell(OK, WHOLE, _played("answer-and-leave-child")),
        "then-hang": Cell("partial", WHOLE, _played("answer", "hang"), 10),
        "then-fail": Cell("partial", WHOLE, _played("answer", "write"), 10),
        "nothing-printed": bad(_played("write")),
        "old-release": bad(_played("write", status=2, stderr=flag)),
        "garbage": bad(_played("write", stdout="\xff\xfe\0{[")),
        "html": bad(_played("write", stdout="<html><title>Log in</title></html>")),
        "flood": bad(_played("flood")),
        "prose": bad(_played("say", text="People love Rome.")),
        # What is made up is asked for once more.
        "one-turn": Cell("bad-response", 2 * FANOUT, _played(turns=1)),
        "admits": Cell(
            "bad-response", 2 * FANOUT, _played("say", text="I could not search X.")
        ),
        "bad-bytes": Cell(OK, WHOLE, _played("bad-bytes")),
        "odd-status": Cell(OK, WHOLE, _played(status=9)),
        "cut": Cell("partial", WHOLE, _played(shape="cut")),
        "cancelled": Cell("partial", WHOLE, _played(stop="Cancelled")),
        "nothing": Cell("no-results", FANOUT, _played("say", text="[]")),
    }


CELLS = {"grok": _grok(), "xai": _xai(), "xapi": _xapi()}
_WAITING = ("hang", "slow", "drip")


def _budget(way: str, name: str) -> float:
    """Seconds; those who only wait get no more than the least in which a call starts."""
    return BUDGETS[way] + (0 if name.endswith(_WAITING) else 60)


def _run(folder: Path, way: str, name: str) -> Run:
    with Server() as server:
        live = Live(folder / name, server, (way,))
        CELLS[way][name].set_up(live)
        return live.run("--backend", way, seconds=_budget(way, name))


@pytest.mark.parametrize("way", CELLS)
def test_every_failure_is_told_as_it_is(way: str, tmp_path: Path) -> None:
    """State, exit code, requests, time, and nothing lost, leaked or left behind."""
    cells = CELLS[way]
    names = sorted(cells, key=lambda name: not name.endswith(_WAITING))
    with ThreadPoolExecutor(8) as pool:
        done = pool.map(partial(_run, tmp_path, way), names)
        runs = dict(zip(names, done, strict=True))
    assert not [(name, run.err) for name, run in runs.items() if not run.out]
    states = {name: run.status["state"] for name, run in runs.items()}
    assert states == {name: cells[name].state for name in names}
    asked = {name: run.asked for name, run in runs.items()}
    assert not {n: k for n, k in asked.items() if not 1 <= k <= cells[n].most}
    late = {name: run.seconds for name, run in runs.items()}
    assert not {n: s for n, s in late.items() if s > _budget(way, n) + SLACK}
    assert not {name: run.left for name, run in runs.items() if run.left}
    for name, run in runs.items():
        _check_decency(name, run, cells[name])


# What would tell a reader that there is nothing, where nobody could look.
_SILENCE = re.compile(
    r"nobody|no one|on topic|no-results|answered with nothing|everything that was "
    r"asked answered|(?<!not )silen|nothing (?:was )?found|no posts\b",
    re.IGNORECASE,
)


def _check_decency(name: str, run: Run, cell: Cell) -> None:
    """What holds for a run whatever happened to it."""
    state = State(cell.state)
    assert run.code == (4 if state.failed else 0), name
    check(run.record, "artifact", name=name)
    assert "Traceback" not in run.err and "in this program" not in run.out, name
    shown = run.out + run.err + "".join(run.saved.values())
    assert not [secret for secret in SECRETS if secret in shown], name
    retrieved = run.record["x"]["judgment"]["retrieved"]
    assert (retrieved == 0) == (state.failed or state is State.NO_RESULTS), name
    assert cell.retrieved in (None, retrieved), name
    if state.failed:
        assert run.status["detail"], name
        said = run.envelope.replace("that is not silence", "")
        assert not _SILENCE.search(said), (name, _SILENCE.search(said))
