"""YouTube through an executable that plays yt-dlp over a table of videos."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from engine.contracts import check
from engine.errors import NotConfiguredError, RateLimitError, SourceError
from engine.model import Depth, Item, State
from engine.rank.engagement import engagement_score
from engine.sources import SOURCES, youtube
from fakes.asking import NOW, WINDOW, World, question
from fakes.grokstage import is_gone
from fakes.ytstage import Stage, video

SECOND = timedelta(seconds=1)


@pytest.fixture
def stage(tmp_path: Path) -> Stage:
    """The tool over a few videos on one subject."""
    stage = Stage(tmp_path)
    stage.play(
        video(1, "Foo 2 review", said={"en": "I like the foo"}),
        video(2, "Foo 2 unboxing", view_count=None, like_count=None),
        video(3, "Bar and foo", heard={"en-orig": "bar bar", "de": "nein"}),
    )
    return stage


def failed(stderr: str, status: int = 1, **more: Any) -> dict[str, Any]:
    return {"stderr": f"{stderr}\n", "status": status, **more}


def test_it_stands_in_the_registry() -> None:
    """By its own name, asked with the user's own words, needing no key."""
    assert SOURCES["youtube"] is youtube
    assert youtube.INFO.asked_with == "topic"
    assert youtube.INFO.credentials == ()


def test_the_scale_of_engagement() -> None:
    """The figure that users of such a tool know."""
    info = youtube.INFO
    counts = {"views": 133_000, "likes": 8_400}
    found = engagement_score(counts, info.weights, info.reference)
    assert found is not None
    assert round(found) == 73


def test_a_video_is_read_whole(stage: Stage) -> None:
    """With its page, its channel, its exact time and what is said in it."""
    items = stage.search()
    assert [item.id for item in items] == ["video-00003", "video-00001", "video-00002"]
    assert items[1] == Item(
        id="video-00001",
        source="youtube",
        text="All about it, part 1\nTranscript: I like the foo",
        url="https://www.youtube.com/watch?v=video-00001",
        author_handle="channel_1",
        author_name="Channel 1",
        title="Foo 2 review",
        created_at=NOW - timedelta(days=1),
        lang="en",
        engagement={"views": 1000, "likes": 10, "comments": 1},
        container="Channel 1",
    )
    assert items[2].engagement == {"comments": 2}
    assert items[0].text.endswith("Transcript: bar bar")
    assert stage.world.warnings == []


def test_what_the_tool_is_asked(stage: Stage) -> None:
    """One list, details one by one, captions of the best; the query is one argument."""
    stage.search('"foo" -rm; $(x)')
    first, *others = stage.calls
    assert first["targets"] == ["ytsearch75:foo rm x"]
    assert first["options"] == {
        "--ignore-config": True,
        "--no-warnings": True,
        "--no-cache-dir": True,
        "--skip-download": True,
        "--socket-timeout": "15",
        "--dump-json": True,
        "--flat-playlist": True,
        "--extractor-args": "youtubetab:approximate_date",
    }
    assert sorted(stage.looked_at) == ["video-00001", "video-00002", "video-00003"]
    subs = [c["options"] for c in others if "--write-subs" in c["options"]]
    assert sorted(options["--sub-langs"] for options in subs) == ["en", "en-orig"]
    assert all("--skip-download" in call["options"] for call in others)


def test_the_tool_sees_no_secret(stage: Stage) -> None:
    """Its environment holds what it needs; captions lie in a folder that is gone."""
    stage.search(XAI_API_KEY="xai-secret-key", HTTPS_PROXY="http://p.example:1")
    for call in stage.calls:
        assert "xai-secret-key" not in json.dumps(call)
        assert call["env"]["HTTPS_PROXY"] == "http://p.example:1"
        if "--write-subs" in call["options"]:
            assert not Path(call["cwd"]).exists()


