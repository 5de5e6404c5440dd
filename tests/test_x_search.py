"""The script as its users start it: topics, windows, plans, what comes out."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import unquote

import pytest

from engine.contracts import check
from support import (
    PLAN,
    ROME,
    artifact,
    item,
    post,
    read_envelope,
    run,
    write_posts,
)


@pytest.fixture
def posts(tmp_path: Path) -> str:
    """A small file of posts about Rome, each with its own words."""
    return write_posts(tmp_path / "posts.jsonl", ROME)


def test_the_demo_shows_every_step_at_work(tmp_path: Path) -> None:
    """Flood, better retry, pruning, promoted and refused handles, both edges' posts."""
    done = run("Rome", "Italy", "--demo", "--emit", "json", cwd=tmp_path)
    assert done.returncode == 0
    record = json.loads(done.stdout)
    check(record, "artifact", name="stdout")
    x = record["x"]
    assert x["judgment"]["is_off_topic_flood"]
    assert x["retry"]["adopted"]
    assert x["retry"]["on_topic_ratio"] > x["judgment"]["on_topic_ratio"]
    assert x["handles"]["promoted"] and x["handles"]["refused"]
    reasons = {item["reason"] for item in record["pruned"]}
    assert {"off-topic", "near-duplicate", "author-cap"} <= reasons
    assert [w["code"] for w in record["_warnings"]].count("pruned-off-topic") == 1
    before, after = x["judgment"]["on_topic_ratio"], x["retry"]["on_topic_ratio"]
    assert (
        done.stderr == f"retry improved on-topic ratio: {before:.0%} -> {after:.0%}\n"
    )


def test_the_demo_prints_a_whole_envelope(tmp_path: Path) -> None:
    """What a host reads can be taken apart, hostile post included."""
    found = read_envelope(run("Rome Italy", "--demo", cwd=tmp_path).stdout)
    assert "2026-10-17 to 2026-11-15" in found.badge
    assert len(found.blocks) > 20
    assert any("a flood; one retry" in note for note in found.notes)
    assert any(note.startswith("Promoted: @") for note in found.notes)
    assert any(note.startswith("Refused: @") for note in found.notes)


_TOPICS = [
    '"Claude Code"', "“Claude Code”", "what is (x)?", "$TSLA", "%24TSLA", "#MAB18",
    "@example education", "-_test", "O'Reilly", "AT&T", "C++", ".NET", "GPT-5",
    "React 19", "OR", "from:nasa moon", "a:b", "rome " * 800, "大模型", "GPT教程",
    "東京 ラーメン", "서울 맛집", "São Paulo", "Beyoncé", "السعودية", "תל אביב", "กรุงเทพ",
    "what do people think about React Server Components", "The Who", "--", "-x y",
]  # fmt: skip


