"""The nouns of discovery: what was nominated, and what became a topic."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.model import Depth, Item
from engine.window import Window

__all__ = ["DEMO", "LIVE", "ON_DISK", "Bundle", "Judged", "Left", "Nomination", "Topic"]

LIVE, DEMO, ON_DISK = "live", "demo", "archive"
"""Where the posts of a bundle come from: these never mix."""


@dataclass(frozen=True, slots=True)
class Nomination:
    """One story of the hot lists: `items` bear it out, the hottest first.

    `name` is the engine's own and may be clumsy. `momentum` is 0…100. `junk_shape`
    says what kind of junk its title looks like; empty if it looks like none.
    """

    id: str
    name: str
    momentum: int
    junk_shape: str
    items: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class Bundle:
    """What the first leg found, as the second reads it.

    `created_at` is ISO 8601 in UTC. `origin` is live, demo or archive, `asked`
    names the sources that may be asked. `status` and `warnings` are those of the
    sweep, as in an artifact.
    """

    id: str
    created_at: str
    origin: str
    tier: Depth
    domain: str
    window: Window
    subreddits: tuple[str, ...]
    asked: tuple[str, ...]
    status: Mapping[str, Mapping[str, str]]
    warnings: tuple[Mapping[str, Any], ...]
    nominations: tuple[Nomination, ...]


@dataclass(frozen=True, slots=True)
class Judged:
    """A nomination with what the judge said, or the engine where the judge did not.

    `worthiness` is 0…100. `by_host` is true if the host judged it. `ungrounded` are the
    words of the name that stand nowhere in the evidence.
    """

    nomination: Nomination
    name: str
    junk: bool
    worthiness: int
    by_host: bool
    ungrounded: tuple[str, ...] = ()


class Left(NamedTuple):
    """A nomination that became no topic, and why: a reason for programs, and words."""

    id: str
    name: str
    reason: str
    detail: str


@dataclass(frozen=True, slots=True)
class Topic:
    """Judged nominations that are one story, the worthiest first."""

    judged: tuple[Judged, ...]

    @property
    def best(self) -> Judged:
        """The one that gives the topic its name."""
        return self.judged[0]

    @property
    def id(self) -> str:
        """The id of the nomination that gave the name."""
        return self.best.nomination.id

    @property
    def items(self) -> tuple[Item, ...]:
        """The evidence of all nominations, each item once."""
        found = {
            (item.source, item.id): item
            for one in reversed(self.judged)
            for item in reversed(one.nomination.items)
        }
        return tuple(found.values())[::-1]

    @property
    def junk_shape(self) -> str:
        """What kind of junk all of them look like; empty if one looks like none."""
        shapes = [one.nomination.junk_shape for one in self.judged]
        return shapes[0] if all(shapes) else ""
