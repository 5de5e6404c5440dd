"""Contracts: the schemas themselves, and what is said of a file that breaks one."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from engine.contracts import check, read_json, read_text, schema
from engine.errors import ContractError, UsageError

FOLDER = Path(__file__).resolve().parents[1] / "schemas"
NAMES = sorted(path.name.split(".")[0] for path in FOLDER.glob("*.schema.json"))


def objects(node: Any) -> list[dict[str, Any]]:
    """Every object in a schema that describes objects of a file."""
    if isinstance(node, list):
        return [found for part in node for found in objects(part)]
    if not isinstance(node, dict):
        return []
    own = [node] if node.get("type") == "object" else []
    return own + [found for part in node.values() for found in objects(part)]


def test_the_schemas_are_all_there() -> None:
    """Those that this program writes or reads."""
    assert {"plan", "artifact", "warning"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_is_valid_and_described(name: str) -> None:
    """Draft 2020-12, with a title and a description for the file and its fields."""
    found = schema(name)
    assert found["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    Draft202012Validator.check_schema(found)
    assert found["title"]
    assert found["description"]


@pytest.mark.parametrize("name", NAMES)
def test_objects_say_whether_they_take_other_fields(name: str) -> None:
    """It is decided everywhere but for the data of warnings, typed by their code."""
    for part in objects(schema(name)):
        assert "additionalProperties" in part or set(part) <= {"type", "description"}


def test_fields_of_a_plan_are_described() -> None:
    """The writer of a plan reads them."""
    plan = schema("plan")
    sub = plan["properties"]["subqueries"]["items"]
    for name, part in {**plan["properties"], **sub["properties"]}.items():
        assert part.get("description"), name


def test_each_warning_code_has_its_meaning_and_typed_data() -> None:
    """The codes of the list and of the branches are the same."""
    found = schema("warning")
    branches = {b["properties"]["code"]["const"]: b for b in found["oneOf"]}
    assert sorted(branches) == sorted(found["properties"]["code"]["enum"])
    for branch in branches.values():
        data = branch["properties"]["data"]
        assert branch["description"]
        assert data["additionalProperties"] is False
        assert sorted(data["required"]) == sorted(data["properties"])
        assert all({"type", "enum"} & set(p) for p in data["properties"].values())


def test_data_of_a_warning_is_that_of_its_code() -> None:
    """The data of one code under another is refused."""
    given = {
        "code": "pruned-off-topic",
        "source": "x",
        "message": "X: pruned 1 off-topic items; 2 on-topic remain",
        "data": {"pruned": 1, "remaining": 2},
    }
    check(given, "warning", name="a")
    for data in ({}, {"pruned": -1, "remaining": 2}, {"posts": 3}):
        with pytest.raises(ContractError):
            check({**given, "data": data}, "warning", name="a")


def test_the_first_violation_is_the_outermost() -> None:
    """A value that is wrong as a whole explains the errors inside it."""
    with pytest.raises(ContractError, match="^f: \\[\\] is no object$"):
        check([], "plan", name="f")


def test_long_values_are_cut_in_messages() -> None:
    """A line stays a line that can be read."""
    given = {"intent": "x" * 10_000}
    with pytest.raises(ContractError) as caught:
        check({**given, **dict.fromkeys(_OTHERS, "none")}, "plan", name="f")
    assert len(str(caught.value)) < 300


_OTHERS = ("freshness_mode", "cluster_mode", "subqueries")


def test_standard_input_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """`-` reads it, and messages say so."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"[1, 2")))
    with pytest.raises(ContractError, match="^standard input: the plan is not JSON"):
        read_json("-", what="plan")


def test_a_limit_of_its_own(tmp_path: Path) -> None:
    """An artifact may be larger than a plan."""
    path = tmp_path / "a.json"
    path.write_text(json.dumps("x" * 2_000_000))
    with pytest.raises(UsageError, match="a artifact has|an artifact has|at most"):
        read_text(str(path), what="artifact")
    assert len(read_text(str(path), what="artifact", limit=3_000_000)) == 2_000_002