@pytest.mark.parametrize("topic", _TOPICS, ids=lambda topic: str(topic)[:20])
def test_any_topic_gives_a_sensible_run(topic: str, tmp_path: Path) -> None:
    """A post that repeats the topic is found, and no sign in it breaks anything."""
    if topic == "--":
        topic = "-- Rome"
    path = write_posts(
        tmp_path / "p.jsonl", [*ROME, post(9, f"so: {unquote(topic)[:200]} it is")]
    )
    done = run("--archive", path, "--", topic, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    found = read_envelope(done.stdout)
    assert found.coverage.startswith(("Coverage: x ok, ", "Coverage: x no-results"))
    assert any("/writer_9/" in block.url for block in found.blocks), done.stdout


@pytest.mark.parametrize(
    "words",
    [
        ("Rome", "Italy", "--quick"),
        ("Rome", "--quick", "Italy"),
        ("--quick", "--", "Rome", "Italy"),
        ("-Rome", "--quick", "Italy"),
    ],
    ids=" ".join,
)
def test_a_topic_needs_no_quotes(
    words: tuple[str, ...], posts: str, tmp_path: Path
) -> None:
    """Words are the topic wherever they stand, also one that begins with a dash."""
    done = run("--archive", posts, *words, cwd=tmp_path)
    assert done.returncode == 0
    assert "· Rome Italy ·" in done.stdout.replace("-Rome", "Rome")


def test_a_plan_gives_the_question_and_stands_in_the_artifact(
    posts: str, tmp_path: Path
) -> None:
    """From a file or standard input, with its defaults filled in."""
    Path(tmp_path, "plan.json").write_text(json.dumps(PLAN), encoding="utf-8-sig")
    args = ("Rome Italy", "--archive", posts, "--emit", "json", "--plan")
    by_file = run(*args, "plan.json", cwd=tmp_path)
    by_pipe = run(*args, "-", cwd=tmp_path, stdin=json.dumps(PLAN))
    assert by_file.returncode == 0
    record = json.loads(by_file.stdout)
    assert record["x"]["ranking_queries"] == ["How is Rome in Italy?"]
    assert record["plan"]["subqueries"][0]["weight"] == 1.0
    assert by_pipe.stdout == by_file.stdout


def test_the_window_is_whole_utc_days_both_inside(tmp_path: Path) -> None:
    """Midnight of the first day and the last second of the last are in."""
    times = {
        1: "2026-10-16T23:59:59Z", 2: "2026-10-17T00:00:00Z",
        3: "2026-11-15T23:59:59Z", 4: "2026-11-16T00:00:00Z",
    }  # fmt: skip
    texts = {1: "early bird", 2: "first light", 3: "last train home", 4: "next morning"}
    path = write_posts(
        tmp_path / "p.jsonl",
        (post(i, f"Rome Italy {texts[i]}", at=at) for i, at in times.items()),
    )
    for flags in (
        [],
        ["--days", "30"],
        ["--from", "2026-10-17"],
        ["--to", "2026-11-15"],
    ):
        done = run(
            "Rome Italy", "--archive", path, "--emit", "json", *flags, cwd=tmp_path
        )
        record = json.loads(done.stdout)
        assert record["window"] == {"from": "2026-10-17", "to": "2026-11-15"}
        assert {item["author_handle"] for item in record["items"]} == {
            "writer_2",
            "writer_3",
        }


@pytest.mark.parametrize(
    "zone", ["Asia/Kolkata", "America/Los_Angeles", "Pacific/Kiritimati"]
)
@pytest.mark.parametrize("now", ["2026-11-15T00:00:00Z", "2026-11-15T23:59:59Z"])
def test_the_time_zone_changes_nothing(
    zone: str, now: str, posts: str, tmp_path: Path
) -> None:
    """The same bytes in every zone, at both ends of the day."""
    args = ("Rome Italy", "--archive", posts, "--emit", "json")
    here = run(*args, cwd=tmp_path, env={"TZ": zone, "LAST30DAYS_NOW": now})
    utc = run(*args, cwd=tmp_path, env={"TZ": "UTC"})
    assert here.returncode == 0
    assert here.stdout == utc.stdout


@pytest.mark.parametrize("backend", ["auto", "grok", "xai", "xapi", "archive"])
def test_a_backend_that_is_not_set_up_says_so(backend: str, tmp_path: Path) -> None:
    """Exit 4 with a small envelope: it was not looked, which is not silence."""
    done = run("Rome Italy", "--backend", backend, cwd=tmp_path)
    assert done.returncode == 4, done.stderr
    found = read_envelope(done.stdout)
    assert found.coverage.startswith("Coverage: x skipped-unconfigured, 0 items")
    assert found.footer[0].startswith("⚠️")


def test_a_run_out_of_time_is_a_failure(posts: str, tmp_path: Path) -> None:
    """Exit 4, also with --strict: nothing could be seen."""
    done = run(
        "Rome Italy",
        "--archive",
        posts,
        "--timeout",
        "0.000001",
        "--strict",
        cwd=tmp_path,
    )
    assert done.returncode == 4
    assert "x timeout, 0 items" in read_envelope(done.stdout).coverage


@pytest.mark.parametrize(
    ("state", "strict", "code"),
    [
        ("ok", True, 0), ("no-results", True, 0), ("partial", False, 0),
        ("partial", True, 3), ("blocked", False, 4), ("blocked", True, 4),
        ("skipped-unconfigured", False, 4),
    ],
)  # fmt: skip
@pytest.mark.parametrize("by", ["flag", "setting"])
def test_a_replay_ends_as_its_run_did(
    state: str, strict: bool, code: int, by: str, tmp_path: Path
) -> None:
    """The exit code comes from the outcomes; 4 outranks 3."""
    items = [item()] if state in ("ok", "partial") else []
    Path(tmp_path, "a.json").write_text(json.dumps(artifact(items, state=state)))
    flags = ["--strict"] if strict and by == "flag" else []
    env = {"LAST30DAYS_STRICT_EXIT": "1"} if strict and by == "setting" else {}
    done = run("--replay", "a.json", *flags, cwd=tmp_path, env=env)
    assert done.returncode == code
    assert state in read_envelope(done.stdout).coverage


def test_named_handles_get_their_lanes(tmp_path: Path) -> None:
    """Repeatable, with commas, with or without @, blanks ignored, each once."""
    path = write_posts(
        tmp_path / "p.jsonl",
        [
            *ROME,
            post(
                20, "Nothing but a sunset tonight, friends", author_handle="The_Mayor"
            ),
        ],
    )
    flags = [
        "--x-handle",
        "@the_mayor, ,THE_MAYOR",
        "--x-handle",
        "",
        "--x-related",
        "ama",
    ]
    done = run("Rome Italy", "--archive", path, "--emit", "json", *flags, cwd=tmp_path)
    record = json.loads(done.stdout)
    assert record["x"]["handles"]["explicit"] == ["the_mayor"]
    assert record["x"]["handles"]["related"] == ["ama"]
    assert "The_Mayor" in {item["author_handle"] for item in record["items"]}
    lanes = {query["lane"] for query in record["queries"]}
    assert {"from", "mention", "related"} <= lanes


@pytest.mark.parametrize(
    ("flag", "calls"), [("--quick", 1), ("--deep", 12), ("--depth=quick", 1)]
)
def test_depth_decides_how_much_is_asked(
    flag: str, calls: int, posts: str, tmp_path: Path
) -> None:
    """One call at quick, twelve at deep."""
    done = run("Rome Italy", "--archive", posts, "--emit", "json", flag, cwd=tmp_path)
    lanes = [query["lane"] for query in json.loads(done.stdout)["queries"]]
    assert lanes.count("topic") == calls


def test_a_question_is_judged_against(posts: str, tmp_path: Path) -> None:
    """--ranking-query stands in the artifact; --explain names the terms."""
    question = "How does the metro of Rome in Italy run?"
    args = ("Rome Italy", "--archive", posts, "--ranking-query", question)
    record = json.loads(run(*args, "--emit", "json", cwd=tmp_path).stdout)
    assert record["x"]["ranking_queries"] == [question]
    shown = read_envelope(run(*args, "--explain", cwd=tmp_path).stdout)
    assert all("metro" in block.why for block in shown.blocks)


def test_the_budget_of_the_envelope_is_kept(posts: str, tmp_path: Path) -> None:
    """--max-bytes holds down to its least."""
    done = run("Rome Italy", "--archive", posts, "--max-bytes", "2000", cwd=tmp_path)
    assert len(done.stdout.encode()) <= 2000
    assert read_envelope(done.stdout).blocks


def test_posts_come_from_standard_input_too(posts: str, tmp_path: Path) -> None:
    """--archive - reads what is piped in."""
    piped = Path(posts).read_text(encoding="utf-8")
    done = run(
        "Rome Italy", "--archive", "-", "--emit", "json", cwd=tmp_path, stdin=piped
    )
    assert len(json.loads(done.stdout)["items"]) == len(ROME)


def test_a_topic_over_the_limits_of_x_is_shortened_and_says_so(tmp_path: Path) -> None:
    """A warning tells how many of the terms were asked."""
    words = ["rome", *(f"word{i}" for i in range(99))]
    path = write_posts(tmp_path / "p.jsonl", [post(1, " ".join(words[:40]))])
    done = run(*words, "--archive", path, "--emit", "json", cwd=tmp_path)
    warnings = {w["code"]: w["data"] for w in json.loads(done.stdout)["_warnings"]}
    counted = warnings["topic-shortened"]
    assert counted["asked"] + counted["left_out"] == len(words)
    assert len(json.loads(done.stdout)["items"]) == 1
