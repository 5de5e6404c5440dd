"""The folder as a skill: what hosts read of it, and that its commands run there."""

from __future__ import annotations

import json
import re
import shutil
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from brief_support import RECORD, brief
from engine import __version__
from engine.report.artifact import dump
from engine.report.laws import LAWS
from support import ROOT, run

_TEXT = (ROOT / "SKILL.md").read_text(encoding="utf-8")
_LAWS = (ROOT / "references" / "laws.md").read_text(encoding="utf-8")
_REFERENCES = sorted((ROOT / "references").glob("*.md"))
_PARTS = ("SKILL.md", "references", "schemas", "scripts", ".claude-plugin")


def _frontmatter(text: str) -> tuple[dict[str, Any], str]:
    """As the hosts read it: YAML between two lines of three hyphens, then Markdown."""
    match = re.match(r"---\n(.*?\n)---\n", text, re.DOTALL)
    assert match
    return yaml.safe_load(match[1]), text[match.end() :]


def test_the_contract_is_short() -> None:
    """At most 200 lines and 3,500 tokens of four characters."""
    assert len(_TEXT.splitlines()) <= 200
    assert len(_TEXT) / 4 <= 3_500


def test_the_frontmatter_is_what_every_host_accepts() -> None:
    """Four fields, strings on one line each, the version of the engine."""
    found, _ = _frontmatter(_TEXT)
    assert list(found) == ["name", "description", "license", "metadata"]
    assert found["name"] == "last30days" and found["license"] == "MIT"
    description = found["description"]
    assert description.startswith("Use when ") and len(description) <= 300
    assert "Not for" in description and "<" not in description
    # Some hosts read lines instead of YAML.
    assert f"\ndescription: {description}\n" in _TEXT
    assert set(found["metadata"]) == {"version", "author"}
    assert found["metadata"]["version"] == __version__
    assert all(isinstance(value, str) for value in found["metadata"].values())


@pytest.mark.parametrize(
    "pattern",
    [r"\$\d", r"\$?ARGUMENTS", r"!`", r"(?<![\w`\[(])@[\w./~-]*[./]\w"],
    ids=["positional", "arguments", "command", "file"],
)
def test_no_host_substitutes_anything(pattern: str) -> None:
    """Nothing in the text that one of the hosts would replace before it is read."""
    assert not re.search(pattern, _TEXT)


def test_no_tool_of_one_host_alone_is_named() -> None:
    """The text works for every host."""
    for tool in ("AskUserQuestion", "WebSearch", "TodoWrite", "Bash(", "run_shell"):
        assert tool not in _TEXT


@pytest.mark.parametrize("page", _REFERENCES, ids=lambda page: page.stem)
def test_every_reference_has_its_row(page: Path) -> None:
    """SKILL.md says when to read it and what it decides."""
    row = rf"^\| [^|]+ \| `references/{page.name}` \| [^|]+ \|$"
    assert re.search(row, _TEXT, re.MULTILINE)


def test_every_law_has_its_line_in_the_contract() -> None:
    """All eleven by their numbers."""
    found = re.findall(r"^- \*\*LAW (\d+)\*\* \S", _TEXT, re.MULTILINE)
    assert sorted(map(int, found)) == list(range(1, 12))


@pytest.mark.parametrize("number", range(1, 12))
def test_every_law_is_written_out(number: int) -> None:
    """A rule, a reason, and at least one right and one wrong example."""
    found = re.search(
        rf"^## LAW {number}: .+\n((?:(?!## ).*\n?)+)", _LAWS, re.MULTILINE
    )
    assert found and f"LAW {number}" in LAWS
    for part in ("Rule", "Reason", "Right", "Wrong"):
        assert re.search(rf"^- {part}: ?\S*", found[1], re.MULTILINE), part


def test_the_three_rules_over_all_are_written_out() -> None:
    """Each as it is explained."""
    for law in filter(lambda law: law.bold, LAWS.values()):
        assert f"- **{law.bold}.** " in _LAWS


def test_skills_ref_accepts_the_folder(tmp_path: Path) -> None:
    """The reference validator of the format has nothing to say."""
    skills_ref = pytest.importorskip("skills_ref")
    place = tmp_path / "last30days"
    place.symlink_to(ROOT, target_is_directory=True)
    assert skills_ref.validate(place) == []


def _copied(place: Path) -> None:
    place.mkdir(parents=True)
    for part in _PARTS:
        source = ROOT / part
        if source.is_dir():
            no = shutil.ignore_patterns("__pycache__", "*.egg-info")
            shutil.copytree(source, place / part, ignore=no)
        else:
            shutil.copy(source, place / part)


