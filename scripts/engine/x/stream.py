"""The X loop: its steps in their order, and nothing else.

compile, fan out, judge, one retry if the corpus drowned or came back thin, then
prune on one side, promote and follow lanes on the other, and order what is left.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from engine.model import Depth, Item, Lane, SourceInfo, Warning
from engine.rank.caps import AUTHOR_CAP, FIRST_PARTY_CAP
from engine.rank.order import order
from engine.text.question import Question
from engine.text.relevance import RELEVANCE_FLOOR, Verdict
from engine.text.topic import Topic
from engine.window import Window
from engine.x.calls import Call, Calls, Drop
from engine.x.compile import compile_query
from engine.x.fanout import CALLS, POSTS_PER_CALL, variants
from engine.x.handles import extract_handles
from engine.x.judge import Judgment, handle_stats, judge
from engine.x.lanes import lane_calls, reserve
from engine.x.notes import ambiguous_topic, dropped_posts, flood, topic_shortened
from engine.x.order import PROMOTED_CAP, cap, unique
from engine.x.promote import Promotion, promote
from engine.x.prune import is_asked_for, prune_warning
from engine.x.query import Query
from engine.x.retry import Retry, plan_retry

__all__ = ["INFO", "Request", "Retried", "Stream", "run"]

# Engagement: ln(10,000) is about what a post has that everybody saw.
INFO = SourceInfo(
    name="x",
    label="X",
    emoji="𝕏",
    site="x.com",
    api_page="https://docs.x.com/x-api/posts/search/introduction",
    weights={"likes": 0.55, "reposts": 0.25, "replies": 0.15, "quotes": 0.05},
    reference=9.2,
    quality=0.68,
    asked_with="topic",
    asks_again=True,
)


@dataclass(frozen=True, slots=True)
class Request:
    """What a run of the loop is asked. Handles are without @."""

    topic: Topic
    question: tuple[Question, ...]
    window: Window
    depth: Depth = Depth.DEFAULT
    explicit: tuple[str, ...] = ()
    related: tuple[str, ...] = ()

    @property
    def named(self) -> frozenset[str]:
        """Every handle that the user named, in lower case."""
        return frozenset(map(str.lower, self.explicit + self.related))


class Retried(NamedTuple):
    """A retry that was made.

    `ratio` is that of its own corpus, None if it was empty; `union` judges both.
    """

    plan: Retry
    ratio: float | None
    union: Judgment[Item] | None

    @property
    def adopted(self) -> bool:
        """Whether the run went on with what it found."""
        return self.union is not None


@dataclass(slots=True)
class Stream:
    """Everything that a run of the loop found and decided, in the order it did."""

    request: Request
    calls: Calls
    query: Query
    first: Judgment[Item]
    retried: Retried | None = None
    promotion: Promotion = Promotion((), ())
    verdicts: dict[str, Verdict | None] = field(default_factory=dict)
    items: list[Item] = field(default_factory=list)
    dropped: list[Drop] = field(default_factory=list)
    warnings: list[Warning] = field(default_factory=list)

    @property
    def judgment(self) -> Judgment[Item]:
        """Of the corpus that the run went on with."""
        union = self.retried.union if self.retried else None
        return union or self.first


def run(request: Request, calls: Calls) -> Stream:
    """Run the loop.

    Args:
        request: the topic, the question to judge against, the window, the handles.
        calls: a fresh record of calls to the backend that is to be used.

    Nothing is raised for a failed call: failures stand in `calls.errors`.
    """
    spare = reserve(request.explicit, calls.backend.INFO, calls.left)
    query = compile_query(request.topic, request.window)
    corpus = calls.send(_fanout(query, Lane.TOPIC, request.depth), reserve=spare)
    stream = Stream(request, calls, query, judge(corpus, request.question))
    if corpus or len(calls.errors) < len(calls.sent):
        _go_on(stream, spare)
    known = stream.verdicts
    stream.dropped += [d for i, d in calls.dropped.items() if i not in known]
    stream.warnings += _notes(stream)
    return stream


def _go_on(stream: Stream, spare: float) -> None:
    """All steps after the first fan-out."""
    stream.retried = _retry(stream, spare)
    _learn(stream, stream.judgment)
    kept = _without_copies(stream, stream.judgment.items)
    stream.promotion = _promotion(stream, kept)
    kept = _with_lanes(stream, kept)
    # Pruned first: an off-topic copy must not stand for a post that was asked for.
    kept = _pruned(stream, kept)
    kept = _without_copies(stream, kept)
    _rank(stream, kept)


def _fanout(query: Query, lane: Lane, depth: Depth) -> list[Call]:
    return [Call(lane, q, POSTS_PER_CALL) for q in variants(query, CALLS[depth])]


def _retry(stream: Stream, spare: float) -> Retried | None:
    request, calls, first = stream.request, stream.calls, stream.first
    plan = plan_retry(
        stream.query,
        request.topic,
        first,
        failed=bool(calls.errors),
        depth=request.depth,
    )
    if plan is None:
        return None
    found = calls.send(_fanout(plan.query, plan.lane, request.depth), reserve=spare)
    if not found:
        return Retried(plan, None, None)
    ratio = judge(found, request.question).on_topic_ratio
    if plan.lane is Lane.RETRY and ratio <= first.on_topic_ratio:
        return Retried(plan, ratio, None)
    known = {item.id for item in first.items}
    more = [item for item in found if item.id not in known]
    return Retried(plan, ratio, judge(first.items + more, request.question))


def _promotion(stream: Stream, corpus: Sequence[Item]) -> Promotion:
    if stream.request.depth is Depth.QUICK:
        return stream.promotion
    stats = handle_stats(corpus, [stream.verdicts[item.id] for item in corpus])
    return promote(stats, extract_handles(corpus), stream.request.named)


def _with_lanes(stream: Stream, corpus: list[Item]) -> list[Item]:
    request = stream.request
    calls = lane_calls(
        request.topic,
        request.window,
        explicit=request.explicit,
        related=request.related,
        promoted=stream.promotion.promoted,
    )
    found = stream.calls.send(calls) if calls else []
    # What came by a lane of a named handle too is asked for, whoever found it first.
    lanes = {i.id: i.lane for i in found if is_asked_for(i, request.named)}
    known = set(stream.verdicts)
    more = [item for item in found if item.id not in known]
    if more:
        _learn(stream, judge(stream.judgment.items + more, request.question))
    return [replace(i, lane=lanes.get(i.id, i.lane)) for i in corpus] + more


def _learn(stream: Stream, judgment: Judgment[Item]) -> None:
    """Keep verdicts; one that has steered the run never changes."""
    for item, verdict in zip(judgment.items, judgment.verdicts, strict=True):
        stream.verdicts.setdefault(item.id, verdict)


def _without_copies(stream: Stream, items: Iterable[Item]) -> list[Item]:
    kept, dropped = unique(items, INFO)
    stream.dropped += dropped
    return kept


def _pruned(stream: Stream, items: Iterable[Item]) -> list[Item]:
    kept: list[Item] = []
    on_topic = pruned = 0
    for item in items:
        verdict = stream.verdicts[item.id]
        off_topic = verdict is not None and verdict.relevance < RELEVANCE_FLOOR
        on_topic += verdict is not None and not off_topic
        if off_topic and not is_asked_for(item, stream.request.named):
            pruned += 1
            stream.dropped.append(Drop(item, "off-topic"))
        else:
            kept.append(item)
    if pruned:
        stream.warnings.append(prune_warning(pruned, on_topic))
    return kept


def _rank(stream: Stream, items: Iterable[Item]) -> None:
    explicit = {handle.lower() for handle in stream.request.explicit}
    promoted = set(stream.promotion.promoted)

    def allowed(handle: str) -> int:
        if handle in explicit:
            return FIRST_PARTY_CAP
        return PROMOTED_CAP if handle in promoted else AUTHOR_CAP

    judged = (replace(i, relevance=_relevance(stream.verdicts[i.id])) for i in items)
    stream.items, dropped = cap(order(judged, stream.request.window, INFO), allowed)
    stream.dropped += dropped


def _notes(stream: Stream) -> list[Warning]:
    """What else the reader has to know of the run."""
    request, judgment = stream.request, stream.judgment
    texts = [item.text for item in judgment.items if item.text.strip()]
    found = (
        topic_shortened(request.topic, stream.query),
        flood(judgment),
        ambiguous_topic(texts, request.question),
        dropped_posts(drop.reason for drop in stream.calls.dropped.values()),
    )
    return [note for note in found if note is not None]


def _relevance(verdict: Verdict | None) -> float | None:
    return None if verdict is None else verdict.relevance
