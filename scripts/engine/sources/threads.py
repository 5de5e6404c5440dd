"""Which threads are worth a request for their comments, and the comments on them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from engine.errors import SourceError
from engine.io import IO
from engine.model import Comment, Depth, Item, SourceInfo
from engine.rank.engagement import engagement
from engine.sources.base import Ask, RiverAsk, tier_refused
from engine.text.relevance import RELEVANCE_FLOOR, prepare, weigh
from engine.together import together

__all__ = [
    "THREADS",
    "best_threads",
    "by_promise",
    "with_comments",
    "with_comments_on_hottest",
]

THREADS = {Depth.QUICK: 1, Depth.DEFAULT: 3, Depth.DEEP: 5}
"""How many threads of a source are asked for their comments."""

_PARALLEL = 3
# What the caller needs to hand over what it has.
_MARGIN_SECONDS = 0.5


class _Known:
    """The comments that a run has read, by source and thread."""

    def __init__(self) -> None:
        self.comments: dict[tuple[str, str], tuple[Comment, ...]] = {}


def by_promise(items: Sequence[Item], ask: Ask, info: SourceInfo) -> list[Item]:
    """The same items: those on topic first, then those with most engagement.

    Ties keep their order.
    """
    texts = [f"{item.title}\n{item.text}" for item in items]
    verdicts = (
        weigh(texts, prepare(ask.topic.text, ask.ranking_queries)) if items else []
    )
    rated = [
        (
            verdict.relevance < RELEVANCE_FLOOR,
            -(engagement(item, info) or 0.0),
            place,
        )
        for place, (item, verdict) in enumerate(zip(items, verdicts, strict=True))
    ]
    return [items[place] for *_, place in sorted(rated)]


def best_threads(items: Sequence[Item], ask: Ask, info: SourceInfo) -> list[Item]:
    """The threads to ask for comments, the most promising first.

    Threads that are known to have no comment are none of them.
    """
    open_ones = [item for item in items if item.engagement.get("comments") != 0]
    return by_promise(open_ones, ask, info)[: THREADS[ask.depth]]


def with_comments(
    items: Sequence[Item],
    ask: Ask,
    io: IO,
    info: SourceInfo,
    read: Callable[[IO, Item], tuple[Comment, ...]],
) -> list[Item]:
    """The same items, the best threads with what `read` finds for them.

    A thread is asked for once a run, whichever queries find it. One whose comments
    cannot be had stays without, and a warning tells it.
    """
    return _commented(items, best_threads(items, ask, info), io, info, read)


def with_comments_on_hottest(
    items: Sequence[Item],
    hot: RiverAsk,
    io: IO,
    info: SourceInfo,
    read: Callable[[IO, Item], tuple[Comment, ...]],
) -> list[Item]:
    """The same for hot lists: without a domain the threads with most engagement."""
    if hot.domain:
        return with_comments(items, hot.search(), io, info, read)
    hottest = sorted(items, key=lambda item: -(engagement(item, info) or 0.0))
    return _commented(items, hottest[: THREADS[hot.depth]], io, info, read)


def _commented(
    items: Sequence[Item],
    best: Sequence[Item],
    io: IO,
    info: SourceInfo,
    read: Callable[[IO, Item], tuple[Comment, ...]],
) -> list[Item]:
    known = io.memory.of(_Known).comments
    io = replace(io, deadline=io.deadline.before(_MARGIN_SECONDS))
    threads = [item for item in best if (info.name, item.id) not in known]
    jobs = [partial(read, io, item) for item in threads]
    answers = together(jobs, parallel=_PARALLEL, deadline=io.deadline)
    failures = [answer for answer in answers if isinstance(answer, SourceError)]
    if failures:
        io.warn(tier_refused(info, "comments", failures[0]))
    for item, answer in zip(threads, answers, strict=True):
        if not isinstance(answer, SourceError):
            known[info.name, item.id] = answer
    return [_with(item, known.get((info.name, item.id), ()), info) for item in items]


def _with(item: Item, comments: tuple[Comment, ...], info: SourceInfo) -> Item:
    votes = max((c.votes for c in comments if c.votes is not None), default=None)
    counts = item.engagement
    if votes is not None and votes >= 0 and "best_comment" in info.weights:
        counts = {**counts, "best_comment": votes}
    return replace(item, comments=comments, engagement=counts)