def _linked(place: Path) -> None:
    place.parent.mkdir(parents=True)
    place.symlink_to(ROOT, target_is_directory=True)


def _read_only(place: Path) -> None:
    _copied(place)
    for path in [place, *place.rglob("*")]:
        path.chmod(stat.S_IMODE(path.stat().st_mode) & ~0o222)


_HOSTS: dict[str, tuple[str, Callable[[Path], None]]] = {
    "claude-personal": (".claude/skills/last30days", _linked),
    "claude-project": ("a project/.claude/skills/last30days", _copied),
    "codex": (".agents/skills/last30days", _linked),
    "gemini": (".gemini/skills/last30days", _copied),
    "cursor": (".cursor/skills/last30days", _copied),
    "read-only": ("mnt/skills/last30days", _read_only),
}


@pytest.fixture(params=_HOSTS)
def skill(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """The folder where a host has it, in a home with a blank and non-ASCII letters."""
    path, install = _HOSTS[request.param]
    place = tmp_path / "José 山田" / path
    install(place)
    yield place
    for left in [place, *place.rglob("*")] if not place.is_symlink() else []:
        left.chmod(left.stat().st_mode | 0o200)


def _commands() -> list[str]:
    """The commands of SKILL.md, in their order, without the folder."""
    found = re.findall(r"^ *python3 SKILL_DIR/(scripts/.+)$", _TEXT, re.MULTILINE)
    return found + re.findall(r"`python3 SKILL_DIR/(scripts/[^`]+)`", _TEXT)


def _command(script: str, flag: str) -> list[str]:
    (found,) = (
        command
        for command in _commands()
        if command.startswith(f"scripts/{script}.py") and flag in command
    )
    return [part.strip('"') for part in re.findall(r'"[^"]*"|\S+', found)]


def test_the_commands_of_the_contract_run_there(skill: Path, tmp_path: Path) -> None:
    """A demo with its files saved elsewhere, and the check of a brief."""
    assert _frontmatter((skill / "SKILL.md").read_text(encoding="utf-8"))[0]
    before = _files(skill)
    work = tmp_path / "work dir"
    work.mkdir()
    script, *args = _command("x_search", "--demo")
    ended = run(*args, "--save-dir", "out dir", cwd=work, script=skill / script)
    assert ended.returncode == 0, ended.stderr
    assert len(list((work / "out dir").iterdir())) == 2
    (work / "brief.md").write_text(brief("**Fine.** It rolls."), encoding="utf-8")
    script, *args = _command("check_brief", "--artifact")
    name = Path(args[-1])
    (work / name.parent).mkdir()
    (work / name).write_text(dump(RECORD), encoding="utf-8")
    ended = run(*args, cwd=work, script=skill / script)
    assert (ended.returncode, ended.stdout) == (0, "brief.md: no violations\n")
    assert _files(skill) == before


def _files(skill: Path) -> set[Path]:
    return {p for p in skill.rglob("*.[a-z]*") if p.suffix != ".pyc" and p.is_file()}


@pytest.mark.parametrize("command", _commands(), ids=lambda command: command[:40])
def test_every_command_of_the_contract_is_understood(
    command: str, tmp_path: Path
) -> None:
    """No flag that the script does not have: each is taken up with --help."""
    script, *args = command.split()
    flags = [arg for arg in args if arg.startswith("--")]
    helped = run("--help", cwd=tmp_path, script=ROOT / script).stdout
    assert all(re.search(rf"^ +{flag}\b", helped, re.MULTILINE) for flag in flags)


def _manifest(name: str) -> dict[str, Any]:
    path = ROOT / ".claude-plugin" / name
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def test_the_folder_is_a_plugin() -> None:
    """Its one skill is the root, under the skill's name and version."""
    found = _manifest("plugin.json")
    assert found["name"] == "last30days" and found["version"] == __version__
    assert found["author"]["name"] and found["license"] == "MIT"
    assert found["skills"] == ["./"]
    assert (ROOT / found["skills"][0] / "SKILL.md").is_file()


def test_the_folder_is_a_marketplace_of_that_plugin() -> None:
    """The source is a path inside it, at which the plugin's manifest lies."""
    found = _manifest("marketplace.json")
    assert re.fullmatch("[a-z0-9-]+", found["name"]) and found["owner"]["name"]
    (plugin,) = found["plugins"]
    assert plugin["name"] == _manifest("plugin.json")["name"]
    assert plugin["source"].startswith("./") and ".." not in plugin["source"]
    assert (ROOT / plugin["source"] / ".claude-plugin" / "plugin.json").is_file()
