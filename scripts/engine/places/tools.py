"""A connector in a run: its cache, breaker, budget and pace around each call."""

from __future__ import annotations

import random
import re
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.errors import SourceError, UsageError, most_telling
from engine.io import IO
from engine.model import Outcome, State
from engine.pacing import wait_turn
from engine.places.breaker import Breaker
from engine.places.budget import Budget
from engine.places.cache import Answers, Kept
from engine.places.calling import call
from engine.places.connectors import Connector

__all__ = ["NotAskedError", "Tally", "Tool", "pause"]

# Less is too little for any call, and what is cut off then was not the service's fault.
_LEAST_SECONDS = 1.0
_SPENT = "its request budget is spent"
_PAUSE = re.compile(r"(\d{1,3}(?:\.\d)?)-(\d{1,3}(?:\.\d)?)")


class NotAskedError(SourceError):
    """A call was not made: its breaker is open, its budget or the time is spent."""

    state = State.NOT_ASKED


@dataclass
class Tally:
    """What a tool did in a run; `skipped` counts the calls not made, by reason."""

    calls: int = 0
    requests: int = 0
    cache_hits: int = 0
    found: int = 0
    failures: list[SourceError] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)


class Tool:
    """One connector that is set up.

    `io` may be replaced by one whose deadline is nearer.

    Args:
        budget: of its service; None where nobody counts.
        offline: take what the cache has, and ask nobody.
        keep_days: the most days for which an answer is good here, whatever its record
            says.
    """

    def __init__(
        self,
        connector: Connector,
        io: IO,
        breaker: Breaker,
        answers: Answers,
        *,
        budget: Budget | None = None,
        offline: bool = False,
        keep_days: float = 30,
    ) -> None:
        self.connector = connector
        self.breaker = breaker
        self.tally = Tally()
        self.io = io
        self._answers = answers
        self._budget = budget
        self._offline = offline
        self._keep_days = keep_days
        self._pause = pause(connector, io)
        self._lock = threading.Lock()

    def kept(self, what: str, values: Mapping[str, str]) -> Kept | None:
        """The answer of the cache to a call, if it has one."""
        days = min(self.connector.calls[what].keep_days, self._keep_days)
        return self._answers.get(self.connector.name, what, _asked(values), days)

    def ask(
        self,
        what: str,
        values: Mapping[str, str],
        read: Callable[[Any], Any],
        *,
        keep: int = 0,
    ) -> tuple[Any, str, bool]:
        """What a call gives, from the cache if it has it.

        Args:
            what: a key of the connector's `calls`.
            values: for its blanks.
            read: makes plain JSON without tokens of a document, to be kept and given.
            keep: requests that have to be left over for later.

        Returns:
            What `read` gave, now or then; when that was; whether it is from the cache.

        Raises:
            NotAskedError: the call was not made.
            SourceError: it failed.
        """
        if known := self.kept(what, values):
            self.tally.cache_hits += 1
            return known.value, known.at, True
        # One at a time: an account is not to be seen in two places at once.
        with self._lock:
            self._demand_allowed(what, keep)
            value = self._call(what, values, read)
        self._answers.put(self.connector.name, what, _asked(values), value)
        return value, self.io.settings.now.isoformat(), False

    def _demand_allowed(self, what: str, keep: int) -> None:
        requests = self.connector.calls[what].most
        if self._offline:
            raise self._skipped("offline")
        if not self.breaker.allows():
            raise self._skipped("its breaker is open")
        if self._budget and not self._budget.take(requests, keep=keep):
            raise self._skipped(_SPENT)
        try:
            if self._pause[1]:
                spacing = random.uniform(*self._pause)
                wait_turn(self.io, self.connector.group, spacing)
        except SourceError:
            raise self._skipped("the time was used up") from None
        if self.io.deadline.left <= _LEAST_SECONDS:
            raise self._skipped("the time was used up")
        self.tally.requests += requests

    def _skipped(self, why: str) -> NotAskedError:
        self.tally.skipped[why] += 1
        return NotAskedError(f"{self.connector.label} was not asked: {why}")

    def _call(
        self, what: str, values: Mapping[str, str], read: Callable[[Any], Any]
    ) -> Any:
        self.tally.calls += 1
        try:
            value = read(call(self.connector, what, values, self.io))
        except SourceError as error:
            self.tally.failures.append(error)
            # What the end of the run cut off says nothing of the service.
            if self.io.deadline.left > _LEAST_SECONDS:
                self.breaker.note(error.state)
            raise
        self.breaker.note(State.OK)
        return value

    @property
    def outcome(self) -> Outcome:
        """How its run ended, as far as it is known by now."""
        tally = self.tally
        why = ", ".join(f"{n} × {reason}" for reason, n in tally.skipped.items())
        if tally.failures:
            ended = most_telling(tally.failures).outcome(found=bool(tally.found))
            rest = f"; not asked {why}" if why else ""
            return ended._replace(detail=f"{ended.detail}{rest}")
        cut = [r for r in tally.skipped if r != _SPENT]
        if tally.found:
            state = State.PARTIAL if cut and not self._offline else State.OK
            return Outcome(state, f"not asked {why}" if why else "")
        if self.breaker.state and self.breaker.until and not tally.calls:
            return Outcome(
                self.breaker.state,
                f"not asked: an earlier run ended so; again from "
                f"{self.breaker.until:%Y-%m-%d %H:%M} UTC",
                "mend what the state says; until then other ways are used",
            )
        if tally.calls or tally.cache_hits:
            return Outcome(
                State.NO_RESULTS, "it answered, with nothing on these places"
            )
        return Outcome(State.NOT_ASKED, f"not asked {why}" if why else "")


def _asked(values: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in values.items() if name != "token"}


def pause(connector: Connector, io: IO) -> tuple[float, float]:
    """The least and the most seconds between the starts of two calls.

    Raises:
        UsageError: LAST30DAYS_XHS_PAUSE is no such pair.
    """
    given = io.settings.get("LAST30DAYS_XHS_PAUSE")
    if not given or not connector.pause[1]:
        return connector.pause
    match = _PAUSE.fullmatch(given)
    if match is None or float(match[1]) > float(match[2]):
        raise UsageError(
            f"LAST30DAYS_XHS_PAUSE: {given[:40]!r} is no pair of seconds; write 3-8"
        )
    return float(match[1]), float(match[2])
