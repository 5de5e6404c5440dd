"""Contracts: JSON files from a host or for one, held against their schemas.

A violation becomes one readable line: file, field, what is wrong, what is accepted.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable
from functools import cache
from typing import Any

from engine.errors import ContractError, UsageError

__all__ = ["MAX_BYTES", "check", "read_json", "read_text", "schema"]

MAX_BYTES = 1_000_000
"""More than any file that a host writes; an artifact may be larger."""

_ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
_SHOWN = 60


@cache
def schema(name: str) -> dict[str, Any]:
    """The JSON Schema of a contract: `plan`, `artifact`, `warning`, …"""
    path = os.path.join(_ROOT, "schemas", f"{name}.schema.json")
    with open(path, encoding="utf-8") as file:
        found: dict[str, Any] = json.load(file)
    return found


def read_text(path: str, *, what: str, limit: int = MAX_BYTES) -> str:
    """The text of a file, or of standard input for `-`.

    Args:
        path: a file name, or `-`.
        what: what it should be, for messages: "plan".
        limit: the most bytes it may have.

    Raises:
        UsageError: it cannot be read, is too large or is not UTF-8 (a BOM is fine).
    """
    name = "standard input" if path == "-" else path
    try:
        if path == "-":
            raw = sys.stdin.buffer.read(limit + 1)
        else:
            with open(path, "rb") as file:
                raw = file.read(limit + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"{name}: cannot read the {what}: {reason}") from None
    if len(raw) > limit:
        raise UsageError(f"{name}: a {what} has at most {limit:,} bytes")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError(f"{name}: the {what} is not UTF-8; save it as UTF-8") from None


def read_json(path: str, *, what: str, limit: int = MAX_BYTES) -> Any:
    """The JSON value in a file, or on standard input for `-`.

    Raises:
        UsageError: it cannot be read.
        ContractError: it is no JSON; NaN and Infinity are none, nor is an object that
            has a field twice.
    """
    name = "standard input" if path == "-" else path
    text = read_text(path, what=what, limit=limit)
    if not text.strip():
        raise ContractError(f"{name}: the {what} is empty")
    try:
        return json.loads(
            text,
            parse_constant=_refuse_constant,
            object_pairs_hook=_refuse_repetition,
        )
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise ContractError(
            f"{name}: the {what} is not JSON ({error.msg} at {where})"
        ) from None
    except (ValueError, RecursionError) as error:
        reason = "nested too deep" if isinstance(error, RecursionError) else error
        raise ContractError(f"{name}: the {what} is not JSON ({reason})") from None


def check(value: object, contract: str, *, name: str) -> None:
    """Hold a value against a schema.

    Args:
        value: what `json.loads` gave, or what is about to be written.
        contract: the name of the schema.
        name: the file, for messages.

    Raises:
        ContractError: the first violation, in the order of the file.
    """
    from jsonschema import Draft202012Validator

    errors = Draft202012Validator(schema(contract)).iter_errors(value)
    # A value that is wrong as a whole explains the errors inside it.
    first = min(errors, key=_position, default=None)
    if first is not None:
        where = _path(first.absolute_path)
        raise ContractError(f"{name}: {where}{_explain(first)}")


def _position(error: Any) -> tuple[list[str], bool, str]:
    # A misspelt field explains the one that is missing.
    late = error.validator != "additionalProperties"
    return list(map(str, error.absolute_path)), late, error.message


def _refuse_constant(constant: str) -> None:
    raise ValueError(f"{constant} is no JSON value")


def _refuse_repetition(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{_show(twice)} stands twice in one object")
    return found


def _path(parts: Iterable[str | int]) -> str:
    path = "".join(f"[{p}]" if isinstance(p, int) else f".{p}" for p in parts)
    return f"{path.lstrip('.')}: " if path else ""


def _explain(error: Any) -> str:
    kind, wanted, given = error.validator, error.validator_value, error.instance
    if kind == "required":
        missing = [field for field in wanted if field not in given]
        return f"the field {', '.join(map(repr, missing))} is missing"
    if kind == "additionalProperties":
        known = list(error.schema.get("properties", ()))
        odd = next(field for field in given if field not in known)
        return f"unknown field {_show(odd)}{_near(odd, known)}; {_accepted(known)}"
    if kind in ("enum", "const"):
        known = wanted if kind == "enum" else [wanted]
        hint = f"{_near(given, known)}; {_accepted(known)}"
        return f"{_show(given)} is not accepted{hint}"
    if kind == "type":
        kinds = [wanted] if isinstance(wanted, str) else wanted
        return f"{_show(given)} is no {' or '.join(kinds)}"
    if kind == "uniqueItems":
        return f"{_show(given)} has an entry twice"
    limits = {
        "minimum": "must be at least",
        "maximum": "must be at most",
        "exclusiveMinimum": "must be more than",
        "minItems": "must have at least so many entries:",
        "maxItems": "must have at most so many entries:",
        "minLength": "must have at least so many characters:",
        "maxLength": "must have at most so many characters:",
        "pattern": "must match",
    }
    return f"{_show(given)} {limits.get(kind, kind)} {wanted}"


def _accepted(known: Iterable[object]) -> str:
    return "accepted: " + ", ".join(map(str, known))


def _near(given: object, known: Iterable[object]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(str(given), list(map(str, known)), n=1)
    return f", did you mean {close[0]!r}?" if close else ""


def _show(value: object) -> str:
    text = json.dumps(value, ensure_ascii=True)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
