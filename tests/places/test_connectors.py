"""Connectors against tools that are real executables: shapes, failures, what they get."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.errors import BadResponseError, SourceError
from engine.model import State
from engine.places import reading
from engine.places.calling import call
from engine.places.connectors import HOST, connectors, filled, missing
from engine.places.paths import lenient_count
from fakes.asking import NOW, World
from fakes.server import Server, answer_json
from fakes.server import page as login_page
from fakes.travelstage import TravelStage, note

AT = NOW.isoformat()
NOTES = [
    note(1, "庐山两日游攻略", "三叠泉要早去，值得", liked="1.2万", commented="10万+"),
    note(2, "庐山避雷", "被坑了", liked="赞", commented=None),
    note(3, "庐山直播", kind="live_v2"),
]


@pytest.fixture
def stage(tmp_path: Path) -> TravelStage:
    """Both ways to Xiaohongshu, and Meituan's."""
    made = TravelStage(tmp_path, "xhs", "xhs-skills", "mttravel", "ht-ai", "flyai")
    made.values["LAST30DAYS_XHS_SKILLS_COMMAND"] = str(made.bin / "xhs-skills")
    for tool in ("xhs", "xhs-skills"):
        made.play(tool, notes=NOTES)
    return made


def ask(world: World, name: str, what: str, **values: str) -> Any:
    return call(connectors()[name], what, values, world.io)


@pytest.mark.parametrize("name", ["xhs", "xhs-skills"])
def test_both_shapes_of_notes_are_read(stage: TravelStage, name: str) -> None:
    """Snake case in cards and camel case without: the same notes, without live rooms."""
    document = ask(stage.world(), name, "search", query="庐山")
    found = reading.notes(connectors()[name], document, "庐山", AT)
    assert [one.title for one in found] == ["庐山两日游攻略", "庐山避雷"]
    first, second = found
    assert (first.likes, first.comments) == (12_000, 100_000)
    assert (second.likes, second.comments) == (0, None)
    assert first.note_id == NOTES[0]["id"] and first.author == "用户1"
    assert first.matched_queries == ("庐山",)
    assert first.token == f"token-{first.note_id}"
    assert "token" not in first.url and first.token not in repr(first)


@pytest.mark.parametrize("name", ["xhs", "xhs-skills"])
def test_both_shapes_of_texts_and_comments_are_read(
    stage: TravelStage, name: str
) -> None:
    """The page of a note gives its text and time; comments come best first."""
    number = NOTES[0]["id"]
    values = {"id": number, "token": f"token-{number}"}
    told = reading.detail(
        connectors()[name], ask(stage.world(), name, "read", **values)
    )
    assert told and told.text == "三叠泉要早去，值得"
    assert told.published_at and told.published_at.startswith("2026-11-20T")
    document = ask(stage.world(), name, "comments", **values)
    comments = reading.comments(connectors()[name], document)
    assert [one.text for one in comments] == ["评论2", "评论1", "评论0"]


def test_a_note_that_is_gone_is_nothing_and_no_failure(stage: TravelStage) -> None:
    """The tool says so in words, with a bad exit status."""
    gone = ask(stage.world(), "xhs-skills", "read", id="abc", token="x")
    assert gone is None
    assert reading.detail(connectors()["xhs-skills"], gone) is None


@pytest.mark.parametrize("name", ["ht-ai", "mttravel"])
def test_the_assistants_are_told_a_city_and_give_lines(
    stage: TravelStage, name: str
) -> None:
    """Links stand as addresses, and a stray end tag is no text."""
    said = "庐山门票￥1XX起 [订票](https://example.com/t)\n\n婺源住宿</answer>"
    stage.play(name, answers={"攻略": said})
    document = ask(stage.world(), name, "answer", city="九江", query="庐山 攻略")
    text = reading.answer(connectors()[name], document)
    assert text.split("\n") == [
        "庐山门票￥1XX起 订票 https://example.com/t",
        "婺源住宿",
    ]
    empty = ask(stage.world(), name, "answer", city="九江", query="别的")
    assert reading.answer(connectors()[name], empty) == ""


