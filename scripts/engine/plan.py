"""The plan: what the host model wants to know."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine.contracts import check, read_json
from engine.errors import ContractError, UsageError
from engine.text.topic import Topic, parse_topic

__all__ = ["Plan", "Subquery", "default_plan", "load_plan"]


# Words of a topic that show an intent, the intent, how fresh an answer has to be, and
# what makes items belong together.
_INTENTS = (
    ("how install setup debug fix tutorial", "how_to", "evergreen_ok", "workflow"),
    ("odds predict prediction forecast", "prediction", "balanced_recent", "market"),
    ("opinion opinions thoughts review", "opinion", "balanced_recent", "debate"),
    ("price prices pricing buy", "product", "balanced_recent", "debate"),
    ("news latest today trending week", "breaking_news", "strict_recent", "story"),
)


@dataclass(frozen=True, slots=True)
class Subquery:
    """One question: keywords to search with, the question to judge against, where."""

    label: str
    search_query: str
    ranking_query: str
    sources: tuple[str, ...]
    weight: float


@dataclass(frozen=True, slots=True)
class Plan:
    """A valid plan. `effective` is its JSON form with every default filled in."""

    intent: str
    freshness_mode: str
    cluster_mode: str
    subqueries: tuple[Subquery, ...]
    source_weights: Mapping[str, float]
    effective: Mapping[str, Any]

    def ranking_queries(self, source: str) -> tuple[str, ...]:
        """The questions of the subqueries that name a source; of all if none does."""
        naming = [sub for sub in self.subqueries if source in sub.sources]
        return tuple(sub.ranking_query for sub in naming or self.subqueries)


def load_plan(path: str, topic: str) -> Plan:
    """Read a plan for a topic from a file, or from standard input for `-`.

    Raises:
        UsageError: the file cannot be read.
        ContractError: it breaks the contract, or is for another topic. A bad plan is
            never repaired or replaced.
    """
    name = "standard input" if path == "-" else path
    raw = read_json(path, what="plan")
    check(raw, "plan", name=name)
    planned = raw.get("topic", topic)
    if " ".join(planned.split()).casefold() != " ".join(topic.split()).casefold():
        raise ContractError(
            f"{name}: topic: the plan is for {planned[:80]!r}, not for the topic asked"
        )
    for i, sub in enumerate(raw["subqueries"]):
        for field in ("search_query", "ranking_query"):
            _demand_words(sub[field], f"{name}: subqueries[{i}].{field}")
    return _plan(raw, topic)


def default_plan(topic: Topic, sources: Sequence[str]) -> Plan:
    """The plan of an engine that understands no topic: one question, asked everywhere.

    Args:
        topic: what the user typed.
        sources: the names of all sources that may be asked.
    """
    words = {word for term in topic.terms for word in term.words}
    intent, freshness, cluster = next(
        (modes for telling, *modes in _INTENTS if words & set(telling.split())),
        ("concept", "balanced_recent", "none"),
    )
    raw = {
        "intent": intent,
        "freshness_mode": freshness,
        "cluster_mode": cluster,
        "subqueries": [
            {
                "label": "topic",
                "search_query": topic.core,
                "ranking_query": topic.text,
                "sources": list(sources),
            }
        ],
    }
    return _plan(raw, topic.text)


def _demand_words(text: str, where: str) -> None:
    try:
        parse_topic(text)
    except UsageError:
        raise ContractError(f"{where}: has no letter or digit") from None


def _plan(raw: Mapping[str, Any], topic: str) -> Plan:
    subqueries = tuple(
        Subquery(
            label=sub.get("label", f"q{i}"),
            search_query=sub["search_query"],
            ranking_query=sub["ranking_query"],
            sources=tuple(sub["sources"]),
            weight=float(sub.get("weight", 1)),
        )
        for i, sub in enumerate(raw["subqueries"], start=1)
    )
    weights = {name: float(w) for name, w in raw.get("source_weights", {}).items()}
    effective = {
        **raw,
        "topic": topic,
        "subqueries": [
            {
                "label": sub.label,
                "search_query": sub.search_query,
                "ranking_query": sub.ranking_query,
                "sources": list(sub.sources),
                "weight": sub.weight,
            }
            for sub in subqueries
        ],
        "source_weights": weights,
    }
    return Plan(
        raw["intent"],
        raw["freshness_mode"],
        raw["cluster_mode"],
        subqueries,
        weights,
        effective,
    )
