"""The record of a finished research run as the artifact that a report reads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.cache import CachingFetch
from engine.errors import most_telling
from engine.io import IO
from engine.model import Item, Outcome, State, Warning
from engine.rank.candidate import Candidate
from engine.rank.cluster import Cluster
from engine.report.artifact import artifact, item_record
from engine.research import Answer, Progress, Request, Research, run
from engine.sources import SOURCES
from engine.sources.base import Facts, Source

__all__ = ["gaps", "outcomes", "record", "researched"]

# What is no part of the coverage: an extra, and a part that has nothing to give.
_EXTRAS = frozenset(("comments",))


def record(
    research: Research,
    registry: Mapping[str, Source],
    io: IO,
    notes: Sequence[Warning],
) -> dict[str, Any]:
    """The artifact of a run.

    Args:
        research: a finished one.
        registry: all sources by name, in the order of a report.
        io: what the sources touched; what they noted for the artifact is in its memory.
        notes: the warnings of the run.
    """
    request, facts = research.request, io.memory.of(Facts)
    own = {entry["source"] for entry in facts.queries}
    return artifact(
        tool="last30days",
        topic=request.topic.text,
        plan=request.plan.effective,
        window=request.window,
        depth=request.depth,
        queries=[
            *facts.queries,
            *(_query(a) for a in research.answers if a.source not in own),
        ],
        x=facts.blocks.get("x"),
        items=[_candidate(one) for one in research.ranking.candidates],
        pruned=[
            *facts.pruned,
            *(_dropped(drop.item, drop.reason) for drop in research.dropped),
            *(_dropped(d.candidate.item, d.reason) for d in research.ranking.dropped),
        ],
        infos=[source.INFO for source in registry.values()],
        outcomes=outcomes(research, registry, notes),
        warnings=notes,
        clusters=[_cluster(cluster) for cluster in research.ranking.clusters],
    )


def researched(
    request: Request, io: IO, notes: list[Warning], progress: Progress
) -> dict[str, Any]:
    """Run a research and give its artifact.

    Args:
        request: what is to be researched.
        io: what the sources may touch.
        notes: where `io.warn` puts its warnings; more are added.
        progress: is told each answer when it has come.
    """
    research = run(request, SOURCES, io, progress)
    if not request.planned:
        notes.insert(0, _no_plan(request))
    if isinstance(io.fetch, CachingFetch) and io.fetch.oldest:
        notes.append(_cached(io.fetch))
    return record(research, SOURCES, io, notes)


def _no_plan(request: Request) -> Warning:
    question = request.plan.subqueries[0].ranking_query
    return Warning(
        "no-plan",
        "",
        "No --plan: every source was asked one thing, judged by the topic's own words. "
        "You are the planner (LAW 7): a plan of yours finds more and tells senses "
        "apart",
        {"ranking_query": question},
    )


def _cached(fetch: CachingFetch) -> Warning:
    return Warning(
        "cached",
        "",
        f"Some answers are from the cache, the oldest {fetch.oldest:.1f} hours old",
        {"hours": round(fetch.oldest, 1)},
    )


def outcomes(
    research: Research, registry: Iterable[str], notes: Sequence[Warning]
) -> dict[str, Outcome]:
    """How each source of the registry ended."""
    partial = gaps(notes)
    return {name: _outcome(research, name, partial.get(name)) for name in registry}


def gaps(notes: Sequence[Warning]) -> dict[str, str]:
    """What was not seen of sources that answered, by their names."""
    return {note.source: note.message for note in notes if _is_gap(note)}


def _is_gap(note: Warning) -> bool:
    """Whether a warning says that its source was seen in part."""
    if note.code != "tier-refused":
        return note.code == "covers-part"
    tier, state = note.data["tier"], note.data["state"]
    return tier not in _EXTRAS and state != State.NO_RESULTS


def _outcome(research: Research, name: str, part: str | None) -> Outcome:
    if name not in research.missing:
        return Outcome(State.NOT_ASKED)
    if missing := research.missing[name]:
        return Outcome(State.SKIPPED_UNCONFIGURED, "not set up", missing)
    answers = [answer for answer in research.answers if answer.source == name]
    errors = [answer.error for answer in answers if answer.error is not None]
    ranking = research.ranking
    shown = any(name in one.sources for one in ranking.candidates)
    # What others crowded out of the pool was found all the same.
    found = shown or any(name in one.candidate.sources for one in ranking.dropped)
    if errors:
        return most_telling(errors).outcome(found=found)
    if found:
        said = part or ("" if shown else "all that it found ranks below the rest")
        return Outcome(State.PARTIAL if part else State.OK, said)
    if any(answer.items for answer in answers):
        return Outcome(
            State.NO_RESULTS, "nothing of the window on topic among what came back"
        )
    return Outcome(State.NO_RESULTS, part or "it answered with nothing")


def _query(answer: Answer) -> dict[str, Any]:
    state = State.OK if answer.items else State.NO_RESULTS
    return {
        "source": answer.source,
        "backend": answer.source,
        "lane": answer.lane,
        "query": answer.query,
        "returned": len(answer.items),
        "new": len(answer.items),
        "outcome": (answer.error.state if answer.error else state).value,
        "detail": answer.error.detail if answer.error else "",
        "seconds": answer.seconds,
    }


def _candidate(one: Candidate) -> dict[str, Any]:
    return {
        **item_record(one.item),
        "score": round(one.final / 100, 4),
        "sources": list(one.sources),
        "marks": list(one.marks),
        "scores": {
            "local": one.local,
            "fusion": one.fusion,
            "freshness": one.freshness,
            "quality": one.quality,
            "engagement": one.engagement,
            "final": one.final,
        },
    }


def _dropped(item: Item, reason: str) -> dict[str, Any]:
    return {**item_record(item), "reason": reason}


def _cluster(cluster: Cluster) -> dict[str, Any]:
    return {
        "title": cluster.title,
        "score": cluster.score,
        "item_ids": [_id(one) for one in cluster.members],
        "best_ids": [_id(one) for one in cluster.representatives],
        "sources": list(cluster.sources),
        "origins": cluster.origins,
        "mark": cluster.mark,
    }


def _id(one: Candidate) -> str:
    return f"{one.item.source}:{one.item.id}"
