"""Research: the order of a run over many sources. It knows no source by name.

Every source that the plan names is asked each of its queries once, all side by side.
What a subquery got from a source becomes a stream, judged against the subquery's
question; the streams are ranked together.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from typing import NamedTuple

from engine.errors import SourceError
from engine.io import IO
from engine.model import Depth, Item
from engine.plan import Plan, Subquery
from engine.rank.candidate import Stream
from engine.rank.order import order
from engine.rank.ranking import Ranking, rank
from engine.sources.base import THIN, Ask, Hints, Source
from engine.text.relevance import RELEVANCE_FLOOR, prepare, weigh
from engine.text.statement import statement
from engine.text.topic import Topic
from engine.together import together
from engine.window import Window

__all__ = ["Answer", "Drop", "Request", "Research", "run"]

_PARALLEL = 24
_LAST_SECONDS = 3.0
_LAST_SHARE = 0.05
# So much of an item is enough to judge it by.
_JUDGED_LENGTH = 2_000


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be researched.

    `sources` are the names that may be asked at all. `planned` is false if the engine
    had to make the plan itself.
    """

    topic: Topic
    plan: Plan
    window: Window
    depth: Depth
    sources: tuple[str, ...]
    hints: Hints = Hints()
    planned: bool = True


class Answer(NamedTuple):
    """What one query to one source gave; `lane` is topic, or thin when asked again."""

    source: str
    lane: str
    query: str
    items: tuple[Item, ...]
    error: SourceError | None
    seconds: float


class Drop(NamedTuple):
    """An item that left before ranking, and why."""

    item: Item
    reason: str


@dataclass(slots=True)
class Research:
    """Everything that a run found, in the order in which it did.

    `missing` says for each source that the plan names what the user has to do before
    it works; empty if it is ready.
    """

    request: Request
    missing: dict[str, str]
    answers: list[Answer] = field(default_factory=list)
    dropped: list[Drop] = field(default_factory=list)
    ranking: Ranking = Ranking((), (), ())


Progress = Callable[[Answer], None]


def run(
    request: Request, sources: Mapping[str, Source], io: IO, progress: Progress
) -> Research:
    """Research a plan.

    Args:
        request: topic, plan, window, depth, and which sources may be asked.
        sources: the registry.
        io: what the sources may touch.
        progress: is told each answer when it has come.

    Nothing is raised for a source that fails: its failure is in its answer.
    """
    planned = {name for sub in request.plan.subqueries for name in sub.sources}
    named = [name for name in request.sources if name in planned]
    research = Research(request, {name: sources[name].missing(io) for name in named})
    research.answers += _fetch(research, sources, io, progress)
    research.ranking = rank(
        list(_streams(research, sources)),
        {name: source.INFO for name, source in sources.items()},
        request.window,
        freshness_mode=request.plan.freshness_mode,
        cluster_mode=request.plan.cluster_mode,
        depth=request.depth,
        topic=request.topic,
        first_party={("x", handle.lower()) for handle in request.hints.x_handles},
    )
    return research


def _fetch(
    research: Research, sources: Mapping[str, Source], io: IO, progress: Progress
) -> list[Answer]:
    """Ask every source that is ready each of its queries, all side by side."""
    asks = [
        (name, ask)
        for name, missing in research.missing.items()
        if not missing
        for ask in _asks(research.request, name, sources[name])
    ]
    # What is left over serves the ranking of what came in the last moment.
    earlier = min(_LAST_SECONDS, _LAST_SHARE * io.deadline.left)
    io = replace(io, deadline=io.deadline.before(earlier))
    answers: list[list[Answer]] = [[] for _ in asks]
    sent = {(name, _same(ask.query)): ask for name, ask in asks}
    jobs = [
        partial(_ask, name, sources[name], ask, io, progress, into, sent)
        for (name, ask), into in zip(asks, answers, strict=True)
    ]
    ended = together(jobs, parallel=_PARALLEL, deadline=io.deadline)
    for (name, ask), into, error in zip(asks, answers, ended, strict=True):
        if error is not None:
            lane, query = ("thin", ask.topic.core) if into else ("topic", ask.query)
            into.append(Answer(name, lane, query, (), error, 0.0))
    return [answer for into in answers for answer in into]


