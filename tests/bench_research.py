"""How long a whole run takes where every answer takes its time, for `make bench`."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from engine.research_record import researched
from engine.sources.base import Hints
from fakes.asking import World
from fakes.scripted import request, sub
from fakes.server import Answer, slow
from fakes.services import SERVERS, Services

__all__ = ["measure"]

_CALL_SECONDS = 0.3
_SPARE_SECONDS = 0.5
_SUBREDDITS = ("ClaudeAI", "ClaudeCode")


def measure() -> Iterator[tuple[str, str]]:
    """Seconds of a run, against the calls of one source that follow on each other."""
    with TemporaryDirectory() as folder, Services(Path(folder)) as services:
        begun = {source: _delay(services, source) for source in SERVERS}
        world = World({**services.values, "LAST30DAYS_PACING": "0"}, 60)
        queries = ("claude code skills", "skills release notes")
        wanted = request(
            *(sub(query, *SERVERS, label=query) for query in queries),
            hints=Hints(subreddits=_SUBREDDITS),
        )
        began = time.monotonic()
        researched(wanted, world.io, world.warnings, lambda answer: None)
        took = time.monotonic() - began
    chains = {source: _chain(starts) for source, starts in begun.items()}
    slowest = max(chains, key=lambda source: chains[source])
    most = chains[slowest] * _CALL_SECONDS + _SPARE_SECONDS
    calls = sum(map(len, begun.values()))
    label = (
        f"research: {calls} calls of {_CALL_SECONDS} s, {chains[slowest]} in a row at "
        f"{slowest} (<= {most:.1f} s)"
    )
    yield label, f"{took:.2f} s"


def _delay(services: Services, source: str) -> Sequence[float]:
    """Slow a source down; what is given fills with the moments of its calls."""
    begun: list[float] = []

    def late(answer: Answer) -> Answer:
        begun.append(time.monotonic())
        return slow(_CALL_SECONDS)(answer)

    services.fail(source, late)
    return begun


def _chain(starts: Sequence[float]) -> int:
    """How many calls, at the most, followed on each other without an overlap."""
    count, free = 0, 0.0
    for start in sorted(starts):
        if start >= free:
            count, free = count + 1, start + _CALL_SECONDS
    return count
