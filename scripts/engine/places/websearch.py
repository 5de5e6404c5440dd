"""The web as the fallback of a places run: the project's own source, with a cache."""

from __future__ import annotations

from typing import Any

from engine.errors import SourceError, most_telling
from engine.io import IO
from engine.model import Depth, Outcome, State
from engine.places.breaker import Breaker
from engine.places.cache import Answers, Kept
from engine.places.model import Page
from engine.places.tools import NotAskedError, Tally
from engine.sources import web
from engine.sources.base import Ask
from engine.text.topic import parse_topic
from engine.window import Window

__all__ = ["NAME", "WebSearch"]

NAME = "web"

# What was true of a place two years ago mostly still is; what is older is left.
_DAYS = 730


class WebSearch:
    """The web in a run.

    Its breaker holds for the run alone: each of its services says at once whether it is
    well again.

    Args:
        offline: take what the cache has, and ask nobody.
        keep_days: for how long an answer is good here.
    """

    def __init__(
        self, io: IO, answers: Answers, *, offline: bool, keep_days: float
    ) -> None:
        self.io = io
        self.tally = Tally()
        self._answers = answers
        self._offline = offline
        self._keep_days = keep_days
        self._breaker = Breaker(NAME, None, io.settings.now)

    @property
    def missing(self) -> str:
        """What to do before it can be asked; empty if it can."""
        return web.missing(self.io)

    def kept(self, query: str) -> Kept | None:
        """The answer of the cache to a query, if it has one."""
        return self._answers.get(NAME, "search", {"query": query}, self._keep_days)

    def search(self, query: str) -> list[Page]:
        """The pages that a query finds.

        Raises:
            NotAskedError: the web is not set up, or the call was not made.
            SourceError: it failed.
        """
        if kept := self.kept(query):
            self.tally.cache_hits += 1
            self.tally.found += len(kept.value)
            return [
                Page(**one, from_cache=True, queried_at=kept.at) for one in kept.value
            ]
        self._demand_allowed()
        plain = self._call(query)
        self._answers.put(NAME, "search", {"query": query}, plain)
        self.tally.found += len(plain)
        at = self.io.settings.now.isoformat()
        return [Page(**one, queried_at=at) for one in plain]

    def _demand_allowed(self) -> None:
        why = "offline" if self._offline else self.missing and "not set up"
        if not why and self.io.deadline.left <= 0:
            why = "the time was used up"
        if not why and not self._breaker.allows():
            why = "its breaker is open"
        if why:
            self.tally.skipped[why] += 1
            raise NotAskedError(f"the web was not asked: {why}")

    def _call(self, query: str) -> list[dict[str, Any]]:
        self.tally.calls += 1
        self.tally.requests += 1
        last = self.io.settings.now.date()
        ask = Ask(query, parse_topic(query), Window.ending(last, _DAYS), Depth.DEFAULT)
        try:
            items = web.search(ask, self.io)
        except SourceError as error:
            self.tally.failures.append(error)
            self._breaker.note(error.state)
            raise
        self._breaker.note(State.OK)
        return [
            {
                "url": item.url,
                "title": item.title,
                "snippet": item.text,
                "published_at": item.created_at and item.created_at.isoformat(),
            }
            for item in items
        ]

    @property
    def outcome(self) -> Outcome:
        """How its run ended, as far as it is known by now."""
        tally = self.tally
        if tally.failures:
            return most_telling(tally.failures).outcome(found=bool(tally.found))
        if "not set up" in tally.skipped and not tally.found:
            return Outcome(State.SKIPPED_UNCONFIGURED, "not set up", self.missing)
        if "the time was used up" in tally.skipped:
            state = State.PARTIAL if tally.found else State.TIMEOUT
            return Outcome(state, "the time was used up")
        if tally.found:
            return Outcome(State.OK)
        if tally.calls or tally.cache_hits:
            return Outcome(State.NO_RESULTS, "it answered with nothing")
        return Outcome(State.NOT_ASKED, "every query had its answer elsewhere")