def _asks(request: Request, name: str, source: Source) -> list[Ask]:
    """The queries to a source, each once, whatever the number of subqueries."""
    subqueries = [sub for sub in request.plan.subqueries if name in sub.sources]
    queries = [sub.search_query for sub in subqueries]
    if source.INFO.asked_with == "topic":
        queries = [request.topic.text]
    questions = tuple(sub.ranking_query for sub in subqueries)
    return [
        Ask(
            query,
            request.topic,
            request.window,
            request.depth,
            request.hints,
            questions,
        )
        for query in {_same(q): q for q in reversed(queries)}.values()
    ][::-1]


def _same(query: str) -> str:
    """What equals for queries that no source tells apart."""
    return " ".join(query.split()).casefold()


def _ask(
    name: str,
    source: Source,
    ask: Ask,
    io: IO,
    progress: Progress,
    into: list[Answer],
    sent: dict[tuple[str, str], Ask],
) -> None:
    """One query; a thin answer without a failure is followed by the core subject.

    Answers go `into` a list as they come: what has arrived is never lost. `sent` are
    the queries of the run by source, none of which is sent twice.
    """
    first = _answer(name, source, "topic", ask, io)
    into.append(first)
    progress(first)
    again = replace(ask, query=ask.topic.core)
    thin = len(first.items) < THIN and first.error is None
    if not thin or source.INFO.asks_again:
        return
    # One step, since other threads look as well.
    if sent.setdefault((name, _same(again.query)), again) is again:
        into.append(_answer(name, source, "thin", again, io))
        progress(into[-1])


def _answer(name: str, source: Source, lane: str, ask: Ask, io: IO) -> Answer:
    started = time.monotonic()
    error = None
    try:
        items = tuple(source.search(ask, io))
    except SourceError as failure:
        items, error = failure.items, failure
    seconds = round(time.monotonic() - started, 1)
    return Answer(name, lane, ask.query, items, error, seconds)


def _streams(research: Research, sources: Mapping[str, Source]) -> Iterator[Stream]:
    """What each subquery got from each source, judged, the best first."""
    plan = research.request.plan
    corpora = {name: _corpus(research, name) for name in research.missing}
    kept: set[tuple[str, str]] = set()
    for sub in plan.subqueries:
        for name in sub.sources:
            if not corpora.get(name):
                continue
            judged = _judged(research.request.topic, sub, corpora[name])
            kept |= {(name, item.id) for item in judged}
            yield Stream(
                name,
                sub.label,
                sub.weight * plan.source_weights.get(name, 1.0),
                tuple(
                    order(
                        judged,
                        research.request.window,
                        sources[name].INFO,
                        plan.freshness_mode,
                    )
                ),
            )
    research.dropped += [
        Drop(item, "off-topic")
        for name, corpus in corpora.items()
        for item in corpus
        if (name, item.id) not in kept
    ]


def _corpus(research: Research, name: str) -> list[Item]:
    """What a source gave, each item once; out of the window only what is evergreen."""
    answers = (answer for answer in research.answers if answer.source == name)
    found: dict[str, Item] = {}
    for item in chain.from_iterable(answer.items for answer in answers):
        found.setdefault(item.id, item)
    if research.request.plan.freshness_mode == "evergreen_ok":
        return list(found.values())
    window = research.request.window
    inside = {id: item for id, item in found.items() if _is_inside(item, window)}
    research.dropped += [
        Drop(item, "out-of-window") for id, item in found.items() if id not in inside
    ]
    return list(inside.values())


def _is_inside(item: Item, window: Window) -> bool:
    return item.created_at is None or window.contains(item.created_at)


def _judged(topic: Topic, sub: Subquery, corpus: list[Item]) -> list[Item]:
    """The items on topic, with their relevance; what its source judged stays so."""
    texts = [statement(item)[:_JUDGED_LENGTH] for item in corpus]
    verdicts = weigh(texts, prepare(topic.text, [sub.ranking_query]))
    judged = [
        item if item.lane else replace(item, relevance=verdict.relevance)
        for item, verdict in zip(corpus, verdicts, strict=True)
    ]
    return [
        item
        for item in judged
        if item.lane or (item.relevance or 0.0) >= RELEVANCE_FLOOR
    ]
