"""Calls: no query twice, and nothing is believed that was not asked for."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from datetime import datetime, timedelta, timezone

import pytest

from engine.errors import (
    AuthError,
    BadResponseError,
    RateLimitError,
    SourceError,
    UnreachableError,
)
from engine.model import Item, Lane, State
from engine.x.backends.base import IO, Ask
from engine.x.calls import Call, Calls
from engine.x.query import Query
from fakes.xposts import WINDOW, Scripted, io_for, post, posts

ROME = Query(WINDOW, terms=("Rome",))
OSLO = Query(WINDOW, terms=("Oslo",))
BERN = Query(WINDOW, terms=("Bern",))


def call(query: Query, lane: Lane = Lane.TOPIC, limit: int = 10) -> Call:
    """A call with the usual limit."""
    return Call(lane, query, limit)


def calls_to(backend: Scripted, *, seconds: float = 60) -> Calls:
    """A fresh record of calls."""
    return Calls(backend, io_for(seconds=seconds), WINDOW)


def ids(items: list[Item]) -> list[str]:
    """The ids in their order."""
    return [item.id for item in items]


def test_items_come_in_the_order_of_the_calls_each_once() -> None:
    """The first call that brought an item names its lane; the backend is noted."""
    one, two, three = posts("r", ["Rome a", "Rome b", "Rome c"])
    backend = Scripted({"Rome": [one, two], "Oslo": [two, three]})
    found = calls_to(backend).send([call(ROME), call(OSLO, Lane.THIN)])
    assert ids(found) == ["r1", "r2", "r3"]
    assert [item.lane for item in found] == ["topic", "topic", "thin"]
    assert {item.backend for item in found} == {"scripted"}


def test_no_query_is_sent_twice() -> None:
    """Neither in one round nor in a later one, whatever the lane."""
    backend = Scripted({"Rome": posts("r", ["Rome"])})
    calls = calls_to(backend)
    first = [call(ROME, limit=8), call(OSLO), call(ROME, Lane.THIN, limit=3)]
    assert ids(calls.send(first)) == ["r1"]
    assert calls.send([call(OSLO, Lane.RETRY), call(ROME)]) == []
    assert [(ask.query, ask.limit) for ask in backend.asked] == [(ROME, 8), (OSLO, 10)]
    assert len(calls.sent) == 2


def test_the_record_of_a_call() -> None:
    """How many came, how many of them were not known before."""
    backend = Scripted({"Rome": posts("r", ["a", "b"]), "Oslo": posts("r", ["a"])})
    calls = calls_to(backend)
    calls.send([call(ROME), call(OSLO), call(BERN)])
    assert [(s.returned, s.new, s.state) for s in calls.sent] == [
        (2, 2, State.OK),
        (1, 0, State.OK),
        (0, 0, State.NO_RESULTS),
    ]
    assert calls.sent[0].query == "Rome since:2026-10-17 until:2026-11-16"
    assert calls.errors == []


def at(moment: datetime) -> Item:
    """A post of a moment."""
    return replace(post("1", "Rome"), created_at=moment)


SECOND = timedelta(seconds=1)


@pytest.mark.parametrize(
    ("moment", "kept"),
    [
        pytest.param(WINDOW.start, True, id="first-second"),
        pytest.param(WINDOW.start - SECOND, False, id="a-second-early"),
        pytest.param(WINDOW.end - SECOND, True, id="last-second"),
        pytest.param(WINDOW.end, False, id="a-second-late"),
        pytest.param(datetime(2006, 3, 21, tzinfo=timezone.utc), False, id="years-old"),
    ],
)
def test_the_window_holds_whatever_the_backend_did(
    moment: datetime, kept: bool
) -> None:
    """What lies outside is dropped with its reason."""
    calls = calls_to(Scripted({"Rome": [at(moment)]}))
    found = calls.send([call(ROME)])
    assert bool(found) is kept
    reasons = [drop.reason for drop in calls.dropped.values()]
    assert reasons == ([] if kept else ["out-of-window"])


def test_an_answer_of_other_days_alone_is_no_answer() -> None:
    """The days that were asked for have not been seen; one post of them is enough."""
    old = at(WINDOW.start - SECOND)
    calls = calls_to(Scripted({"Rome": [old], "Oslo": [old, post("2", "Oslo")]}))
    assert ids(calls.send([call(ROME), call(OSLO)])) == ["2"]
    assert [sent.state for sent in calls.sent] == [State.BAD_RESPONSE, State.OK]
    (error,) = calls.errors
    assert "other days" in error.detail


def test_an_undated_post_passes() -> None:
    """Nothing says that it lies outside; it is ranked last."""
    undated = replace(post("1", "Rome"), created_at=None)
    assert calls_to(Scripted({"Rome": [undated]})).send([call(ROME)])


def test_authors_hold_whatever_the_backend_did() -> None:
    """A lane answered with other people's posts gives none of them."""
    given = [post("1", "hi", "Ada"), post("2", "hi", "leojr94_"), post("3", "hi")]
    calls = calls_to(Scripted({"from:ada": given}))
    found = calls.send([call(Query(WINDOW, from_handles=("ada",)), Lane.FROM)])
    assert ids(found) == ["1"]
    assert [d.reason for d in calls.dropped.values()] == ["not-as-asked"] * 2
    assert calls.sent[0].returned == 3


