"""The order of a places run, and nothing else: a reader of this file sees all of it.

parse ─ candidates ─ query matrix ─ search on two workers ─ judge and attach ─ read the
best notes ─ judge again ─ document. Whatever fails on the way, what had arrived is in
the document, and it says what failed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from engine.errors import SourceError
from engine.io import IO
from engine.model import Warning
from engine.places import geo
from engine.places.as_json import candidate_json, parsed_json, query_json
from engine.places.attach import Attached, Place, attach, place_of
from engine.places.budget import Budget, Estimate, estimate
from engine.places.cities import questions
from engine.places.deepen import deepen
from engine.places.document import Run, Source, document, unclear
from engine.places.evidence import Evidence
from engine.places.live import ATTRIBUTIONS as LIVE
from engine.places.matrix import defaults
from engine.places.model import Candidate, Center, Note, Query
from engine.places.planning import hired, planned
from engine.places.rank import spread
from engine.places.request import Request
from engine.places.searching import Work, part, search
from engine.places.staff import Staff
from engine.places.tools import Tally
from engine.together import together

__all__ = ["dry_run", "run"]

_SEARCHES = 20
_CITIES, _DEEP_CITIES = 2, 3
# So much of the time is left over for reading what the search found.
_READING = 0.35


def dry_run(request: Request, io: IO) -> dict[str, Any]:
    """What a run would look for, from the static list alone."""
    found, asked, _ = planned(replace(request, offline=True), io, None, Evidence())
    return {
        "parsed": parsed_json(request.parsed),
        "candidates": [candidate_json(one) for one in found],
        "queries": [query_json(query) for query in asked],
    }


def run(
    request: Request, io: IO, notes: list[Warning], say: Callable[[str], None]
) -> dict[str, Any]:
    """Run a request and give its document.

    Args:
        io: what the run may touch.
        notes: where `io.warn` puts its warnings.
        say: is told what the run is about to do.

    Raises:
        UsageError: a file or a setting is unusable.
    """
    if request.parsed.needs_clarification:
        return unclear(request, io.settings.now)
    evidence, budget = Evidence(), Budget(request.requests)
    staff = hired(request, io, budget, evidence)
    found, asked, geography = planned(request, io, staff, evidence)
    plan = _estimate(request, staff, asked, budget)
    work = _work(request, staff, found, asked, plan)
    say(_plan_line(work, plan, staff, budget))
    faults = _search(work, plan, staff, evidence, io)
    attached = _attached(request, found, asked, evidence, io)
    faults += _read(request, plan, staff, found, attached, evidence, io)
    attached = _attached(request, found, asked, evidence, io)
    return document(
        request,
        Run(
            candidates=tuple(found),
            queries=tuple(asked),
            attached=attached,
            sources=(*staff.sources, *_keyless(geography)),
            codes=tuple(geography.warnings),
            warnings=tuple(notes),
            faults=tuple(faults),
            plan=plan,
            spent=budget.spent,
            limit=budget.limit,
            assumed=defaults(request.parsed, request.domain, request.profile),
            interrupted=io.deadline.interrupted,
        ),
        io.settings.now,
    )


def _keyless(geography: geo.Geography) -> list[Source]:
    """How the services ended that want no key and are asked for places alone."""
    found = []
    for name, outcome in geography.outcomes.items():
        count = sum(name == one.source for one in geography.candidates)
        found.append(Source(name, LIVE[name], outcome, Tally(found=count)))
    return found


def _estimate(
    request: Request, staff: Staff, asked: Sequence[Query], budget: Budget
) -> Estimate:
    tool = staff.tools.get("xiaohongshu")
    if tool is None:
        return Estimate()
    return estimate(
        tool.connector,
        budget.limit,
        searches=min(len(asked), _SEARCHES),
        texts=request.texts,
        comments=request.comments,
        comment_call=_comment_call(request),
    )


def _comment_call(request: Request) -> str:
    return "all-comments" if request.deep else "comments"


def _work(
    request: Request,
    staff: Staff,
    found: Sequence[Candidate],
    asked: Sequence[Query],
    plan: Estimate,
) -> Work:
    work = part(asked, staff.tools.get("xiaohongshu"), staff.web, plan.searches)
    if "meituan" not in staff.tools:
        return work
    most = _DEEP_CITIES if request.deep else _CITIES
    return work._replace(answers=questions(request.parsed, found, asked, most))


def _plan_line(work: Work, plan: Estimate, staff: Staff, budget: Budget) -> str:
    """What the run is about to send, and what that may cost."""
    tool = staff.tools.get("xiaohongshu")
    parts = [f"{len(work.notes) + len(work.web)} queries"]
    if tool is not None:
        parts.append(
            f"{tool.connector.label}: {len(work.notes)} searches, up to {plan.texts} "
            f"texts and {plan.comments} comment sets, about {plan.usual} and at most "
            f"{plan.most} of {budget.limit} requests"
        )
    if work.answers:
        label = staff.tools["meituan"].connector.label
        parts.append(f"{label}: {len(work.answers)} questions")
    if work.web:
        parts.append(f"the web: {len(work.web)} queries")
    return f"plan: {'; '.join(parts)}"


def _search(
    work: Work, plan: Estimate, staff: Staff, evidence: Evidence, io: IO
) -> list[SourceError]:
    tool = staff.tools.get("xiaohongshu")
    left = io.deadline.left * _READING if tool else 0.0
    deadline = io.deadline.before(left)
    staff.within(replace(io, deadline=deadline))
    return search(
        work,
        tool,
        staff.tools.get("meituan"),
        staff.web,
        evidence,
        deadline,
        keep=plan.for_reading,
    )


def _attached(
    request: Request,
    found: Sequence[Candidate],
    asked: Sequence[Query],
    evidence: Evidence,
    io: IO,
) -> Attached:
    """The evidence, judged against the questions of the queries that asked for it."""
    by_place = {query.location: query.ranking_question for query in reversed(asked)}

    def place(one: Candidate | Center) -> Place:
        return place_of(one, by_place.get(one.name, ""))

    centers = request.parsed.centers or tuple(filter(None, [request.parsed.origin]))
    return attach(
        evidence, [*map(place, found)], [*map(place, centers)], io.settings.now
    )


def _read(
    request: Request,
    plan: Estimate,
    staff: Staff,
    found: Sequence[Candidate],
    attached: Attached,
    evidence: Evidence,
    io: IO,
) -> list[SourceError]:
    """Read the best notes of each candidate, by turns, the best candidates first."""
    tool = staff.tools.get("xiaohongshu")
    if tool is None:
        return []
    staff.within(io)
    best = sorted(found, key=lambda one: -attached.scores[one.id])
    read: dict[str, Note] = {}
    # What names no place is read last: its text may name the one that was searched for.
    sure = spread(attached.notes[one.id] for one in best)
    doubtful = [note for note in attached.nameless if note.matched_queries]
    job = partial(
        deepen,
        [*sure, *doubtful],
        tool,
        read,
        texts=request.texts,
        comments=request.comments,
        comment_call=_comment_call(request),
    )
    ends = together([job], parallel=1, deadline=io.deadline)
    evidence.notes = [read.get(note.note_id, note) for note in evidence.notes]
    return [end for end in ends if isinstance(end, SourceError)]