def test_a_tool_gets_little_of_the_environment(stage: TravelStage) -> None:
    """Its own token, the few variables that programs need, and no key of others."""
    world = stage.world(MEITUAN_HT_TOKEN="mt-secret", XAI_API_KEY="xai-secret")
    ask(world, "ht-ai", "answer", city="九江", query="庐山")
    ask(world, "xhs", "search", query="庐山")
    by_tool = {one["tool"]: one["env"] for one in stage.calls}
    assert by_tool["ht-ai"]["MEITUAN_HT_TOKEN"] == "mt-secret"
    assert "MEITUAN_HT_TOKEN" not in by_tool["xhs"]
    assert not any("xai-secret" in env.values() for env in by_tool.values())


@pytest.mark.parametrize(
    "query", ["--help", "$(touch x)", "{token}", "; rm -rf /", "-x"]
)
@pytest.mark.parametrize("name", ["xhs", "xhs-skills"])
def test_a_query_is_one_argument_whatever_it_holds(
    stage: TravelStage, name: str, query: str
) -> None:
    """No shell, no option and no blank of a template sees it."""
    ask(stage.world(), name, "search", query=query)
    (seen,) = stage.calls
    assert any(part in (query, f"--keyword={query}") for part in seen["argv"])


_CAPTCHA = {"ok": False, "error": {"code": "verification_required", "message": "x"}}
_FAILURES: dict[str, tuple[dict[str, Any], State]] = {
    "captcha-on-stdout": ({"stdout": _CAPTCHA}, State.RATE_LIMITED),
    "captcha-with-exit-0": ({"stdout": _CAPTCHA, "status": 0}, State.RATE_LIMITED),
    "461-on-stderr": ({"stderr": "Captcha triggered: 461"}, State.RATE_LIMITED),
    "471-on-stderr": ({"stderr": "HTTP 471"}, State.RATE_LIMITED),
    "too-often": ({"stdout": {"ok": False, "error": {"code": "api_error", "message": "访问频次异常"}}}, State.RATE_LIMITED),
    "300013": ({"stdout": {"ok": False, "error": {"code": "300013", "message": ""}}}, State.RATE_LIMITED),
    "block": ({"stdout": {"ok": False, "error": {"code": "ip_blocked", "message": "300012"}}}, State.BLOCKED),
    "logged-out": ({"stdout": {"ok": False, "error": {"code": "not_authenticated", "message": ""}}}, State.AUTH_FAILED),
    "yaml": ({"stdout": "ok: false\nerror:\n  code: not_authenticated\n"}, State.AUTH_FAILED),
    "yaml-success": ({"stdout": "ok: true\ndata:\n  items: []\n", "status": 0}, State.BAD_RESPONSE),
    "no-items": ({"stdout": {"ok": True, "data": {}}, "status": 0}, State.BAD_RESPONSE),
    "other-error": ({"stdout": {"ok": False, "error": {"code": "signature_error", "message": "x"}}}, State.BAD_RESPONSE),
    "connection": ({"stderr": "Connection refused"}, State.UNREACHABLE),
    "silent": ({"status": 1}, State.BAD_RESPONSE),
    "nothing": ({"status": 0}, State.BAD_RESPONSE),
    "number": ({"stdout": "42", "status": 0}, State.BAD_RESPONSE),
    "cut": ({"stdout": '{"ok": true, "data": {"items": [{"id": "1"', "status": 0}, State.BAD_RESPONSE),
    "20-megabytes": ({"junk": 20, "status": 0}, State.BAD_RESPONSE),
    "invalid-utf-8": ({"junk": "bytes", "status": 0}, State.BAD_RESPONSE),
    "killed": ({"stderr": "Killed", "status": 137}, State.BAD_RESPONSE),
}  # fmt: skip


