"""Comparison: which topics are one, whose plan is whose, and one record of all sides."""

from __future__ import annotations

import time
from typing import Any

import pytest

from engine.comparison import MAX_SIDES, compare, merge, side_plan, sides
from engine.contracts import check
from engine.errors import ContractError
from engine.plan import Plan
from engine.sources import SOURCES
from engine.sources.base import Facts
from fakes.asking import World
from fakes.hackernews import HackerNews, Story
from fakes.research_run import research, thing
from fakes.scripted import request, sub
from fakes.server import Answer, Asked, Server, answer_json


@pytest.mark.parametrize(
    ("topic", "found"),
    [
        ("Claude vs Codex", ["Claude", "Codex"]),
        ("iPhone 17  VS.  Pixel 11 versus Fairphone", ["iPhone 17", "Pixel 11", "Fairphone"]),
        ("比亚迪 对比 特斯拉", ["比亚迪", "特斯拉"]),
        ("a vs b vs c vs d", ["a", "b", "c", "d"]),
        ("a vs b vs c vs d vs e", []),
        ("Claude vs claude", []),
        ("a vs A vs b", ["a", "b"]),
        ("Claude vs ", []),
        ("vs", []),
        ("Rivalsvs and canvas", []),
        ("Rome Italy", []),
    ],
)  # fmt: skip
def test_a_topic_is_a_comparison_if_it_has_sides(topic: str, found: list[str]) -> None:
    """From two to four of them, each once, parted by a word of its own."""
    assert sides(topic) == found
    assert len(found) <= MAX_SIDES


def _plan(*labels: str) -> Plan:
    subs = [sub(f"query {i}", "reddit", label=label) for i, label in enumerate(labels)]
    return request(*subs).plan


def test_a_subquery_is_for_the_side_that_its_label_names() -> None:
    """One with another label is for all, whatever the case of the letters."""
    plan = _plan("Claude", "codex", "both")
    own = {
        side: [s.search_query for s in side_plan(plan, side, ["Claude", "Codex"]).subqueries]
        for side in ("Claude", "Codex")
    }  # fmt: skip
    assert own == {"Claude": ["query 0", "query 2"], "Codex": ["query 1", "query 2"]}


def test_a_side_without_a_subquery_is_refused() -> None:
    """The line says which side, and what to write."""
    with pytest.raises(ContractError) as caught:
        side_plan(_plan("Claude"), "Codex", ["Claude", "Codex"])
    assert str(caught.value) == (
        "plan: no subquery is for 'Codex'; give one the label 'Codex'"
    )


def _merged(**states: tuple[str, str]) -> dict[str, Any]:
    """Two sides, A and B, and how each source ended for them."""
    records = {
        side: research(
            [thing("reddit", i)],
            {name: (both[i], f"detail {side}", "fix") for name, both in states.items()},
        )
        for i, side in enumerate("AB")
    }
    return merge("A vs B", records, None)


@pytest.mark.parametrize(
    ("both", "state"),
    [
        (("ok", "ok"), "ok"),
        (("no-results", "ok"), "ok"),
        (("no-results", "no-results"), "no-results"),
        (("not-asked", "no-results"), "no-results"),
        (("not-asked", "skipped-unconfigured"), "skipped-unconfigured"),
        (("not-asked", "not-asked"), "not-asked"),
        (("ok", "rate-limited"), "partial"),
        (("timeout", "ok"), "partial"),
        (("ok", "partial"), "partial"),
        (("blocked", "no-results"), "blocked"),
        (("not-asked", "blocked"), "blocked"),
        (("blocked", "timeout"), "blocked"),
    ],
    ids=lambda value: value if isinstance(value, str) else "+".join(value),
)
def test_a_source_ended_as_its_sides_did(both: tuple[str, str], state: str) -> None:
    """In part if it was seen for one side and not for another; silence hides nothing."""
    told = _merged(reddit=both)["source_status"]["reddit"]
    assert told["state"] == state


