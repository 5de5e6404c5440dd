"""The legs of a discovery in their order: nominate, research, finalize.

Each takes what the one before left in its file and knows nothing else of it; between
them the host judges and writes angles.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from engine.comparison import merged_status
from engine.discovery.handoff import new_id
from engine.discovery.judgments import ANGLES
from engine.discovery.merge import to_topics, unite
from engine.discovery.model import Bundle, Judged, Left, Topic
from engine.discovery.nominate import nominate
from engine.discovery.queue import Standing
from engine.discovery.record import SCHEMA_VERSION, moment
from engine.discovery.sweep import sweep
from engine.discovery.topics import Found, Weighed, evidence, weigh
from engine.errors import SourceError
from engine.io import IO, Memory
from engine.model import Outcome, SourceInfo, State, Warning
from engine.plan import default_plan
from engine.report.artifact import artifact, status_records, warning_records
from engine.research import Progress, Request
from engine.research_record import researched
from engine.sources import SOURCES
from engine.sources.base import Facts, Hints, RiverAsk
from engine.sources.rivers import RIVERS
from engine.text.topic import parse_topic
from engine.together import together

__all__ = ["ANYTHING", "finalize", "infos", "nominations", "research"]

ANYTHING = "what is rising"
"""The topic of a discovery that has no domain."""

# Each topic ends by itself, a little after what it waits for was given up.
_GRACE_SECONDS = 10.0
_SUBREDDITS = 2
_NOT_ASKED = {"state": State.NOT_ASKED.value, "detail": "", "fix": ""}


def nominations(
    hot: RiverAsk,
    wanted: Sequence[str],
    origin: str,
    io: IO,
    notes: Sequence[Warning],
    progress: Progress,
) -> Bundle:
    """The first leg: sweep the hot lists and nominate stories.

    Args:
        hot: domain, days, depth, subreddits.
        wanted: the sources that may be asked.
        origin: live, demo or archive.
        io: what the sources may touch.
        notes: where `io.warn` puts its warnings.
        progress: is told each answer when it has come.
    """
    swept = sweep(hot, wanted, SOURCES, RIVERS, io, notes, progress)
    return Bundle(
        id=new_id(),
        created_at=moment(io.settings.now),
        origin=origin,
        tier=hot.depth,
        domain=hot.domain.text if hot.domain else "",
        window=hot.window,
        subreddits=hot.hints.subreddits,
        asked=tuple(wanted),
        status=status_records(swept.outcomes),
        warnings=tuple(warning_records(notes)),
        nominations=tuple(nominate(swept.items, hot, infos())),
    )


def research(
    bundle: Bundle,
    judged: Sequence[Judged],
    io: IO,
    notes: Sequence[Warning],
    progress: Progress,
) -> dict[str, Any]:
    """The second leg: research the topics and hold each against the floor.

    Args:
        bundle: of the first leg.
        judged: its nominations with what the host said.
        io: what the sources may touch.
        notes: warnings from before.
        progress: is told each answer when it has come.

    Returns:
        What schemas/discover_pending.schema.json describes.
    """
    topics, left = to_topics(judged)
    records = _researched(topics, bundle, io, progress)
    found = {
        topic.id: evidence(topic, bundle.domain, record["items"])
        for topic, record in zip(topics, records, strict=True)
    }
    told_of, below = _weighed(topics, found, bundle)
    warnings = [*bundle.warnings, *warning_records(notes)]
    warnings += (one for record in records for one in record["_warnings"])
    return {
        "schema_version": SCHEMA_VERSION,
        "kind": "discover-pending",
        "bundle_id": bundle.id,
        "created_at": moment(io.settings.now),
        "origin": bundle.origin,
        "artifact": _artifact(bundle, told_of, records, warnings),
        "discovery": {
            "bundle_id": bundle.id,
            "origin": bundle.origin,
            "domain": bundle.domain,
            "nominated": len(bundle.nominations),
            "judged": sum(one.by_host for one in judged),
            "researched": len(topics),
            "topics": [one.record for one in told_of],
            "left": [one._asdict() for one in (*left, *below)],
        },
    }


def _weighed(
    topics: Sequence[Topic], found: Mapping[str, Found], bundle: Bundle
) -> tuple[list[Weighed], list[Left]]:
    """What passes the floor and what does not, those that found the same made one."""
    urls = {id: [one["url"] for one in own.values()] for id, own in found.items()}
    week = RiverAsk(None, bundle.window, bundle.tier).week
    passed: list[Weighed] = []
    below: list[Left] = []
    for topic in unite(topics, urls):
        own: Found = {}
        for one in topic.judged:
            own = {**found.get(one.nomination.id, {}), **own}
        weighed = weigh(topic, own, infos(), week)
        if isinstance(weighed, Weighed):
            passed.append(weighed)
        else:
            below += weighed
    return passed, below


def finalize(
    pending: Mapping[str, Any],
    angles: Mapping[str, Mapping[str, str]],
    standings: Mapping[str, Standing],
    notes: Sequence[Warning],
) -> dict[str, Any]:
    """The third leg: the artifact of the whole discovery, from which its brief is made.

    Args:
        pending: what the second leg gave.
        angles: of the host, by topic and kind.
        standings: what the queue knows of each topic; empty if there is no queue.
        notes: further warnings.
    """
    topics = []
    for topic in pending["discovery"]["topics"]:
        times, covered = standings.get(topic["id"], (0, False))
        own = {kind: "" for kind in ANGLES} | dict(angles.get(topic["id"], {}))
        topics.append({**topic, "angles": own, "surfaced": times, "covered": covered})
    record: dict[str, Any] = {
        **pending["artifact"],
        "discovery": {**pending["discovery"], "topics": topics},
    }
    record["_warnings"] = [*record["_warnings"], *warning_records(notes)]
    return record


def _researched(
    topics: Sequence[Topic], bundle: Bundle, io: IO, progress: Progress
) -> list[dict[str, Any]]:
    """One full research a topic, side by side; one that failed found nothing."""
    jobs = []
    for topic in topics:
        said: list[Warning] = []
        own = replace(io, warn=said.append, memory=Memory(io.memory, own=(Facts,)))
        jobs.append(partial(researched, _request(topic, bundle), own, said, progress))
    if not jobs:
        return []
    records = together(
        jobs, parallel=len(jobs), deadline=io.deadline, grace=_GRACE_SECONDS
    )
    return [
        _failed(topic, record, bundle) if isinstance(record, SourceError) else record
        for topic, record in zip(topics, records, strict=True)
    ]


def _request(topic: Topic, bundle: Bundle) -> Request:
    name = parse_topic(topic.best.name)
    places = (i.container for i in topic.items if i.container.startswith("r/"))
    subreddits = tuple(dict.fromkeys(place[2:] for place in places))[:_SUBREDDITS]
    plan = default_plan(name, bundle.asked)
    return Request(
        topic=name,
        plan=replace(plan, freshness_mode="strict_recent", cluster_mode="story"),
        window=bundle.window,
        depth=bundle.tier,
        sources=bundle.asked,
        hints=Hints(subreddits=subreddits),
    )


def _failed(topic: Topic, error: SourceError, bundle: Bundle) -> dict[str, Any]:
    """What is left of a research that did not end: that nobody looked."""
    known = {name: Outcome(State.NOT_ASKED) for name in SOURCES}
    asked = {**known, **dict.fromkeys(bundle.asked, error.outcome())}
    return {
        "topic": topic.best.name,
        "items": [],
        "queries": [],
        "_warnings": [],
        "source_status": status_records(asked),
    }


def _status(bundle: Bundle, records: Sequence[Mapping[str, Any]]) -> dict[str, Outcome]:
    """How each source ended over the sweep and all researches: no gap gets lost."""
    merged = {}
    for name in SOURCES:
        parts = {"sweep": bundle.status.get(name, _NOT_ASKED)}
        if records:
            of_topics = {r["topic"]: r["source_status"][name] for r in records}
            parts["research"] = merged_status(of_topics)
        one = merged_status(parts)
        merged[name] = Outcome(State(one["state"]), one["detail"], one["fix"])
    return merged


def _artifact(
    bundle: Bundle,
    told_of: Sequence[Weighed],
    records: Sequence[Mapping[str, Any]],
    warnings: Sequence[Mapping[str, Any]],
) -> dict[str, Any]:
    items = {(i["source"], i["id"]): i for one in told_of for i in one.items}
    found = artifact(
        tool="discover",
        topic=bundle.domain or ANYTHING,
        plan=None,
        window=bundle.window,
        depth=bundle.tier,
        queries=[query for record in records for query in record["queries"]],
        x=None,
        items=list(items.values()),
        pruned=(),
        infos=infos().values(),
        outcomes=_status(bundle, records),
        warnings=(),
        clusters=[one.cluster for one in told_of],
    )
    found["_warnings"] = [
        one for i, one in enumerate(warnings) if one not in warnings[:i]
    ]
    return found


def infos() -> dict[str, SourceInfo]:
    """All sources as they describe themselves."""
    return {name: source.INFO for name, source in SOURCES.items()}
