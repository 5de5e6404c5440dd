"""Plans: what is accepted, and one readable line for everything that is not."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from engine.contracts import MAX_BYTES
from engine.errors import ContractError, UsageError
from engine.plan import Plan, load_plan
from support import ROOT

TOPIC = "Rome Italy"


def subquery(**changes: Any) -> dict[str, Any]:
    """A valid subquery with changes."""
    return {
        "search_query": "rome italy",
        "ranking_query": "What do visitors say about Rome?",
        "sources": ["x", "reddit"],
        **changes,
    }


def plan(**changes: Any) -> dict[str, Any]:
    """A valid plan with changes."""
    return {
        "intent": "opinion",
        "freshness_mode": "balanced_recent",
        "cluster_mode": "story",
        "subqueries": [subquery()],
        **changes,
    }


def load(tmp_path: Path, content: bytes | str | dict[str, Any]) -> Plan:
    """Write a plan file and read it."""
    if isinstance(content, dict):
        content = json.dumps(content)
    raw = content.encode() if isinstance(content, str) else content
    (tmp_path / "plan.json").write_bytes(raw)
    return load_plan(str(tmp_path / "plan.json"), TOPIC)


def refusal(tmp_path: Path, content: bytes | str | dict[str, Any]) -> str:
    """The message for a plan that must be refused: one line that names the file."""
    with pytest.raises(UsageError) as caught:
        load(tmp_path, content)
    message = str(caught.value)
    name = str(tmp_path / "plan.json")
    assert message.startswith(f"{name}: ")
    assert caught.value.exit_code == 2
    assert message.isprintable()
    return message[len(name) + 2 :]


def test_defaults_stand_in_the_effective_plan(tmp_path: Path) -> None:
    """What the writer left out is filled in where the artifact shows it."""
    found = load(tmp_path, plan())
    sub = found.subqueries[0]
    assert (sub.label, sub.weight, sub.sources) == ("q1", 1.0, ("x", "reddit"))
    assert found.effective["topic"] == TOPIC
    assert found.effective["source_weights"] == {}
    assert found.effective["subqueries"][0]["weight"] == 1.0


def test_a_byte_order_mark_is_fine(tmp_path: Path) -> None:
    """Editors on Windows write one."""
    raw = b"\xef\xbb\xbf" + json.dumps(plan()).encode()
    assert load(tmp_path, raw).intent == "opinion"


def test_given_values_are_kept(tmp_path: Path) -> None:
    """Labels, weights and notes are taken over as they are."""
    given = plan(
        topic=" rome  ITALY ",
        subqueries=[subquery(label="food", weight=0.25)],
        source_weights={"x": 0.5},
        notes=["a", "b"],
    )
    found = load(tmp_path, given)
    assert found.subqueries[0].label == "food"
    assert found.subqueries[0].weight == 0.25
    assert found.source_weights == {"x": 0.5}
    assert found.effective["notes"] == ["a", "b"]


def test_ranking_queries_are_those_of_the_subqueries_that_name_the_source(
    tmp_path: Path,
) -> None:
    """A source that no subquery names is judged against all questions."""
    subs = [
        subquery(ranking_query="Is it safe?", sources=["x"]),
        subquery(ranking_query="Is it dear?", sources=["web"]),
    ]
    found = load(tmp_path, plan(subqueries=subs))
    assert found.ranking_queries("x") == ("Is it safe?",)
    assert found.ranking_queries("github") == ("Is it safe?", "Is it dear?")


SHAPES = [
    ({"queries": []}, "unknown field \"queries\""),
    (plan(subqueries={}), "subqueries: {} is no array"),
    (plan(subqueries=[]), "subqueries: [] must have at least so many entries: 1"),
    (plan(subqueries=[subquery()] * 40), "subqueries: "),
    (plan(subqueries=[subquery(sources=["twitter"])]), 'subqueries[0].sources[0]: "twitter" is not accepted'),
    (plan(subqueries=[subquery(sources=["redit"])]), "did you mean 'reddit'?"),
    (plan(subqueries=[subquery(sources=[])]), "subqueries[0].sources: "),
    (plan(subqueries=[subquery(sources=["x", "x"])]), "subqueries[0].sources: "),
    (plan(subqueries=[subquery(), subquery(weight=-3)]), "subqueries[1].weight: -3 must be more than 0"),
    (plan(subqueries=[subquery(weight=0)]), "subqueries[0].weight: 0 must be more than 0"),
    (plan(subqueries=[subquery(weight=1.5)]), "subqueries[0].weight: 1.5 must be at most 1"),
    (plan(subqueries=[subquery(weight=True)]), "subqueries[0].weight: true is no number"),
    (plan(subqueries=[subquery(weight="heavy")]), 'subqueries[0].weight: "heavy" is no number'),
    (plan(subqueries=[subquery(ranking_query=None)]), "subqueries[0].ranking_query: null is no string"),
    (plan(subqueries=[subquery(ranking_query="?!")]), "subqueries[0].ranking_query: has no letter or digit"),
    (plan(subqueries=[subquery(search_query="x" * 501)]), "subqueries[0].search_query: "),
    (plan(subqueries=[subquery(wieght=1)]), "subqueries[0]: unknown field \"wieght\", did you mean 'weight'?"),
    (plan(intent="opinions"), "intent: \"opinions\" is not accepted, did you mean 'opinion'?; accepted: factual"),
    (plan(freshness_mode="fresh"), "accepted: strict_recent, balanced_recent, evergreen_ok"),
    (plan(source_weights=True), "source_weights: true is no object"),
    (plan(source_weights={"x": 2}), "source_weights.x: 2 must be at most 1"),
    (plan(source_weights={"xx": 1}), 'source_weights: unknown field "xx"'),
    (plan(topic="Paris"), "topic: the plan is for 'Paris'"),
    (plan(topic=7), "topic: 7 is no string"),
    (plan(notes=7), "notes: 7 is no string or array"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "line"), SHAPES, ids=[line for _, line in SHAPES])
def test_a_wrong_shape_names_field_and_what_is_accepted(
    tmp_path: Path, given: dict[str, Any], line: str
) -> None:
    """One line; nothing is repaired in silence."""
    assert line in refusal(tmp_path, given)


TEXTS = [
    pytest.param("{'intent': 1}", "is not JSON", id="single-quotes"),
    pytest.param('{"intent": "opinion",}', "line 1, column", id="comma-at-the-end"),
    pytest.param("", "is empty", id="empty"),
    pytest.param(" \n", "is empty", id="blank"),
    pytest.param("[]", "[] is no object", id="list"),
    pytest.param('"plan"', "is no object", id="string"),
    pytest.param("null", "null is no object", id="null"),
    pytest.param('{"weight": NaN}', "NaN is no JSON value", id="nan"),
    pytest.param('{"weight": -Infinity}', "-Infinity is no JSON", id="infinity"),
    pytest.param(
        json.dumps(plan(source_weights={"x": 999})).replace("999", "1e999"),
        "source_weights.x: Infinity must be at most 1",
        id="over-all-floats",
    ),
    pytest.param('{"intent": ' + "9" * 5000 + "}", "is not JSON", id="5000-digits"),
    pytest.param("[" * 100_000, "nested too deep", id="deep"),
    pytest.param('{"a":' * 50_000, "nested too deep", id="deep-objects"),
    pytest.param(
        '{"intent": "factual", "intent": "opinion"}',
        '"intent" stands twice',
        id="field-twice",
    ),
    pytest.param('{"\\ud800": 1}', 'unknown field "\\ud800"', id="lone-surrogate"),
    pytest.param('{"a\\n# b": 1}', 'unknown field "a\\n# b"', id="newline-in-field"),
]


@pytest.mark.parametrize(("text", "line"), TEXTS)
def test_a_file_that_is_no_plan(tmp_path: Path, text: str, line: str) -> None:
    """The line says what the file is instead."""
    assert line in refusal(tmp_path, text)


def test_nested_values_are_refused_without_a_traceback(tmp_path: Path) -> None:
    """Depths that the parser takes must not overturn the check or its message."""
    for depth in (50, 300, 900):
        nested = "[" * depth + "]" * depth
        text = json.dumps(plan(notes="@")).replace('"@"', nested)
        assert refusal(tmp_path, text)


@pytest.mark.parametrize("coding", ["utf-16", "utf-16-le", "utf-32", "cp1252"])
def test_other_encodings(tmp_path: Path, coding: str) -> None:
    """They are refused, not guessed."""
    raw = json.dumps(plan(notes="é"), ensure_ascii=False).encode(coding)
    assert re.search("not UTF-8|not JSON", refusal(tmp_path, raw))


def test_a_file_over_the_limit_is_not_read_whole(tmp_path: Path) -> None:
    """The limit stands in the message; a sparse file of 200 MB costs nothing."""
    path = tmp_path / "plan.json"
    with open(path, "wb") as file:
        file.truncate(200_000_000)
    with pytest.raises(UsageError, match=f"at most {MAX_BYTES:,} bytes"):
        load_plan(str(path), TOPIC)


def test_a_plan_of_exactly_the_limit(tmp_path: Path) -> None:
    """The limit itself is allowed, one byte more is not."""
    text = json.dumps(plan())
    padded = text + " " * (MAX_BYTES - len(text))
    assert load(tmp_path, padded)
    assert "at most" in refusal(tmp_path, padded + " ")


def test_a_directory_and_a_missing_file(tmp_path: Path) -> None:
    """The system's own reason is shown."""
    with pytest.raises(UsageError, match="cannot read the plan: Is a directory"):
        load_plan(str(tmp_path), TOPIC)
    with pytest.raises(UsageError, match="cannot read the plan: No such file"):
        load_plan(str(tmp_path / "none.json"), TOPIC)
    with pytest.raises(UsageError, match="cannot read the plan"):
        load_plan("a\0b", TOPIC)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_a_file_without_permission(tmp_path: Path) -> None:
    """Permissions are no traceback."""
    path = tmp_path / "plan.json"
    path.write_text("{}")
    path.chmod(0)
    with pytest.raises(UsageError, match="Permission denied"):
        load_plan(str(path), TOPIC)


def test_contract_errors_are_usage_errors(tmp_path: Path) -> None:
    """A plan that breaks its contract has an error class of its own."""
    with pytest.raises(ContractError):
        load(tmp_path, "{}")


@pytest.mark.parametrize("page", ["plan.md", "comparison.md"])
def test_every_plan_that_a_page_shows_is_valid(page: str, tmp_path: Path) -> None:
    """A host that copies one is not refused."""
    text = (ROOT / "references" / page).read_text(encoding="utf-8")
    plans = re.findall(r"```json\n(.*?)```", text, re.DOTALL)
    assert len(plans) == {"plan.md": 1 + 5, "comparison.md": 1}[page]
    for shown in plans:
        path = tmp_path / "plan.json"
        path.write_text(shown, encoding="utf-8")
        assert load_plan(str(path), "any topic").subqueries
