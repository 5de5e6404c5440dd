"""The hot lists of the sources, read from services that are played."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from engine.errors import BadResponseError, BlockedError, SourceError
from engine.model import Depth, Item, State
from engine.sources import SOURCES
from engine.sources.base import Hints, NoHotListError, RiverAsk
from engine.sources.rivers import RIVERS
from engine.text.topic import parse_topic
from engine.window import Window
from fakes.asking import NOW, WINDOW, World
from fakes.polymarket import event, market
from fakes.reddit import Thread
from fakes.rivers import Rivers
from fakes.server import page, status

_WEEK_AGO = str(Window.ending(NOW.date(), 7).first)


@pytest.fixture
def rivers(tmp_path: Path) -> Iterator[Rivers]:
    """All services."""
    with Rivers(tmp_path) as running:
        yield running


def _hot(domain: str = "", *subreddits: str) -> RiverAsk:
    topic = parse_topic(domain) if domain else None
    return RiverAsk(topic, WINDOW, Depth.DEFAULT, Hints(subreddits=subreddits))


def _read(rivers: Rivers, name: str, hot: RiverAsk | None = None) -> list[Item]:
    return RIVERS[name](hot or _hot(), World(rivers.values).io)


def test_every_river_is_of_a_source() -> None:
    """In the order of the report; what has no hot list is not among them."""
    assert [name for name in SOURCES if name in RIVERS] == list(RIVERS)
    assert {"hackernews", "reddit", "github", "polymarket", "x", "web"} == set(RIVERS)


def test_hackernews_gives_the_front_page_and_the_week(rivers: Rivers) -> None:
    """Each story once, with the comments of the hottest; a domain is searched for."""
    found = _read(rivers, "hackernews")
    assert len(found) == len({item.id for item in found}) == 13
    hottest = max(found, key=lambda item: item.engagement["points"])
    assert [c.text for c in hottest.comments] == ["The keys were there for a month."]
    front, week = rivers.hackernews.searches
    assert front["tags"] == "front_page" and "numericFilters" not in front
    assert week["tags"] == "story" and week["query"] == ""
    first = Window.ending(NOW.date(), 7).start.timestamp()
    assert f"created_at_i>{first - 1:.0f}" in week["numericFilters"]
    _read(rivers, "hackernews", _hot("Veritrust keys"))
    assert rivers.hackernews.searches[-1]["query"] == "veritrust keys"


def test_an_empty_front_page_is_no_silence(rivers: Rivers) -> None:
    """It never is: what the other lists gave is kept with the failure."""
    rivers.hackernews.stories = [
        story for story in rivers.hackernews.stories if story.id != 201
    ]
    for story in rivers.hackernews.stories:
        object.__setattr__(story, "front", False)
    with pytest.raises(BadResponseError, match="empty front page") as caught:
        _read(rivers, "hackernews")
    assert len(caught.value.items) == 12


def test_reddit_gives_what_rises_everywhere(rivers: Rivers) -> None:
    """Rising and top of the week of all, with votes and comments from the archive."""
    found = {item.id: item for item in _read(rivers, "reddit")}
    assert rivers.reddit.paths == ["/r/all/rising/.rss", "/r/all/top/.rss"]
    assert rivers.servers["reddit"].requests[1].params["t"] == "week"
    assert found["t3_1b"].engagement == {
        "score": 160,
        "comments": 1,
        "best_comment": 41,
    }
    assert found["t3_1b"].comments[0].text == "I moved my resolver to Norway."


def test_reddit_reads_the_subreddits_of_a_domain(rivers: Rivers) -> None:
    """Their lists and what the archive has; without them the site is searched."""
    found = _read(rivers, "reddit", _hot("resolver", "privacy"))
    assert [item.container for item in found] == ["r/privacy"]
    lists = ["/r/privacy/rising/.rss", "/r/privacy/top/.rss"]
    assert rivers.reddit.paths == lists
    assert rivers.arctic.asked("/posts/search")
    _read(rivers, "reddit", _hot("Quadnine"))
    assert rivers.reddit.paths[2] == "/search.rss"
    assert rivers.servers["reddit"].requests[2].params["t"] == "week"


def test_reddit_that_refuses_is_told(rivers: Rivers) -> None:
    """With the archive's posts as a warning, else as a failure with the way on."""
    rivers.reddit.blocked = {"subreddits", "site"}
    with pytest.raises(BlockedError) as caught:
        _read(rivers, "reddit")
    assert "--subreddits" in caught.value.fix
    world = World(rivers.values)
    found = RIVERS["reddit"](_hot("Quadnine", "privacy"), world.io)
    assert [item.id for item in found] == ["t3_1b"]
    assert world.tiers["subreddit feeds"] == "blocked"


