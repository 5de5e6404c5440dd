"""How a run treats GitHub: with which token, and with how many requests.

A token comes from the settings, or is borrowed from the `gh` tool if that is signed in.
It is kept in memory and sent to the API alone.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping
from copy import copy
from typing import Any

from engine.child import run as run_child
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
from engine.settings import Settings

__all__ = ["REQUESTS", "SpentError", "UnknownNameError", "send"]

REQUESTS = 24
"""The most requests of a run: with a token GitHub takes 30 searches a minute."""

# Without one it takes 10.
_REQUESTS_WITHOUT_TOKEN = 8
# A search answers within seconds. A limit that ends later is not waited for.
_PATIENCE_SECONDS = 20.0
_TOOL_SECONDS = 5.0

_URL = "https://api.github.com"
_FIX = "set GITHUB_TOKEN (it needs no permission) or run: gh auth login"
_TOKEN = re.compile(r"[A-Za-z0-9_.-]{10,255}")
# What the gh tool needs to find its login and the system's keyring.
_TOOL_NEEDS = (
    *("PATH", "PATHEXT", "SYSTEMROOT", "HOME", "USERPROFILE", "APPDATA"),
    *("GH_CONFIG_DIR", "XDG_CONFIG_HOME", "XDG_RUNTIME_DIR"),
    *("DBUS_SESSION_BUS_ADDRESS", "TMPDIR", "TEMP"),
)
_UNKNOWN = ("cannot be searched", "do not exist", "does not exist")


class SpentError(RateLimitError):
    """The requests of the run are used; the service itself has refused nothing."""


class UnknownNameError(BadResponseError):
    """No repository or user of that name can be seen by everybody."""


class _BadTokenError(AuthError):
    """The token was refused."""


class _Run:
    """What the calls of a run share."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.token: str | None = None
        self.sent = 0
        self.refusal: SourceError | None = None
        self._failures = 0

    def stop(self, error: SourceError, *, at_once: bool = True) -> None:
        """Send nothing more, at once or from the second failure on."""
        with self.lock:
            self._failures += 1
            if at_once or self._failures > 1:
                self.refusal = copy(error)


def send(
    path: str, params: Mapping[str, str | int], io: IO
) -> tuple[Any, AuthError | None]:
    """The JSON of an answer, and the refusal of a token without which it came.

    Raises:
        SpentError: as many requests were sent as a run may send.
        UnknownNameError: a name in the query is none that can be searched.
        SourceError: what the service answered. After a rate limit, a block, or a second
            time without an answer nothing more is sent.
    """
    run = io.memory.of(_Run)
    token = _token(run, io)
    try:
        return _answer(run, path, params, token, io), None
    except _BadTokenError as error:
        with run.lock:
            first = run.token == token
            if first:
                run.token = ""
        return _answer(run, path, params, "", io), error if first else None


def _answer(
    run: _Run, path: str, params: Mapping[str, str | int], token: str, io: IO
) -> Any:
    most = REQUESTS if token else _REQUESTS_WITHOUT_TOKEN
    fix = "" if token else _FIX
    with run.lock:
        if run.refusal is not None:
            raise copy(run.refusal)
        if run.sent >= most:
            raise SpentError(f"GitHub: the {most} requests of a run are used", fix=fix)
        run.sent += 1
    request = Request(
        "GitHub",
        io.settings.base_url("github", _URL) + path,
        params,
        _headers(token),
        secrets=(token,) if token else (),
        refine=_refined,
    )
    try:
        return io.fetch.json(request, Deadline(_PATIENCE_SECONDS, inside=io.deadline))
    except RateLimitError as error:
        error.fix = error.fix or fix
        run.stop(error)
        raise
    except (BlockedError, DeadlineError, UnreachableError) as error:
        run.stop(error, at_once=isinstance(error, BlockedError))
        raise


def _headers(token: str) -> dict[str, str]:
    headers = {
        "Accept": "application/vnd.github+json",
        "X-GitHub-Api-Version": "2022-11-28",
    }
    return {**headers, "Authorization": f"Bearer {token}"} if token else headers


def _refined(status: int, text: str) -> SourceError | None:
    if status == 401:
        return _BadTokenError(
            "GitHub refused the token (HTTP 401)",
            fix="renew GITHUB_TOKEN or GH_TOKEN, or run: gh auth login",
        )
    if status == 403 and "user-agent" in text.lower():
        return BadResponseError("GitHub refused the request (HTTP 403): no User-Agent")
    if status == 422 and any(said in text for said in _UNKNOWN):
        return UnknownNameError("GitHub knows no such user or repository (HTTP 422)")
    return None


def _token(run: _Run, io: IO) -> str:
    """The token of the run, looked for once; empty if there is none."""
    with run.lock:
        if run.token is None:
            settings = io.settings
            own = settings.get("GITHUB_TOKEN") or settings.get("GH_TOKEN")
            run.token = own or _borrowed(settings, io.deadline)
        return run.token


def _borrowed(settings: Settings, deadline: Deadline) -> str:
    """The token of the gh tool; a tool that is missing or signed out is no error."""
    from tempfile import gettempdir

    env = {name: value for name in _TOOL_NEEDS if (value := settings.get(name))}
    try:
        result = run_child(
            ("gh", "auth", "token", "--hostname", "github.com"),
            cwd=gettempdir(),
            env={**env, "GH_PROMPT_DISABLED": "1", "GH_NO_UPDATE_NOTIFIER": "1"},
            deadline=Deadline(_TOOL_SECONDS, inside=deadline),
            max_output=4096,
        )
    except (NotConfiguredError, DeadlineError):
        return ""
    token = result.stdout.strip()
    return token if result.status == 0 and _TOKEN.fullmatch(token) else ""
