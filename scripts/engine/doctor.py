"""Doctor: which ways to what people said are ready, and how to mend the others.

Each way is looked at by itself: one that raises or hangs hides no other.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, Protocol

from engine import __version__
from engine.deadline import Deadline
from engine.errors import BlockedError, UsageError
from engine.io import Memory
from engine.model import BackendInfo, Depth, Item, SourceInfo, Warning
from engine.sources import base
from engine.text.redact import excerpt
from engine.text.topic import parse_topic
from engine.together import together
from engine.window import Window
from engine.x.backends.base import IO, Ask, Backend
from engine.x.query import Query

__all__ = ["Check", "Way", "examine", "probe", "record", "render", "ways"]

_READY = "ready"
_NOT_CONFIGURED = "not-configured"
_EXPIRED = "expired"
_BROKEN = "broken"

_X = "x"
# What people write about on any day.
_WORD = "news"
_DAYS = 2
_PROBE_ITEMS = 10
# A look at settings and files that takes longer hangs.
_LOOK_SECONDS = 10.0
_MAX_CHARACTERS = 400


class _Module(Protocol):
    """What a backend and a source have in common."""

    @property
    def INFO(self) -> BackendInfo | SourceInfo: ...

    def missing(self, io: IO) -> str: ...


class Way(NamedTuple):
    """One way of reaching a source: what stands against it, and one small real call.

    `missing` and `expired` give what the user has to do, or nothing.
    """

    source: str
    name: str
    label: str
    missing: Callable[[IO], str]
    expired: Callable[[IO], str]
    ask: Callable[[IO], Sequence[Item]]


class Check(NamedTuple):
    """How a way stands: ready, not-configured, expired, broken, or the state of a
    failed probe; `detail` says what was seen, `fix` what to do.
    """

    source: str
    name: str
    label: str
    state: str
    detail: str = ""
    fix: str = ""


def ways(
    backends: Mapping[str, Backend], sources: Mapping[str, base.Source]
) -> list[Way]:
    """The ways of registries: the backends of X, and every source but X itself."""
    found = [_way(_X, module, partial(_ask_x, module)) for module in backends.values()]
    for name, source in sources.items():
        if name != _X:
            found.append(_way(name, source, partial(_ask_source, source)))
    return found


def _way(source: str, module: _Module, ask: Callable[[IO], Sequence[Item]]) -> Way:
    info = module.INFO
    expired = getattr(module, "expired", lambda io: "")
    return Way(source, info.name, info.label, module.missing, expired, ask)


def _window(io: IO) -> Window:
    return Window.ending(io.settings.now.date(), _DAYS)


def _ask_x(backend: Backend, io: IO) -> Sequence[Item]:
    query = Query(_window(io), terms=(_WORD,), latest=True)
    return backend.search(Ask(query, _PROBE_ITEMS), io)


def _ask_source(source: base.Source, io: IO) -> Sequence[Item]:
    topic = parse_topic(_WORD)
    return source.search(base.Ask(_WORD, topic, _window(io), Depth.QUICK), io)


def examine(found: Sequence[Way], io: IO) -> list[Check]:
    """How the ways stand as far as settings and files say; no network is used."""
    looks = [partial(_look, way, io) for way in found]
    results = together(looks, parallel=len(looks), deadline=Deadline(_LOOK_SECONDS))
    return [
        result
        if isinstance(result, Check)
        else _check(way, io, _BROKEN, result.detail, "this is a bug; report it")
        for way, result in zip(found, results, strict=True)
    ]


def _look(way: Way, io: IO) -> Check:
    if fix := way.missing(io):
        return _check(way, io, _NOT_CONFIGURED, fix=fix)
    if fix := way.expired(io):
        return _check(way, io, _EXPIRED, fix=fix)
    try:
        io.settings.base_url(way.name, "")
    except UsageError as error:
        return _check(way, io, _BROKEN, fix=str(error))
    if io.settings.offline:
        return _check(
            way,
            io,
            BlockedError.state.value,
            "the sandbox of this host lets no connection out",
            "allow network access for this command, or search posts on disk with "
            "--archive",
        )
    return _check(way, io, _READY)


def probe(found: Sequence[Way], checks: Sequence[Check], io: IO) -> list[Check]:
    """The same after one small real call to each way that is set up.

    Args:
        found: the ways that were examined.
        checks: what `examine` gave for them.
        io: its deadline is that of all calls, which run side by side.
    """
    idle = (_NOT_CONFIGURED, _BROKEN)
    tried = [way for way, c in zip(found, checks, strict=True) if c.state not in idle]
    calls = [partial(_call, way, replace(io, memory=Memory())) for way in tried]
    results = together(calls, parallel=max(1, len(calls)), deadline=io.deadline)
    after = {
        way.name: result
        if isinstance(result, Check)
        else _check(way, io, result.state.value, result.detail, result.fix)
        for way, result in zip(tried, results, strict=True)
    }
    return [after.get(check.name, check) for check in checks]


def _call(way: Way, io: IO) -> Check:
    began = time.monotonic()
    count = len(way.ask(io))
    seconds = time.monotonic() - began
    return _check(way, io, _READY, f"answered in {seconds:.1f} s with {count} items")


def _check(way: Way, io: IO, state: str, detail: str = "", fix: str = "") -> Check:
    """A check whose words are clean and free of secrets."""
    hidden = io.settings.secrets
    detail, fix = (
        excerpt(said, hidden, limit=_MAX_CHARACTERS) for said in (detail, fix)
    )
    return Check(way.source, way.name, way.label, state, detail, fix)


def record(
    checks: Iterable[Check], warnings: Iterable[Warning], *, probed: bool
) -> dict[str, Any]:
    """The checks as schemas/doctor.schema.json describes them."""
    listed = [check._asdict() for check in checks]
    return {
        "schema_version": 1,
        "tool": "doctor",
        "probed": probed,
        "x_ready": any(c["source"] == _X and c["state"] == _READY for c in listed),
        "checks": listed,
        "_warnings": [
            {**warning._asdict(), "data": dict(warning.data)} for warning in warnings
        ],
    }


def render(found: Mapping[str, Any]) -> str:
    """A record as text, one line a way; a source that has one way stands for itself."""
    lines = [f"last30days v{__version__} doctor", ""]
    for check in found["checks"]:
        path = "" if check["source"] == check["name"] else f"{check['source']} by "
        parts = [check["state"].replace("-", " "), check["detail"], check["fix"]]
        said = "; ".join(part for part in parts if part)
        lines.append(f"{path}{check['name']}: {said}")
    lines += ["", *(f"! {warning['message']}" for warning in found["_warnings"])]
    lines.append(
        "X can be searched."
        if found["x_ready"]
        else "X cannot be searched as it is: one line above that begins with x has to "
        "become ready, or give --archive FILE or --demo to x_search.py."
    )
    return "\n".join(lines) + "\n"
