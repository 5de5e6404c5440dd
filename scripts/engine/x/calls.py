"""Calls: send queries to a backend, keep what comes back honest, and remember both.

Every item is held against the query and the window here, whatever the backend did with
them, and no query is sent twice in a run.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from engine.errors import (
    AuthError,
    BadResponseError,
    DeadlineError,
    RateLimitError,
    SourceError,
)
from engine.model import Item, Lane, State
from engine.together import together
from engine.window import Window
from engine.x.backends.base import IO, Ask, Backend
from engine.x.query import Query, admits, web_syntax

__all__ = ["Call", "Calls", "Drop", "Sent"]


class Call(NamedTuple):
    """A query, why it is sent, and how many posts it should give."""

    lane: Lane
    query: Query
    limit: int


class Sent(NamedTuple):
    """The record of one call: `new` of the `returned` posts were not known before."""

    backend: str
    lane: Lane
    query: str
    returned: int
    new: int
    state: State
    detail: str
    seconds: float


class Drop(NamedTuple):
    """An item that left, and why."""

    item: Item
    reason: str


class _Answer(NamedTuple):
    items: Sequence[Item]
    error: SourceError | None
    seconds: float


class Calls:
    """The calls of one run to one backend.

    `sent` is the record of all calls, `errors` their failures, `dropped` the items by
    id that came although no query had asked for them.
    """

    def __init__(self, backend: Backend, io: IO, window: Window) -> None:
        self.backend = backend
        self.sent: list[Sent] = []
        self.dropped: dict[str, Drop] = {}
        self.errors: list[SourceError] = []
        self._io = io
        self._window = window
        self._asked: set[Query] = set()
        self._known: set[str] = set()
        self._refusal: AuthError | RateLimitError | None = None

    @property
    def left(self) -> float:
        """Seconds that remain to the run."""
        return self._io.deadline.left

    def send(self, calls: Sequence[Call], *, reserve: float = 0.0) -> list[Item]:
        """Send calls side by side and give their items, each once.

        Args:
            calls: the most important first; a query that was sent before is left out.
            reserve: seconds of the run's time that these calls must leave untouched.
        """
        fresh = [c for c in _distinct(calls) if c.query not in self._asked]
        self._asked.update(call.query for call in fresh)
        deadline = self._io.deadline.before(reserve)
        io = replace(self._io, deadline=deadline, drop=self._drop)
        answers = together(
            [partial(self._ask, call, io) for call in fresh],
            parallel=self.backend.INFO.parallel,
            deadline=io.deadline,
        )
        found: dict[str, Item] = {}
        for call, answer in zip(fresh, answers, strict=True):
            for item in self._take(call, answer):
                found.setdefault(item.id, item)
        return list(found.values())

    def _ask(self, call: Call, io: IO) -> _Answer:
        started = time.monotonic()
        ask = Ask(call.query, call.limit, self._window)
        try:
            if self._refusal is not None:
                raise type(self._refusal)(
                    "not sent after the service had refused another call"
                )
            if io.deadline.left < self.backend.INFO.min_seconds:
                raise DeadlineError("not started: too little time was left")
            return _Answer(self.backend.search(ask, io), None, _since(started))
        except SourceError as error:
            if isinstance(error, AuthError | RateLimitError):
                self._refusal = error
            return _Answer(error.items, error, _since(started))

    def _take(self, call: Call, answer: _Answer | SourceError) -> list[Item]:
        if isinstance(answer, SourceError):
            answer = _Answer(answer.items, answer, 0.0)
        state, error = State.OK if answer.items else State.NO_RESULTS, answer.error
        if error is None and answer.items and all(map(self._is_outside, answer.items)):
            error = BadResponseError("all that came back is of other days than asked")
        if error is not None:
            self.errors.append(error)
            state = error.state
        asked_for = [item for item in answer.items if self._admit(call, item)]
        new = {item.id for item in asked_for} - self._known
        self._known |= new
        self.sent.append(
            Sent(
                self.backend.INFO.name,
                call.lane,
                web_syntax(call.query),
                len(answer.items),
                len(new),
                state,
                error.detail if error else "",
                answer.seconds,
            )
        )
        backend = self.backend.INFO.name
        return [replace(i, lane=call.lane.value, backend=backend) for i in asked_for]

    def _admit(self, call: Call, item: Item) -> bool:
        reason = ""
        if self._is_outside(item):
            reason = "out-of-window"
        elif not admits(call.query, item):
            reason = "not-as-asked"
        if reason:
            self._drop(item, reason)
        return not reason

    def _is_outside(self, item: Item) -> bool:
        at = item.created_at
        return at is not None and not self._window.contains(at)

    def _drop(self, item: Item, reason: str) -> None:
        self.dropped.setdefault(item.id, Drop(item, reason))


def _distinct(calls: Sequence[Call]) -> list[Call]:
    first: dict[Query, Call] = {}
    for call in calls:
        first.setdefault(call.query, call)
    return list(first.values())


def _since(started: float) -> float:
    return round(time.monotonic() - started, 1)
