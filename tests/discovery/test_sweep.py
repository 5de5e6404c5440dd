"""The sweep: every source's end is told, and only dated items rise."""

from __future__ import annotations

from datetime import timedelta

from engine.discovery.sweep import Swept, sweep
from engine.errors import BlockedError, SourceError
from engine.io import IO
from engine.model import Depth, Item, State
from engine.research import Answer
from engine.sources import SOURCES
from engine.sources.base import NoHotListError, RiverAsk, tier_refused
from engine.sources.rivers import River
from fakes.asking import NOW, WINDOW, World

_ITEM = Item("1", "hackernews", "Foo", created_at=NOW)
_HOT = RiverAsk(None, WINDOW, Depth.DEFAULT)


def _gives(*items: Item, error: SourceError | None = None) -> River:
    def river(hot: RiverAsk, io: IO) -> list[Item]:
        if error is not None:
            error.items = items
            raise error
        return list(items)

    return river


def _swept(
    rivers: dict[str, River], world: World | None = None, *wanted: str
) -> tuple[Swept, list[Answer]]:
    world = world or World({})
    told: list[Answer] = []
    names = wanted or tuple(SOURCES)
    found = sweep(_HOT, names, SOURCES, rivers, world.io, world.warnings, told.append)
    return found, told


def test_every_source_has_an_end() -> None:
    """Also those that have no hot list, were left out, or are not set up."""
    found, told = _swept(
        {
            "web": _gives(_ITEM),
            "reddit": _gives(error=BlockedError("HTTP 403", fix="go home")),
            "hackernews": _gives(_ITEM),
            "polymarket": _gives(),
            "github": _gives(_ITEM, error=BlockedError("HTTP 403")),
        }
    )
    states = {name: one.state for name, one in found.outcomes.items()}
    assert states == {
        "x": State.NOT_ASKED,
        "reddit": State.BLOCKED,
        "hackernews": State.OK,
        "polymarket": State.NO_RESULTS,
        "github": State.PARTIAL,
        "bluesky": State.NOT_ASKED,
        "youtube": State.NOT_ASKED,
        "web": State.SKIPPED_UNCONFIGURED,
    }
    assert found.outcomes["reddit"] == (State.BLOCKED, "HTTP 403", "go home")
    assert "SEARXNG" in found.outcomes["web"].fix
    assert sorted(answer.source for answer in told) == [
        *("github", "hackernews", "polymarket", "reddit"),
    ]


def test_only_the_wanted_are_asked() -> None:
    """The others are not-asked."""
    rivers = {"hackernews": _gives(_ITEM), "github": _gives(_ITEM)}
    found, told = _swept(rivers, None, "github")
    assert found.outcomes["hackernews"].state is State.NOT_ASKED
    assert [answer.source for answer in told] == ["github"]


def test_what_has_no_hot_list_is_not_asked_and_not_told() -> None:
    """It failed in nothing."""
    found, told = _swept({"hackernews": _gives(error=NoHotListError("name a domain"))})
    assert found.outcomes["hackernews"].state is State.NOT_ASKED and told == []


def test_undated_and_older_items_do_not_rise() -> None:
    """Nobody knows of the one, everybody of the other."""
    undated = Item("2", "hackernews", "Foo")
    older = Item("3", "hackernews", "Foo", created_at=NOW - timedelta(days=40))
    found, _ = _swept({"hackernews": _gives(undated, _ITEM, older)})
    assert found.items == (_ITEM,)
    found, _ = _swept({"hackernews": _gives(undated)})
    assert found.outcomes["hackernews"].state is State.NO_RESULTS


def test_a_way_that_was_refused_makes_a_gap() -> None:
    """The source is seen in part, although it gave something."""
    world = World({})
    info = SOURCES["hackernews"].INFO
    world.io.warn(tier_refused(info, "front page", BlockedError("HTTP 403")))
    found, _ = _swept({"hackernews": _gives(_ITEM)}, world)
    assert found.outcomes["hackernews"].state is State.PARTIAL


def test_a_river_that_breaks_is_an_outcome() -> None:
    """Not a traceback, and the others are swept."""

    def broken(hot: RiverAsk, io: IO) -> list[Item]:
        raise ZeroDivisionError("no luck")

    found, _ = _swept({"hackernews": broken, "github": _gives(_ITEM)})
    assert found.outcomes["hackernews"].state is State.ERROR
    assert found.outcomes["github"].state is State.OK
