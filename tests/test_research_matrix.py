"""Each failure of each source: how the source ends, and that nothing reads as silence.

Cells run side by side, since the longest only wait.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from engine.contracts import check
from engine.model import State
from engine.report.envelope import envelope
from engine.research_record import researched
from engine.sources import SOURCES
from fakes.asking import World
from fakes.scripted import request, sub
from fakes.server import cut, empty, page, slow, status
from fakes.services import SECRETS, SERVERS, Services

if os.name != "posix":
    pytest.skip("the fake tool is a script", allow_module_level=True)

FAILURES = {
    "401": status(401),
    "403-page": page(403),
    "429": status(429),
    "500": status(500),
    "html": page(),
    "empty": empty(),
    "cut": cut(),
    "slow": slow(30),
}
# Nobody listens there.
REFUSED = "http://127.0.0.1:9"
# What a failure means wherever it happens, but for those below.
MEANING = {
    "401": "auth-failed",
    "403-page": "blocked",
    "429": "rate-limited",
    "500": "unreachable",
    "html": "blocked",
    "empty": "bad-response",
    "cut": "bad-response",
    "slow": "timeout",
    "refused": "unreachable",
}
OWN = {
    # The service bars an address after too many requests.
    ("hackernews", "403-page"): "rate-limited",
    # It tells no countries and no queries apart, and names no login.
    ("polymarket", "403-page"): "unreachable",
    # The user's own server shows pages where JSON is switched off.
    ("web", "403-page"): "bad-response",
    ("web", "html"): "bad-response",
}
TOOL: Mapping[str, Mapping[str, Any]] = {
    "rate-limited": {"stderr": "ERROR: Sign in to confirm you’re not a bot\n", "status": 1},
    "unreachable": {"stderr": "ERROR: Connection refused\n", "status": 1},
    "blocked": {"stderr": "ERROR: HTTP Error 403: Forbidden\n", "status": 1},
    "bad-response": {"stdout": "<html>\n", "status": 0},
    "error": {"stderr": "Segmentation fault\n", "status": 139},
    "timeout": {"sleep": 30},
}  # fmt: skip
CELLS = {
    **{
        (source, failure): OWN.get((source, failure), state)
        for source in SERVERS
        for failure, state in MEANING.items()
    },
    **{("youtube", state): state for state in TOOL},
}
# Words that say that people said nothing, after what the envelope says against it.
SILENCE = re.compile(
    r"nobody|no one|no-?results|nothing|no posts|no threads|no discussion (on|of|about)",
    re.IGNORECASE,
)


def _break(services: Services, values: dict[str, str], source: str, how: str) -> None:
    if source == "youtube":
        services.youtube.play(list=TOOL[how])
    elif how == "refused":
        for name in SERVERS[source]:
            values[f"LAST30DAYS_{name.upper()}_URL"] = REFUSED
    else:
        services.fail(source, FAILURES[how])


def _run(folder: Path, broken: Mapping[str, str], *sources: str) -> dict[str, Any]:
    """The artifact of a run over some sources of which some are broken."""
    folder.mkdir()
    with Services(folder) as services:
        values = services.values
        for source, how in broken.items():
            _break(services, values, source, how)
        waits = {"slow", "timeout"} & set(broken.values())
        world = World(values, 4.0 if waits else 30.0)
        wanted = request(sub("claude code skills", *sources))
        return researched(wanted, world.io, world.warnings, lambda answer: None)


@pytest.fixture(scope="module")
def cells(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Mapping[Any, Future[dict[str, Any]]]]:
    """All cells and those with one source left, started at once."""
    folder = tmp_path_factory.mktemp("cells")
    with ThreadPoolExecutor(24) as pool:
        jobs: dict[Any, Future[dict[str, Any]]] = {
            (source, how): pool.submit(
                _run, folder / f"{source}-{how}", {source: how}, source
            )
            for source, how in CELLS
        }
        for i, left in enumerate(SOURCES):
            others = [name for name in SOURCES if name != left]
            kinds = ["refused", *(name for name in FAILURES if name != "slow")]
            broken = {
                name: "blocked" if name == "youtube" else kinds[(i + n) % len(kinds)]
                for n, name in enumerate(others)
            }
            jobs[left] = pool.submit(_run, folder / left, broken, *SOURCES)
        yield jobs


@pytest.mark.parametrize(("source", "how"), CELLS, ids=map("-".join, CELLS))
def test_each_failure_of_each_source_has_its_outcome(
    source: str, how: str, cells: Mapping[Any, Future[dict[str, Any]]]
) -> None:
    """It says what happened, and the envelope reads as unseen, never as silent."""
    record = cells[source, how].result(60)
    check(record, "artifact", name="artifact")
    told = record["source_status"][source]
    assert told["state"] == CELLS[source, how], told
    assert told["detail"] and told["detail"].isprintable()
    assert record["items"] == []
    shown = envelope(record)
    _demand_no_silence(shown)
    assert f"NOT SEEN {source} ({told['state']})" in shown
    assert "Do not read a failed source as no discussion" in shown
    assert not [secret for secret in SECRETS if secret in f"{record}{shown}"]


def _demand_no_silence(shown: str) -> None:
    said = shown.replace("Do not read a failed source as no discussion.", "")
    assert not SILENCE.search(said), SILENCE.search(said)


@pytest.mark.parametrize("left", SOURCES)
def test_with_seven_of_eight_down_the_eighth_is_there(
    left: str, cells: Mapping[Any, Future[dict[str, Any]]]
) -> None:
    """Its evidence is whole, and each of the others says how it failed."""
    record = cells[left].result(60)
    check(record, "artifact", name="artifact")
    states = {n: State(s["state"]) for n, s in record["source_status"].items()}
    assert states.pop(left) is State.OK
    assert len(states) == 8 - 1 and all(state.failed for state in states.values())
    assert {item["source"] for item in record["items"]} == {left}
    assert len(record["items"]) >= 3
    shown = envelope(record)
    _demand_no_silence(shown)
    assert f"Coverage: items from {left} {len(record['items'])}; NOT SEEN " in shown
    assert "Partial Coverage: 7 of 8 sources" in shown
    for name, state in states.items():
        assert f"\n! {name} {state.value}: " in shown