@pytest.mark.parametrize(("how", "state"), _FAILURES.values(), ids=_FAILURES)
def test_every_failure_has_its_state(
    stage: TravelStage, how: dict[str, Any], state: State
) -> None:
    """By what the tool says, wherever it says it."""
    stage.fail("xhs", "search", **how)
    connector = connectors()["xhs"]
    with pytest.raises(SourceError) as caught:
        reading.notes(
            connector, ask(stage.world(), "xhs", "search", query="庐山"), "庐山", AT
        )
    assert caught.value.state is state, caught.value.detail
    assert len(caught.value.detail) < 400


@pytest.mark.parametrize(
    ("error", "state"),
    [
        ("没有捕获到 feeds 数据", State.BAD_RESPONSE),
        ("触发了小红书验证", State.RATE_LIMITED),
        ("请求太频繁", State.RATE_LIMITED),
        ("未登录，请先扫码登录", State.RATE_LIMITED),
        ("未登录", State.AUTH_FAILED),
        ("无法连接到 Chrome", State.UNREACHABLE),
    ],
)
def test_the_browser_skill_tells_failures_in_chinese(
    stage: TravelStage, error: str, state: State
) -> None:
    """A page that did not load is no empty answer; a code to scan is a challenge."""
    told = {"success": False, "error": error}
    stage.fail("xhs-skills", "search", stdout=told, status=2)
    with pytest.raises(SourceError) as caught:
        ask(stage.world(), "xhs-skills", "search", query="庐山")
    assert caught.value.state is state


def test_a_tool_that_is_out_says_so_without_an_error_text(stage: TravelStage) -> None:
    """Its document has a field for it alone."""
    told = {"logged_in": False, "login_method": "qrcode", "hint": "run it"}
    stage.fail("xhs-skills", "search", stdout=told)
    with pytest.raises(SourceError) as caught:
        ask(stage.world(), "xhs-skills", "search", query="庐山")
    assert caught.value.state is State.AUTH_FAILED


@pytest.mark.parametrize(
    ("told", "status", "state"),
    [
        ({"code": 401, "msg": "token 无效", "data": None}, 0, State.AUTH_FAILED),
        ({"code": 500, "msg": "请求频繁"}, 0, State.RATE_LIMITED),
        ({"code": 500, "msg": "内部错误"}, 0, State.BAD_RESPONSE),
        ({"code": False, "msg": "x", "data": "y"}, 0, State.BAD_RESPONSE),
        ({"code": 0, "data": {"odd": 1}}, 0, State.BAD_RESPONSE),
    ],
    ids=["token", "limit", "error", "false-is-no-0", "no-text"],
)
def test_meituan_tells_failures_with_a_good_exit_status(
    stage: TravelStage, told: dict[str, Any], status: int, state: State
) -> None:
    """Its code decides."""
    stage.fail("mttravel", "answer", stdout=told, status=status)
    connector = connectors()["mttravel"]
    with pytest.raises(SourceError) as caught:
        reading.answer(
            connector, ask(stage.world(), "mttravel", "answer", city="九江", query="x")
        )
    assert caught.value.state is state


def test_an_error_on_standard_error_alone_is_understood(stage: TravelStage) -> None:
    """As ht-ai writes it."""
    told = json.dumps(
        {"status": "error", "error": {"code": "AUTH", "message": "token"}}
    )
    stage.fail("ht-ai", "answer", stderr=told, status=3)
    with pytest.raises(SourceError) as caught:
        ask(stage.world(), "ht-ai", "answer", city="九江", query="x")
    assert caught.value.state is State.AUTH_FAILED


def test_the_last_document_decides_whatever_the_exit_status(stage: TravelStage) -> None:
    """Lines before and after it are chatter, and so is an earlier document."""
    good = {"ok": True, "data": {"items": []}}
    noise = f'[INFO] start\n{{"ok": false, "error": "461"}}\n{json.dumps(good)}\nbye'
    stage.fail("xhs", "search", stdout=noise, stderr="461 captcha", status=1)
    assert ask(stage.world(), "xhs", "search", query="庐山") == good


