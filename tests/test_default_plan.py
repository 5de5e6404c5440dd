"""The plan of an engine that understands no topic."""

from __future__ import annotations

import pytest

from engine.contracts import check
from engine.plan import default_plan
from engine.sources import SOURCES
from engine.text.topic import parse_topic


@pytest.mark.parametrize(
    ("topic", "modes"),
    [
        ("Claude Code skills", ("concept", "balanced_recent", "none")),
        ("how to install Rust", ("how_to", "evergreen_ok", "workflow")),
        ("odds of a rate cut", ("prediction", "balanced_recent", "market")),
        ("Loom review", ("opinion", "balanced_recent", "debate")),
        ("Framework laptop price", ("product", "balanced_recent", "debate")),
        ("Rome news", ("breaking_news", "strict_recent", "story")),
        ("ROME Latest", ("breaking_news", "strict_recent", "story")),
        # Words, and not pieces of words.
        ("Newsom shows fixtures", ("concept", "balanced_recent", "none")),
    ],
)
def test_a_word_of_the_topic_shows_the_intent(
    topic: str, modes: tuple[str, str, str]
) -> None:
    """And with it how fresh an answer has to be, and what belongs together."""
    plan = default_plan(parse_topic(topic), list(SOURCES))
    assert (plan.intent, plan.freshness_mode, plan.cluster_mode) == modes


@pytest.mark.parametrize("topic", ["Rome Italy latest news", "罗马 新闻", "It"])
def test_it_is_a_valid_plan_of_one_question(topic: str) -> None:
    """Every source is asked for the core subject and judged by the whole topic."""
    read = parse_topic(topic)
    plan = default_plan(read, list(SOURCES))
    check(dict(plan.effective), "plan", name="plan")
    (sub,) = plan.subqueries
    assert (sub.search_query, sub.ranking_query) == (read.core, topic)
    assert (sub.sources, sub.weight) == (tuple(SOURCES), 1.0)
    assert plan.effective["topic"] == topic
