"""Research over scripted sources: what is asked, what is kept, how failures stay apart."""

from __future__ import annotations

import threading
import time

import pytest

from engine.errors import (
    AuthError,
    BlockedError,
    RateLimitError,
    SourceError,
    UnreachableError,
)
from engine.model import Item, State
from engine.rank.candidate import Candidate
from engine.research import Answer, Research
from engine.sources.base import THIN, Ask
from fakes.asking import World
from fakes.scripted import TOPIC, Scripted, about, request, researched, sub

CORE = "claude code skills"


def _pool(research: Research) -> tuple[Candidate, ...]:
    return research.ranking.candidates


def _kept(research: Research) -> set[str]:
    return {one.item.id for one in _pool(research)}


def _lanes(research: Research) -> list[tuple[str, str]]:
    return sorted((answer.lane, answer.query) for answer in research.answers)


def _reasons(research: Research) -> list[tuple[str, str]]:
    return sorted((drop.item.id, drop.reason) for drop in research.dropped)


def test_a_query_is_sent_to_a_source_once() -> None:
    """However many subqueries have it, and however they write it."""
    source = Scripted("hackernews")
    subs = [
        sub("agent skills", "hackernews"),
        sub(" Agent  SKILLS", "hackernews", ranking_query="Are they safe?", label="q2"),
        sub("skill folders", "hackernews", label="q3"),
    ]
    researched(request(*subs), [source])
    assert source.queries == ["agent skills", "skill folders"]


def test_every_question_of_a_source_goes_with_each_of_its_queries() -> None:
    """A source that judges as it goes knows all that its items will be judged by."""
    source, other = Scripted("hackernews"), Scripted("github")
    subs = [
        sub("a b", "hackernews", ranking_query="Is it safe?"),
        sub("c d", "hackernews", "github", ranking_query="Is it dear?"),
    ]
    researched(request(*subs), [source, other])
    asked = {ask.query: ask.ranking_queries for ask in source.asked}
    assert asked == dict.fromkeys(("a b", "c d"), ("Is it safe?", "Is it dear?"))
    assert other.asked[0].ranking_queries == ("Is it dear?",)


@pytest.mark.parametrize(
    ("asked_with", "queries"),
    [("topic", [f"{TOPIC} news"]), ("search_query", ["agent folders", "agent skills"])],
)
def test_a_source_is_asked_with_what_its_info_says(
    asked_with: str, queries: list[str]
) -> None:
    """The user's own words once, or each of the plan's queries."""
    source = Scripted("github", info={"asked_with": asked_with})
    subs = [sub("agent skills", "github"), sub("agent folders", "github", label="q2")]
    researched(request(*subs, topic=f"{TOPIC} news"), [source])
    assert source.queries == queries


@pytest.mark.parametrize("count", [0, THIN - 1, THIN])
def test_a_thin_answer_is_followed_by_the_core_subject(count: int) -> None:
    """Once, if fewer than three came and nothing failed; both answers count."""

    def script(ask: Ask) -> list[Item]:
        first = ask.query == "skill folders"
        return [about(i + 10 * (not first)) for i in range(count if first else 4)]

    source = Scripted("hackernews", script)
    found = researched(request(sub("skill folders", "hackernews")), [source])
    again = [("thin", CORE)] if count < THIN else []
    assert _lanes(found) == sorted([*again, ("topic", "skill folders")])
    assert len(_kept(found)) == count + 4 * len(again)


def test_a_failure_is_not_asked_again() -> None:
    """Fewer than three items beside a failure are no sign of a narrow query."""

    def script(ask: Ask) -> list[Item]:
        raise BlockedError("no", items=[about(1, source="hackernews")])

    source = Scripted("hackernews", script)
    found = researched(request(sub("skill folders", "hackernews")), [source])
    assert source.queries == ["skill folders"]
    assert _kept(found) == {"1"}


def test_the_core_subject_is_asked_once_however_many_answers_are_thin() -> None:
    """And not at all where the plan asks it anyway."""
    source = Scripted("hackernews", lambda ask: [])
    subs = [sub(f"narrow query {i}", "hackernews", label=f"q{i}") for i in range(5)]
    researched(request(*subs), [source])
    assert source.queries == [CORE, *(f"narrow query {i}" for i in range(5))]
    planned = Scripted("hackernews", lambda ask: [])
    researched(request(*subs[:4], sub("Claude code  skills", "hackernews")), [planned])
    assert len(planned.asked) == 4 + 1


def test_a_topic_that_is_its_own_core_is_not_asked_twice() -> None:
    """The same words again would find the same."""
    source = Scripted("reddit", lambda ask: [])
    researched(request(sub("anything", "reddit")), [source])
    assert source.queries == [TOPIC]