def test_a_tool_that_hangs_is_ended_and_what_it_said_is_taken(
    stage: TravelStage,
) -> None:
    """With an answer on standard output it has answered; without one it is late."""
    stage.fail("xhs", "search", stdout={"ok": True, "data": {"items": []}}, sleep=30)
    world = stage.world(seconds=2.5)
    assert ask(world, "xhs", "search", query="庐山")["ok"] is True
    stage.fail("xhs", "search", stdout='{"ok": tr', sleep=30)
    with pytest.raises(SourceError) as caught:
        ask(stage.world(seconds=2.5), "xhs", "search", query="庐山")
    assert caught.value.state is State.TIMEOUT


def test_a_tool_that_is_not_there_is_not_set_up(tmp_path: Path) -> None:
    """And says how it would be."""
    world = TravelStage(tmp_path).world()
    for name, record in connectors().items():
        assert missing(record, world.io.settings), name
        if record.calls and not record.http:
            with pytest.raises(SourceError) as caught:
                ask(world, name, next(iter(record.calls)), query="x")
            assert caught.value.state is State.SKIPPED_UNCONFIGURED


def test_a_setting_replaces_a_command(stage: TravelStage) -> None:
    """A command line, of which the first word is looked up."""
    world = stage.world(LAST30DAYS_XHS_COMMAND=f"'{stage.bin}/xhs' --odd 1")
    ask(world, "xhs", "search", query="庐山")
    assert stage.calls[0]["argv"][:2] == ["--odd", "1"]


def test_the_server_of_the_browser_is_asked_over_http(server: Server) -> None:
    """Its third shape is read, and its failures are final: nothing is asked again."""
    feed = {"id": "65f0aa", "xsecToken": "t", "modelType": "note"}
    feed["noteCard"] = {  # type: ignore[assignment]
        "displayTitle": "庐山",
        "interactInfo": {"likedCount": "1.7万", "commentCount": "96"},
    }
    body = {"success": True, "message": "ok", "data": {"count": 1, "feeds": [feed]}}
    server.route("/api/v1/feeds/search", answer_json(body))
    world = World(
        {
            "LAST30DAYS_XHS_MCP_URL": server.url,
            "LAST30DAYS_XHS_MCP_TOKEN": "mcp-secret-1",
        }
    )
    connector = connectors()["xhs-mcp"]
    assert missing(connector, world.io.settings) == ""
    found = reading.notes(
        connector, ask(world, "xhs-mcp", "search", query="庐山"), "", AT
    )
    assert (found[0].title, found[0].likes) == ("庐山", 17_000)
    assert server.requests[0].json["keyword"] == "庐山"
    assert server.requests[0].headers["authorization"] == "Bearer mcp-secret-1"


@pytest.mark.parametrize(
    ("code", "body", "state"),
    [
        (500, {"error": "失败", "code": "SEARCH_FEEDS_FAILED", "details": "触发验证"}, State.RATE_LIMITED),
        (500, {"error": "失败", "code": "SEARCH_FEEDS_FAILED", "details": "panic"}, State.BAD_RESPONSE),
        (401, {"error": "unauthorized"}, State.AUTH_FAILED),
        (503, {"error": "busy"}, State.BAD_RESPONSE),
        (200, {"success": False, "error": "未登录"}, State.AUTH_FAILED),
    ],
    ids=["challenge", "other", "token", "busy", "in-a-success"],
)  # fmt: skip
def test_a_failure_of_the_server_is_asked_once(
    server: Server, code: int, body: dict[str, Any], state: State
) -> None:
    """Each time would cost requests that nobody counts."""
    server.route("/", answer_json(body, code))
    world = World({"LAST30DAYS_XHS_MCP_URL": server.url})
    with pytest.raises(SourceError) as caught:
        ask(world, "xhs-mcp", "search", query="庐山")
    assert caught.value.state is state
    assert len(server.requests) == 1


