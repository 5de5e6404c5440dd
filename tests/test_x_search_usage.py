"""What the script refuses, and how it says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from support import (
    PLAN,
    ROME,
    run,
    write_posts,
)


@pytest.fixture
def posts(tmp_path: Path) -> str:
    """A small file of posts about Rome, each with its own words."""
    return write_posts(tmp_path / "posts.jsonl", ROME)


@pytest.mark.parametrize(
    "topic", ["", "   ", "😀🎉", "!?", "“”", b"\xff\xfe"], ids=repr
)
def test_a_topic_without_words_is_refused_with_advice(
    topic: str | bytes, posts: str, tmp_path: Path
) -> None:
    """Nothing to look for is a usage error that shows an example."""
    done = run(topic, "--archive", posts, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert 'for example "Rome Italy"' in done.stderr


_REFUSED = {
    "unknown flag": (["--bogus"], "--bogus"),
    "no number": (["--days", "x"], "--days"),
    "no days": (["--days", "0"], "1 to 366"),
    "too many days": (["--days", "367"], "1 to 366"),
    "two windows": (["--days", "3", "--from", "2026-11-01"], "not both"),
    "days with to": (["--days", "3", "--to", "2026-11-01"], "not both"),
    "no date": (["--from", "yesterday"], "YYYY-MM-DD"),
    "no such day": (["--to", "2026-02-30"], "YYYY-MM-DD"),
    "backwards": (["--from", "2026-11-10", "--to", "2026-11-09"], "after the last day"),
    "from in the future": (["--from", "2026-11-16"], "after the last day"),
    "window too long": (["--from", "2020-01-01"], "366"),
    "year 1": (["--to", "0001-01-02"], "2000"),
    "year 9999": (["--from", "9999-12-30", "--to", "9999-12-31"], "2999"),
    "no depth": (["--depth", "abyss"], "quick"),
    "no emit": (["--emit", "html"], "compact"),
    "no backend": (["--backend", "bird"], "grok"),
    "budget too small": (["--max-bytes", "1999"], "2000"),
    "budget no number": (["--max-bytes", "1k"], "--max-bytes"),
    "no time": (["--timeout", "0"], "--timeout"),
    "negative time": (["--timeout=-1"], "--timeout"),
    "nan": (["--timeout", "nan"], "--timeout"),
    "endless": (["--timeout", "inf"], "--timeout"),
    "time no number": (["--timeout", "soon"], "--timeout"),
    "no handle": (["--x-handle", "a b"], "--x-handle"),
    "long handle": (["--x-related", "a" * 16], "--x-related"),
    "no file": (["--archive", "nowhere.jsonl"], "nowhere.jsonl"),
    "folder as archive": (["--archive", "."], "cannot be read"),
    "no posts": (["--archive", "words.txt"], "JSON Lines"),
    "no plan": (["--plan", "nowhere.json"], "nowhere.json"),
    "plan is no JSON": (["--plan", "words.txt"], "not JSON"),
    "plan and question": (["--plan", "words.txt", "--ranking-query", "q"], "--ranking-query"),
    "question without words": (["--ranking-query", "?"], "--ranking-query"),
    "empty question": (["--ranking-query", ""], "--ranking-query"),
    "archive by another backend": (["--backend", "xai"], "--backend xai"),
    "demo and archive": (["--demo"], "--archive"),
    "replay and topic": (["--replay", "words.txt"], "a topic"),
    "stdin twice": (["--archive", "-", "--plan", "-"], "only once"),
    "save under a file": (["--save-dir", "words.txt"], "--save-dir"),
    "missing value": (["--to"], "--to"),
}  # fmt: skip


@pytest.mark.parametrize(("flags", "named"), _REFUSED.values(), ids=_REFUSED)
def test_a_bad_flag_is_one_line_that_says_what_to_do(
    flags: list[str], named: str, posts: str, tmp_path: Path
) -> None:
    """Exit 2, nothing on stdout, one line on stderr, and nothing is done in its place."""
    Path(tmp_path, "words.txt").write_text("no post, no plan\n")
    done = run("Rome Italy", "--archive", posts, *flags, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("x_search.py: ") and done.stderr.count("\n") == 1
    assert named in done.stderr


@pytest.mark.parametrize(
    ("change", "named"),
    [
        pytest.param({"topic": "Paris"}, "topic", id="another-topic"),
        pytest.param({"intent": "opinon"}, "did you mean 'opinion'", id="near-match"),
        pytest.param({"subqueries": []}, "subqueries", id="no-question"),
        pytest.param({"extra": 1}, "extra", id="unknown-field"),
    ],
)
def test_a_bad_plan_is_never_replaced(
    change: dict[str, object], named: str, posts: str, tmp_path: Path
) -> None:
    """One line with file and field, and no run."""
    text = json.dumps({**PLAN, **change})
    done = run(
        "Rome Italy", "--archive", posts, "--plan", "-", cwd=tmp_path, stdin=text
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("x_search.py: standard input: ")
    assert done.stderr.count("\n") == 1 and named in done.stderr


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ("", "is empty"), ("[]", "is no object"), ("{}", "missing"), ("{", "not JSON"),
    ],
    ids=["empty", "list", "no-fields", "cut"],
)  # fmt: skip
def test_a_broken_artifact_is_refused(content: str, named: str, tmp_path: Path) -> None:
    """Replay reads what keeps the contract, and nothing else."""
    Path(tmp_path, "a.json").write_text(content)
    done = run("--replay", "a.json", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("x_search.py: a.json: ") and named in done.stderr
