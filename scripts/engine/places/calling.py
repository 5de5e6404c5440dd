"""One call of a connector: its answer as a JSON document, or an error with the reason.

The last JSON document on standard output decides, whatever the exit status says: some
tools end well after a failure, and some tell a captcha there and nowhere else.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from engine.deadline import Deadline
from engine.errors import (
    AuthError,
    BadResponseError,
    BlockedError,
    DeadlineError,
    NotConfiguredError,
    RateLimitError,
    SourceError,
    UnreachableError,
)
from engine.exchange import Request
from engine.io import IO
from engine.model import State
from engine.places.connectors import Connector, command_line, filled, missing
from engine.places.paths import at_path
from engine.text.json_values import scan_json
from engine.text.redact import excerpt

if TYPE_CHECKING:
    from engine.child import Result

__all__ = ["call", "checked"]

# A tool that does not end when told to is ended by force, within the time of the run.
_ENDING_SECONDS = 1.0
_MAX_OUTPUT = 8 * 1024 * 1024
_TOLD = 4_000
# What a program needs to be found, to run and to know its user's login.
_NEEDS = (
    *("PATH", "PATHEXT", "SYSTEMROOT", "HOME", "USERPROFILE", "APPDATA"),
    *("LOCALAPPDATA", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"),
    *("TMPDIR", "TEMP", "DISPLAY"),
)

_MEANINGS: Mapping[State, tuple[type[SourceError], str, str]] = {
    State.BLOCKED: (
        BlockedError,
        "does not let this address in",
        "leave it alone for a day",
    ),
    State.RATE_LIMITED: (
        RateLimitError,
        "asks for a captcha or had too many requests",
        "open the site, solve what it asks, and wait before the next run",
    ),
    State.AUTH_FAILED: (
        AuthError,
        "is not logged in",
        "log in again with the tool's own command",
    ),
    State.UNREACHABLE: (UnreachableError, "cannot be reached", ""),
    State.TIMEOUT: (DeadlineError, "gave no answer in time", ""),
}


def call(connector: Connector, what: str, values: Mapping[str, str], io: IO) -> Any:
    """Ask a connector once.

    Args:
        connector: one that is set up.
        what: a key of its `calls`.
        values: for the blanks of the call.

    Returns:
        The document, or None if it says that there is nothing.

    Raises:
        SourceError: the subclass says what happened.
    """
    if connector.http:
        return _ask_server(connector, what, values, io)
    return _run_program(connector, what, values, io)


def checked(connector: Connector, document: Any, told: str, io: IO) -> Any:
    """A document, or None if it says that there is nothing.

    Args:
        told: what else came with it, such as standard error.

    Raises:
        SourceError: the document tells of a failure.
    """
    if _succeeded(connector, document):
        return document
    whole = json.dumps(document, ensure_ascii=False)[:_TOLD]
    said = "; ".join(_sentences(connector, document)) or whole
    _demand_nothing(connector, f"{said} {told[-_TOLD:]}", io, also=whole)
    return None


def _ask_server(
    connector: Connector, what: str, values: Mapping[str, str], io: IO
) -> Any:
    wanted = connector.calls[what]
    token = io.settings.get(connector.http[1])
    request = Request(
        connector.label,
        io.settings.base_url(connector.name.replace("-", "_"), "") + wanted.path,
        headers={"Authorization": f"Bearer {token}"} if token else {},
        body=filled(wanted.body, values),
        secrets=(token,) if token else (),
        # Whatever fails is final: asking again would cost requests that nobody counts.
        refine=lambda status, text: _refused(connector, status, text, io),
    )
    deadline = Deadline(connector.seconds, inside=io.deadline)
    return checked(connector, io.fetch.json(request, deadline), "", io)


def _refused(connector: Connector, status: int, text: str, io: IO) -> SourceError:
    try:
        _demand_nothing(connector, f"HTTP {status}: {text[:_TOLD]}", io)
    except SourceError as error:
        return error
    return BadResponseError(f"{connector.label} has nothing there (HTTP {status})")


def _run_program(
    connector: Connector, what: str, values: Mapping[str, str], io: IO
) -> Any:
    from tempfile import gettempdir

    from engine.child import ChildTimeoutError, run

    program = command_line(connector, io.settings)
    if not program:
        raise NotConfiguredError(
            f"{connector.label} is not installed", fix=missing(connector, io.settings)
        )
    try:
        result = run(
            (*program, *filled(connector.calls[what].arguments, values)),
            cwd=gettempdir(),
            env=_environment(connector, io),
            deadline=Deadline(
                connector.seconds, inside=io.deadline.before(_ENDING_SECONDS)
            ),
            max_output=_MAX_OUTPUT,
        )
    except ChildTimeoutError as error:
        # One that answered and then hung has answered.
        document = _document(error.result.stdout)
        if _succeeded(connector, document):
            return document
        raise DeadlineError(
            f"{connector.label} {error.detail.partition(' ')[2]}"
        ) from None
    return _answer(connector, result, io)


def _answer(connector: Connector, result: Result, io: IO) -> Any:
    if result.truncated:
        raise BadResponseError(f"{connector.label} wrote more than any answer holds")
    document = _document(result.stdout)
    if isinstance(document, dict):
        return checked(connector, document, result.stderr if result.status else "", io)
    if result.status == 0 and not result.stderr.strip():
        raise BadResponseError(f"{connector.label} gave no JSON")
    told = f"{result.stderr[-_TOLD:]} {result.stdout[:_TOLD]}"
    _demand_nothing(connector, f"exit status {result.status}: {told}", io)
    return None


def _document(stdout: str) -> Any:
    """The last JSON document of an output; None if there is none."""
    try:
        return json.loads(stdout)
    except (ValueError, RecursionError):
        values = scan_json(stdout).values
    return values[-1] if values else None


def _succeeded(connector: Connector, document: Any) -> bool:
    if not isinstance(document, dict):
        return False
    if connector.succeeded:
        field, wanted = connector.succeeded
        return _equal(at_path(document, field), wanted)
    told = (_equal(at_path(document, field), bad) for field, bad in connector.failed)
    return not any(told) and not document.get("error")


def _equal(found: object, wanted: object) -> bool:
    # True is no 1 here, nor False a 0.
    return type(found) is type(wanted) and found == wanted


def _sentences(connector: Connector, document: Any) -> Iterator[str]:
    for field in connector.error:
        said = at_path(document, field)
        if isinstance(said, str | int) and not isinstance(said, bool) and said != "":
            yield str(said)


def _demand_nothing(connector: Connector, text: str, io: IO, also: str = "") -> None:
    """Raise what a failure means, unless its words say that there is nothing.

    Args:
        text: what the failure said, which is shown.
        also: what else came with it, which only helps to understand.
    """
    said = excerpt(text, io.settings.secrets)
    told = f"{text} {also}".lower()
    for state, signs in connector.failures:
        if any(_says(told, sign) for sign in signs):
            if state is State.NO_RESULTS:
                return
            kind, meaning, fix = _MEANINGS[state]
            raise kind(f"{connector.label} {meaning}: {said}", fix=fix)
    raise BadResponseError(f"{connector.label} failed: {said}")


def _says(text: str, sign: str) -> bool:
    if sign.lstrip("-").isdigit():
        return re.search(rf"(?<!\d){re.escape(sign)}(?!\d)", text) is not None
    return sign in text


def _environment(connector: Connector, io: IO) -> dict[str, str]:
    from engine.child import NETWORK

    names = (*_NEEDS, *NETWORK, *connector.environment)
    env = {name: value for name in names if (value := io.settings.get(name))}
    return {**env, "LANG": "C.UTF-8", "PYTHONUTF8": "1", **connector.given}
