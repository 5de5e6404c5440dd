"""GitHub against a service that plays it over a table of issues and repositories."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import date, datetime, timezone
from functools import partial
from math import log
from pathlib import Path
from typing import Any

import pytest

from engine.contracts import check
from engine.errors import SourceError
from engine.model import Item, State
from engine.rank.engagement import engagement_score
from engine.settings import KNOWN
from engine.sources import SOURCES, github
from engine.together import together
from engine.window import Window
from fakes.asking import World, question
from fakes.github import RESET, TOKEN, GitHub, limited, repository, thread
from fakes.server import Answer, Failure, Server, cut, drop, empty, page, slow, status

INSIDE = "updated:2026-11-01..2026-11-30"
PUSHED = "pushed:2026-11-01..2026-11-30"


@pytest.fixture
def service(server: Server) -> GitHub:
    """An issue, a pull request and a repository on the subject."""
    return GitHub(
        server,
        [thread(1, "Foo crashes"), thread(2, "Mend Foo", pull=True), thread(3, "Bar")],
        [repository("o/foo"), repository("p/bar")],
    )


@pytest.fixture
def world(server: Server) -> World:
    """A run that reaches the service, without a token and without the gh tool."""
    return World({"LAST30DAYS_GITHUB_URL": server.url})


def found(world: World, query: str = "Foo", **hints: Any) -> list[Item]:
    return github.search(question(query, **hints), world.io)


def only(service: GitHub, world: World, **more: Any) -> Item:
    """How an issue is read."""
    service.threads, service.repositories = [thread(1, "Foo", **more)], []
    (item,) = found(world)
    return item


def failure_of(world: World) -> SourceError:
    with pytest.raises(SourceError) as caught:
        found(world)
    return caught.value


def with_token(world: World, token: str = TOKEN, name: str = "GITHUB_TOKEN") -> World:
    return World({**world.values, name: token})


def score(**counts: int) -> float:
    info = github.INFO
    known = engagement_score(counts, info.weights, info.reference, info.units)
    assert known is not None
    return known


def test_it_stands_in_the_registry() -> None:
    """By its own name, with tokens that are secrets and that it can do without."""
    assert SOURCES["github"] is github
    assert github.INFO.asked_with == "search_query"
    assert github.missing(World({}).io) == ""
    secrets = {setting.name for setting in KNOWN if setting.secret}
    assert set(github.INFO.credentials) <= secrets


def test_two_hundred_reactions_and_comments_are_very_high() -> None:
    """100 · (0.55 ln(1 + reactions) + 0.45 ln(1 + comments)) / 5.3, about ln 200."""
    raw = 0.55 * log(1 + 7) + 0.45 * log(1 + 4)
    assert score(reactions=7, comments=4) == pytest.approx(100 * raw / 5.3)
    assert round(score(reactions=200, comments=200)) == 100


def test_ten_stars_are_one_reaction() -> None:
    """A repository of 2,000 stars stands beside 200 reactions without a comment."""
    assert score(stars=2_000) == pytest.approx(100 * 0.55 * log(1 + 200) / 5.3)
    assert score(stars=2_000) == score(reactions=200)


def test_issues_pull_requests_and_repositories_are_searched_apart(
    service: GitHub, world: World
) -> None:
    """One after the other, each inside the window."""
    items = found(world)
    assert [item.id for item in items] == ["o/foo#1", "o/foo", "o/foo#2"]
    assert service.queries == [
        f"Foo is:issue {INSIDE}",
        f"Foo {PUSHED}",
        f"Foo is:pull-request {INSIDE}",
    ]
    stars = service.server.requests[1].params
    assert (stars["sort"], stars["order"], stars["per_page"]) == ("stars", "desc", "25")
    assert "sort" not in service.server.requests[0].params


def test_an_older_window_is_searched_by_what_was_opened_in_it(
    service: GitHub, world: World
) -> None:
    """What happened since then hides what was active at that time."""
    window = Window(date(2026, 9, 1), date(2026, 9, 30))
    opened = "2026-09-04T00:00:00Z"
    service.threads = [thread(1, "Foo", created_at=opened)]
    (item,) = github.search(replace(question("Foo"), window=window), world.io)
    assert item.created_at == datetime(2026, 9, 4, tzinfo=timezone.utc)
    assert service.queries[0] == "Foo is:issue created:2026-09-01..2026-09-30"


@pytest.mark.parametrize(
    ("query", "sent"),
    [
        ("is:issue author:bob", "is issue author bob"),
        ('"Claude Code" -free (x)', "Claude Code free x"),
        ("this OR that AND NOT those", "this or that and not those"),
        ("#4 @ann C++ gpt-5 node.js", "4 ann C++ gpt-5 node.js"),
        ("stars:>50", "stars 50"),
        ("大模型 评测", "大模型 评测"),
        ("word " * 80, " ".join(["word"] * 51)),
        ("x" * 300 + " foo", "foo"),
    ],
)
def test_words_are_never_qualifiers(
    service: GitHub, world: World, query: str, sent: str
) -> None:
    """And they stay inside what a query may hold."""
    found(world, query)
    words, _, rest = service.queries[0].partition(" is:issue ")
    assert (words, rest) == (sent, INSIDE)
    assert len(words) <= 256


def test_an_issue_is_an_item(service: GitHub, world: World) -> None:
    """Plain text, the repository as container, only the counts that are known."""
    item = only(
        service,
        world,
        title=" Foo 2\n crashes ",
        body="<!-- Tell us -->\n### What\n\nSee [this](https://example.com/a) &amp; that"
        "\n![x](https://github.com/user-attachments/y)\n_No response_",
        reactions=None,
    )
    assert item.id == "o/foo#1"
    assert item.url == "https://github.com/o/foo/issues/1"
    assert item.title == "Foo 2 crashes"
    assert item.text == "What\nSee this & that\nx"
    assert item.author_handle == "ann"
    assert item.container == "o/foo"
    assert item.created_at == datetime(2026, 11, 20, 10, tzinfo=timezone.utc)
    assert item.engagement == {"comments": 4}
    assert item.urls == ("https://example.com/a",)


def test_a_repository_is_an_item(service: GitHub, world: World) -> None:
    """Its stars count; an old one that is worked on says since when it exists."""
    service.threads = []
    service.repositories = [
        repository("o/foo", topics=["cli", "ai"]),
        repository("o/foo-old", pushed_at="2026-10-01T00:00:00Z"),
        repository("o/foo-new", created_at="2026-11-02T00:00:00Z", description=None,
                   stargazers_count=-5),
    ]  # fmt: skip
    old, new = found(world)
    assert old.title == old.id == old.container == "o/foo"
    assert old.text == "Opened 2024-01-01. A o/foo\nTopics: cli, ai"
    assert old.engagement == {"stars": 900, "forks": 12}
    assert old.created_at == datetime(2026, 11, 20, tzinfo=timezone.utc)
    assert (new.text, new.engagement) == ("", {"forks": 12})
    assert new.created_at == datetime(2026, 11, 2, tzinfo=timezone.utc)


def test_an_old_issue_that_is_active_again_says_since_when(
    service: GitHub, world: World
) -> None:
    """Its date is that of the last activity."""
    item = only(service, world, created_at="2024-02-03T00:00:00Z", body="It does.")
    assert item.text == "Opened 2024-02-03. It does."
    assert item.created_at == datetime(2026, 11, 21, 10, tzinfo=timezone.utc)


def test_what_bots_open_is_left_out(service: GitHub, world: World) -> None:
    """Nobody said it; a deleted account did."""
    service.threads = [
        thread(1, "Foo: bump x", user={"login": "dependabot[bot]", "type": "Bot"}),
        thread(4, "Foo: bump y", user={"login": "y", "type": "Bot"}),
        thread(5, "Foo: help", user=None),
    ]
    service.repositories = []
    (item,) = found(world)
    assert (item.id, item.author_handle) == ("o/foo#5", "")


@pytest.mark.parametrize(
    "odd",
    [
        {"html_url": "https://evil.example/o/foo/issues/1"},
        {"html_url": "https://github.com/o/foo/issues/1?x=y"},
        {"html_url": None},
        {"title": None},
        {"title": "  "},
    ],
)
def test_what_is_no_issue_is_left_out(
    service: GitHub, world: World, odd: dict[str, Any]
) -> None:
    """Others beside it are kept."""
    service.threads = [thread(7, "Foo", body="Foo", **odd), thread(8, "Foo")]
    service.repositories = []
    assert [item.id for item in found(world)] == ["o/foo#8"]


def test_results_that_cannot_be_read_are_no_silence(
    service: GitHub, world: World, server: Server
) -> None:
    """An answer of which nothing is left for its form is a bad one."""
    server.fail(status(200, {"total_count": 2, "items": [None, {"id": 7}]}))
    assert failure_of(world).state is State.BAD_RESPONSE


def test_what_lies_outside_the_window_is_left_out(
    service: GitHub, world: World, server: Server
) -> None:
    """Even if the service gives it."""
    late = thread(1, "Foo", created_at="2026-12-01T00:00:00Z")
    early = thread(2, "Foo", created_at="2026-10-31T23:59:59Z", updated_at=None)
    edge = thread(3, "Foo", created_at="2026-11-01T00:00:00Z")
    server.fail(status(200, {"items": [late, early, edge]}), times=1)
    service.threads, service.repositories = [], []
    assert [item.id for item in found(world)] == ["o/foo#3"]


def test_hostile_text_is_harmless(service: GitHub, world: World) -> None:
    """Half characters vanish, the rest stays for the envelope to clean."""
    service.server.fail(
        lambda sent: replace(sent, body=sent.body.replace(b"HALF", rb"\ud800"))
    )
    item = only(service, world, body="HALF# <script>x</script>\u202e" + "<!--" * 9_000)
    item.text.encode()
    assert "<!--" not in item.text


def test_a_user_is_searched_for_without_the_topic(
    service: GitHub, world: World
) -> None:
    """What somebody writes need not name what it is about; each search once a run."""
    service.threads.append(thread(9, "Gnat", user={"login": "bob"}))
    service.repositories.append(repository("bob/gnat"))
    items = found(world, github_user="@bob")
    found(world, "Foo 2", github_user="@bob")
    assert {"o/foo#9", "bob/gnat"} < {item.id for item in items}
    named = [query for query in service.queries if "bob" in query]
    assert named == [
        f"author:bob is:issue {INSIDE}",
        f"author:bob is:pull-request {INSIDE}",
        f"user:bob {PUSHED}",
    ]


def test_repositories_are_searched_for_the_rest_of_the_topic(
    service: GitHub, world: World
) -> None:
    """An issue of o/foo need not say that it is about foo."""
    service.threads.append(thread(9, "Skills fail"))
    hints = {"github_repos": ("o/foo", "o/foo", "no repository", "../..")}
    items = found(world, "Foo skills", **hints)
    assert [item.id for item in items] == ["o/foo#9"]
    assert service.queries[1:3] == [
        f"skills repo:o/foo is:issue {INSIDE}",
        f"skills repo:o/foo is:pull-request {INSIDE}",
    ]
    assert world.tiers == {"named": "error"}
    assert "'no repository' is no owner/name" in world.warnings[0].message


def test_a_repository_that_is_the_topic_gives_its_hottest_issues(
    service: GitHub, world: World
) -> None:
    """Without a word to look for, reactions say what matters."""
    found(world, github_repos=("o/foo",))
    asked = service.server.requests[1].params
    assert (asked["q"], asked["sort"]) == (f"repo:o/foo is:issue {INSIDE}", "reactions")


def test_a_repository_that_nobody_can_see_is_told(
    service: GitHub, world: World
) -> None:
    """It is nothing to find, and the user may have mistyped it."""
    items = found(world, github_repos=("o/gone",))
    assert len(items) == 3
    assert world.tiers == {
        "issues of o/gone": "bad-response",
        "pull requests of o/gone": "bad-response",
    }


@pytest.mark.parametrize("name", ["GITHUB_TOKEN", "GH_TOKEN"])
def test_a_token_is_sent(service: GitHub, world: World, name: str) -> None:
    """By either name, in the header alone."""
    found(with_token(world, name=name))
    assert set(service.tokens) == {f"Bearer {TOKEN}"}
    assert all(TOKEN not in str(asked.params) for asked in service.server.requests)


def test_without_a_token_the_run_stays_far_below_the_limit(
    service: GitHub, world: World
) -> None:
    """Eight searches of the ten a minute; what was not asked is told with the fix."""
    for i in range(3):
        found(world, f"Foo {i}")
    assert len(service.queries) == 8
    assert world.tiers == {"pull requests": "rate-limited"}
    (warning,) = world.warnings
    assert "set GITHUB_TOKEN" in warning.message
    names = ("code", "source", "message", "data")
    record = {name: getattr(warning, name) for name in names}
    check(record, "warning", name="warning")
    error = failure_of(world)
    assert error.state is State.RATE_LIMITED
    assert "set GITHUB_TOKEN" in error.fix
    assert len(service.queries) == 8


def test_with_a_token_the_run_may_ask_more(service: GitHub, world: World) -> None:
    """Twenty-four searches of the thirty a minute."""
    world = with_token(world)
    for i in range(8):
        found(world, f"Foo {i}")
    assert len(service.queries) == github.INFO.requests == 24
    assert world.warnings == []
    assert failure_of(world).fix == ""


def test_a_token_that_is_refused_is_left_out(service: GitHub, world: World) -> None:
    """Once more without it, and never again with it; the user is told once."""
    world = with_token(world, "ghp_old_0000000000")
    assert len(found(world)) == 3
    assert service.tokens == ["Bearer ghp_old_0000000000", "", "", ""]
    assert world.tiers == {"token": "auth-failed"}
    assert "ghp_old" not in repr(world.warnings)


def test_a_token_that_no_header_can_hold_is_refused_here(
    service: GitHub, world: World
) -> None:
    """A key that was copied with an invisible character."""
    error = failure_of(with_token(world, "ghp_\u200b0000000"))
    assert error.state is State.AUTH_FAILED
    assert service.queries == []


def _gh(folder: Path, script: str) -> str:
    """A folder for PATH that holds a gh tool."""
    tool = folder / "gh"
    tool.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    tool.chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


@pytest.mark.skipif(os.name != "posix", reason="the fake is a script")
def test_the_login_of_the_gh_tool_is_borrowed_once(
    service: GitHub, world: World, tmp_path: Path
) -> None:
    """The tool sees where its login is and no secret of this program."""
    log_file = tmp_path / "log"
    path = _gh(tmp_path, f'echo "$@" >>{log_file}; env >>{log_file}; echo {TOKEN}')
    world = World({**world.values, "PATH": path, "XAI_API_KEY": "xai-secret-1",
                   "HOME": str(tmp_path)})  # fmt: skip
    found(world)
    found(world, "Foo 2")
    assert set(service.tokens) == {f"Bearer {TOKEN}"}
    said = log_file.read_text(encoding="utf-8")
    assert said.count("auth token --hostname github.com") == 1
    assert f"HOME={tmp_path}" in said
    assert "xai-secret" not in said


@pytest.mark.skipif(os.name != "posix", reason="the fake is a script")
@pytest.mark.parametrize(
    "script",
    [
        "echo 'no oauth token found for github.com' >&2; exit 1",
        f"echo {TOKEN}; exit 1",
        "echo not a token",
        "exit 0",
    ],
    ids=["signed-out", "failed", "prose", "nothing"],
)
def test_a_gh_tool_without_a_login_is_no_error(
    service: GitHub, world: World, tmp_path: Path, script: str
) -> None:
    """The search goes on without a token."""
    world = World({**world.values, "PATH": _gh(tmp_path, script)})
    assert len(found(world)) == 3
    assert set(service.tokens) == {""}
    assert world.warnings == []


def test_a_token_of_the_settings_needs_no_tool(
    service: GitHub, world: World, tmp_path: Path
) -> None:
    """The tool is not even started."""
    path = _gh(tmp_path, f"touch {tmp_path}/started")
    found(World({**world.values, "GITHUB_TOKEN": TOKEN, "PATH": path}))
    assert not (tmp_path / "started").exists()


@pytest.mark.parametrize(
    "answer",
    [
        limited(),
        limited(429),
        limited(secondary=True),
        limited(X_RateLimit_Reset=str(RESET), Date="Mon, 30 Nov 2026 12:00:00 GMT"),
        limited(429, secondary=True, Retry_After="60"),
    ],
    ids=["primary", "primary-429", "secondary", "reset", "wait"],
)
@pytest.mark.parametrize("token", ["", TOKEN], ids=["nobody", "account"])
def test_a_limit_is_told_with_the_fix(
    service: GitHub, world: World, answer: Answer, token: str
) -> None:
    """Nothing more is asked in the run; a token would help whoever has none."""
    service.server.fail(lambda _: answer)
    world = with_token(world, token) if token else world
    error = failure_of(world)
    assert error.state is State.RATE_LIMITED
    assert ("GITHUB_TOKEN" in error.fix) == (not token)
    assert len(service.queries) == 1
    assert failure_of(world).state is State.RATE_LIMITED
    assert len(service.queries) == 1


@pytest.mark.parametrize(
    ("failure", "state"),
    [
        (status(403, {"message": "Request forbidden by administrative rules. Please "
                      "make sure your request has a User-Agent header"}),
         State.BAD_RESPONSE),
        (status(422, {"message": "Validation Failed", "errors": [{"code": "missing"}]}),
         State.BAD_RESPONSE),
        (status(403, {"message": "Resource not accessible by integration"}),
         State.AUTH_FAILED),
        (status(500), State.UNREACHABLE),
        (page(503), State.UNREACHABLE),
        (status(504, Retry_After="900"), State.TIMEOUT),
        (status(200, {"total_count": 1}), State.BAD_RESPONSE),
        (status(200, [1]), State.BAD_RESPONSE),
        (cut(), State.BAD_RESPONSE),
        (empty(), State.BAD_RESPONSE),
        (page(), State.BLOCKED),
        (drop(), State.UNREACHABLE),
    ],
    ids=["agent", "query", "sso", "500", "503", "504", "no-items", "list", "cut",
         "empty", "page", "drop"],
)  # fmt: skip
def test_a_failure_is_told_by_its_kind(
    service: GitHub, world: World, failure: Failure, state: State
) -> None:
    """Never as silence."""
    service.server.fail(failure)
    world = with_token(world)
    assert failure_of(world).state is state


def test_a_refusal_of_both_token_and_nobody_is_one_of_the_token(
    service: GitHub, world: World
) -> None:
    """Whoever has a token can do something about it."""
    service.server.fail(status(401, {"message": "Bad credentials", "status": "401"}))
    error = failure_of(with_token(world))
    assert error.state is State.AUTH_FAILED
    assert "gh auth login" in error.fix
    assert TOKEN not in f"{error} {error.fix}"


def test_no_answer_in_time_is_a_timeout(service: GitHub, server: Server) -> None:
    """The deadline is that of the run."""
    server.fail(slow(30))
    world = World({"LAST30DAYS_GITHUB_URL": server.url}, seconds=0.3)
    assert failure_of(world).state is State.TIMEOUT


def test_what_arrived_before_a_failure_is_kept(service: GitHub, world: World) -> None:
    """The issues are there when the repositories fail, and so are pull requests."""
    service.server.route("/search/repositories", status(500)(Answer()))
    error = failure_of(world)
    assert error.state is State.UNREACHABLE
    assert [item.id for item in error.items] == ["o/foo#1", "o/foo#2"]


def test_a_service_that_is_down_is_not_asked_for_long(
    service: GitHub, world: World
) -> None:
    """Two searches without an answer are enough for a run."""
    service.server.fail(status(500))
    for _ in range(2):
        assert failure_of(world).state is State.UNREACHABLE
    assert len(service.queries) == 2


def test_a_list_that_is_cut_short_is_told(service: GitHub, world: World) -> None:
    """What a slow search found is used."""
    service.incomplete = True
    assert len(found(world)) == 3
    assert set(world.tiers.values()) == {"timeout"}


def test_nothing_found_is_no_failure(service: GitHub, world: World) -> None:
    """Everything answered and there was nothing."""
    assert found(world, "nothing-like-it") == []
    assert world.warnings == []


def test_no_kind_crowds_out_another(service: GitHub, world: World) -> None:
    """Issues, repositories and pull requests come by turns, as many as are wanted."""
    service.threads = [thread(i, "Foo", pull=i % 2 == 0) for i in range(60)]
    service.repositories = [repository(f"o/foo{i}") for i in range(30)]
    items = found(world)
    assert len(items) == 25
    kinds = ["repo" if "#" not in i.id else i.url.split("/")[5] for i in items]
    assert kinds[:6] == ["issues", "repo", "pull"] * 2


def test_asks_side_by_side_share_what_is_known(service: GitHub, world: World) -> None:
    """Five subqueries at once keep to the requests of the run."""
    jobs = [partial(found, world, f"Foo {i}", github_user="bob") for i in range(5)]
    answers = together(jobs, parallel=5, deadline=world.io.deadline)
    assert not any(isinstance(answer, SourceError) for answer in answers)
    assert len(service.queries) == len(set(service.queries)) == 8
