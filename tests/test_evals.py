"""The briefs and prompts under tests/evals: the checker sorts the former without error."""

from __future__ import annotations

import json
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from engine.contracts import check
from engine.report.brief.evidence import Evidence
from engine.report.brief.frame import badges, footers
from engine.report.laws import LAWS, check_brief
from support import ROOT

_EVALS = Path(__file__).parent / "evals"
_BRIEFS = sorted((_EVALS / "briefs").glob("*/*.md"))
_ARTIFACTS = sorted((_EVALS / "briefs").glob("*/artifact.json"))


@cache
def _artifact(folder: Path) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(
        (folder / "artifact.json").read_text(encoding="utf-8")
    )
    return record


def _brief(path: Path) -> str:
    """A brief with the badge and the footer of its artifact."""
    evidence = Evidence(_artifact(path.parent))
    text = path.read_text(encoding="utf-8")
    text = text.replace("{{badge}}", badges(evidence)[0])
    return text.replace("{{footer}}", "\n".join(footers(evidence)[0]))


def _wanted(path: Path) -> set[str]:
    kind = path.stem.partition("_")[0]
    return set() if kind == "good" else {kind.replace("law", "LAW ")}


def _name(path: Path) -> str:
    return f"{path.parent.name}/{path.stem}"


@pytest.mark.parametrize("path", _ARTIFACTS, ids=lambda path: path.parent.name)
def test_the_artifacts_are_such(path: Path) -> None:
    """What the briefs are about keeps the contract of an artifact."""
    check(_artifact(path.parent), "artifact", name=path.name)


@pytest.mark.parametrize("path", _BRIEFS, ids=_name)
def test_every_brief_is_sorted_right(path: Path) -> None:
    """A good one has no violation; one that breaks a LAW has that one and no other."""
    found = check_brief(_brief(path), _artifact(path.parent))
    assert {violation.law for violation in found} == _wanted(path), found


def test_the_briefs_cover_every_law_that_is_checked() -> None:
    """At least forty, and for each LAW with a check at least one that breaks it."""
    kinds = Counter(law for path in _BRIEFS for law in _wanted(path))
    assert len(_BRIEFS) >= 40
    assert sum(not _wanted(path) for path in _BRIEFS) >= 15
    assert set(kinds) == {name for name, law in LAWS.items() if law.checks}


def _read(name: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((_EVALS / name).read_text(encoding="utf-8"))
    return found


def test_the_cases_have_the_form_that_runners_read() -> None:
    """A name, and for each case an id, a prompt, what is expected, and assertions."""
    found = _read("evals.json")
    assert set(found) == {"skill_name", "evals"} and found["skill_name"] == "last30days"
    cases = found["evals"]
    assert len(cases) >= 12
    assert [case["id"] for case in cases] == list(range(1, len(cases) + 1))
    needed = {"id", "prompt", "expected_output", "assertions"}
    for case in cases:
        assert needed <= set(case) <= {*needed, "files"}
        assert case["prompt"] and case["expected_output"]
        assert case["assertions"] and all(map(str.strip, case["assertions"]))
        assert all((ROOT / file).is_file() for file in case.get("files", ()))


def test_the_trigger_queries_are_even() -> None:
    """Ten that should start the skill and ten near misses, each once."""
    found = _read("triggers.json")
    assert found["skill_name"] == "last30days"
    queries = found["queries"]
    assert all(set(query) == {"query", "should_trigger"} for query in queries)
    kinds = Counter(query["should_trigger"] for query in queries)
    assert kinds == {True: 10, False: 10}
    assert len({query["query"].casefold() for query in queries}) == len(queries)