@pytest.mark.parametrize(
    ("depth", "listed", "looked_at", "captions"),
    [(Depth.QUICK, 30, 5, 1), (Depth.DEFAULT, 75, 10, 2), (Depth.DEEP, 150, 20, 3)],
)
def test_the_budget_of_calls(
    stage: Stage, depth: Depth, listed: int, looked_at: int, captions: int
) -> None:
    """The most promising are looked at: on topic first, then by what a list tells."""
    said = {"en": "foo"}
    late = [
        video(n, f"foo {n}", NOW - timedelta(hours=n), said=said) for n in range(1, 25)
    ]
    stage.play(video(99, "tags alone", tags=["foo"], at=NOW), *late)
    items = stage.search(depth=depth)
    assert stage.calls[0]["targets"] == [f"ytsearch{listed}:foo"]
    assert sorted(stage.looked_at, reverse=True) == [
        f"video-{n:05d}" for n in range(24, 24 - looked_at, -1)
    ]
    assert sum("--write-subs" in call["options"] for call in stage.calls) == captions
    assert [i.id for i in items if "Transcript" in i.text] == [
        f"video-{n:05d}" for n in range(24, 24 - captions, -1)
    ]
    if depth is Depth.DEFAULT:
        assert len(stage.calls) == 1 + 10 + 2 <= youtube.INFO.requests


def test_videos_of_other_times_are_dropped(stage: Stage) -> None:
    """The ends of the window are in; what is surely too old is not looked at."""
    stage.play(
        video(1, "foo first", WINDOW.start),
        video(2, "foo last", WINDOW.end - SECOND),
        video(3, "foo before", WINDOW.start - SECOND),
        video(4, "foo after", WINDOW.end),
        video(5, "foo last year", NOW - timedelta(days=300)),
    )
    items = stage.search()
    assert sorted(item.id for item in items) == ["video-00001", "video-00002"]
    assert "video-00005" not in stage.looked_at
    assert "video-00003" in stage.looked_at


def test_a_video_without_a_time_in_its_details_is_undated(stage: Stage) -> None:
    """A day alone is a time; with neither there is none."""
    stage.play(
        video(1, "foo day", timestamp=None, upload_date="20261120"),
        video(2, "foo never", timestamp=None, upload_date=None),
    )
    times = {item.id: item.created_at for item in stage.search()}
    assert times["video-00001"] == WINDOW.start + timedelta(days=19)
    assert times["video-00002"] is None


def test_videos_that_are_gone_or_to_come_are_left_out(stage: Stage) -> None:
    """They are no failure of the source."""
    stage.play(
        *(video(n, f"foo {n}") for n in (1, 2, 3)),
        video(4, "foo soon", live_status="is_upcoming"),
        video_00001=failed("ERROR: [youtube] video-00001: Private video"),
        video_00002={"status": 0},
    )
    assert [item.id for item in stage.search()] == ["video-00003"]
    assert "video-00004" not in stage.looked_at


def test_nothing_found_is_no_failure(stage: Stage) -> None:
    """It is an empty list, after one call."""
    assert stage.search("zeppelin") == []
    assert len(stage.calls) == 1


def test_a_query_without_a_word_is_not_sent(stage: Stage) -> None:
    """There is nothing to look for."""
    ask = replace(question("foo"), query="?!")
    assert youtube.search(ask, stage.world.io) == []
    assert stage.calls == []


def test_without_the_tool_it_says_how_to_install_it(tmp_path: Path) -> None:
    """Nothing on the PATH is called yt-dlp, or it may not be run."""
    world = World({"PATH": str(tmp_path)})
    assert "pipx install yt-dlp" in youtube.missing(world.io)
    with pytest.raises(NotConfiguredError) as caught:
        youtube.search(question("foo"), world.io)
    assert caught.value.state is State.SKIPPED_UNCONFIGURED
    assert caught.value.fix == youtube.missing(world.io)
    (tmp_path / "yt-dlp").write_text("not executable")
    assert youtube.missing(world.io)


BOT = "ERROR: [youtube] x: Sign in to confirm you’re not a bot. Use --cookies"
HOUR = "ERROR: [youtube] x: The current session has been rate-limited by YouTube for up to an hour."
TELL = "; please report this issue on https://github.com/yt-dlp"

FAILURES: list[tuple[Mapping[str, Any], State]] = [
    (failed(BOT), State.RATE_LIMITED),
    (failed(HOUR), State.RATE_LIMITED),
    (failed("ERROR: Unable to download API page: HTTP Error 429"), State.RATE_LIMITED),
    (failed(f"ERROR: Unable to extract initial data{TELL}"), State.BAD_RESPONSE),
    (failed("ERROR: x: Failed to parse JSON"), State.BAD_RESPONSE),
    (
        failed(f"ERROR: Unable to download x: getaddrinfo failed{TELL}"),
        State.UNREACHABLE,
    ),
    (failed("ERROR: Unable to download x: Connection refused"), State.UNREACHABLE),
    (failed("ERROR: Unable to download x: HTTP Error 503"), State.UNREACHABLE),
    (failed("ERROR: Unable to download x: The read timed out"), State.TIMEOUT),
    (failed("ERROR: Unable to download x: HTTP Error 403: Forbidden"), State.BLOCKED),
    (failed("yt-dlp: error: no such option: --x", 2), State.BAD_RESPONSE),
    (failed("restarting", 100), State.BAD_RESPONSE),
    (failed("ERROR: something else"), State.ERROR),
    (failed(""), State.ERROR),
    ({"stdout": "no json\n", "status": 0}, State.BAD_RESPONSE),
    ({"stdout": '{"id": "x"}\n', "status": 0}, State.BAD_RESPONSE),
]


