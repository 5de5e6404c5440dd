"""Polymarket against a service that plays it over a table of events."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date, datetime, timedelta, timezone
from math import log
from typing import Any

import pytest

from engine.errors import SourceError
from engine.model import Depth, Item, State
from engine.rank.engagement import engagement_score
from engine.sources import SOURCES, hackernews, polymarket, reddit
from engine.window import Window
from fakes.asking import NOW, WINDOW, World, question
from fakes.polymarket import Polymarket, event, market
from fakes.server import Failure, Server, cut, drop, empty, page, slow, status

DAY = timedelta(days=1)
STILL = {"volume24hr": 0, "volume1wk": 0.0, "volume1mo": 0}


@pytest.fixture
def service(server: Server) -> Polymarket:
    """One event on the subject, and two that the fuzzy search takes for it."""
    return Polymarket(
        server,
        [
            event(1, "Claude 6 released by December 31?"),
            event(2, "Clarence elected?"),
            event(3, "Will it rain?", market("Will it clatter?")),
        ],
    )


@pytest.fixture
def world(server: Server) -> World:
    """A run that reaches the service under its own address."""
    return World({"LAST30DAYS_POLYMARKET_URL": server.url})


def found(world: World, query: str = "Claude", **hints: Any) -> list[Item]:
    return polymarket.search(question(query, **hints), world.io)


def only(service: Polymarket, world: World, one: dict[str, Any]) -> Item:
    service.events = [one]
    (item,) = found(world)
    return item


def odds(service: Polymarket, world: World, *markets: dict[str, Any]) -> str:
    """How the odds of an event about Claude are told."""
    return only(service, world, event(1, "Claude?", *markets)).text.split("\n")[0]


def score(**counts: int) -> float:
    info = polymarket.INFO
    known = engagement_score(counts, info.weights, info.reference, info.units)
    assert known is not None
    return known


def test_it_stands_in_the_registry() -> None:
    """By its own name, needing nothing, asked with the words of the plan."""
    assert SOURCES["polymarket"] is polymarket
    assert polymarket.INFO.credentials == ()
    assert polymarket.INFO.asked_with == "search_query"
    assert polymarket.missing(World({}).io) == ""


def test_dollars_are_counted_in_thousands() -> None:
    """100 · (0.60 ln(1 + volume / 1,000) + 0.40 ln(1 + liquidity / 1,000)) / 8.3."""
    raw = 0.60 * log(1 + 14) + 0.40 * log(1 + 23)
    assert score(volume=14_000, liquidity=23_000) == pytest.approx(100 * raw / 8.3)
    assert round(100 * raw / 8.3) == 35


def test_a_small_market_is_below_a_thread_of_160_votes() -> None:
    """It stands where a story with 15 points does; one of $9 million is the hottest."""
    info = reddit.INFO
    thread = engagement_score(
        {"score": 160, "comments": 34}, info.weights, info.reference
    )
    info = hackernews.INFO
    story = engagement_score(
        {"points": 15, "comments": 4}, info.weights, info.reference
    )
    assert thread is not None
    assert story is not None
    small = score(volume=14_000, liquidity=23_000)
    assert small < thread - 10
    assert abs(small - story) < 5
    assert score(volume=500, liquidity=500) < 10
    assert score(volume=9_000_000, liquidity=1_200_000) == pytest.approx(100, abs=0.1)


def test_the_search_is_for_open_markets(service: Polymarket, world: World) -> None:
    """Closed ones come first where they are not left out."""
    service.events.append(event(4, "Claude 5 released?", closed=True))
    items = found(world)
    assert [item.title for item in items] == ["Claude 6 released by December 31?"]
    assert service.searches == [
        {
            "q": "Claude",
            "events_status": "active",
            "keep_closed_markets": "0",
            "limit_per_type": "25",
            "page": "1",
        }
    ]


def test_an_event_is_an_item(service: Polymarket, world: World) -> None:
    """The question, the odds with their direction, and whole dollars as counts."""
    item = only(
        service,
        world,
        event(
            7,
            "Claude 6?",
            market("Claude 6 &amp; more?", 0.63, oneWeekPriceChange=0.05),
        ),
    )
    assert item.id == "7"
    assert item.url == "https://polymarket.com/event/event-7"
    assert item.title == "Claude 6 & more?"
    assert item.text == (
        "Yes 63% (+5 points in a week)\n"
        "Volume $80,212, $5,100 of it in a week; liquidity $15,230; closes 2026-12-31."
    )
    assert item.engagement == {"volume": 80_212, "liquidity": 15_230}
    assert item.author_handle == ""


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({}, "Yes 63%"),
        ({"oneWeekPriceChange": -0.03}, "Yes 63% (-3 points in a week)"),
        ({"oneWeekPriceChange": "0.012"}, "Yes 63% (+1 point in a week)"),
        ({"oneWeekPriceChange": 0.001, "oneDayPriceChange": 0.2}, "Yes 63%"),
        ({"oneMonthPriceChange": 0.1}, "Yes 63% (+10 points in a month)"),
        ({"oneDayPriceChange": -0.07}, "Yes 63% (-7 points in a day)"),
        ({"oneWeekPriceChange": "much"}, "Yes 63%"),
        ({"oneWeekPriceChange": 7}, "Yes 63%"),
        ({"outcomes": ["Yes", "No"], "outcomePrices": [0.004, 0.996]}, "Yes <1%"),
        ({"outcomePrices": '["0.996", "0.004"]'}, "Yes >99%"),
        ({"outcomePrices": '["1", "0"]'}, "Yes 100%"),
        (
            {"outcomes": '["Ann", "Bob"]', "outcomePrices": '["0.4", "0.6"]',
             "oneWeekPriceChange": 0.1},
            "Bob 60% (-10 points in a week), Ann 40% (+10 points in a week)",
        ),
    ],
)  # fmt: skip
def test_odds_are_told_with_their_direction(
    service: Polymarket, world: World, more: dict[str, Any], told: str
) -> None:
    """A change belongs to the first outcome; less than half a point is none."""
    assert odds(service, world, market("Claude?", 0.63, **more)) == told


def test_of_many_options_the_leading_ones_are_told(
    service: Polymarket, world: World
) -> None:
    """Four by their label, and how many there are beside them."""
    chances = {
        "Ann": 0.1,
        "Bob": 0.45,
        "Cyd": 0.02,
        "Dan": 0.3,
        "Eve": 0.08,
        "Fay": 0.01,
    }
    options = [
        market(
            f"Will {name} win?", yes, groupItemTitle=name, oneWeekPriceChange=yes / 10
        )
        for name, yes in chances.items()
    ]
    closed = market("Will Gus win?", 0.9, groupItemTitle="Gus", closed=True)
    idle = market("Will Hal win?", 0.8, groupItemTitle="Hal", active=False)
    broken = market("Will Ian win?", groupItemTitle="Ian", outcomePrices='["0.7"]')
    assert odds(service, world, *options, closed, idle, broken) == (
        "Bob 45% (+5 points in a week), Dan 30% (+3 points in a week), "
        "Ann 10% (+1 point in a week), Eve 8% (+1 point in a week), and 2 more"
    )


def test_markets_of_other_answers_name_the_question(
    service: Polymarket, world: World
) -> None:
    """Of a match and its total each leading outcome is told."""
    game = market(
        "Ann vs Bob", outcomes='["Ann", "Bob"]', outcomePrices='["0.3", "0.7"]'
    )
    assert odds(service, world, game, market("Over two sets?", 0.2)) == (
        "Ann vs Bob: Bob 70%, Over two sets? 20%"
    )


@pytest.mark.parametrize(
    "broken",
    [
        {"outcomes": None},
        {"outcomes": "[", "outcomePrices": "["},
        {"outcomes": "[" * 100_000},
        {"outcomePrices": '["0.5"]'},
        {"outcomePrices": '["0.5", "x"]'},
        {"outcomePrices": '["1.5", "-0.5"]'},
        {"outcomePrices": '["NaN", "0.5"]'},
        {"outcomes": '["", "No"]'},
        {"outcomes": '["Yes"]', "outcomePrices": '["1"]'},
    ],
    ids=lambda broken: json.dumps(broken)[:40],
)
def test_a_market_without_odds_is_skipped(
    service: Polymarket, world: World, broken: dict[str, Any]
) -> None:
    """Alone it is no answer; beside others they are told."""
    service.events = [event(1, "Claude?", market("Claude?", **broken))]
    with pytest.raises(SourceError) as caught:
        found(world)
    assert caught.value.state is State.BAD_RESPONSE
    good = market("Claude 6?", 0.25)
    fresh = World(world.values)
    service.events = [event(1, "Claude?", market("Claude?", **broken), good)]
    (item,) = found(fresh)
    assert item.text.startswith("Yes 25%")


@pytest.mark.parametrize(
    ("more", "counts"),
    [
        ({"volume": None}, {"volume": 80_212, "liquidity": 15_230}),
        ({"volume": "1234.5"}, {"volume": 1_234, "liquidity": 15_230}),
        ({"volume": True, "liquidity": -4}, {"volume": 80_212}),
        ({"volume": 10**400, "liquidity": 0}, {"volume": 80_212, "liquidity": 0}),
        ({"volume": 4, "markets": [market("Claude?", liquidity="x")], "liquidity": None},
         {"volume": 4}),
    ],
    ids=["of-markets", "string", "odd", "huge", "unknown"],
)  # fmt: skip
def test_dollars_that_are_not_known_are_missing(
    service: Polymarket, world: World, more: dict[str, Any], counts: dict[str, int]
) -> None:
    """Strings are read, the markets stand in for the event, unknown is not zero."""
    assert only(service, world, event(1, "Claude?", **more)).engagement == counts


@pytest.mark.parametrize(
    ("more", "days"),
    [
        ({}, 1),
        ({**STILL, "volume1wk": 5, "volume1mo": 5}, 7),
        ({**STILL, "markets": [market("Claude?", oneDayPriceChange=0.02)]}, 1),
        ({**STILL, "createdAt": "2026-11-30T06:00:00Z", "volume24hr": 3}, 0.25),
    ],
    ids=["day", "week", "odds", "new"],
)
def test_the_date_is_that_of_the_last_move(
    service: Polymarket, world: World, more: dict[str, Any], days: float
) -> None:
    """The earliest moment that it can have been, and not before the event was made."""
    item = only(service, world, event(1, "Claude?", **more))
    assert item.created_at == NOW - days * DAY


def test_a_move_of_the_month_lies_on_the_first_day_at_the_earliest(
    service: Polymarket, world: World
) -> None:
    """Thirty days before noon is a day before the window."""
    item = only(service, world, event(1, "Claude?", **{**STILL, "volume1mo": 5}))
    assert item.created_at == WINDOW.start


def test_what_did_not_move_is_dropped(service: Polymarket, world: World) -> None:
    """Not the time of some bookkeeping but trade or odds show that people care."""
    still = market("Claude 6?", oneWeekPriceChange=0.001)
    service.events = [event(1, "Claude?", still, **STILL)]
    assert found(world) == []


def test_what_moved_before_the_window_is_dropped(
    service: Polymarket, world: World
) -> None:
    """A trade of last month is none of the last three days."""
    service.events = [event(1, "Claude?", **{**STILL, "volume1mo": 5})]
    asked = replace(question("Claude"), window=Window.ending(NOW.date(), 3))
    assert polymarket.search(asked, world.io) == []


def test_an_event_that_does_not_tell_is_undated(
    service: Polymarket, world: World
) -> None:
    """Unknown is neither moved nor still."""
    unknown = {"volume24hr": None, "volume1wk": "x", "volume1mo": None}
    item = only(service, world, event(1, "Claude?", **unknown))
    assert item.created_at is None


def test_an_event_that_ended_says_so(service: Polymarket, world: World) -> None:
    """It stays open until somebody settles it."""
    item = only(service, world, event(1, "Claude?", endDate="2026-11-20 12:00:00+00"))
    assert item.text.endswith("not settled since it ended on 2026-11-20.")


@pytest.mark.parametrize(
    ("query", "titles"),
    [
        ("claude", ["Claude 6 released by December 31?"]),
        ("Claudes", ["Claude 6 released by December 31?"]),
        ("clattering rain", ["Will it clatter?"]),
        ("clap", []),
    ],
)
def test_what_names_no_word_of_the_query_is_dropped(
    service: Polymarket, world: World, query: str, titles: list[str]
) -> None:
    """The search takes words for others that begin alike."""
    assert [item.title for item in found(world, query)] == titles


def test_an_option_may_name_the_subject(service: Polymarket, world: World) -> None:
    """The event asks for the best model, and one of its options is the subject."""
    lab = market("Who?", 0.2, groupItemTitle="Claude")
    service.events = [
        event(1, "Best model?", lab, market("Who?", groupItemTitle="Foo"))
    ]
    assert [item.title for item in found(world)] == ["Best model?"]


def test_the_query_is_sent_without_operators(service: Polymarket, world: World) -> None:
    """Quotes, colons and brackets are no words."""
    found(world, '"Claude Code" (skills): -free')
    assert service.searches[0]["q"] == "Claude Code skills free"


def test_keywords_are_searched_for_beside_the_query_once_a_run(
    service: Polymarket, world: World
) -> None:
    """Every ask has what they found, and none is searched for twice."""
    service.events.append(event(5, "Anthropic IPO?"))
    keywords = ("Anthropic", "Claude", "…")
    first = found(world, "Claude", polymarket_keywords=keywords)
    second = found(world, "Claude Code", polymarket_keywords=keywords)
    assert {item.id for item in first} == {item.id for item in second} == {"1", "5"}
    assert sorted(asked["q"] for asked in service.searches) == [
        "Anthropic",
        "Claude",
        "Claude Code",
    ]


@pytest.mark.parametrize(
    ("depth", "pages", "items"),
    [(Depth.QUICK, 1, 5), (Depth.DEFAULT, 2, 10), (Depth.DEEP, 4, 20)],
)
def test_pages_are_read_by_depth(
    service: Polymarket, world: World, depth: Depth, pages: int, items: int
) -> None:
    """The service gives five events a page, whatever it is asked for."""
    service.events = [event(i, f"Claude {i}?") for i in range(30)]
    assert len(polymarket.search(question("Claude", depth), world.io)) == items
    assert len(service.searches) == pages


def test_a_run_stays_inside_its_requests(service: Polymarket, world: World) -> None:
    """However many keywords there are."""
    service.events = [event(i, f"Claude k{i}?") for i in range(30)]
    keywords = tuple(f"Claude k{i}" for i in range(30))
    found(world, polymarket_keywords=keywords)
    assert len(service.searches) == polymarket.INFO.requests


@pytest.mark.parametrize(
    ("failure", "state"),
    [
        (status(422, {"type": "validation error", "error": "bad"}), State.BAD_RESPONSE),
        (page(403), State.UNREACHABLE),
        (page(429), State.RATE_LIMITED),
        (status(429, Retry_After="900"), State.RATE_LIMITED),
        (status(500), State.UNREACHABLE),
        (status(503, Retry_After="900"), State.UNREACHABLE),
        (status(504, Retry_After="900"), State.TIMEOUT),
        (status(524), State.TIMEOUT),
        (cut(), State.BAD_RESPONSE),
        (empty(), State.BAD_RESPONSE),
        (page(), State.BLOCKED),
        (status(200, ["x"]), State.BAD_RESPONSE),
        (status(200, {"events": [{"id": 4}]}), State.BAD_RESPONSE),
        (status(200, {}), State.BAD_RESPONSE),
        (status(200, {"error": "try later"}), State.BAD_RESPONSE),
        (drop(), State.UNREACHABLE),
    ],
    ids=lambda value: getattr(value, "value", ""),
)
def test_a_failure_is_told_by_its_kind(
    service: Polymarket, world: World, failure: Failure, state: State
) -> None:
    """Never as silence."""
    service.server.fail(failure)
    with pytest.raises(SourceError) as caught:
        found(world)
    assert caught.value.state is state


def test_no_answer_in_time_is_a_timeout(service: Polymarket, server: Server) -> None:
    """The deadline is that of the run."""
    service.server.fail(slow(30))
    world = World({"LAST30DAYS_POLYMARKET_URL": server.url}, seconds=0.3)
    with pytest.raises(SourceError) as caught:
        found(world)
    assert caught.value.state is State.TIMEOUT


@pytest.mark.parametrize(
    "answer",
    [
        status(200, {"events": []}),
        status(200, {"events": None}),
        status(200, {"tags": []}),
        status(404, {"type": "not found error"}),
    ],
)
def test_nothing_found_is_no_failure(
    service: Polymarket, world: World, answer: Failure
) -> None:
    """An empty list, none at all, or nothing by that name."""
    service.server.fail(answer)
    assert found(world) == []


def test_what_arrived_before_a_failure_is_kept(server: Server, world: World) -> None:
    """The first page is there when the second fails."""
    service = Polymarket(server, [event(i, f"Claude {i}?") for i in range(8)])
    first = service._search

    server.route(
        "/public-search",
        lambda asked: (
            first(asked) if asked.params["page"] == "1" else status(500)(first(asked))
        ),
    )
    with pytest.raises(SourceError) as caught:
        found(world)
    assert caught.value.state is State.UNREACHABLE
    assert [item.id for item in caught.value.items] == ["0", "1", "2", "3", "4"]


def test_a_window_that_is_over_is_no_silence(service: Polymarket, world: World) -> None:
    """The odds of today say nothing about days that are over."""
    window = Window(date(2026, 9, 1), date(2026, 9, 30))
    with pytest.raises(SourceError, match="the days asked for are over"):
        polymarket.search(replace(question("Claude"), window=window), world.io)
    assert service.searches == []


def test_hostile_events_are_harmless(service: Polymarket, world: World) -> None:
    """Odd slugs are no events, text stays text, and addresses are our own."""
    service.events = [
        event(1, "Claude?", slug="../x?y"),
        event(2, "Claude?", slug=None),
        event(3, "Claude\n# HeadingHALF <b>\u202e?", id=9007199254740993),
    ]
    # Half a character, which JSON can hold and no output.
    service.server.fail(
        lambda sent: replace(sent, body=sent.body.replace(b"HALF", rb"\ud800"))
    )
    (item,) = found(world)
    assert item.id == "9007199254740993"
    assert item.title.startswith("Claude # Heading <b>")
    item.title.encode()


def test_other_scripts_are_found(service: Polymarket, world: World) -> None:
    """A topic in Chinese meets a question in it."""
    service.events = [event(1, "大模型会在年底前发布吗？", market("大模型？"))]
    assert len(found(world, "大模型 评测")) == 1


def test_the_moment_is_utc(service: Polymarket, world: World) -> None:
    """Times without a zone and with +00 are UTC."""
    made = {"createdAt": "2026-11-30 06:00:00+00", "startDate": None}
    item = only(service, world, event(1, "Claude?", **made))
    assert item.created_at == datetime(2026, 11, 30, 6, tzinfo=timezone.utc)
