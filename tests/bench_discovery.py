"""How long the second leg of a discovery takes with six topics, for `make bench`."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from engine.discovery.judgments import by_heuristic
from engine.discovery.legs import nominations, research
from engine.discovery.model import LIVE, Bundle, Judged
from engine.model import Depth
from engine.sources import SOURCES
from engine.sources.base import RiverAsk
from fakes.asking import WINDOW, World
from fakes.rivers import Rivers
from fakes.server import slow

__all__ = ["measure"]

_CALL_SECONDS = 0.3
_MOST = 2.0


def measure() -> Iterator[tuple[str, str]]:
    """Seconds of six topics side by side against those of one."""
    with TemporaryDirectory() as folder, Rivers(Path(folder)) as rivers:
        world = World(rivers.values, 60)
        hot = RiverAsk(None, WINDOW, Depth.DEFAULT)
        bundle = nominations(
            hot, list(SOURCES), LIVE, world.io, world.warnings, lambda answer: None
        )
        rivers.fail(slow(_CALL_SECONDS), *rivers.servers)
        judged = [
            replace(by_heuristic(one), junk=False, by_host=True)
            for one in bundle.nominations
        ]
        one = min(_seconds(rivers, bundle, judged[:1]) for _ in range(2))
        six = min(_seconds(rivers, bundle, judged[1:7]) for _ in range(2))
    label = f"discovery: leg 2, six topics against one, calls of {_CALL_SECONDS} s"
    yield f"{label} (<= {_MOST:g})", f"{six / one:.2f} ({six:.2f} s, {one:.2f} s)"


def _seconds(rivers: Rivers, bundle: Bundle, judged: list[Judged]) -> float:
    world = World(rivers.values, 60)
    began = time.monotonic()
    research(bundle, judged, world.io, world.warnings, lambda answer: None)
    return time.monotonic() - began
