"""The output document of a run; schemas/candidates.schema.json is its contract."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from engine import __version__
from engine.errors import SourceError
from engine.model import Outcome, State, Warning
from engine.places.as_json import parsed_json, query_json
from engine.places.attach import Attached
from engine.places.budget import Estimate
from engine.places.live import ATTRIBUTIONS
from engine.places.model import Candidate, Query
from engine.places.records import candidate_records, local, loose_records
from engine.places.request import Request
from engine.places.tools import Tally

__all__ = ["Run", "Source", "document", "unclear"]

_SCHEMA_VERSION = 1


class Source(NamedTuple):
    """How a connector's run ended, and what it did."""

    name: str
    label: str
    outcome: Outcome
    tally: Tally
    breaker: str = "closed"

    @property
    def record(self) -> dict[str, Any]:
        """One entry of the document's `sources`."""
        return {
            "name": self.name,
            "label": self.label,
            "status": self.outcome.state.value,
            "message": self.outcome.detail,
            "fix": self.outcome.fix,
            "calls": self.tally.calls,
            "requests_est": self.tally.requests,
            "cache_hits": self.tally.cache_hits,
            "found": self.tally.found,
            "errors": [error.state.value for error in self.tally.failures],
            "breaker": self.breaker,
        }


@dataclass(frozen=True, slots=True)
class Run:
    """A finished run.

    `codes` are what the geography warns of, `faults` failures of this program itself,
    `plan` what the run was to cost and `spent` what it did of the `limit`, `assumed`
    what filled templates without being known.
    """

    candidates: Sequence[Candidate]
    queries: Sequence[Query]
    attached: Attached
    sources: Sequence[Source]
    codes: Sequence[str]
    warnings: Sequence[Warning]
    faults: Sequence[SourceError]
    plan: Estimate
    spent: int
    limit: int
    assumed: Mapping[str, str]
    interrupted: bool = False


def document(request: Request, run: Run, now: datetime) -> dict[str, Any]:
    """The document of a run that was carried out."""
    sources = [source.record for source in run.sources]
    return {
        **_head(request, "partial" if _is_partial(run) else "complete"),
        "candidates": candidate_records(
            run.candidates, run.attached, request.parsed, now, request.zone
        ),
        "queries": [query_json(query) for query in run.queries],
        "unassigned": loose_records(run.attached, request.zone),
        "sources": sources,
        "next_step": _next_step(run),
        "warnings": _warnings(request, run),
        "metadata": {
            **_metadata(request, now),
            "assumed": dict(run.assumed),
            "attributions": _attributions(run),
            "stats": {
                "off_topic": run.attached.off_topic,
                "requests_planned": run.plan.most,
                "requests_spent": run.spent,
                "requests_limit": run.limit,
            },
        },
    }


def unclear(request: Request, now: datetime) -> dict[str, Any]:
    """The document of a run that waits for an answer of the user; nobody was asked."""
    asks = [
        f"{ask.field}: {ask.why}"
        + (f" ({', '.join(ask.options)})" if ask.options else "")
        for ask in request.parsed.clarify
    ]
    return {
        **_head(request, "needs_clarification"),
        "candidates": [],
        "queries": [],
        "unassigned": [],
        "sources": [],
        "next_step": f"ask the user, then run again with the answer: {'; '.join(asks)}",
        "warnings": _said(request.parsed.warnings),
        "metadata": {
            **_metadata(request, now),
            "assumed": {},
            "attributions": [],
            "stats": {
                "off_topic": 0,
                "requests_planned": 0,
                "requests_spent": 0,
                "requests_limit": request.requests,
            },
        },
    }


def _head(request: Request, stage: str) -> dict[str, Any]:
    return {
        "schema_version": _SCHEMA_VERSION,
        "run_id": request.run_id,
        "stage": stage,
        "intent": request.parsed.raw_excerpt,
        "domain": request.domain,
        "parsed": parsed_json(request.parsed),
    }


def _metadata(request: Request, now: datetime) -> dict[str, Any]:
    return {
        "queried_at": local(now.isoformat(), request.zone),
        "today": request.today.isoformat(),
        "version": __version__,
    }


def _is_partial(run: Run) -> bool:
    states = [source.outcome.state for source in run.sources]
    broken = any(state.failed or state is State.PARTIAL for state in states)
    unseen = all(
        state in (State.SKIPPED_UNCONFIGURED, State.NOT_ASKED) for state in states
    )
    return bool(broken or unseen or run.interrupted or run.faults) or not run.candidates


def _next_step(run: Run) -> str | None:
    """What would mend most of what a run lacks; None if it lacks nothing."""
    if not run.candidates:
        return "no place was found: name a larger area or a wider radius"
    failed = [s for s in run.sources if s.outcome.state.failed and s.outcome.fix]
    if failed:
        return f"{failed[0].label}: {failed[0].outcome.fix}"
    if any(source.outcome.state is State.OK for source in run.sources):
        return None
    return (
        "no first-hand source was seen: ask tools of your own and hand their answers "
        "over with --results, or set up what `sources` names"
    )


def _warnings(request: Request, run: Run) -> list[dict[str, str]]:
    found = _said(request.parsed.warnings)
    if request.lacks_profile:
        message = "there is no such profile; the run went on without one"
        found.append({"code": "no-profile", "message": message})
    found += _said(run.codes)
    found += [{"code": w.code, "message": w.message} for w in run.warnings]
    found += [
        {"code": "assumed", "message": f"not said, so assumed: {what} {value}"}
        for what, value in run.assumed.items()
    ]
    found += [{"code": "fault", "message": fault.detail} for fault in run.faults]
    return found


def _attributions(run: Run) -> list[str]:
    """What keyless services want to be shown with their data."""
    used = {part for one in run.candidates for part in one.source.split("+")}
    return [text for name, text in ATTRIBUTIONS.items() if name in used]


def _said(codes: Sequence[str]) -> list[dict[str, str]]:
    return [{"code": code, "message": code.replace("_", " ")} for code in codes]
