"""What is believed of an answer of Grok, and what is asked for again."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from engine.errors import (
    BadResponseError,
)
from engine.x.backends import grok
from engine.x.backends.base import Ask
from fakes.grokstage import (
    KEY,
    POSTS,
    ROMAN,
    ROME,
    Stage,
    post,
)


def test_a_secret_in_a_post_is_hidden(stage: Stage) -> None:
    """A model that was talked into reading the login gives nothing away."""
    stage.play(posts=[post(1, f"Rome {KEY}")])
    (item,) = stage.search()
    assert item.text == "Rome ***"


def test_a_valid_answer_with_a_bad_status_counts(stage: Stage) -> None:
    """The status is noted, once a run."""
    stage.play(status=7)
    io = stage.io()
    for _ in range(2):
        assert len(grok.search(Ask(ROME, 10), io)) == 4
    (warning,) = stage.warnings
    assert (warning.code, warning.source, warning.data) == (
        "grok-status",
        "x",
        {"status": 7},
    )


def test_a_cut_list_keeps_its_whole_posts(stage: Stage) -> None:
    """The rest is reported as a failure that carries them."""
    stage.play(shape="cut")
    with pytest.raises(BadResponseError, match="cut") as caught:
        stage.search()
    assert len(caught.value.items) == 3
    assert len(stage.calls) == 1


@pytest.mark.parametrize(
    "stop",
    [
        "cancelled",
        "Cancelled",
        "refusal",
        "max_tokens",
        "max_turn_requests",
        "MaxTurnRequests",
    ],
)
def test_an_answer_that_ended_early_is_a_failure_with_items(
    stage: Stage, stop: str
) -> None:
    """Whatever the release calls it."""
    stage.play(stop=stop)
    with pytest.raises(BadResponseError) as caught:
        stage.search()
    assert len(caught.value.items) == 4


@pytest.mark.parametrize("stop", ["EndTurn", "end_turn", "something_new"])
def test_other_reasons_to_stop_are_none_to_doubt(stage: Stage, stop: str) -> None:
    """An unknown reason disproves nothing."""
    stage.play(stop=stop)
    assert len(stage.search()) == 4


def test_a_refusal_without_posts_is_not_asked_again(stage: Stage) -> None:
    """It would refuse again."""
    stage.play("say", text="I will not do that.", stop="refusal", turns=1)
    with pytest.raises(BadResponseError, match="refusal"):
        stage.search()
    assert len(stage.calls) == 1


FAR = [
    post(1, "Rome", id="1157939227653046272"),
    post(2, "Rome", id="1157939229999046272"),
]


def _said(posts: list[dict[str, Any]]) -> str:
    return json.dumps(
        [{"id": p["id"], "handle": "foo", "text": p["text"]} for p in posts]
    )


EVEN = [{"id": str(2116681624581046272 + i * 10**15), "text": "Rome"} for i in range(5)]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        pytest.param(_said(FAR), "out-of-window", id="out-of-window"),
        pytest.param(_said(EVEN), "unproven", id="even-sequence"),
        pytest.param(
            _said(POSTS[:2]).replace("foo", "unknown"), "unproven", id="placeholder"
        ),
        pytest.param(
            re.sub(r"\d{15,}", "1234", _said(POSTS[:2])), "unproven", id="no-ids"
        ),
    ],
)
def test_an_invented_answer_is_asked_for_once_more(
    stage: Stage, text: str, reason: str
) -> None:
    """Invented twice it is a bad response, and every invented post is counted."""
    stage.play("say", "answer", text=text)
    assert len(stage.search()) == 4
    assert len(stage.calls) == 2
    assert reason in {reason for _, reason in stage.dropped}


def test_an_answer_that_is_invented_twice_is_a_bad_response(stage: Stage) -> None:
    """There is one retry, not more."""
    stage.play("say", text=_said(FAR))
    with pytest.raises(BadResponseError, match="none of the 2 posts"):
        stage.search()
    assert len(stage.calls) == 2


def test_no_retry_without_the_time_for_it(stage: Stage) -> None:
    """What cannot finish is not started."""
    stage.play("say", text=_said(FAR))
    with pytest.raises(BadResponseError, match="none of the 2 posts"):
        stage.search(seconds=grok.INFO.min_seconds)
    assert len(stage.calls) == 1


def test_good_posts_stay_when_others_are_invented(stage: Stage) -> None:
    """What fails is dropped with its reason, and nothing is asked again."""
    stage.play("say", text=_said([*POSTS[:2], FAR[0]]))
    assert [item.id for item in stage.search()] == ROMAN[:2]
    assert stage.dropped == [(FAR[0]["id"], "out-of-window")]
    assert len(stage.calls) == 1


@pytest.mark.parametrize(
    "scenario",
    [
        pytest.param({"text": _said(POSTS), "turns": 1}, id="one-turn"),
        pytest.param(
            {"text": f"The search was not executed.\n{_said(POSTS)}"}, id="admitted"
        ),
        pytest.param(
            {"text": "I was unable to search X. No posts found."}, id="no-posts"
        ),
        pytest.param({"text": "[]", "turns": 1}, id="empty-in-one-turn"),
    ],
)
def test_an_answer_without_a_search_is_none(
    stage: Stage, scenario: dict[str, object]
) -> None:
    """It is asked for once more and then a bad response, not an empty one."""
    stage.play("say", **scenario)
    with pytest.raises(BadResponseError, match="no proof that a search ran") as caught:
        stage.search()
    assert caught.value.items == ()
    assert len(stage.calls) == 2


def test_a_missing_count_of_turns_disproves_nothing(stage: Stage) -> None:
    """Not every release reports it."""
    stage.play(turns=None)
    assert len(stage.search()) == 4


def test_a_post_that_speaks_of_failure_is_a_post(stage: Stage) -> None:
    """Only the model's own words admit anything."""
    stage.play(
        posts=[post(1, "Rome: unable to search, 429, not signed in. No posts found")]
    )
    assert len(stage.search()) == 1


def test_prose_without_posts_is_a_bad_response(stage: Stage) -> None:
    """It was asked for posts, and it does not say that there are none."""
    stage.play("say", text="People are enthusiastic about Rome. " * 20)
    with pytest.raises(BadResponseError, match="no list of posts"):
        stage.search()


def test_an_answer_counts_although_the_tool_does_not_end(stage: Stage) -> None:
    """What had arrived when the time was over is not thrown away."""
    stage.play("answer-and-hang")
    assert len(stage.search(seconds=3)) == 4
    assert [warning.code for warning in stage.warnings] == ["grok-status"]