def test_a_source_that_asks_again_by_itself_is_asked_once() -> None:
    """Its own second try would cost the same money a second time."""
    source = Scripted("x", lambda ask: [])
    wanted = request(sub("anything", "x"), topic=f"{TOPIC} latest news")
    researched(wanted, [source])
    assert source.INFO.asks_again
    assert source.queries == [f"{TOPIC} latest news"]


def test_what_the_plan_or_a_flag_leaves_out_is_not_asked() -> None:
    """Neither is asked whether it is ready."""
    sources = [Scripted(name) for name in ("reddit", "hackernews", "github")]
    wanted = request(
        sub("a", "reddit"), sub("a", "hackernews"), sources=("reddit", "github")
    )
    found = researched(wanted, sources)
    assert list(found.missing) == ["reddit"]
    assert [len(source.asked) for source in sources] == [1, 0, 0]


def test_a_source_that_is_not_set_up_is_not_asked() -> None:
    """What to do is kept, and the others are asked."""
    sources = [Scripted("bluesky", needs="set BSKY_HANDLE"), Scripted("reddit")]
    found = researched(request(sub("a", "bluesky", "reddit")), sources)
    assert found.missing == {"bluesky": "set BSKY_HANDLE", "reddit": ""}
    assert [len(source.asked) for source in sources] == [0, 1]


FAILURES = [
    AuthError("bad key"),
    RateLimitError("too many"),
    UnreachableError("down"),
    SourceError("odd"),
]


@pytest.mark.parametrize("error", FAILURES, ids=lambda e: e.state.value)
def test_a_failure_hides_no_other_source(error: SourceError) -> None:
    """What came with it and from elsewhere is ranked."""

    def script(ask: Ask) -> list[Item]:
        error.items = (about(77),)
        raise error

    sources = [Scripted("hackernews", script), Scripted("reddit")]
    found = researched(request(sub(CORE, "hackernews", "reddit")), sources)
    states = {a.source: a.error and a.error.state for a in found.answers}
    assert states == {"hackernews": error.state, "reddit": None}
    assert _kept(found) == {"0", "1", "2", "3", "77"}


def test_a_bug_in_a_source_is_an_error_and_hides_no_other() -> None:
    """It is named as one of this program."""

    def script(ask: Ask) -> list[Item]:
        raise ZeroDivisionError("by zero")

    sources = [Scripted("hackernews", script), Scripted("reddit")]
    found = researched(request(sub(CORE, "hackernews", "reddit")), sources)
    error = next(a.error for a in found.answers if a.source == "hackernews")
    assert error and error.state is State.ERROR
    assert error.detail == "ZeroDivisionError in this program: by zero"
    assert len(_kept(found)) == 4