def test_a_failure_keeps_what_had_arrived() -> None:
    """The call is recorded with its state, and the others are untouched."""
    cut = BadResponseError("cut short", items=posts("r", ["Rome"]))
    calls = calls_to(Scripted({"Rome": cut, "Oslo": posts("o", ["Oslo"])}))
    assert ids(calls.send([call(ROME), call(OSLO)])) == ["r1", "o1"]
    assert [(s.state, s.detail) for s in calls.sent] == [
        (State.BAD_RESPONSE, "cut short"),
        (State.OK, ""),
    ]
    assert calls.errors == [cut]


@pytest.mark.parametrize(
    "error",
    [RateLimitError("429", retry_after=60), AuthError("401", fix="log in")],
    ids=["rate-limited", "auth-failed"],
)
def test_a_refusal_ends_all_calls(error: SourceError) -> None:
    """Asking on would be refused again, now and in later rounds; the record says so."""
    backend = Scripted({"Rome": error, "Bern": posts("b", ["Bern"])})
    calls = calls_to(backend)
    calls.send([call(ROME), call(OSLO)])
    assert calls.send([call(BERN)]) == []
    assert [ask.query for ask in backend.asked] == [ROME]
    assert [s.state for s in calls.sent] == [error.state] * 3
    assert calls.errors[0] is error
    assert "not sent" in calls.errors[1].detail


def test_other_failures_do_not_stop_later_calls() -> None:
    """A connection that broke says nothing about the next."""
    backend = Scripted({"Rome": UnreachableError("reset"), "Oslo": posts("o", ["a"])})
    assert ids(calls_to(backend).send([call(ROME), call(OSLO)])) == ["o1"]


def test_a_call_that_cannot_finish_is_not_started() -> None:
    """It would only use up what others need."""
    backend = Scripted({"Rome": posts("r", ["Rome"])}, min_seconds=15)
    calls = calls_to(backend, seconds=10)
    assert calls.send([call(ROME)]) == []
    assert backend.asked == []
    assert calls.sent[0].state is State.TIMEOUT


def test_a_reserve_is_left_untouched() -> None:
    """Calls that must leave time stop early; later ones may use it."""
    backend = Scripted({"Oslo": posts("o", ["a"])}, min_seconds=5)
    calls = calls_to(backend, seconds=12)
    calls.send([call(ROME)], reserve=10)
    assert backend.asked == []
    assert ids(calls.send([call(OSLO)])) == ["o1"]


def test_calls_run_side_by_side() -> None:
    """As many at once as the backend allows."""

    class Meeting(Scripted):
        """Answers when three are asking at once."""

        barrier = threading.Barrier(3, timeout=5)

        def search(self, ask: Ask, io: IO) -> list[Item]:
            self.barrier.wait()
            return super().search(ask, io)

    calls = calls_to(Meeting({}, parallel=3))
    calls.send([call(ROME), call(OSLO), call(BERN)])
    assert [s.state for s in calls.sent] == [State.NO_RESULTS] * 3


def test_a_backend_that_ignores_the_deadline_is_left_behind() -> None:
    """The run goes on with what the others gave."""

    class Stuck(Scripted):
        """Hangs on one query."""

        def search(self, ask: Ask, io: IO) -> list[Item]:
            if ask.query == ROME:
                time.sleep(4)
            return super().search(ask, io)

    calls = calls_to(Stuck({"Oslo": posts("o", ["a"])}, parallel=2), seconds=0.2)
    assert ids(calls.send([call(ROME), call(OSLO)])) == ["o1"]
    assert [s.state for s in calls.sent] == [State.TIMEOUT, State.OK]


def test_nothing_to_send() -> None:
    """No call, no record."""
    calls = calls_to(Scripted({}))
    assert calls.send([]) == []
    assert calls.sent == []
