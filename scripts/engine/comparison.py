"""Comparison: "A vs B" is one run a side, and one record with the sides apart."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from engine.errors import ContractError, SourceError
from engine.io import IO, Memory
from engine.model import State, Warning
from engine.plan import Plan
from engine.research import Progress, Request
from engine.research_record import researched
from engine.sources.base import Facts
from engine.together import together

__all__ = ["MAX_SIDES", "compare", "merge", "merged_status", "side_plan", "sides"]

MAX_SIDES = 4
# Each side ends by itself, a little after what it waits for was given up.
_GRACE_SECONDS = 10.0

_SEEN = (State.OK, State.PARTIAL)
# Of the states that are no trouble the first says most.
_GOOD = (State.OK, State.NO_RESULTS, State.SKIPPED_UNCONFIGURED, State.NOT_ASKED)

_BETWEEN = re.compile(r"\s+(?:vs\.?|versus|対|对比|對比)\s+", re.IGNORECASE)


def sides(topic: str) -> list[str]:
    """The sides of a comparison in a topic; none if it is no comparison."""
    parts = [side.strip() for side in _BETWEEN.split(topic) if side.strip()]
    found = list({side.casefold(): side for side in reversed(parts)}.values())[::-1]
    return found if 2 <= len(found) <= MAX_SIDES else []


def side_plan(plan: Plan, side: str, all_sides: Sequence[str]) -> Plan:
    """The part of a comparison's plan that is for one side.

    A subquery whose label is the name of a side is for that side; one with any other
    label is for all.

    Raises:
        ContractError: no subquery is for the side.
    """
    others = {other.casefold() for other in all_sides} - {side.casefold()}
    own = tuple(s for s in plan.subqueries if s.label.casefold() not in others)
    if not own:
        raise ContractError(
            f"plan: no subquery is for {side!r}; give one the label {side!r}"
        )
    return replace(plan, subqueries=own)


def compare(
    topic: str,
    requests: Mapping[str, Request],
    plan: Plan | None,
    io: IO,
    notes: Sequence[Warning],
    progress: Progress,
) -> dict[str, Any]:
    """One run a side, side by side under one deadline, and one record of all.

    Args:
        topic: the whole comparison.
        requests: one for each side, by its name.
        plan: of the whole comparison, if there was one.
        io: what the sources may touch; what is known of the services all sides share.
        notes: warnings from before the run.
        progress: is told each answer when it has come.

    Raises:
        SourceError: a side could not be run at all.
    """
    jobs = []
    for request in requests.values():
        said = list(notes)
        memory = Memory(io.memory, own=(Facts,))
        own = replace(io, warn=said.append, memory=memory)
        jobs.append(partial(researched, request, own, said, progress))
    records = together(
        jobs, parallel=len(jobs), deadline=io.deadline, grace=_GRACE_SECONDS
    )
    found = {}
    for side, record in zip(requests, records, strict=True):
        if isinstance(record, SourceError):
            raise record
        found[side] = record
    return merge(topic, found, plan.effective if plan else None)


def merge(
    topic: str, records: Mapping[str, Mapping[str, Any]], plan: Mapping[str, Any] | None
) -> dict[str, Any]:
    """One artifact out of one for each side, by its name; each entry names its side."""
    first = next(iter(records.values()))
    merged: dict[str, Any] = {**first, "topic": topic, "plan": plan, "x": None}
    merged["sides"] = list(records)
    for part in ("queries", "items", "pruned", "clusters"):
        merged[part] = [
            {**entry, "side": side}
            for side, record in records.items()
            for entry in record[part]
        ]
    merged["_warnings"] = _distinct(
        warning for record in records.values() for warning in record["_warnings"]
    )
    merged["source_status"] = {
        name: merged_status(
            {s: record["source_status"][name] for s, record in records.items()}
        )
        for name in first["source_status"]
    }
    return merged


def merged_status(statuses: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """How a source ended over all parts of a run, such as the sides of a comparison.

    Args:
        statuses: how it ended for each part, by the name of the part. One that could
            not be seen makes the whole seen in part.
    """
    states = {side: State(status["state"]) for side, status in statuses.items()}
    troubled = [
        s for s, state in states.items() if state.failed or state is State.PARTIAL
    ]
    if not troubled:
        return dict(min(statuses.values(), key=lambda s: _GOOD.index(s["state"])))
    worst = dict(statuses[troubled[0]])
    if len(troubled) < len(statuses):
        worst["detail"] = f"{' and '.join(troubled)}: {worst['detail']}"
    seen = any(state in _SEEN for state in states.values())
    return {**worst, "state": State.PARTIAL.value} if seen else worst


def _distinct(warnings: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for warning in warnings:
        if warning not in found:
            found.append(dict(warning))
    return found