def test_a_page_instead_of_data_is_a_block(server: Server) -> None:
    """As with every service."""
    server.route("/", login_page()(answer_json({})))
    world = World({"LAST30DAYS_XHS_MCP_URL": server.url})
    with pytest.raises(SourceError) as caught:
        ask(world, "xhs-mcp", "search", query="庐山")
    assert caught.value.state is State.BLOCKED


def test_places_are_read_with_and_without_coordinates(stage: TravelStage) -> None:
    """What is no coordinate is none; facts are cut to plain values."""
    stage.play(
        "flyai",
        places=[
            {
                "name": "庐山",
                "latitude": "29.55",
                "longitude": 115.99,
                "freePoi": False,
            },
            {"name": "婺源", "lat": 999, "lon": "x", "pic": {"deep": 1}},
            {"name": ""},
            "no place",
        ],
    )
    document = ask(stage.world(), "flyai", "places", city="九江")
    found = reading.places(connectors()["flyai"], document)
    assert [(one.name, one.lat, one.lon) for one in found] == [
        ("庐山", 29.55, 115.99),
        ("婺源", None, None),
    ]
    assert found[0].data["freePoi"] is False and "pic" not in found[1].data


def test_numbers_beyond_all_measure_are_no_facts() -> None:
    """JSON has integers that no float can hold, and some writers infinity."""
    odd = {"id": 2**62, "huge": 10**400, "deep": -(10**400), "far": float("inf")}
    place = {"name": "庐山", "latitude": 10**400, "longitude": 1, **odd}
    document = {"data": {"itemList": [{**place, "none": float("nan")}]}}
    (found,) = reading.places(connectors()["flyai"], document)
    assert (found.lat, found.lon) == (None, None)
    assert dict(found.data) == {"name": "庐山", "longitude": 1, "id": 2**62}


def test_an_odd_list_of_notes_is_a_bad_answer_and_never_an_empty_one() -> None:
    """Ids that could break an address are no ids."""
    connector = connectors()["xhs"]
    items = [{"id": "../../x", "note_card": {"display_title": "庐山"}}, {"id": "1"}, 7]
    with pytest.raises(BadResponseError, match="cannot be read"):
        reading.notes(connector, {"data": {"items": items}}, "q", AT)
    suggestions = [{"id": "1", "model_type": "rec_query"}]
    assert reading.notes(connector, {"data": {"items": suggestions}}, "q", AT) == []


@pytest.mark.parametrize(
    ("shown", "count"),
    [
        ("12", 12), ("1.2万", 12_000), ("10万+", 100_000), ("1,234", 1_234), ("3k", 3_000),
        ("１２", 12), ("赞", 0), ("收藏", 0), ("评论", 0), ("", 0), (" 7 ", 7), (5, 5),
        (1.0, 1), (None, None), (-1, None), (True, None), ("很多", None), ([], None),
        ("9" * 40, None), (float("nan"), None), (float("inf"), None), ("1.2.3", None),
    ],
)  # fmt: skip
def test_counts_are_read_as_an_app_shows_them(shown: object, count: int | None) -> None:
    """Unknown is no number; the name of a counter is its zero."""
    assert lenient_count(shown) == count


def test_a_blank_is_filled_once() -> None:
    """What a value holds is text."""
    values = {"query": "{token} {id}", "token": "secret", "id": "1"}
    assert filled(["a {query}", {"b": "{id}", "c": 3}], values) == [
        "a {token} {id}",
        {"b": "1", "c": 3},
    ]


@pytest.mark.parametrize("name", [name for name in connectors() if name != HOST])
def test_every_record_is_whole(name: str) -> None:
    """It can be called, costs something, and what it gives can be read."""
    record = connectors()[name]
    assert bool(record.http) != (record.command is not None)
    assert record.calls and record.seconds > 0
    assert record.error and (record.succeeded or record.failed)
    reads = {"search": "notes", "read": "detail", "all-comments": "comments"}
    for what, one in record.calls.items():
        assert 1 <= one.usual <= one.most and one.keep_days > 0
        assert reads.get(what, what) in record.read
        assert one.arguments or one.path