@pytest.mark.parametrize(("failure", "state"), FAILURES)
def test_each_failure_has_its_outcome(
    stage: Stage, failure: Mapping[str, Any], state: State
) -> None:
    """A failure is never shown as silence."""
    stage.play(video(1, "foo"), list=failure)
    with pytest.raises(SourceError) as caught:
        stage.search()
    assert caught.value.state is state
    assert len(stage.calls) == 1


def test_a_warning_of_the_tool_is_no_reason(stage: Stage) -> None:
    """Only its errors are."""
    lines = f"WARNING: HTTP Error 429\n{failed('ERROR: Connection refused')['stderr']}"
    stage.play(list=failed(lines))
    with pytest.raises(SourceError) as caught:
        stage.search()
    assert caught.value.state is State.UNREACHABLE


def test_a_sandbox_without_network_blocks(stage: Stage) -> None:
    """The way on is told."""
    stage.play(list=failed("ERROR: Unable to download x: Network is unreachable"))
    with pytest.raises(SourceError) as caught:
        stage.search(CODEX_SANDBOX_NETWORK_DISABLED="1")
    assert caught.value.state is State.BLOCKED
    assert "allow network access" in caught.value.fix


def test_what_was_listed_before_a_failure_is_used(stage: Stage) -> None:
    """And the failure is told all the same."""
    stage.play(video(1, "foo"), list=failed(f"ERROR: page 2: {BOT}", keep=True))
    with pytest.raises(RateLimitError) as caught:
        stage.search()
    assert [item.id for item in caught.value.items] == ["video-00001"]


def test_a_refused_address_is_not_used_further(stage: Stage) -> None:
    """What had arrived is on the error; at most those under way were asked."""
    stage.play(*(video(n, f"foo {n}") for n in range(1, 10)), details=failed(BOT))
    with pytest.raises(RateLimitError):
        stage.search()
    assert 1 <= len(stage.looked_at) <= 3
    with pytest.raises(RateLimitError):
        youtube.search(question("foo"), stage.world.io)
    assert len(stage.looked_at) <= 3


def test_items_are_kept_when_other_details_fail(stage: Stage) -> None:
    """Partial results, without transcripts."""
    stage.play(
        video(1, "foo", said={"en": "foo"}),
        video(2, "foo"),
        video_00002=failed("ERROR: Unable to download x: Connection refused"),
    )
    with pytest.raises(SourceError) as caught:
        stage.search()
    assert caught.value.state is State.UNREACHABLE
    assert [item.id for item in caught.value.items] == ["video-00001"]


def test_details_are_asked_for_once_a_run(stage: Stage) -> None:
    """A second query that finds the same videos only lists them."""
    stage.search()
    youtube.search(question("bar"), stage.world.io)
    assert sorted(stage.looked_at) == ["video-00001", "video-00002", "video-00003"]


def test_a_failed_transcript_is_a_warning(stage: Stage) -> None:
    """In the form of its schema; the videos are there."""
    stage.play(video(1, "foo", said={"en": "foo"}), captions=failed(HOUR))
    (item,) = stage.search()
    assert item.text == "All about it, part 1"
    assert stage.world.tiers == {"transcripts": "rate-limited"}
    (warning,) = stage.world.warnings
    told = {name: getattr(warning, name) for name in ("code", "source", "message")}
    check({**told, "data": dict(warning.data)}, "warning", name="it")


def test_a_tool_that_hangs_is_ended_with_what_it_started(stage: Stage) -> None:
    """Within the time of the run, and what it had listed is used."""
    stage.play(video(1, "foo"), list={"keep": True, "sleep": 60})
    began = time.monotonic()
    with pytest.raises(SourceError) as caught:
        stage.search(seconds=6)
    assert time.monotonic() - began < 6
    assert caught.value.state is State.TIMEOUT
    assert [item.id for item in caught.value.items] == ["video-00001"]
    assert is_gone(stage.calls[0]["pid"])
