"""A small world about Rome for tests of the X loop: clear posts, on topic and off."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.errors import SourceError
from engine.model import Depth, Item
from engine.text.question import prepare
from engine.text.topic import parse_topic
from engine.x.calls import Calls
from engine.x.stream import Request, Stream, run
from fakes.xposts import WINDOW, Scripted, io_for, posts

__all__ = ["BARE", "FLOOD", "GOOD", "TOPIC", "off", "on", "search"]

TOPIC = "Rome Italy"
# The flood asked again without the account that made it.
BARE = "Rome Italy -desk"


def on(prefix: str, count: int, handle: str = "") -> list[Item]:
    """So many posts about Rome, no two alike."""
    texts = [
        f"Rome, Italy on day {i}: {prefix} walks from Termini" for i in range(count)
    ]
    return posts(prefix, texts, handle)


def off(prefix: str, count: int, handle: str = "") -> list[Item]:
    """So many posts about something else, no two alike."""
    texts = [
        f"Parliament votes on steel tariff {i}, says {prefix}" for i in range(count)
    ]
    return posts(prefix, texts, handle)


GOOD = on("good", 8)
FLOOD = [*off("bad", 32, "desk"), *GOOD]


def search(
    table: Mapping[str, Sequence[Item] | SourceError],
    topic: str = TOPIC,
    *,
    ranking_queries: Sequence[str] = (),
    depth: Depth = Depth.DEFAULT,
    explicit: tuple[str, ...] = (),
    related: tuple[str, ...] = (),
    parallel: int = 1,
) -> tuple[Stream, Scripted]:
    """Run the loop on a backend that answers from a table; both are given back."""
    backend = Scripted(table, parallel=parallel)
    request = Request(
        parse_topic(topic),
        prepare(topic, ranking_queries),
        WINDOW,
        depth,
        explicit,
        related,
    )
    return run(request, Calls(backend, io_for(), WINDOW)), backend
