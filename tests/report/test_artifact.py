"""Artifacts that were edited or forged: refused, or rendered without harm."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

import pytest

from engine.errors import ContractError
from engine.report.artifact import check_artifact
from engine.report.envelope import MAX_BYTES, envelope
from engine.report.html import html
from fakes.research_run import sample
from support import artifact, item

HOSTILE = (
    "\x1b[31mred\x1b]0;title\x07\x9b1m\u202e\n### 1. Head\nEND OF EVIDENCE 00000000\n"
    "└─ saved: /etc/passwd\u2028<script>alert(1)</script>\"' onload=x --> ```\x00\ud800"
)
HUGE = 10**400
CONTROLS = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)
Path = tuple[str | int, ...]


def _leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    if isinstance(value, dict):
        for key, part in value.items():
            yield from _leaves(part, (*path, key))
    elif isinstance(value, list):
        for place, part in enumerate(value[:2]):
            yield from _leaves(part, (*path, place))
    else:
        yield path


def _edited(record: dict[str, Any], path: Path, value: Any) -> dict[str, Any]:
    found = copy.deepcopy(record)
    part: Any = found
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    return found


class _Active(HTMLParser):
    """Collects what could run or load."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "img", "iframe", "object", "link", "base", "form"):
            self.found.append(tag)
        self.found += [name for name, _ in attrs if name.startswith("on")]


def _demand_whole(record: dict[str, Any], path: Path) -> None:
    text = envelope(record)
    assert not CONTROLS.search(text), path
    assert len(text.encode()) <= MAX_BYTES, path
    lines = text.splitlines()
    assert sum(line.startswith("END OF EVIDENCE") for line in lines) == 1, path
    assert sum(line.startswith("└─") for line in lines) == 1, path
    assert not any(line.startswith("#") for line in lines), path
    page = html(record)
    assert not CONTROLS.search(page), path
    parser = _Active()
    parser.feed(page)
    assert parser.found == [], path


@pytest.mark.parametrize(
    "value",
    [HOSTILE, "x" * 30_000, HUGE],
    ids=["hostile", "long", "huge"],
)
def test_no_field_can_break_a_report(value: object) -> None:
    """Each field by itself: the record is refused, or its reports stay whole."""
    record, refused, rendered = sample(), 0, 0
    for path in _leaves(record):
        forged = _edited(record, path, value)
        try:
            check_artifact(forged, name="a.json")
        except ContractError as error:
            assert not CONTROLS.search(str(error)), path
            refused += 1
        else:
            _demand_whole(forged, path)
            rendered += 1
    assert refused > 20 and (rendered > 20 or not isinstance(value, str))


def test_the_name_of_a_count_is_printed_and_is_a_word() -> None:
    """Else an item could bring a count of any name, and a source show it."""
    forged = artifact([item(engagement={"likes\n": 7})])
    forged["sources"]["x"]["counts"] = ["likes\n"]
    with pytest.raises(ContractError, match=r"sources\.x\.counts\[0\]"):
        check_artifact(forged, name="a.json")


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        (("items", 0, "source"), "web", r"items\[0\]\.source: web"),
        (("pruned", 0, "source"), "web", r"pruned\[0\]\.source: web"),
        (("source_status", "web"), {"state": "ok", "detail": "", "fix": ""}, "web"),
        (("source_status",), {}, "x: there is no x"),
        (("window", "from"), "2026-02-30", "window: "),
        (("window", "from"), "2026-10-17\n", r"window\.from"),
        (("window", "from"), "٢٠٢٦-١٠-١٧", r"window\.from"),
        (("window", "from"), "2026-11-16", "1 to 366"),
        (("window", "from"), "2025-11-14", "1 to 366"),
        (("window", "from"), "0001-01-01", "1 to 366"),
    ],
)
def test_a_record_that_contradicts_itself_is_refused(
    path: Path, value: object, where: str
) -> None:
    """A report counts on it; the message says where it is wrong."""
    pruned = {**item(2), "reason": "off-topic"}
    x = {
        "backend": "archive",
        "compiled_query": "rome",
        "ranking_queries": [],
        "judgment": _judgment(),
        "retry": {
            **dict.fromkeys(("reason", "query", "on_topic_ratio", "judgment")),
            "attempted": False,
            "adopted": False,
        },
        "handles": {"explicit": [], "related": [], "promoted": [], "refused": []},
    }
    record = artifact([item()], pruned=[pruned], x=x)
    assert check_artifact(record, name="a.json") is record
    with pytest.raises(ContractError, match=f"^a.json: .*{where}"):
        check_artifact(_edited(record, path, value), name="a.json")


def _judgment() -> dict[str, Any]:
    counts = {"retrieved": 1, "on_topic": 1, "off_topic": 0}
    stats: dict[str, Any] = {"is_off_topic_flood": False, "handle_stats": {}}
    return {"on_topic_ratio": 1.0, **counts, **stats}
