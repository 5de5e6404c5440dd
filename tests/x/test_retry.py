"""Retry: one more fan-out for a flood or a thin corpus, never the same query."""

from __future__ import annotations

import pytest

from engine.model import Depth, Item, Lane
from engine.text.question import prepare
from engine.text.topic import parse_topic
from engine.x.compile import compile_query
from engine.x.fanout import variants
from engine.x.judge import judge
from engine.x.retry import Retry, plan_retry, should_retry_x_search
from fakes.xposts import WINDOW, post, posts

ON = [f"Rome in November, day {i}" for i in range(1, 9)]
OFF = [f"Parliament votes on the steel tariff, round {i}" for i in range(1, 41)]
FLOOD = [
    *posts("a", ON[:2], "local"),
    *posts("b", OFF[:12], "desk"),
    *posts("c", OFF[12:20], "Wire"),
]


def planned(
    topic: str,
    corpus: list[Item],
    *,
    failed: bool = False,
    depth: Depth = Depth.DEFAULT,
) -> Retry | None:
    """The retry after a corpus."""
    read = parse_topic(topic)
    first = compile_query(read, WINDOW)
    verdict = judge(corpus, prepare(topic))
    return plan_retry(first, read, verdict, failed=failed, depth=depth)


@pytest.mark.parametrize(
    ("items", "depth", "expected"),
    [
        pytest.param(posts("b", OFF), "default", True, id="40-off-topic"),
        pytest.param(posts("b", OFF), "deep", True, id="40-off-topic-deep"),
        pytest.param(posts("b", OFF), "quick", False, id="never-at-quick"),
        pytest.param([], "default", False, id="empty"),
        pytest.param(posts("a", ON[:4], "local"), "default", False, id="4-on-topic"),
        pytest.param(posts("a", ON[:1]), "default", False, id="thin-is-no-flood"),
    ],
)
def test_should_retry_is_about_floods(
    items: list[Item], depth: str, expected: bool
) -> None:
    """A corpus that drowned is asked again, but not at depth quick."""
    assert should_retry_x_search(items, "Rome", depth=depth) is expected


@pytest.mark.parametrize(("on", "expected"), [(16, False), (15, True)])
def test_the_border_of_a_flood(on: int, expected: bool) -> None:
    """16 of 40 is a share of exactly 0.4 and no flood; 15 of 40 is one."""
    texts = [f"Rome, Rome: morning {i} in Rome" for i in range(on)] + OFF[: 40 - on]
    items = [post(str(i), text, f"author{i % 7}") for i, text in enumerate(texts)]
    assert should_retry_x_search(items, "Rome") is expected


def test_a_flood_is_asked_again_without_those_who_flooded() -> None:
    """The core subject, less the frequent accounts that are mostly off topic."""
    found = planned("latest news about Rome Italy", FLOOD)
    assert found is not None
    assert found.lane is Lane.RETRY
    assert found.query.terms == ("Rome", "Italy")
    assert sorted(found.query.not_from) == ["desk", "wire"]


def test_the_retry_of_a_bare_topic_is_another_query() -> None:
    """Where nothing can be left out of the words, the accounts make the difference."""
    found = planned("Rome Italy", FLOOD)
    assert found is not None
    first = variants(compile_query(parse_topic("Rome Italy"), WINDOW), 12)
    assert not set(first) & set(variants(found.query, 12))


def test_a_flood_without_authors_and_with_a_bare_topic_is_let_be() -> None:
    """The query would be the same."""
    assert planned("Rome Italy", posts("b", OFF[:20])) is None


def test_a_flood_that_cannot_be_asked_otherwise_may_still_be_thin() -> None:
    """One post about something else, by nobody: fewer words may find more."""
    found = planned("React Server Components", posts("b", OFF[:1]))
    assert found is not None
    assert (found.lane, found.query.terms) == (Lane.THIN, ("Server", "Components"))


def test_a_flood_at_quick_is_let_be() -> None:
    """Quick is one round."""
    assert planned("Rome Italy", FLOOD, depth=Depth.QUICK) is None


@pytest.mark.parametrize(
    ("topic", "terms"),
    [
        pytest.param("what do people think about React Server Components", ("React", "Server", "Components"), id="core"),
        pytest.param("React Server Components", ("Server", "Components"), id="two-longest-of-a-bare-topic"),
        pytest.param("Rome Italy carbonara prices", ("carbonara", "prices"), id="in-their-order"),
        pytest.param("latest Rome", ("Rome",), id="one-word-is-left"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("count", [0, 1, 2])
def test_a_thin_corpus_is_asked_for_less(
    topic: str, terms: tuple[str, ...], count: int
) -> None:
    """The core subject, or its two most telling terms if the topic is nothing else."""
    found = planned(topic, posts("t", [f"{topic} {i}" for i in range(count)], "fan"))
    assert found is not None
    assert (found.lane, found.query.terms) == (Lane.THIN, terms)
    assert found.query.not_from == ()


@pytest.mark.parametrize(
    "topic", ["Rome Italy", "Rome", "best latest new things", "The Who"]
)
def test_no_retry_with_the_same_query(topic: str) -> None:
    """Two terms or fewer, or nothing but noise: there is nothing to leave out."""
    found = planned(topic, [])
    first = compile_query(parse_topic(topic), WINDOW)
    assert found is None or set(found.query.terms) < set(first.terms)
    if len(first.terms) <= 2:
        assert found is None


@pytest.mark.parametrize(
    "changes", [{"failed": True}, {"depth": Depth.QUICK}], ids=["failed", "quick"]
)
def test_no_thin_retry(changes: dict[str, bool | Depth]) -> None:
    """A failure is no proof that little was said, and quick is quick."""
    failed = bool(changes.get("failed"))
    depth = Depth(changes.get("depth", Depth.DEFAULT))
    assert planned("latest Rome", [], failed=failed, depth=depth) is None


def test_three_posts_are_not_thin() -> None:
    """Fewer than three are."""
    assert planned("latest Rome", posts("a", ON[:3], "local")) is None
