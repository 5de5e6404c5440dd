"""How long a whole live run takes against a service that answers after 0.3 s a call."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from fakes.live import DEMO, Live
from fakes.server import Server
from support import post, write_posts

__all__ = ["measure"]

_CALL_SECONDS = 0.3
_OWN_SECONDS = 0.4
_FIRST = datetime(2026, 10, 18, 8, tzinfo=timezone.utc)
# What the calls of a run are sent for, one round each.
_ROUNDS = (("topic",), ("retry", "thin"), ("from", "from-topic", "mention", "name"))


def measure() -> Iterator[tuple[str, str]]:
    """Rows of a label with its target and what was measured, the best of three."""
    with tempfile.TemporaryDirectory() as folder:
        plain = write_posts(Path(folder, "plain.jsonl"), _plain())
        for way in ("xai", "xapi"):
            for posts, what in ((plain, "fan-out alone"), (DEMO, "retry and lanes")):
                for depth in ("default", "deep"):
                    yield _row(Path(folder), way, posts, what, depth)


def _plain() -> Iterator[dict[str, Any]]:
    """On topic, each by another author, so that nothing follows the fan-out."""
    for i in range(90):
        at = _FIRST + timedelta(hours=7 * i + i * i % 5)
        text = f"Rome Italy notebook {i}: at stop {i * 7} the walk {i * 11} begins"
        yield post(i, text, f"{at:%Y-%m-%dT%H:%M:%SZ}")


def _row(folder: Path, way: str, posts: str, what: str, depth: str) -> tuple[str, str]:
    runs = [_run(folder, way, posts, depth) for _ in range(3)]
    lanes = {query["lane"] for query in runs[0].record["queries"]}
    rounds = sum(bool(lanes.intersection(kinds)) for kinds in _ROUNDS)
    # The first call shows whether the account may search the archive.
    rounds += way == "xapi"
    most = (_CALL_SECONDS * rounds + _OWN_SECONDS) * (1.2 if depth == "deep" else 1)
    label = f"live {way}, {depth}, {what}: {rounds} rounds (<= {most:.2f} s)"
    best = min(run.seconds for run in runs)
    return label, f"{best:.2f} s, {runs[0].asked} calls"


def _run(folder: Path, way: str, posts: str, depth: str) -> Any:
    with Server() as server, tempfile.TemporaryDirectory(dir=folder) as own:
        live = Live(Path(own), server, (way,), posts=posts)
        live.xai.delay = live.xapi.delay = _CALL_SECONDS
        return live.run("--backend", way, "--depth", depth)
