"""check_brief.py as a process: what it reads, prints and ends with."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from brief_support import RECORD, brief
from engine.contracts import check
from engine.report.artifact import dump
from support import ROOT, run

_SCRIPT = ROOT / "scripts" / "check_brief.py"
_GOOD = brief("**Fine.** It rolls.")
_BAD = brief("**Fine** — it rolls for $9.")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with an artifact, a good brief and one that breaks two LAWs."""
    (tmp_path / "run.json").write_text(dump(RECORD), encoding="utf-8")
    (tmp_path / "good.md").write_text(_GOOD, encoding="utf-8")
    (tmp_path / "bad.md").write_text(_BAD, encoding="utf-8")
    return tmp_path


def test_a_good_brief_ends_with_0(folder: Path) -> None:
    """One line says so."""
    ended = run("good.md", "--artifact", "run.json", cwd=folder, script=_SCRIPT)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout == "good.md: no violations\n"


def test_violations_end_with_5(folder: Path) -> None:
    """Each has its line, LAW and text, and what to do under it."""
    ended = run("bad.md", "--artifact", "run.json", cwd=folder, script=_SCRIPT)
    assert (ended.returncode, ended.stderr) == (5, "")
    head, *lines = ended.stdout.splitlines()
    assert head == "bad.md: 2 violations"
    assert lines[0].startswith("line 5: LAW 3: ")
    assert lines[2] == "line 5: numbers: $9"
    assert all(line.startswith("    ") for line in lines[1::2])


@pytest.mark.parametrize(("name", "code"), [("good.md", 0), ("bad.md", 5)])
def test_json_keeps_its_contract(folder: Path, name: str, code: int) -> None:
    """The same violations as an object."""
    ended = run(
        name, "--artifact", "run.json", "--emit", "json", cwd=folder, script=_SCRIPT
    )
    found = json.loads(ended.stdout)
    check(found, "brief_check", name="stdout")
    assert ended.returncode == code
    assert [v["law"] for v in found["violations"]] == ["LAW 3", "numbers"] * (code // 5)


@pytest.mark.parametrize("stream", ["brief", "artifact"])
def test_either_may_come_by_standard_input(folder: Path, stream: str) -> None:
    """A dash stands for it."""
    args = ["-", "--artifact", "run.json"]
    text = "\ufeff" + _GOOD.replace("\n", "\r\n")
    if stream == "artifact":
        args, text = ["good.md", "--artifact", "-"], dump(RECORD)
    ended = run(*args, cwd=folder, script=_SCRIPT, stdin=text)
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ([], "--artifact"),
        (["good.md"], "--artifact"),
        (["nowhere.md", "--artifact", "run.json"], "nowhere.md: cannot read the brief"),
        (["good.md", "--artifact", "nowhere.json"], "nowhere.json"),
        (["good.md", "--artifact", "good.md"], "not JSON"),
        (["good.md", "--artifact", "other.json"], "other.json: "),
        (["empty.md", "--artifact", "run.json"], "the brief is empty"),
        (["bytes.md", "--artifact", "run.json"], "not UTF-8"),
        (["long.md", "--artifact", "run.json"], "at most"),
        (["-", "--artifact", "-"], "only one"),
        (["good.md", "bad.md", "--artifact", "run.json"], "bad.md"),
        (["--explain", "LAW 12"], "give one of LAW 1"),
    ],
)  # fmt: skip
def test_unusable_input_ends_with_2(folder: Path, args: list[str], said: str) -> None:
    """One line on standard error says what is wrong; nothing is printed."""
    (folder / "empty.md").write_text(" \n", encoding="utf-8")
    (folder / "bytes.md").write_bytes(b"\xff\xfe\x00")
    (folder / "long.md").write_text("a" * 70_000, encoding="utf-8")
    (folder / "other.json").write_text('{"topic": "x"}', encoding="utf-8")
    ended = run(*args, cwd=folder, script=_SCRIPT)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert said in ended.stderr and ended.stderr.count("\n") == 1


def test_a_law_is_explained_without_a_brief(folder: Path) -> None:
    """Its rule, its reason, its check, and what the check does not see."""
    ended = run("--explain", "LAW 8", cwd=folder, script=_SCRIPT)
    assert (ended.returncode, ended.stderr) == (0, "")
    starts = [line.partition(":")[0] for line in ended.stdout.splitlines()]
    assert starts == ["LAW 8", "Rule", "Reason", "Checked", "Not seen"]


def test_a_brief_of_the_demo_passes(folder: Path) -> None:
    """From the bundled corpus to a brief with what was printed and nothing else."""
    ended = run("Rome Italy", "--demo", "--save-dir", "out", cwd=folder)
    printed = ended.stdout.splitlines()
    posts = [line for line in printed if line.startswith("[")][:2]
    urls = [line for line in printed if line.startswith("https://")][:2]
    ways = [
        f"[{p.split()[1]}]({url}) has {p.split(' · ')[2]}."
        for p, url in zip(posts, urls, strict=True)
    ]
    last = max(n for n, line in enumerate(printed) if line.startswith("└"))
    first = max(n for n, line in enumerate(printed) if line.startswith(("✅", "⚠️")))
    text = "\n".join([
        printed[0], "", "What I learned:", "", f"**Two voices.** {' '.join(ways)}", "",
        "KEY PATTERNS from the research:", "1. Rome.", "2. Italy.", "",
        *printed[first : last + 1],
    ])  # fmt: skip
    (saved,) = (folder / "out").glob("*.json")
    ended = run("-", "--artifact", str(saved), cwd=folder, script=_SCRIPT, stdin=text)
    assert (ended.stdout, ended.stderr) == ("standard input: no violations\n", "")


def test_the_largest_brief_is_checked_in_time(folder: Path) -> None:
    """Marks that nothing closes make no check slow; the runner's limit is 60 s."""
    hostile = '"“„«[(<*_`|1.— ' * 2_500
    (folder / "slow.md").write_text(brief(hostile), encoding="utf-8")
    ended = run("slow.md", "--artifact", "run.json", cwd=folder, script=_SCRIPT)
    assert ended.returncode == 5
