"""Once a run: work that is done by the first who needs it."""

from __future__ import annotations

import time
from functools import partial

import pytest

from engine.deadline import Deadline
from engine.errors import AuthError
from engine.sources.once import Once
from engine.together import together


def test_work_is_done_once_for_each_key() -> None:
    """Others who ask wait for it and get the same."""
    done: list[str] = []

    def work(key: str) -> str:
        time.sleep(0.02)
        done.append(key)
        return key.upper()

    once = Once[str]()
    jobs = [partial(once.get, key, partial(work, key)) for key in "aabbab"]
    answers = together(jobs, parallel=6, deadline=Deadline(10))
    assert answers == list("AABBAB")
    assert sorted(done) == ["a", "b"]


def test_a_failure_is_kept_as_well() -> None:
    """Each who asks gets an error of his own."""
    calls: list[int] = []

    def work() -> str:
        calls.append(1)
        raise AuthError("refused", fix="log in")

    once = Once[str]()
    raised = []
    for _ in range(2):
        with pytest.raises(AuthError) as caught:
            once.get("login", work)
        raised.append(caught.value)
    assert len(calls) == 1
    assert raised[0] is not raised[1]
    assert raised[1].fix == "log in"
