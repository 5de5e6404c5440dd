"""What holds for every test: no settings or user folders, only loopback, all signals."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from engine.fetch import Fetch
from engine.settings import Settings
from fakes.server import Server, answer_json

# What Python, pytest and the operating system need; all else could be a setting.
_KEPT = ("PATH", "LANG", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "PATHEXT", "COMSPEC")
_KEPT_PREFIXES = ("PYTHON", "PYTEST", "COV", "HYPOTHESIS", "LC_")
_FOLDERS = ("HOME", "USERPROFILE", "APPDATA", "XDG_CONFIG_HOME", "XDG_CACHE_HOME")


@pytest.fixture(autouse=True, scope="session")
def _heard_signals() -> None:
    """Hear what nohup, or a shell for work behind an &, had ignored for all children."""
    for name in ("SIGINT", "SIGHUP"):
        number = getattr(signal, name, None)
        if number and signal.getsignal(number) == signal.SIG_IGN:
            usual = signal.default_int_handler if name == "SIGINT" else signal.SIG_DFL
            signal.signal(number, usual)


@pytest.fixture(autouse=True)
def _no_user(
    monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Empty the environment and point the user's folders at an empty one."""
    for name in list(os.environ):
        if name not in _KEPT and not name.startswith(_KEPT_PREFIXES):
            monkeypatch.delenv(name)
    home = tmp_path_factory.getbasetemp() / "home"
    for name in _FOLDERS:
        monkeypatch.setenv(name, str(home / name.lower()))


@pytest.fixture(autouse=True)
def _only_loopback(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Refuse every other address, and fail the test that asked for one."""
    refused: list[str] = []
    connect, connect_ex, look_up = (
        socket.socket.connect,
        socket.socket.connect_ex,
        socket.getaddrinfo,
    )

    def check(address: Any) -> None:
        if isinstance(address, tuple) and not _is_loopback(str(address[0])):
            refused.append(str(address[0]))
            raise OSError("tests may connect to the loopback interface only")

    def guarded_connect(self: socket.socket, address: Any) -> None:
        check(address)
        connect(self, address)

    def guarded_connect_ex(self: socket.socket, address: Any) -> int:
        check(address)
        return connect_ex(self, address)

    def guarded_look_up(host: Any, *args: Any, **kwargs: Any) -> Any:
        name = host.decode() if isinstance(host, bytes) else str(host or "localhost")
        if name.endswith(".invalid"):
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        check((name, 0))
        return look_up(host, *args, **kwargs)

    monkeypatch.setattr(socket.socket, "connect", guarded_connect)
    monkeypatch.setattr(socket.socket, "connect_ex", guarded_connect_ex)
    monkeypatch.setattr(socket, "getaddrinfo", guarded_look_up)
    yield
    assert not refused, f"the test tried to reach {refused}"


def _is_loopback(host: str) -> bool:
    return host in ("localhost", "::1") or host.startswith("127.")


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home folder of the test's own."""
    for name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    return tmp_path


@pytest.fixture
def server() -> Iterator[Server]:
    """A running HTTP server on the loopback interface, without routes."""
    with Server() as running:
        yield running


@pytest.fixture
def fetch() -> Iterator[Fetch]:
    """The session of a run without settings."""
    session = Fetch(Settings({}, datetime(2026, 11, 30, tzinfo=timezone.utc)))
    yield session
    session.close()


@pytest.fixture
def good(server: Server) -> Server:
    """A server whose every answer is the same small object."""
    server.route("/", answer_json({"name": "Zoë", "id": 2116700000000000001}))
    return server
