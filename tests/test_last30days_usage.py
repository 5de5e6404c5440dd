"""The script's command line: what it refuses, in one line, before anything is sent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from fakes.services import SCRIPT
from support import PLAN, run

TOPIC = "Rome Italy"
_ALL = "x, reddit, hackernews, polymarket, github, bluesky, youtube, web"


def _run(folder: Path, *args: str, **more: Any) -> Any:
    """A run that reaches nobody, since its proxy does not exist."""
    env = {"HTTP_PROXY": "http://127.0.0.1:9", "HTTPS_PROXY": "http://127.0.0.1:9"}
    return run(*args, cwd=folder, script=SCRIPT, env=env, **more)


REFUSED = [
    ([], "name a topic"),
    (["--sources", "redit"], "--sources 'redit' is no source, did you mean 'reddit'?"),
    (["--sources", "tiktok"], f"--sources 'tiktok' is no source; accepted: {_ALL}"),
    (["--exclude", "x,hackernew"], "--exclude 'hackernew' is no source, did you mean 'hackernews'?"),
    (["--sources", "x", "--exclude", "x"], "--exclude leaves no source that --sources names"),
    (["--sources", "web", "--plan", "plan.json"], "the plan names none of the sources that may be asked: web"),
    (["--subreddits", "Claude AI"], "--subreddits 'Claude AI': write it as 2 to 21 letters"),
    (["--github-repo", "foo"], "--github-repo 'foo': write it as owner/name"),
    (["--github-user", "a b"], "--github-user 'a b': write the name of an account"),
    (["--github-user", ""], "--github-user '': write the name of an account"),
    (["--x-handle", "no handle"], "--x-handle 'no handle': a handle has"),
    (["--cache", "0"], "--cache 0: give up to 720 hours, over 0"),
    (["--cache", "-1"], "--cache -1: give up to 720 hours, over 0"),
    (["--cache", "nan"], "--cache nan: give up to 720 hours"),
    (["--cache", "1e9"], "--cache 1e+09: give up to 720 hours"),
    (["--cache", "soon"], "argument --cache: invalid float value: 'soon'"),
    (["--emit", "pdf"], "argument --emit: invalid choice: 'pdf'"),
    (["--max-bytes", "1999"], "--max-bytes 1999: give at least 2000"),
    (["--timeout", "0"], "--timeout 0: give 1 to 3600 seconds"),
    (["--days", "0"], "--days 0: give a number from 1 to 366"),
    (["--demo"], "unrecognized arguments: --demo"),
    (["--plan", "missing.json"], "missing.json"),
    (["--plan", "-", "--archive", "-"], "standard input can be read only once"),
    (["--plan", "-", "--web-results", "-"], "standard input can be read only once"),
    (["--web-results", "missing.json"], "missing.json"),
    (["--web-results", "plan.json"], "plan.json: "),
    (["--archive", "missing.jsonl"], "missing.jsonl"),
    (["--replay", "missing.json"], "--replay comes without a topic"),
    (["--save-dir", "plan.json"], "--save-dir plan.json: "),
]  # fmt: skip


@pytest.mark.parametrize(("flags", "said"), REFUSED, ids=lambda v: " ".join(v) if isinstance(v, list) else "")  # fmt: skip
def test_what_cannot_be_done_is_refused_in_one_line(
    flags: list[str], said: str, tmp_path: Path
) -> None:
    """Exit 2, nothing on standard output, and what is accepted where that helps."""
    (tmp_path / "plan.json").write_text(json.dumps(PLAN), encoding="utf-8")
    done = _run(tmp_path, *([TOPIC] if flags else []), *flags)
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert done.stderr.startswith("last30days.py: ") and done.stderr.count("\n") == 1
    assert said in done.stderr


@pytest.mark.parametrize(
    "flag",
    [
        ["--sources", "x"], ["--exclude", "x"], ["--subreddits", "a1"],
        ["--github-user", "a"], ["--github-repo", "a/b"], ["--polymarket-keywords", "a"],
        ["--web-results", "f"], ["--cache", "1"], ["--x-handle", "a"], ["--plan", "f"],
        ["--archive", "f"], ["--days", "3"], ["--save-dir", "d"], ["--timeout", "9"],
    ],
    ids=lambda flag: flag[0],
)  # fmt: skip
def test_a_replay_takes_no_flag_that_it_would_ignore(
    flag: list[str], tmp_path: Path
) -> None:
    """It renders the run that is in the artifact."""
    done = _run(tmp_path, "--replay", "a.json", *flag)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"--replay comes without {flag[0]}: " in done.stderr


def test_help_needs_no_package_and_names_the_exit_codes(tmp_path: Path) -> None:
    """It works with no dependency installed."""
    blocker = tmp_path / "blocked"
    blocker.mkdir()
    for name in ("requests", "yaml", "jsonschema"):
        (blocker / f"{name}.py").write_text("raise ModuleNotFoundError('no')")
    env = {"PYTHONPATH": str(blocker)}
    done = run("--help", cwd=tmp_path, script=SCRIPT, env=env)
    assert (done.returncode, done.stderr) == (0, "")
    assert "exit codes:" in done.stdout and "--web-results FILE" in done.stdout
