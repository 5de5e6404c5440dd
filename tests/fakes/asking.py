"""What a source is given in a test: a question, and a world that notes what it is told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import Any

from engine.deadline import Deadline
from engine.fetch import Fetch
from engine.io import IO
from engine.model import Depth, Item, Warning
from engine.settings import Settings
from engine.sources.base import Ask, Hints
from engine.text.topic import parse_topic
from engine.window import Window

__all__ = ["NOW", "WINDOW", "World", "question"]

NOW = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)
WINDOW = Window.ending(NOW.date(), 30)


def question(query: str, depth: Depth = Depth.DEFAULT, **hints: Any) -> Ask:
    """A query about a topic of the same words, over 30 days."""
    return Ask(query, parse_topic(query), WINDOW, depth, Hints(**hints))


@dataclass
class World:
    """An `io` whose settings are given and whose warnings and drops are kept."""

    values: Mapping[str, str]
    seconds: float = 20.0
    warnings: list[Warning] = field(default_factory=list)
    dropped: list[tuple[Item, str]] = field(default_factory=list)
    now: datetime = NOW
    io: IO = field(init=False)

    def __post_init__(self) -> None:
        settings = Settings({"LAST30DAYS_PACING": "0", **self.values}, self.now)
        self.io = IO(
            settings,
            Deadline(self.seconds),
            Fetch(settings),
            self.warnings.append,
            lambda item, reason: self.dropped.append((item, reason)),
        )

    @property
    def tiers(self) -> dict[str, str]:
        """The state of each way that was refused, by its name."""
        refused = (w for w in self.warnings if w.code == "tier-refused")
        return {str(w.data["tier"]): str(w.data["state"]) for w in refused}
