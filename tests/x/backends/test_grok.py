"""The grok backend as a whole, with a real executable that plays the tool."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from engine.errors import (
    AuthError,
    BlockedError,
    NotConfiguredError,
)
from engine.model import Item
from engine.settings import Settings
from engine.text.relevance import prepare
from engine.text.topic import parse_topic
from engine.x.backends import BACKENDS, grok
from engine.x.backends.archive.index import open_archive
from engine.x.backends.base import IO
from engine.x.calls import Calls
from engine.x.query import Query
from engine.x.stream import Request, run
from fakes.grokstage import (
    NOW,
    POSTS,
    ROMAN,
    WINDOW,
    Stage,
)


def _remove(path: Path) -> None:
    path.unlink()


@pytest.mark.parametrize(
    ("spoil", "told"),
    [
        pytest.param(
            lambda s: _remove(s.bin / "grok"), "install the grok tool", id="tool"
        ),
        pytest.param(lambda s: _remove(s.login), "sign in", id="login"),
        pytest.param(lambda s: s.login.write_text("{}"), "sign in", id="empty-login"),
        pytest.param(
            lambda s: s.login.write_text("{"), "cannot be read", id="broken-login"
        ),
    ],
)
def test_what_is_missing_is_told(
    stage: Stage, spoil: Callable[[Stage], object], told: str
) -> None:
    """In words that say what to do, and no process is started."""
    assert grok.missing(stage.io()) == ""
    stage.login_is_spoilt = True
    spoil(stage)
    assert told in grok.missing(stage.io())
    assert "grok login" in grok.missing(stage.io())
    with pytest.raises(NotConfiguredError) as caught:
        stage.search()
    assert told in caught.value.fix
    assert stage.calls == []


def test_an_expired_login_is_tried(stage: Stage) -> None:
    """The tool may know better; it is the service that refuses."""
    stage.login_is_spoilt = True
    stage.login.write_text('{"i": {"key": "k-1234", "expires_at": "2026-11-01"}}')
    assert grok.login_state(Settings(stage.values, NOW)) == "expired"
    assert grok.missing(stage.io()) == ""


@pytest.mark.parametrize("shape", ["array", "fence", "object", "lines", "blocks"])
def test_posts_come_back_in_every_shape(stage: Stage, shape: str) -> None:
    """Id, handle, text, counts, links and time are those of the posts."""
    stage.play(shape=shape)
    items = stage.search()
    assert sorted(item.id for item in items) == ROMAN
    found = {item.id: item for item in items}
    for one in POSTS[:4]:
        item = found[one["id"]]
        assert (item.text, item.author_handle) == (one["text"], one["author_handle"])
        assert item.engagement == {"likes": one["likes"]}
        assert item.created_at == datetime.fromisoformat(one["created_at"])
        assert item.url == f"https://x.com/{item.author_handle}/status/{item.id}"
        assert item.urls == tuple(one.get("urls", ()))
        assert item.in_reply_to == one.get("in_reply_to", "")
    assert (stage.warnings, stage.dropped) == ([], [])


def test_an_empty_answer_is_an_answer(stage: Stage) -> None:
    """One call, no error, nothing found."""
    assert stage.search(Query(WINDOW, terms=("zanzibar",))) == []
    assert len(stage.calls) == 1


@pytest.mark.parametrize(
    ("play", "scenario"),
    [
        pytest.param("fail", {"message": "Not signed in"}, id="object"),
        pytest.param("write", {"stderr": "Not signed in", "status": 1}, id="stderr"),
        pytest.param("write", {"stdout": "Not signed in", "status": 1}, id="stdout"),
        pytest.param("say", {"text": "Not signed in.", "turns": 1}, id="prose"),
    ],
)
def test_a_refused_login_ends_after_one_call(
    stage: Stage, play: str, scenario: dict[str, object]
) -> None:
    """It is not tried again."""
    stage.play(play, **scenario)
    with pytest.raises(AuthError, match="not signed in"):
        stage.search()
    assert len(stage.calls) == 1


def test_a_sandbox_without_network_is_blocked(stage: Stage) -> None:
    """What the host forbids is not the service's fault."""
    stage.values["CODEX_SANDBOX_NETWORK_DISABLED"] = "1"
    stage.play("fail", message="dns error")
    with pytest.raises(BlockedError, match="sandbox"):
        stage.search()


def test_a_live_run_gives_what_the_posts_on_disk_give(stage: Stage) -> None:
    """The whole loop over the same posts, where no call reaches its limit."""
    stage.play(shape="fence")
    archive = open_archive([stage.bin / "posts.jsonl"], stage.warnings.append)
    request = Request(
        parse_topic("Rome"), prepare("Rome"), WINDOW, explicit=("walker3",)
    )

    def found(name: str) -> list[Item]:
        io = stage.io(120)
        io = IO(io.settings, io.deadline, io.fetch, io.warn, io.drop, archive=archive)
        stream = run(request, Calls(BACKENDS[name], io, WINDOW))
        assert stream.calls.errors == []
        return stream.items

    live, disk = found("grok"), found("archive")
    assert [_bare(item) for item in live] == [_bare(item) for item in disk]
    assert {item.id for item in live} == set(ROMAN)
    assert {item.backend for item in live} == {"grok"}


def _bare(item: Item) -> tuple[object, ...]:
    return (
        *(item.id, item.text, item.url, item.author_handle, item.author_name),
        *(item.created_at, dict(item.engagement), item.in_reply_to, item.urls),
        *(item.lane, item.relevance, item.score),
    )


def test_accounts_are_asked_without_the_topic(stage: Stage) -> None:
    """People do not write their own name; with and_topic the topic is asked for too."""
    days = ("2026-11-01", "2026-11-30")
    found = grok.search_handles(["@walker5"], "Rome", *days, io=stage.io())
    assert [item.text for item in found] == ["Paris in the rain"]
    assert (
        grok.search_handles(["walker5"], "Rome", *days, and_topic=True, io=stage.io())
        == []
    )
    with_topic = grok.search_handles(
        ["walker2"], "Rome", *days, and_topic=True, io=stage.io()
    )
    assert [item.author_handle for item in with_topic] == ["walker2"]


def test_a_name_is_asked_as_a_phrase(stage: Stage) -> None:
    """With a floor of likes, and without the subject's own posts."""
    days = ("2026-11-01", "2026-11-30")
    found = grok.search_name("Best pasta", *days, io=stage.io())
    assert [item.id for item in found] == [ROMAN[2]]
    assert (
        grok.search_name("Best pasta", *days, exclude=["@walker3"], io=stage.io()) == []
    )
