"""What the documents promise is there, and what is there is documented."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.parser import EXIT_CODES
from support import ROOT, run

_ENGINE = sorted((ROOT / "scripts" / "engine").rglob("*.py"))
_ENTRIES = sorted((ROOT / "scripts").glob("*.py"))
_TESTS = sorted((ROOT / "tests").rglob("*.py"))
_PAGES = [
    ROOT / "SKILL.md",
    ROOT / "README.md",
    *sorted((ROOT / "references").glob("*.md")),
]
_WRITTEN_BY_THE_HOST = ("brief.md",)
_CODES = re.findall(r"^  (\d+) ", EXIT_CODES, re.MULTILINE)


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _listed(text: str, key: str) -> str:
    found = re.search(
        rf"^(?:# )?{key} = (\[.*?\]|\"[^\"]*\")$", text, re.MULTILINE | re.DOTALL
    )
    assert found, key
    return re.sub(r"[#\s]", "", found[1])


@pytest.mark.parametrize("path", _ENTRIES, ids=_name)
@pytest.mark.parametrize("key", ["dependencies", "requires-python"])
def test_script_headers_equal_the_project(path: Path, key: str) -> None:
    """`uv run` brings what `pip install` brings."""
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    script = path.read_text(encoding="utf-8")
    assert "# /// script\n" in script
    wanted = _listed(project, key)
    if path.stem == "places" and key == "dependencies":
        # What it needs beside the others is an extra.
        wanted = (wanted + _listed(project, "places")).replace(",][", ",")
    assert _listed(script, key) == wanted


def _options(path: Path) -> set[str]:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    before = list(sys.path)
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path[:] = before
    actions: list[Any] = module.parser()._actions
    return {
        name for action in actions for name in action.option_strings if name[:2] == "--"
    }


def _pages() -> str:
    return "\n".join(page.read_text(encoding="utf-8") for page in _PAGES[1:])


@pytest.mark.parametrize("path", _ENTRIES, ids=_name)
def test_every_flag_is_documented(path: Path) -> None:
    """Each stands in README.md or a reference, and none that does not exist."""
    named = set(re.findall(r"`(--[a-z-]+)", _pages()))
    assert not _options(path) - named - {"--help"}
    assert not named - {name for entry in _ENTRIES for name in _options(entry)}


@pytest.mark.parametrize("code", _CODES)
def test_every_exit_code_is_documented(code: str) -> None:
    """Each has its row in README.md."""
    assert len(_CODES) == 7
    assert f"\n| {code} | " in (ROOT / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("page", _PAGES, ids=_name)
def test_every_path_that_a_page_names_exists(page: Path) -> None:
    """No page sends its reader to a file that is not there."""
    text = page.read_text(encoding="utf-8")
    named = re.findall(
        r"(?<![\w./~-])((?:scripts|references|schemas|tests|\.ci)/[\w./-]*\w)", text
    )
    named += re.findall(r"`((?:\w+/)*[\w-]+\.(?:md|toml|py))`", text)
    prose = re.sub(r"```.*?```|`[^`\n]*`", "", text, flags=re.DOTALL)
    named += re.findall(r"\]\(((?!https?:|#)[^)#]+)", prose)
    places = (ROOT, ROOT / "scripts")
    named = [path for path in named if path not in _WRITTEN_BY_THE_HOST]
    missing = [path for path in named if not any((p / path).exists() for p in places)]
    assert missing == []


def test_references_are_short_and_say_when_to_read_them() -> None:
    """At most 300 lines each, and SKILL.md names every one."""
    skill = (ROOT / "SKILL.md").read_text(encoding="utf-8")
    for page in _PAGES[2:]:
        text = page.read_text(encoding="utf-8")
        assert len(text.splitlines()) <= 300
        assert _name(page) in skill or _name(page) in _pages()
        assert re.search("^Read (this )?when", text, re.MULTILINE), _name(page)


def test_there_is_one_skill_file() -> None:
    """A host that searches the folder finds one contract."""
    found = [p for p in ROOT.rglob("SKILL.md") if ".venv" not in p.parts]
    assert found == [ROOT / "SKILL.md"]


def test_no_file_names_a_folder_of_the_machine_it_was_written_on() -> None:
    """The project works wherever it lies."""
    for path in [
        *_ENGINE,
        *_ENTRIES,
        *_TESTS,
        *_PAGES,
        ROOT / "Makefile",
        ROOT / "pyproject.toml",
    ]:
        text = path.read_text(encoding="utf-8")
        assert f"{ROOT}/" not in text, _name(path)


def test_the_readme_shows_what_the_demo_prints(tmp_path: Path) -> None:
    """The pieces under `make demo`, parted by lines of one ellipsis, are real output."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    block = re.search(r"```text\n\$ make demo\n(.*?)```", readme, re.DOTALL)
    assert block
    shown = run("Rome Italy", "--demo", cwd=tmp_path).stdout
    for piece in block[1].split("…\n"):
        assert piece in shown


def test_the_readme_names_every_dependency_and_target() -> None:
    """Each has its row with a reason, and no make target is made up."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    keys = ("dependencies", "places", "dev")
    listed = "".join(_listed(project, key) for key in keys)
    for name in set(re.findall(r'"([\w-]+)', listed)) - {"last30days"}:
        assert f"\n| {name} | " in readme, name
    targets = re.findall(
        r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert set(re.findall(r"`make (\w+)", readme)) <= set(targets)