def test_a_bug_in_the_second_try_keeps_the_first_answer() -> None:
    """What had arrived is ranked, and the failure is that of the second try."""

    def script(ask: Ask) -> list[Item]:
        return [about(10 // (ask.query == "narrow"))]

    source = Scripted("hackernews", script)
    found = researched(request(sub("narrow", "hackernews")), [source])
    assert _lanes(found) == [("thin", CORE), ("topic", "narrow")]
    assert [bool(a.error) for a in found.answers] == [False, True]
    assert _kept(found) == {"10"}


@pytest.mark.parametrize(
    ("mode", "kept"),
    [("strict_recent", {"1", "3"}), ("evergreen_ok", {"1", "2", "3"})],
)
def test_items_of_other_times_leave_unless_they_are_evergreen(
    mode: str, kept: set[str]
) -> None:
    """Each is noted once, though two answers had it; an undated one stays."""
    items = [about(1), about(2, day=40), about(3, day=None)]
    source = Scripted("hackernews", lambda ask: items)
    subs = (sub("a b", "hackernews"), sub("c d", "hackernews", label="q2"))
    found = researched(request(*subs, freshness_mode=mode), [source])
    assert _kept(found) == kept
    gone = [("2", "out-of-window")] if "2" not in kept else []
    assert _reasons(found) == gone


def test_an_item_leaves_only_if_it_is_off_topic_for_every_question() -> None:
    """On topic for one it is kept, and is in that stream alone."""
    items = [
        about(1, "Claude Code skills save an hour"),
        about(2, "Notion templates for weddings"),
        about(3, "The tariff vote was postponed"),
    ]
    source = Scripted("hackernews", lambda ask: items)
    subs = [
        sub(CORE, "hackernews"),
        sub(
            "notion templates",
            "hackernews",
            ranking_query="Which Notion templates are good?",
            label="q2",
        ),
    ]
    found = researched(request(*subs, topic="Claude Code skills"), [source])
    assert {"1", "2"} == _kept(found)
    assert _reasons(found) == [("3", "off-topic")]
    places = {c.item.id: {p.subquery for p in c.places} for c in _pool(found)}
    assert places["2"] == {"q2"} and "q1" in places["1"]


def test_what_a_source_judged_stays_as_it_judged_it() -> None:
    """A post of a named account need not name the topic."""
    items = [about(1, "Back on Monday", lane="from", relevance=0.07)]
    found = researched(request(sub("a", "x")), [Scripted("x", lambda ask: items)])
    assert _kept(found) == {"1"}
    assert found.ranking.candidates[0].item.relevance == 0.07


def test_weights_of_subqueries_and_sources_count() -> None:
    """Fusion is the sum of subquery weight times source weight over 60 and the rank."""
    sources = [
        Scripted("hackernews", lambda ask: [about(1)]),
        Scripted("github", lambda ask: [about(2)]),
    ]
    wanted = request(
        sub(CORE, "hackernews", "github"),
        sub("x y", "hackernews", label="q2", weight=0.5),
        source_weights={"github": 0.4},
    )
    found = researched(wanted, sources)
    fusion = {one.item.id: one.fusion for one in found.ranking.candidates}
    both, one = (1.0 + 0.5) / (60 + 1), 1.0 * 0.4 / (60 + 1)
    assert fusion["2"] / fusion["1"] == pytest.approx(one / both, rel=1e-5)


def test_sources_are_asked_side_by_side() -> None:
    """All of them wait for each other, which no queue would survive."""
    names = ("x", "reddit", "hackernews", "polymarket", "github", "bluesky", "web")
    barrier = threading.Barrier(len(names) + 1)

    def script(ask: Ask) -> list[Item]:
        barrier.wait(5)
        return [about(i) for i in range(4)]

    subs = (sub("a b", *names), sub("c d", "hackernews", label="q2"))
    found = researched(request(*subs), [Scripted(name, script) for name in names])
    assert not [answer.error for answer in found.answers if answer.error]
    assert len(found.answers) == len(names) + 1


def test_a_source_that_hangs_is_a_timeout_and_the_rest_is_kept() -> None:
    """Neither its first answer nor another source is lost with it."""
    hang = threading.Event()

    def half(ask: Ask) -> list[Item]:
        if ask.query == CORE:
            hang.wait(20)
        return [about(1)]

    def whole(ask: Ask) -> list[Item]:
        hang.wait(20)
        return []

    sources = [
        Scripted("hackernews", half), Scripted("github", whole), Scripted("reddit")
    ]  # fmt: skip
    began = time.monotonic()
    wanted = request(sub("a b", "hackernews", "github", "reddit"))
    found = researched(wanted, sources, World({}, seconds=0.5))
    hang.set()
    # Those that hang get two seconds to end by themselves.
    assert time.monotonic() - began < 0.5 + 2 + 0.5
    failed = {(a.source, a.lane): a.error.state for a in found.answers if a.error}
    assert failed == {
        ("hackernews", "thin"): State.TIMEOUT,
        ("github", "topic"): State.TIMEOUT,
    }
    assert _kept(found) == {"0", "1", "2", "3"}


def test_an_interrupt_keeps_what_has_arrived() -> None:
    """What did not come says that it was interrupted."""
    world = World({})

    def slow(ask: Ask) -> list[Item]:
        world.io.deadline.wait_for(threading.Event(), 20)
        raise SourceError("interrupted")

    sources = [Scripted("reddit"), Scripted("github", slow)]
    told: list[Answer] = []

    def progress(answer: Answer) -> None:
        told.append(answer)
        world.io.deadline.interrupt()

    began = time.monotonic()
    found = researched(request(sub("a", "reddit", "github")), sources, world, progress)
    assert time.monotonic() - began < 2
    assert world.io.deadline.interrupted
    assert _kept(found) == {"0", "1", "2", "3"}
    assert {a.source for a in found.answers if a.error} == {"github"}


def test_progress_is_told_each_answer() -> None:
    """A second try is told as well."""
    told: list[tuple[str, str, int]] = []

    def progress(answer: Answer) -> None:
        told.append((answer.source, answer.lane, len(answer.items)))

    source = Scripted("hackernews", lambda ask: [about(1)])
    wanted = request(sub("narrow", "hackernews"))
    researched(wanted, [source], progress=progress)
    assert told == [("hackernews", "topic", 1), ("hackernews", "thin", 1)]


def test_the_order_in_which_answers_come_changes_nothing() -> None:
    """The same answers give the same ranking, whoever was faster."""

    def after(seconds: float, base: int) -> Scripted:
        def script(ask: Ask) -> list[Item]:
            time.sleep(seconds)
            return [about(base + i) for i in range(4)]

        return Scripted("hackernews" if base else "reddit", script)

    wanted = request(sub(CORE, "hackernews", "reddit"))
    one = researched(wanted, [after(0.1, 0), after(0, 10)])
    two = researched(wanted, [after(0, 0), after(0.1, 10)])
    assert one.ranking == two.ranking
