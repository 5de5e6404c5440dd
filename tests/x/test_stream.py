"""The X loop: fan out, judge, one retry, prune, order."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from engine.errors import RateLimitError, UnreachableError
from engine.model import Depth, Item
from engine.x.stream import Stream
from fakes.rome import BARE, FLOOD, GOOD, TOPIC, off, on, search
from fakes.xposts import WINDOW, Scripted, post


def ids(items: list[Item]) -> set[str]:
    """The ids of items."""
    return {item.id for item in items}


def reasons(stream: Stream) -> dict[str, str]:
    """Why each item left."""
    return {drop.item.id: drop.reason for drop in stream.dropped}


def demand_no_query_twice(backend: Scripted) -> None:
    """Every query that the backend saw was another one."""
    queries = [ask.query for ask in backend.asked]
    assert len(queries) == len(set(queries))


def test_x_is_asked_for_the_topic_as_typed() -> None:
    """The question to judge against is not sent."""
    asked = "What did Kevin Rose do as the founder of Digg?"
    _, backend = search({}, "kevin rose", ranking_queries=[asked])
    assert backend.kinds == ["kevin rose"]


def test_a_good_corpus_is_taken_as_it_is() -> None:
    """No retry, nothing pruned, nothing to warn of; the best first."""
    stream, backend = search({TOPIC: GOOD})
    assert backend.kinds == [TOPIC]
    assert stream.retried is None
    assert ids(stream.items) == ids(GOOD)
    assert stream.warnings == []
    assert stream.dropped == []
    scores = [item.score for item in stream.items]
    assert scores == sorted(scores, reverse=True)


@pytest.mark.parametrize(
    ("depth", "calls"), [(Depth.QUICK, 1), (Depth.DEFAULT, 3), (Depth.DEEP, 12)]
)
def test_calls_by_depth(depth: Depth, calls: int) -> None:
    """The first round has as many calls as the depth allows."""
    _, backend = search({TOPIC: GOOD}, depth=depth)
    assert len(backend.asked) == calls
    demand_no_query_twice(backend)


def test_a_better_retry_is_adopted_and_joined_to_the_first() -> None:
    """The good posts of the first corpus are kept, and both ratios are known."""
    more = on("more", 6)
    stream, backend = search({TOPIC: FLOOD, BARE: [*more, *GOOD[:2]]})
    assert stream.first.is_off_topic_flood
    assert stream.retried is not None
    assert stream.retried.adopted
    assert stream.retried.ratio is not None
    assert stream.retried.ratio > stream.first.on_topic_ratio
    assert ids(stream.judgment.items) == ids([*FLOOD, *more])
    assert ids(stream.items) == ids([*GOOD, *more])
    assert backend.kinds == [TOPIC, BARE]
    demand_no_query_twice(backend)


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(off("worse", 10), id="worse"),
        pytest.param([], id="empty"),
        pytest.param(UnreachableError("reset"), id="failed"),
        pytest.param([*off("equal", 32, "wire"), *GOOD], id="equal"),
    ],
)
def test_another_retry_is_not_adopted(
    answer: list[Item] | UnreachableError,
) -> None:
    """Only a strictly higher ratio counts; there is one try; the good posts remain."""
    stream, backend = search({TOPIC: FLOOD, BARE: answer})
    assert stream.retried is not None
    assert not stream.retried.adopted
    assert stream.judgment is stream.first
    assert ids(stream.items) == ids(GOOD)
    assert backend.kinds == [TOPIC, BARE]
    assert len(backend.asked) == 2 * 3


def test_an_empty_retry_has_no_ratio() -> None:
    """Nothing came, so nothing can be said of its share."""
    stream, _ = search({TOPIC: FLOOD})
    assert stream.retried is not None
    assert stream.retried.ratio is None


def test_a_retry_that_drowned_too_is_the_last() -> None:
    """One more fan-out a run, and the reader is told."""
    stream, backend = search(
        {TOPIC: off("bad", 30, "desk"), BARE: [*off("w", 9), *GOOD]}
    )
    assert stream.retried is not None
    assert stream.retried.adopted
    assert len(backend.kinds) == 2
    codes = [warning.code for warning in stream.warnings]
    assert codes == ["pruned-off-topic", "flood"]


def test_no_retry_at_quick() -> None:
    """Quick is one call."""
    stream, backend = search({TOPIC: FLOOD}, depth=Depth.QUICK)
    assert len(backend.asked) == 1
    assert stream.retried is None
    assert ids(stream.items) == ids(GOOD)


def test_a_thin_corpus_is_asked_again_for_the_core() -> None:
    """A whole question finds nothing, its subject does."""
    question = "what do people think about React Server Components"
    core = "React Server Components"
    found = [post(str(i), f"{core} shipped in release {i}") for i in range(5)]
    stream, backend = search({core: found}, question)
    assert backend.kinds == [question, core]
    assert stream.retried is not None
    assert stream.retried.adopted
    assert ids(stream.items) == ids(found)
    assert {item.lane for item in stream.items} == {"thin"}


def test_thin_after_a_failure_is_no_reason_to_retry() -> None:
    """We could not look; that is not silence."""
    question = "what do people think about React Server Components"
    _, backend = search({question: UnreachableError("reset")}, question)
    assert backend.kinds == [question]


def test_off_topic_posts_leave_with_their_reason() -> None:
    """Eight of forty remain; the warning counts both."""
    stream, _ = search({TOPIC: FLOOD})
    assert len(stream.items) == 8
    assert list(reasons(stream).values()) == ["off-topic"] * 32
    pruned = stream.warnings[0]
    assert pruned.message == "X: pruned 32 off-topic items; 8 on-topic remain"


def test_nothing_on_topic_is_nothing() -> None:
    """Not forty pieces of junk."""
    stream, _ = search({TOPIC: off("bad", 40, "desk")})
    assert stream.items == []
    assert len(stream.dropped) == 40


def test_posts_without_text_stay_unjudged() -> None:
    """Outside the ratio, kept, last among the dated."""
    pictures = [post("p1", "", "local"), post("p2", " ", "local")]
    stream, _ = search({TOPIC: [*pictures, *GOOD]})
    assert stream.first.on_topic_ratio == 1
    assert [item.id for item in stream.items][-2:] in (["p1", "p2"], ["p2", "p1"])
    assert stream.items[-1].relevance is None


def test_the_ranking_query_decides_what_stays() -> None:
    """The same corpus, judged against another question."""
    steps = [post(f"s{i}", f"Trevi fountain steps closed, week {i}") for i in range(4)]
    stream, _ = search(
        {TOPIC: [*steps, *off("bad", 4)]},
        ranking_queries=["Are the Trevi fountain steps closed?"],
    )
    assert ids(stream.items) == ids(steps)


def test_posts_outside_the_window_leave_with_their_reason() -> None:
    """They count nowhere else, and the reader is told."""
    early = WINDOW.start - timedelta(seconds=1)
    old = replace(on("old", 1)[0], created_at=early)
    stream, _ = search({TOPIC: [old, *GOOD]})
    assert reasons(stream) == {"old1": "out-of-window"}
    assert ids(stream.judgment.items) == ids(GOOD)
    assert [warning.code for warning in stream.warnings] == ["dropped-posts"]
    assert stream.warnings[0].data == {"reasons": {"out-of-window": 1}}


def test_copies_are_shown_once() -> None:
    """The one with most engagement counts the other."""
    text = GOOD[0].text
    copies = [post("1", text, "a"), post("2", text + " 🚇", "b", likes=50)]
    stream, _ = search({TOPIC: [*copies, *GOOD[1:]]})
    assert reasons(stream) == {"1": "near-duplicate"}
    assert next(item.copies for item in stream.items if item.id == "2") == 1


def test_every_item_has_one_fate() -> None:
    """What came back is shown or left out with a reason, never both."""
    stream, _ = search(
        {
            TOPIC: FLOOD,
            BARE: [*on("more", 6, "guide"), *off("other", 5, "wire")],
            "from:guide Rome Italy": [*on("new", 6, "guide"), *on("alien", 2, "x_y")],
            "from:ada": [*on("ada", 9, "ada"), *GOOD],
        },
        explicit=("ada",),
    )
    shown, left = ids(stream.items), set(reasons(stream))
    came = ids([*FLOOD, *on("more", 6), *off("other", 5), *on("new", 6)])
    came |= ids([*on("ada", 9), *on("alien", 2)])
    assert not shown & left
    assert shown | left == came
    assert len(stream.dropped) == len(left)


def test_a_rate_limit_ends_the_run_with_what_is_there() -> None:
    """No further call, and what had come is judged and shown."""
    error = RateLimitError("429", items=FLOOD, retry_after=60)
    stream, backend = search({TOPIC: error}, explicit=("ada",))
    assert len(backend.asked) == 1
    assert ids(stream.items) == ids(GOOD)
    assert len(stream.calls.errors) == len(stream.calls.sent)


def test_a_long_topic_is_shortened_with_a_warning() -> None:
    """The reader has to know what was not asked."""
    words = [f"w{i}" for i in range(40)]
    stream, _ = search({}, " ".join(words))
    found = [w for w in stream.warnings if w.code == "topic-shortened"]
    assert [dict(w.data) for w in found] == [{"asked": 16, "left_out": 40 - 16}]
    cut, _ = search({}, "x" * 4000)
    assert [w.code for w in cut.warnings] == ["topic-shortened"]


def test_the_same_posts_give_the_same_run() -> None:
    """However many calls run at once."""
    table = {TOPIC: FLOOD, BARE: on("more", 6, "guide"), "from:ada": off("a", 3, "ada")}
    runs = [search(table, explicit=("ada",), parallel=n)[0] for n in (1, 4, 12)]
    assert runs[0].items == runs[1].items == runs[2].items
    assert runs[0].dropped == runs[1].dropped == runs[2].dropped
