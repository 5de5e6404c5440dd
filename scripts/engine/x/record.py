"""Record: a finished stream as the artifact that the envelope and replay read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.errors import NotConfiguredError, most_telling
from engine.model import Item, Outcome, State, Warning
from engine.report.artifact import artifact, item_record
from engine.text.relevance import Verdict
from engine.x.calls import Sent
from engine.x.judge import Judgment
from engine.x.query import web_syntax
from engine.x.stream import INFO, Request, Stream

__all__ = [
    "dropped_records",
    "outcome",
    "record",
    "record_unconfigured",
    "sent_records",
    "x_block",
]


def outcome(stream: Stream, notes: Sequence[Warning]) -> Outcome:
    """How the stream ended.

    Args:
        stream: a finished one.
        notes: the backend's warnings; one of them may say that it covers a part.
    """
    errors = stream.calls.errors
    part = next((note.message for note in notes if note.code == "covers-part"), "")
    if errors:
        count, sent = len(errors), len(stream.calls.sent)
        ended = most_telling(errors).outcome(found=bool(stream.items))
        return ended._replace(detail=f"{count} of {sent} calls failed: {ended.detail}")
    if stream.items:
        return Outcome(State.PARTIAL if part else State.OK, part)
    if stream.judgment.items:
        return Outcome(State.NO_RESULTS, "nothing on topic among what came back")
    return Outcome(State.NO_RESULTS, part or "every call answered with nothing")


def record(
    stream: Stream,
    *,
    ranking_queries: Sequence[str],
    plan: Mapping[str, Any] | None,
    notes: Sequence[Warning],
) -> dict[str, Any]:
    """The artifact of a run of the loop alone.

    Args:
        stream: a finished one.
        ranking_queries: the questions that were judged against; none means the topic.
        plan: the effective plan, if there was one.
        notes: warnings from outside the loop.
    """
    return artifact(
        tool="x_search",
        topic=stream.request.topic.text,
        plan=plan,
        window=stream.request.window,
        depth=stream.request.depth,
        queries=sent_records(stream),
        x=x_block(stream, ranking_queries),
        items=[_item(item, stream.verdicts) for item in stream.items],
        pruned=dropped_records(stream),
        infos=[INFO],
        outcomes={"x": outcome(stream, notes)},
        warnings=[*notes, *stream.warnings],
    )


def record_unconfigured(
    request: Request,
    error: NotConfiguredError,
    *,
    plan: Mapping[str, Any] | None,
    notes: Sequence[Warning],
) -> dict[str, Any]:
    """The artifact of a run for which no backend was ready."""
    return artifact(
        tool="x_search",
        topic=request.topic.text,
        plan=plan,
        window=request.window,
        depth=request.depth,
        queries=[],
        x=None,
        items=[],
        pruned=[],
        infos=[INFO],
        outcomes={"x": error.outcome()},
        warnings=notes,
    )


def sent_records(stream: Stream) -> list[dict[str, Any]]:
    """The calls of a stream as the artifact's `queries`."""
    return [_sent(sent) for sent in stream.calls.sent]


def dropped_records(stream: Stream) -> list[dict[str, Any]]:
    """What a stream dropped as the artifact's `pruned`."""
    return [
        {**_item(drop.item, stream.verdicts), "reason": drop.reason}
        for drop in stream.dropped
    ]


def _item(item: Item, verdicts: Mapping[str, Verdict | None]) -> dict[str, Any]:
    verdict = verdicts.get(item.id)
    if verdict is None:
        return item_record(item)
    return {
        **item_record(item),
        "relevance": verdict.relevance,
        "likely": verdict.likely,
        "matched": list(verdict.matched),
        "against": list(verdict.against),
    }


def _sent(sent: Sent) -> dict[str, Any]:
    return {
        "source": "x",
        "backend": sent.backend,
        "lane": sent.lane.value,
        "query": sent.query,
        "returned": sent.returned,
        "new": sent.new,
        "outcome": sent.state.value,
        "detail": sent.detail,
        "seconds": sent.seconds,
    }


def x_block(stream: Stream, ranking_queries: Sequence[str]) -> dict[str, Any]:
    """The steps of a stream as the artifact's `x`."""
    request, retried = stream.request, stream.retried
    union = retried.union if retried else None
    return {
        "backend": stream.calls.backend.INFO.name,
        "compiled_query": web_syntax(stream.query),
        "ranking_queries": list(ranking_queries),
        "judgment": _judgment(stream.first),
        "retry": {
            "attempted": retried is not None,
            "reason": retried.plan.lane.value if retried else None,
            "query": web_syntax(retried.plan.query) if retried else None,
            "on_topic_ratio": retried.ratio if retried else None,
            "adopted": bool(retried and retried.adopted),
            "judgment": _judgment(union) if union else None,
        },
        "handles": {
            "explicit": list(request.explicit),
            "related": list(request.related),
            "promoted": list(stream.promotion.promoted),
            "refused": [
                {
                    "handle": refusal.handle,
                    "on_topic": refusal.on_topic,
                    "total": refusal.total,
                    "reason": refusal.reason,
                }
                for refusal in stream.promotion.refused
            ],
        },
    }


def _judgment(judgment: Judgment[Item]) -> dict[str, Any]:
    return {
        "on_topic_ratio": judgment.on_topic_ratio,
        "is_off_topic_flood": judgment.is_off_topic_flood,
        "retrieved": len(judgment.items),
        "on_topic": len(judgment.on_topic),
        "off_topic": len(judgment.off_topic),
        "handle_stats": judgment.handle_stats,
    }
