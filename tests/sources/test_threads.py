"""Which threads are asked for their comments."""

from __future__ import annotations

from engine.model import Depth, Item
from engine.sources import reddit
from engine.sources.threads import best_threads
from fakes.asking import question


def thread(number: int, title: str, **counts: int) -> Item:
    """A thread with these counts."""
    return Item(
        id=f"t3_{number}", source="reddit", text="", title=title, engagement=counts
    )


def chosen(items: list[Item], depth: Depth = Depth.DEFAULT) -> list[str]:
    ask = question("Claude Code skills", depth)
    return [item.id[3:] for item in best_threads(items, ask, reddit.INFO)]


def test_what_is_on_topic_comes_before_what_is_loud() -> None:
    """Then the threads with most engagement; unknown counts come last of those."""
    items = [
        thread(1, "Show your desk", score=9_000, comments=800),
        thread(2, "Claude Code skills I use"),
        thread(3, "Claude Code skills are prompts", score=5, comments=1),
        thread(4, "Nine Claude Code skills", score=50, comments=20),
        thread(5, "More Claude Code skills", score=500, comments=0),
    ]
    assert chosen(items) == ["4", "3", "2"]
    assert chosen(items, Depth.QUICK) == ["4"]
    assert chosen(items, Depth.DEEP) == ["4", "3", "2", "1"]


def test_nothing_to_choose_from() -> None:
    """No thread, no choice."""
    assert chosen([]) == []


def test_ties_keep_their_order() -> None:
    """The order of the service is all that is known then."""
    items = [thread(n, "Claude Code skills") for n in (3, 1, 2)]
    assert chosen(items) == ["3", "1", "2"]
