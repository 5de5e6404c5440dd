"""Sweep: read the hot lists of all sources side by side."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from engine.errors import SourceError
from engine.io import IO
from engine.model import Item, Outcome, State, Warning
from engine.research import Answer, Progress
from engine.research_record import gaps
from engine.sources.base import RiverAsk, Source
from engine.sources.rivers import River
from engine.together import together

__all__ = ["Swept", "sweep"]

_LAST_SECONDS = 2.0
_LAST_SHARE = 0.05


class Swept(NamedTuple):
    """What the hot lists hold of the window, and how each source ended."""

    items: tuple[Item, ...]
    outcomes: Mapping[str, Outcome]


def sweep(
    hot: RiverAsk,
    wanted: Collection[str],
    sources: Mapping[str, Source],
    rivers: Mapping[str, River],
    io: IO,
    notes: Sequence[Warning],
    progress: Progress,
) -> Swept:
    """Read every hot list that may be read.

    Args:
        hot: the domain, the days, the depth.
        wanted: the names of the sources that may be asked.
        sources: the registry.
        rivers: those of them that have hot lists.
        io: what they may touch.
        notes: where `io.warn` puts its warnings.
        progress: is told each answer when it has come.

    Nothing is raised for a source that fails: its outcome says so.
    """
    asked = [name for name in rivers if name in wanted]
    missing = {name: sources[name].missing(io) for name in asked}
    ready = [name for name in asked if not missing[name]]
    # What is left over serves what comes after the sweep.
    earlier = min(_LAST_SECONDS, _LAST_SHARE * io.deadline.left)
    io = replace(io, deadline=io.deadline.before(earlier))
    jobs = [partial(_ask, name, rivers[name], hot, io, progress) for name in ready]
    answers: dict[str, list[Item] | SourceError] = {}
    if jobs:
        given = together(jobs, parallel=len(jobs), deadline=io.deadline)
        answers = dict(zip(ready, given, strict=True))
    found = {name: _dated(answer, hot) for name, answer in answers.items()}
    parts = gaps(notes)
    outcomes = {
        name: Outcome(State.SKIPPED_UNCONFIGURED, "not set up", missing[name])
        if missing.get(name)
        else _outcome(answers.get(name), bool(found.get(name)), parts.get(name, ""))
        for name in sources
    }
    return Swept(tuple(item for items in found.values() for item in items), outcomes)


def _ask(
    name: str, river: River, hot: RiverAsk, io: IO, progress: Callable[[Answer], None]
) -> list[Item]:
    started = time.monotonic()
    error, items = None, []
    try:
        items = river(hot, io)
    except SourceError as failure:
        error, items = failure, list(failure.items)
        raise
    finally:
        if error is None or error.state is not State.NOT_ASKED:
            query = hot.domain.core if hot.domain else ""
            seconds = round(time.monotonic() - started, 1)
            progress(Answer(name, "topic", query, tuple(items), error, seconds))
    return items


def _dated(answer: list[Item] | SourceError, hot: RiverAsk) -> list[Item]:
    """What lies inside the window: nobody knows of the undated that they rise."""
    items = answer.items if isinstance(answer, SourceError) else answer
    return [
        item
        for item in items
        if item.created_at is not None and hot.window.contains(item.created_at)
    ]


def _outcome(
    answer: list[Item] | SourceError | None, found: bool, part: str
) -> Outcome:
    if answer is None:
        return Outcome(State.NOT_ASKED)
    if isinstance(answer, SourceError):
        return answer.outcome(found=found)
    if found:
        return Outcome(State.PARTIAL if part else State.OK, part)
    return Outcome(State.NO_RESULTS, part or "its hot lists hold nothing of these days")
