"""A connector in a run: its cache, breaker, budget and pace around real processes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.errors import SourceError, UsageError
from engine.model import State
from engine.places import asking
from engine.places.breaker import Breaker
from engine.places.budget import DEEP, DEFAULT, Budget, Estimate, estimate
from engine.places.cache import Answers
from engine.places.connectors import connectors
from engine.places.deepen import deepen
from engine.places.evidence import Evidence
from engine.places.model import Note, Query
from engine.places.searching import part, search
from engine.places.tools import NotAskedError, Tool
from engine.places.websearch import WebSearch
from fakes.asking import NOW, World
from fakes.server import Server, status
from fakes.travelstage import TravelStage, note
from fakes.web import Page
from fakes.web import WebSearch as FakeWeb

PLACES = ("庐山", "婺源", "三清山", "龙虎山", "井冈山")
NOTES = [note(i + 1, f"{name} 攻略", f"{name}值得") for i, name in enumerate(PLACES)]
QUERIES = [
    Query(f"{name} 攻略", "destination.guide", name, "template", i, "")
    for i, name in enumerate(PLACES)
]


@pytest.fixture
def stage(tmp_path: Path) -> TravelStage:
    """A way to Xiaohongshu that knows a note of each place."""
    made = TravelStage(tmp_path, "xhs")
    made.play("xhs", notes=NOTES)
    return made


def tool(
    stage: TravelStage, world: World | None = None, limit: int = 90, **more: Any
) -> Tool:
    io = (world or stage.world()).io
    base = Path(stage.values["XDG_CACHE_HOME"])
    return Tool(
        connectors()["xhs"],
        io,
        Breaker("xhs", base / "breakers", NOW),
        Answers(base / "answers", NOW),
        budget=Budget(limit),
        **more,
    )


def test_an_answer_is_kept_without_its_token(stage: TravelStage) -> None:
    """The second time nobody is asked, and the note says so."""
    (fresh,) = asking.search(tool(stage), "庐山")
    (kept,) = asking.search(tool(stage), "庐山")
    assert stage.count("xhs") == 1
    assert fresh.token and not kept.token
    assert (fresh.from_cache, kept.from_cache) == (False, True)
    assert kept.title == fresh.title and kept.queried_at == NOW.isoformat()
    for file in Path(stage.values["XDG_CACHE_HOME"]).rglob("*.json"):
        assert "token" not in file.read_text(encoding="utf-8")


def test_a_failure_is_never_kept(stage: TravelStage) -> None:
    """When the tool is well again it is asked again."""
    stage.fail("xhs", "search", stdout="x", status=0)
    with pytest.raises(SourceError):
        asking.search(tool(stage), "庐山")
    stage.mend("xhs")
    assert asking.search(tool(stage), "庐山")


@pytest.mark.parametrize("limit", [0, 3, 4, 11, 12])
def test_a_budget_is_never_exceeded(stage: TravelStage, limit: int) -> None:
    """A call that might go over it is not made."""
    mine = tool(stage, limit=limit)
    for name in PLACES:
        try:
            asking.search(mine, name)
        except NotAskedError:
            assert mine.tally.skipped
    assert stage.count("xhs") == limit // 4
    assert stage.requests == mine.tally.requests <= limit


def test_what_is_kept_back_is_not_spent(stage: TravelStage) -> None:
    """Searches leave over what reading needs."""
    mine = tool(stage, limit=10)
    asking.search(mine, "庐山", keep=6)
    with pytest.raises(NotAskedError):
        asking.search(mine, "婺源", keep=6)


@pytest.mark.parametrize(
    ("how", "started"),
    [
        ({"stdout": {"ok": False, "error": {"code": "verification_required"}}}, 1),
        ({"stderr": "461"}, 1),
        ({"stdout": {"ok": False, "error": {"code": "ip_blocked"}}}, 1),
        ({"stdout": {"ok": False, "error": {"code": "not_authenticated"}}}, 1),
        ({"stdout": "x", "status": 0}, 3),
        ({"stderr": "connection refused"}, 3),
    ],
    ids=["captcha", "461", "block", "login", "junk", "connection"],
)
def test_after_the_breaker_opens_no_process_is_started(
    stage: TravelStage, how: dict[str, Any], started: int
) -> None:
    """Neither in this run nor in the next."""
    stage.fail("xhs", "search", **how)
    for _ in range(2):
        mine = tool(stage)
        for name in PLACES:
            with pytest.raises(SourceError):
                asking.search(mine, name)
        assert not mine.breaker.allows()
    assert stage.count("xhs") == started


def test_a_run_that_ends_says_nothing_of_the_service(stage: TravelStage) -> None:
    """A call that the deadline cut off opens no breaker."""
    stage.fail("xhs", "search", sleep=30)
    for _ in range(3):
        mine = tool(stage, stage.world(seconds=1.6))
        with pytest.raises(SourceError):
            asking.search(mine, "庐山")
    assert mine.breaker.allows()
    assert mine.outcome.state is State.TIMEOUT


def test_the_pace_is_a_setting(stage: TravelStage) -> None:
    """Calls start that far apart; what is no pair of seconds ends the run."""
    world = stage.world(LAST30DAYS_PACING="1", LAST30DAYS_XHS_PAUSE="0.4-0.5")
    mine = tool(stage, world)
    for name in PLACES[:3]:
        asking.search(mine, name)
    starts = [call["at"] for call in stage.calls]
    gaps = [b - a for a, b in zip(starts, starts[1:], strict=False)]
    # A process takes its time to start, which blurs what is seen from inside it.
    assert len(gaps) == 2 and all(gap > 0.3 for gap in gaps)
    with pytest.raises(UsageError, match="3-8"):
        tool(stage, stage.world(LAST30DAYS_XHS_PAUSE="fast"))


def test_offline_only_the_cache_answers(stage: TravelStage) -> None:
    """No process is started."""
    asking.search(tool(stage), "庐山")
    mine = tool(stage, offline=True)
    assert asking.search(mine, "庐山")
    with pytest.raises(NotAskedError):
        asking.search(mine, "婺源")
    assert stage.count("xhs") == 1


def test_the_default_budget_is_parted_between_searches_and_reading() -> None:
    """12 searches, 16 texts, 5 sets of comments make 90; deep has all the seed names."""
    xhs = connectors()["xhs"]
    wanted = {"searches": 20, "texts": 30, "comments": 5}
    default = estimate(xhs, DEFAULT, **wanted, comment_call="comments")
    assert default == Estimate(
        12, 16, 5, 12 * 4 + 16 + 5, 12 * 4 + 16 * 2 + 5 * 2, 16 * 2 + 5 * 2
    )
    deep = estimate(xhs, DEEP, **wanted, comment_call="all-comments")
    assert deep[:3] == (20, 30, 5)
    assert deep.usual == 20 * 4 + 30 + 5 * 20 == 210
    assert deep.most == 20 * 4 + 30 * 2 + 5 * 20 == DEEP


@pytest.mark.parametrize("limit", range(0, 120, 7))
def test_an_estimate_never_exceeds_its_limit(limit: int) -> None:
    """Whatever is wanted."""
    found = estimate(
        connectors()["xhs"],
        limit,
        searches=20,
        texts=30,
        comments=5,
        comment_call="comments",
    )
    assert found.usual <= found.most <= limit


def web(stage: TravelStage, server: Server, world: World | None = None) -> WebSearch:
    io = (world or stage.world(LAST30DAYS_SEARXNG_URL=f"{server.url}/searxng")).io
    answers = Answers(Path(stage.values["XDG_CACHE_HOME"]) / "answers", NOW)
    return WebSearch(io, answers, offline=False, keep_days=30)


def pages(server: Server) -> FakeWeb:
    found = [Page(f"https://example.com/{n}", f"{n} 游记", "值得") for n in PLACES]
    return FakeWeb(server, found)


def test_queued_queries_go_to_the_web_when_the_breaker_opens(
    stage: TravelStage, server: Server
) -> None:
    """What had arrived is kept, and each query has an answer of one or the other."""
    service, evidence = pages(server), Evidence()
    stage.fail("xhs", "search", stderr="461", **{"from": 3})
    mine = tool(stage)
    work = part(QUERIES, mine, None, live=5)
    faults = search(
        work, mine, None, web(stage, server), evidence, mine.io.deadline, keep=0
    )
    assert faults == []
    assert stage.count("xhs", "search") == 3
    assert [one.title for one in evidence.notes] == ["庐山 攻略", "婺源 攻略"]
    assert len(service.asked["searxng"]) == 3
    assert {query for query, _ in evidence.pages} == {q.text for q in QUERIES[2:]}
    assert mine.outcome.state is State.PARTIAL


def test_the_cache_leaves_more_of_the_budget_to_others(stage: TravelStage) -> None:
    """A query that it knows is no search; the rest goes to the web."""
    asking.search(tool(stage), QUERIES[4].text)
    work = part(QUERIES, tool(stage), None, live=2)
    assert [q.location for q in work.notes] == ["庐山", "婺源", "井冈山"]
    assert [q.location for q in work.web] == ["三清山", "龙虎山"]


def test_a_web_that_fails_is_asked_no_more(stage: TravelStage, server: Server) -> None:
    """Its failure is an outcome, and costs one request."""
    service = pages(server)
    service.fail("searxng", status(429))
    mine, evidence = web(stage, server), Evidence()
    work = part(QUERIES, None, None, live=0)
    search(work, None, None, mine, evidence, mine.io.deadline, keep=0)
    assert len(service.asked["searxng"]) == 1
    assert mine.outcome.state is State.RATE_LIMITED


def test_a_web_that_is_not_set_up_says_so(stage: TravelStage) -> None:
    """With what to do."""
    world = stage.world()
    answers = Answers(Path(stage.values["XDG_CACHE_HOME"]), NOW)
    mine = WebSearch(world.io, answers, offline=False, keep_days=30)
    with pytest.raises(NotAskedError):
        mine.search("庐山")
    assert mine.outcome.state is State.SKIPPED_UNCONFIGURED and mine.outcome.fix


def found(stage: TravelStage, mine: Tool) -> list[Note]:
    return [one for name in PLACES for one in asking.search(mine, name)]


def test_texts_and_comments_are_read_as_far_as_is_wanted(stage: TravelStage) -> None:
    """The best comments come first."""
    mine = tool(stage)
    notes = found(stage, mine)
    read: dict[str, Note] = {}
    deepen(notes, mine, read, texts=3, comments=1, comment_call="comments")
    assert stage.count("xhs", "read") == 3 and stage.count("xhs", "comments") == 1
    first = read[notes[0].note_id]
    assert first.full_text == "庐山值得" and first.top_comments[0] == "评论2"
    assert first.published_at and len(read) == 3


def test_a_second_run_reads_from_the_cache(stage: TravelStage) -> None:
    """A note without a token is opened by nobody, but its text is known."""
    mine = tool(stage)
    deepen(found(stage, mine), mine, {}, texts=2, comments=0, comment_call="comments")
    before = stage.count("xhs")
    again = tool(stage)
    read: dict[str, Note] = {}
    deepen(
        found(stage, again), again, read, texts=9, comments=9, comment_call="comments"
    )
    assert len(read) == 2 and stage.count("xhs") == before


def test_comments_that_fail_lose_no_text(stage: TravelStage) -> None:
    """They are an extra."""
    stage.fail("xhs", "comments", stdout={"ok": False, "error": {"code": "api_error"}})
    mine = tool(stage)
    read: dict[str, Note] = {}
    deepen(found(stage, mine), mine, read, texts=2, comments=2, comment_call="comments")
    assert [one.full_text for one in read.values()] == ["庐山值得", "婺源值得"]


def test_reading_ends_where_the_breaker_opens(stage: TravelStage) -> None:
    """A captcha while reading: what was read stays, nothing more is started."""
    stage.fail("xhs", "read", stderr="471", **{"from": 2})
    mine = tool(stage)
    read: dict[str, Note] = {}
    deepen(found(stage, mine), mine, read, texts=9, comments=3, comment_call="comments")
    assert len(read) == 1
    assert stage.count("xhs", "read") == 2 and stage.count("xhs", "comments") == 0
