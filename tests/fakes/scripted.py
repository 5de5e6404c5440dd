"""Sources that answer by a script, and the request of a run over them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, time, timedelta, timezone
from typing import Any, TypeAlias

from engine.io import IO
from engine.model import Depth, Item, SourceInfo
from engine.plan import Plan, Subquery
from engine.research import Answer, Request, Research, run
from engine.sources import SOURCES
from engine.sources.base import Ask, Hints, Source
from engine.text.topic import parse_topic
from fakes.asking import WINDOW, World

__all__ = ["TOPIC", "Scripted", "about", "registry", "request", "researched", "sub"]

TOPIC = "Claude Code skills"

Script: TypeAlias = "Callable[[Ask], Sequence[Item]]"


def about(
    number: int | str,
    text: str = "",
    source: str = "reddit",
    *,
    day: int | None = 1,
    **more: Any,
) -> Item:
    """An item of a source on the topic, `day` days before the window's last noon."""
    noon = datetime.combine(WINDOW.last, time(12), timezone.utc)
    item = Item(
        id=str(number),
        source=source,
        text=text or f"{_WORDS[int(number) % len(_WORDS)]} Claude Code skills {number}",
        url=f"https://{source}.example/{number}",
        author_handle=f"writer{number}",
        created_at=None if day is None else noon - timedelta(day),
    )
    return replace(item, **more)


# Texts that are no near-duplicates of each other.
_WORDS = (
    "We review pull requests with our own",
    "A folder and a prompt is all there is to",
    "Release notes were written overnight by",
    "Nobody in the team reads the manual of",
    "My editor lost every one of the",
    "Forty lines and an hour a week saved thanks to",
    "The typos in the changelog came from",
)


@dataclass
class Scripted:
    """A source; `script` gives items or raises, `asked` is what it was asked."""

    name: str
    script: Script = lambda ask: [about(i) for i in range(4)]
    needs: str = ""
    info: Mapping[str, Any] = field(default_factory=dict)
    asked: list[Ask] = field(default_factory=list)
    INFO: SourceInfo = field(init=False)

    def __post_init__(self) -> None:
        self.INFO = SOURCES[self.name].INFO._replace(**self.info)

    def missing(self, io: IO) -> str:
        return self.needs

    def search(self, ask: Ask, io: IO) -> list[Item]:
        self.asked.append(ask)
        return [_moved(item, self.name) for item in self.script(ask)]

    @property
    def queries(self) -> list[str]:
        """What it was asked, in any order."""
        return sorted(ask.query for ask in self.asked)


def _moved(item: Item, source: str) -> Item:
    return replace(item, source=source, url=f"https://{source}.example/{item.id}")


def registry(*sources: Scripted) -> dict[str, Source]:
    """Sources by name."""
    return {source.name: source for source in sources}


def sub(
    search_query: str = "claude code skills",
    *sources: str,
    ranking_query: str = "How do people use Claude Code skills?",
    label: str = "q1",
    weight: float = 1.0,
) -> Subquery:
    """A subquery for some sources."""
    return Subquery(label, search_query, ranking_query, sources, weight)


def request(*subqueries: Subquery, topic: str = TOPIC, **more: Any) -> Request:
    """A request with a plan of these subqueries; every source may be asked."""
    plan = Plan(
        intent="concept",
        freshness_mode=more.pop("freshness_mode", "balanced_recent"),
        cluster_mode=more.pop("cluster_mode", "none"),
        subqueries=subqueries,
        source_weights=more.pop("source_weights", {}),
        effective={},
    )
    made = Request(
        parse_topic(topic), plan, WINDOW, Depth.DEFAULT, tuple(SOURCES), Hints()
    )
    return replace(made, **more)


def researched(
    wanted: Request,
    sources: Iterable[Scripted],
    world: World | None = None,
    progress: Callable[[Answer], None] = lambda answer: None,
) -> Research:
    """Run a research over scripted sources."""
    world = world or World({})
    return run(wanted, registry(*sources), world.io, progress)