def test_github_gives_new_repositories_and_hot_issues(rivers: Rivers) -> None:
    """By stars and by reactions; of a domain those with its words."""
    assert [item.id for item in _read(rivers, "github")] == ["acme/pocketdb"]
    assert rivers.github.queries == [
        f"created:{WINDOW.first}..{WINDOW.last}",
        f"is:issue created:{_WEEK_AGO}..{WINDOW.last}",
    ]
    sorts = [asked.params["sort"] for asked in rivers.servers["github"].requests]
    assert sorts == ["stars", "reactions"]
    assert _read(rivers, "github", _hot("resolver")) == []
    assert rivers.github.queries[2].startswith("resolver created:")


@pytest.mark.parametrize(
    ("changes", "moves"),
    [
        ({"oneWeekPriceChange": 0.2}, True),
        ({"oneWeekPriceChange": -0.05}, True),
        ({"oneDayPriceChange": 0.06, "oneWeekPriceChange": 0.0}, True),
        ({"oneWeekPriceChange": 0.04}, False),
        ({"oneMonthPriceChange": 0.5}, False),
        ({}, False),
    ],
)
def test_polymarket_gives_questions_that_moved(
    rivers: Rivers, changes: dict[str, Any], moves: bool
) -> None:
    """By five points or more in a day or a week."""
    title = "Will Quadnine leave?"
    rivers.polymarket.events = [event(7, title, market(title, **changes))]
    assert [item.id for item in _read(rivers, "polymarket")] == (["7"] if moves else [])


def test_polymarket_searches_for_a_domain_too(rivers: Rivers) -> None:
    """What moved of what it finds."""
    found = _read(rivers, "polymarket", _hot("Kestrel"))
    assert [item.id for item in found] == ["1"]
    asked = [request.path for request in rivers.servers["polymarket"].requests]
    assert sorted(asked)[0] == "/events" and "/public-search" in asked
    rivers.fail(status(500), "polymarket")
    with pytest.raises(SourceError):
        _read(rivers, "polymarket")
    old = RiverAsk(None, Window.ending(NOW.date() - timedelta(days=9), 30), Depth.QUICK)
    with pytest.raises(SourceError, match="today alone"):
        _read(rivers, "polymarket", old)


@pytest.mark.parametrize("name", ["x", "web"])
def test_what_has_no_hot_list_needs_a_domain(rivers: Rivers, name: str) -> None:
    """Without one it is not asked; with one it is searched over a week."""
    with pytest.raises(NoHotListError) as caught:
        _read(rivers, name)
    assert caught.value.state is State.NOT_ASKED
    found = _read(rivers, name, _hot("Orbit phone" if name == "x" else "DeepForge"))
    assert found and {item.source for item in found} == {name}


@pytest.mark.parametrize("name", ["hackernews", "reddit", "github", "polymarket"])
def test_a_failure_is_typed(rivers: Rivers, name: str) -> None:
    """Whatever comes instead of a list becomes an outcome."""
    servers = ["reddit", "arctic_shift"] if name == "reddit" else [name]
    for failure, state in ((page(403), "blocked"), (status(429), "rate-limited")):
        rivers.fail(failure, *servers)
        with pytest.raises(SourceError) as caught:
            _read(rivers, name)
        known = {state, "rate-limited", "unreachable"}
        assert caught.value.state.value in known


def test_the_lists_of_a_closed_subreddit_are_not_asked_for_twice(
    rivers: Rivers,
) -> None:
    """The other subreddits give theirs."""
    rivers.reddit.threads.append(Thread("1z", "A post", "other", NOW))
    found = _read(rivers, "reddit", _hot("", "gone_place", "privacy"))
    assert [item.id for item in found] == ["t3_1b"]
    assert rivers.reddit.paths.count("/r/gone_place/rising/.rss") == 1
    assert "/r/gone_place/top/.rss" not in rivers.reddit.paths
