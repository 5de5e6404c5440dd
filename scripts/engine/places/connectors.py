"""Connectors: the records of engine/data/connectors.yaml, and which of them are set up.

A connector is data: how it is called, what its failures look like, where things stand
in its answers. A new one is a new record and, if its failures are unlike all others, a
list of signs.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from engine import data
from engine.errors import UsageError
from engine.model import State
from engine.settings import Settings

__all__ = [
    "HOST",
    "Call",
    "Connector",
    "command_line",
    "connectors",
    "filled",
    "missing",
]

HOST = "host"
"""The record by which answers of tools are read that have no record of their own."""

_BLANK = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class Call:
    """One thing that a connector can be asked.

    `arguments` follow a command; `path` and `body` are those of a POST. `usual` and
    `most` are the requests that one call makes to the service, `keep_days` how long an
    answer is worth keeping.
    """

    usual: int
    most: int
    keep_days: float
    arguments: tuple[str, ...] = ()
    path: str = ""
    body: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Connector:
    """One record; engine/data/connectors.yaml says what each part means."""

    name: str
    label: str
    group: str
    calls: Mapping[str, Call]
    command: tuple[str, ...] | None
    http: tuple[str, ...]
    environment: tuple[str, ...]
    given: Mapping[str, str]
    seconds: float
    pause: tuple[float, float]
    succeeded: tuple[Any, ...]
    failed: tuple[Any, ...]
    error: tuple[str, ...]
    failures: tuple[tuple[State, tuple[str, ...]], ...]
    read: Mapping[str, Any]


@cache
def connectors() -> Mapping[str, Connector]:
    """All records by name, in the order in which those of a group are preferred."""
    import yaml

    text = data.text("connectors.yaml")
    records = yaml.safe_load(text)["connectors"]
    return {name: _connector(name, record) for name, record in records.items()}


def _connector(name: str, record: Mapping[str, Any]) -> Connector:
    command = record.get("command")
    return Connector(
        name=name,
        label=record["label"],
        group=record["group"],
        calls={what: _call(call) for what, call in record["calls"].items()},
        command=None if command is None else tuple(command),
        http=tuple(record.get("http", ())),
        environment=tuple(record.get("environment", ())),
        given=record.get("set", {}),
        seconds=float(record.get("seconds", 0)),
        pause=tuple(record.get("pause", (0.0, 0.0))),
        succeeded=tuple(record.get("succeeded", ())),
        failed=tuple(record.get("failed", ())),
        error=tuple(record["error"]),
        failures=tuple(
            (State(state), tuple(sign.lower() for sign in signs))
            for state, signs in record["failures"]
        ),
        read=record["read"],
    )


def _call(record: Mapping[str, Any]) -> Call:
    usual, most = record["requests"]
    return Call(
        usual=usual,
        most=most,
        keep_days=record["keep_days"],
        arguments=tuple(record.get("arguments", ())),
        path=record.get("path", ""),
        body=record.get("body", {}),
    )


def command_line(connector: Connector, settings: Settings) -> tuple[str, ...]:
    """The program and what always follows it; empty if it is not installed.

    Raises:
        UsageError: the setting that replaces the command is no command line.
    """
    import shutil

    if connector.command is None:
        return ()
    name = _setting(connector)
    try:
        words = tuple(shlex.split(settings.get(name))) or connector.command
    except ValueError as error:
        raise UsageError(f"{name}: is no command line ({error})") from None
    found = words and shutil.which(words[0], path=settings.get("PATH"))
    return (os.path.abspath(found), *words[1:]) if found else ()


def missing(connector: Connector, settings: Settings) -> str:
    """What to do before a connector can be asked; empty if it can.

    Raises:
        UsageError: a setting of it is unusable.
    """
    if connector.http:
        if settings.get(connector.http[0]):
            return ""
        return f"set {connector.http[0]} to the address of its server"
    if connector.command is None:
        return "hand over what your own tools answered, with --results FILE"
    if command_line(connector, settings):
        return ""
    if not connector.command:
        return f"set {_setting(connector)} to the command that starts it"
    program = connector.command[0]
    return f"install {program}, or set {_setting(connector)} to the command"


def _setting(connector: Connector) -> str:
    return f"LAST30DAYS_{connector.name.upper().replace('-', '_')}_COMMAND"


def filled(template: Any, values: Mapping[str, str]) -> Any:
    """A template with its blanks filled in once: what a value holds is no blank.

    Args:
        template: a string, or a list or an object of templates.
        values: by the name of the blank.
    """
    if isinstance(template, str):
        return _BLANK.sub(lambda blank: values[blank[1]], template)
    if isinstance(template, Mapping):
        return {key: filled(value, values) for key, value in template.items()}
    if isinstance(template, Sequence):
        return [filled(value, values) for value in template]
    return template
