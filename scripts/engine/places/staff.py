"""Staff: which connectors serve a run, and how the run of each one ended.

Of a group of ways to one service the first that is set up is used, and none of the
others: an account that is watched is watched on every way.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from engine.cache import cache_folder
from engine.errors import SourceError, most_telling
from engine.io import IO
from engine.model import Outcome, State
from engine.places.breaker import Breaker
from engine.places.budget import Budget
from engine.places.cache import Answers
from engine.places.connectors import HOST, Connector, connectors, missing
from engine.places.document import Source
from engine.places.live import NAMES as LIVE
from engine.places.tools import Tally, Tool
from engine.places.websearch import NAME as WEB
from engine.places.websearch import WebSearch
from engine.settings import Settings

__all__ = ["Staff", "folder", "hire", "names"]


def names() -> tuple[str, ...]:
    """The names that `--sources` takes, in the order of a report."""
    return (*(name for name in connectors() if name != HOST), WEB, *LIVE)


def folder(settings: Settings) -> Path:
    """Where answers and breakers are kept."""
    return cache_folder(settings).with_name("places")


@dataclass
class Staff:
    """The tools of a run by their group, the web, and why the others do not serve.

    `handed` is what the answers brought that the host handed over, by connector: each a
    number of finds, or a failure.
    """

    tools: dict[str, Tool]
    web: WebSearch | None
    idle: dict[str, Outcome]
    handed: Mapping[str, Sequence[int | SourceError]] = field(default_factory=dict)

    def within(self, io: IO) -> None:
        """Have all calls from now on touch this, which has a deadline of its own."""
        for tool in self.tools.values():
            tool.io = io
        if self.web is not None:
            self.web.io = io

    @property
    def sources(self) -> list[Source]:
        """How every connector ended, in the order of a report."""
        by_name = {tool.connector.name: tool for tool in self.tools.values()}
        found = []
        for name, record in connectors().items():
            if name in by_name:
                tool = by_name[name]
                shown = tool.breaker.shown
                found.append(
                    Source(name, record.label, tool.outcome, tool.tally, shown)
                )
            elif name in self.idle and name not in self.handed:
                found.append(Source(name, record.label, self.idle[name], Tally()))
        found += [self._handed(name) for name in self.handed if name not in by_name]
        if self.web is not None:
            found.append(Source(WEB, "Web", self.web.outcome, self.web.tally))
        else:
            found.append(Source(WEB, "Web", self.idle[WEB], Tally()))
        return found

    def _handed(self, name: str) -> Source:
        ends = self.handed[name]
        failures = [end for end in ends if isinstance(end, SourceError)]
        count = sum(end for end in ends if isinstance(end, int))
        tally = Tally(found=count, failures=failures)
        if failures:
            ended = most_telling(failures).outcome(found=bool(count))
            outcome = ended._replace(detail=f"handed over: {ended.detail}")
        else:
            state = State.OK if count else State.NO_RESULTS
            outcome = Outcome(state, "handed over by the host")
        known = connectors().get(name)
        return Source(name, known.label if known else name, outcome, tally)


def hire(
    io: IO,
    *,
    only: Collection[str],
    budget: Budget,
    offline: bool,
    refresh: bool,
    keep_days: float,
) -> Staff:
    """Find out who serves a run.

    Args:
        only: the names that may; all if there are none.
        budget: of requests to Xiaohongshu.
        offline: what the cache knows alone is taken.
        refresh: what the cache knows is not taken.
        keep_days: for how long answers are good for this run.
    """
    settings = io.settings
    base = folder(settings)
    answers = Answers(base / "answers", settings.now, refresh=refresh)
    # What fails in a sandbox without network says nothing of the next run.
    breakers = None if settings.offline else base / "breakers"
    tools: dict[str, Tool] = {}
    idle: dict[str, Outcome] = {}
    for name, record in connectors().items():
        why = _idle(record, tools, only, settings)
        if why is not None:
            idle[name] = why
            continue
        tools[record.group] = Tool(
            record,
            io,
            Breaker(name, breakers, settings.now),
            answers,
            budget=budget if record.group == "xiaohongshu" else None,
            offline=offline,
            keep_days=keep_days,
        )
    web = None
    if only and WEB not in only:
        idle[WEB] = Outcome(State.NOT_ASKED)
    else:
        web = WebSearch(io, answers, offline=offline, keep_days=keep_days)
    idle.pop(HOST)
    return Staff(tools, web, idle)


def _idle(
    record: Connector,
    tools: Mapping[str, Tool],
    only: Collection[str],
    settings: Settings,
) -> Outcome | None:
    """Why a connector does not serve; None if it does."""
    if only and record.name not in only:
        return Outcome(State.NOT_ASKED)
    if record.group in tools:
        other = tools[record.group].connector.label
        return Outcome(State.NOT_ASKED, f"{other} reaches the same service")
    if lacking := missing(record, settings):
        return Outcome(State.SKIPPED_UNCONFIGURED, "not set up", lacking)
    return None
