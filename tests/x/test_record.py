"""The record of a run: how it ended, and an artifact that keeps its contract."""

from __future__ import annotations

import pytest

from engine.contracts import check
from engine.errors import (
    AuthError,
    BadResponseError,
    BlockedError,
    DeadlineError,
    NotConfiguredError,
    RateLimitError,
    SourceError,
    UnreachableError,
)
from engine.model import Item, State, Warning
from engine.text.question import prepare
from engine.text.topic import parse_topic
from engine.x.record import outcome, record, record_unconfigured
from engine.x.stream import Request, Stream
from fakes.rome import BARE, FLOOD, GOOD, TOPIC, off, on, search
from fakes.xposts import WINDOW

PART = Warning("covers-part", "x", "X: covers 7 of 30 days", {})


def recorded(stream: Stream) -> dict[str, object]:
    """The artifact of a stream, checked against its schema."""
    found = record(stream, ranking_queries=(), plan=None, notes=())
    check(found, "artifact", name="artifact")
    return found


def test_items_and_no_failure_is_ok() -> None:
    """Pruning is no failure: 8 of 40 is a healthy run."""
    stream, _ = search({TOPIC: FLOOD})
    assert outcome(stream, ()).state is State.OK


def test_silence_is_no_results() -> None:
    """Everything that was asked answered, and there was nothing."""
    stream, _ = search({})
    assert outcome(stream, ()).state is State.NO_RESULTS


def test_nothing_on_topic_is_no_results_and_says_so() -> None:
    """It is another thing than no answer."""
    stream, _ = search({TOPIC: off("bad", 20, "desk")})
    found = outcome(stream, ())
    assert found.state is State.NO_RESULTS
    assert "on topic" in found.detail


@pytest.mark.parametrize(
    "error",
    [
        SourceError("odd"),
        AuthError("401", fix="log in again"),
        RateLimitError("429", fix="wait"),
        BlockedError("challenge"),
        UnreachableError("no connection"),
        DeadlineError("no answer"),
        BadResponseError("cut"),
    ],
    ids=lambda error: error.state.value,
)
def test_a_failure_is_never_silence(error: SourceError) -> None:
    """Without items its state stands; with items the coverage is partial."""
    stream, _ = search({TOPIC: error})
    found = outcome(stream, ())
    assert (found.state, found.fix) == (error.state, error.fix)
    assert error.detail in found.detail
    recorded(stream)
    retried, _ = search({TOPIC: FLOOD, BARE: error})
    found = outcome(retried, ())
    assert found.state is State.PARTIAL
    assert error.detail in found.detail
    recorded(retried)


def test_of_several_failures_the_most_telling_is_named() -> None:
    """What to do about it comes with it."""
    table: dict[str, list[Item] | SourceError] = {
        TOPIC: FLOOD,
        BARE: UnreachableError("reset"),
        "from:ada": AuthError("401", fix="log in again"),
    }
    stream, _ = search(table, explicit=("ada",))
    found = outcome(stream, ())
    assert (found.state, found.fix) == (State.PARTIAL, "log in again")
    assert "401" in found.detail


def test_a_backend_that_covers_a_part_is_partial() -> None:
    """Items of seven days are no coverage of thirty."""
    stream, _ = search({TOPIC: GOOD})
    found = outcome(stream, (PART,))
    assert (found.state, found.detail) == (State.PARTIAL, PART.message)


def test_the_artifact_of_a_whole_run() -> None:
    """Each step of the loop can be read in it."""
    table = {
        TOPIC: FLOOD,
        BARE: on("more", 5, "guide"),
        "from:guide Rome Italy": on("new", 2, "guide"),
        "from:ada": off("ada", 2, "ada"),
    }
    stream, _ = search(table, explicit=("ada",), related=("nuria",))
    x = recorded(stream)["x"]
    assert isinstance(x, dict)
    assert x["judgment"]["retrieved"] == len(FLOOD)
    assert x["judgment"]["is_off_topic_flood"] is True
    assert x["retry"]["attempted"] is x["retry"]["adopted"] is True
    assert x["retry"]["query"].startswith("Rome Italy -from:desk since:")
    assert x["retry"]["judgment"]["retrieved"] == len(FLOOD) + 5
    assert x["handles"]["explicit"] == ["ada"]
    assert x["handles"]["related"] == ["nuria"]
    assert x["handles"]["promoted"] == ["guide"]
    refused = [refusal["handle"] for refusal in x["handles"]["refused"]]
    assert refused == ["desk"]


def test_what_left_stands_with_its_reason() -> None:
    """The pruned items are all there, and so is every call."""
    stream, backend = search({TOPIC: FLOOD})
    found = recorded(stream)
    assert isinstance(found["pruned"], list)
    assert isinstance(found["queries"], list)
    assert [entry["reason"] for entry in found["pruned"]] == ["off-topic"] * 32
    assert len(found["queries"]) == len(backend.asked)


@pytest.mark.parametrize(
    "answer", [[], UnreachableError("reset")], ids=["empty", "failed"]
)
def test_a_retry_without_an_answer_has_no_ratio(
    answer: list[Item] | UnreachableError,
) -> None:
    """It would read as if everything in it had been on topic."""
    stream, _ = search({TOPIC: FLOOD, BARE: answer})
    x = recorded(stream)["x"]
    assert isinstance(x, dict)
    assert x["retry"]["attempted"] is True
    assert x["retry"]["on_topic_ratio"] is None


def test_a_run_without_a_backend() -> None:
    """The artifact says what to do."""
    request = Request(parse_topic(TOPIC), prepare(TOPIC), WINDOW)
    error = NotConfiguredError("no way to reach X is set up", fix="xai: set a key")
    found = record_unconfigured(request, error, plan=None, notes=())
    check(found, "artifact", name="artifact")
    assert found["source_status"]["x"] == {
        "state": "skipped-unconfigured",
        "detail": "no way to reach X is set up",
        "fix": "xai: set a key",
    }