def test_the_detail_says_which_side_was_not_seen() -> None:
    """Unless it is the same for all."""
    status = _merged(reddit=("ok", "timeout"), github=("blocked", "blocked"))[
        "source_status"
    ]
    assert status["reddit"]["detail"] == "B: detail B"
    assert status["github"]["detail"] == "detail A"
    assert status["reddit"]["fix"] == "fix"


def test_a_merged_record_is_an_artifact() -> None:
    """Each entry names its side, and what both warn of stands there once."""
    merged = _merged(reddit=("ok", "ok"))
    check(merged, "artifact", name="artifact")
    assert (merged["topic"], merged["sides"], merged["x"]) == (
        "A vs B",
        ["A", "B"],
        None,
    )
    assert [item["side"] for item in merged["items"]] == ["A", "B"]
    assert [cluster["side"] for cluster in merged["clusters"]] == ["A", "B"]
    warning = {
        "code": "no-plan",
        "source": "",
        "message": "m",
        "data": {"ranking_query": "q"},
    }
    one = research([], {}, _warnings=[warning])
    assert merge("A vs B", {"A": one, "B": one}, None)["_warnings"] == [warning]


def _compared(world: World, *names: str, **more: Any) -> dict[str, Any]:
    requests = {
        side: request(sub(f"{side} skills", *names), topic=f"{side} skills", **more)
        for side in ("claude", "codex")
    }
    return compare("claude vs codex", requests, None, world.io, world.warnings, print)


def _stories(server: Server) -> HackerNews:
    names = ("claude", "codex")
    texts = ("{} skills are folders", "Why {} skills fail me", "I sell {} skills")
    return HackerNews(
        server,
        [
            Story(
                10 * i + n, text.format(name), World({}).io.settings.now, f"ann{i}{n}"
            )
            for i, name in enumerate(names, start=1)
            for n, text in enumerate(texts)
        ],
    )


def test_one_side_that_fails_is_partial_coverage(server: Server) -> None:
    """The other side's evidence is there, and the failure names its side."""
    service = _stories(server)
    answer = service._search

    def route(asked: Asked) -> Answer:
        failed = "codex" in asked.params["query"]
        return answer_json({"error": "no"}, 500) if failed else answer(asked)

    server.route("/search", route)
    record = _compared(World({"LAST30DAYS_HACKERNEWS_URL": server.url}), "hackernews")
    check(record, "artifact", name="artifact")
    told = record["source_status"]["hackernews"]
    assert told["state"] == "partial"
    assert told["detail"].startswith("codex: Hacker News failed (HTTP 500)")
    assert {item["side"] for item in record["items"]} == {"claude"}


def test_sides_run_side_by_side_and_share_what_is_known_of_a_service(
    server: Server,
) -> None:
    """A pause between requests holds for both; the notes for the artifact do not."""
    _stories(server)
    values = {"LAST30DAYS_HACKERNEWS_URL": server.url, "LAST30DAYS_PACING": "1"}
    began = time.monotonic()
    world = World(values)
    record = _compared(world, "hackernews")
    # A search and no comments for each: the second has to wait for its turn.
    assert len(server.requests) == 2
    assert 1.0 <= time.monotonic() - began < 1.0 + 1.0
    assert len(record["items"]) == 3 + 3
    assert world.io.memory.of(Facts).queries == []


def test_a_source_that_hangs_does_not_take_its_side_with_it(server: Server) -> None:
    """Both sides have what came by the deadline."""
    _stories(server)
    values = {
        "LAST30DAYS_HACKERNEWS_URL": server.url,
        "LAST30DAYS_POLYMARKET_URL": server.url,
    }
    server.route("/public-search", Answer(delay=30))
    began = time.monotonic()
    record = _compared(World(values, seconds=1.5), "hackernews", "polymarket")
    assert time.monotonic() - began < 1.5 + 2
    states = {
        n: record["source_status"][n]["state"] for n in ("hackernews", "polymarket")
    }
    assert states == {"hackernews": "ok", "polymarket": "timeout"}
    assert len(record["items"]) == 3 + 3
    assert list(record["source_status"]) == list(SOURCES)
