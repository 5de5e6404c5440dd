"""Child processes: one way to run one, and none is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import IO

from engine.background import in_background
from engine.deadline import Deadline
from engine.errors import DeadlineError, NotConfiguredError

__all__ = ["NETWORK", "ChildTimeoutError", "Result", "run"]

NETWORK = (
    *("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY", "NO_PROXY"),
    *("https_proxy", "http_proxy", "all_proxy", "no_proxy"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"),
)
"""What a program that goes online may need of the environment."""

# How long a group may tidy up after TERM, and how long pipes may stay open that a
# grandchild still holds after the child has ended.
_GRACE_SECONDS = 0.5
_POLL_SECONDS = 0.01
_CHUNK_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class Result:
    """What a child left: `status` is negative if a signal ended it.

    `truncated` says that it wrote more than was kept.
    """

    stdout: str
    stderr: str
    status: int
    truncated: bool


class ChildTimeoutError(DeadlineError):
    """The child was ended at the deadline; `result` holds what it had written."""

    def __init__(self, detail: str, result: Result) -> None:
        super().__init__(detail)
        self.result = result


def run(
    argv: Sequence[str],
    *,
    cwd: str | os.PathLike[str],
    env: Mapping[str, str],
    deadline: Deadline,
    max_output: int = 4 * 1024 * 1024,
) -> Result:
    """Run a program to its end, with empty standard input and its own process group.

    When this returns or raises, for whatever reason, the group has ended: the program,
    and what it started, unless that made a session of its own.

    Args:
        argv: the program, looked up in the PATH of `env`, and its arguments.
        cwd: the folder in which it runs.
        env: its whole environment.
        deadline: when it passes the group is ended.
        max_output: the most bytes kept of each stream; the rest is read and dropped.

    Raises:
        NotConfiguredError: there is no such program, or it cannot be run.
        ChildTimeoutError: the deadline passed, or the run was interrupted.
    """
    name = os.path.basename(argv[0])
    if deadline.left <= 0:
        raise ChildTimeoutError(f"{name} was not started", Result("", "", 0, False))
    process = _start(name, argv, cwd, env)
    result, finished = _supervise(process, deadline, max_output)
    if not finished:
        why = "was interrupted" if deadline.interrupted else "did not finish in time"
        raise ChildTimeoutError(f"{name} {why}", result)
    return result


def _supervise(
    process: subprocess.Popen[bytes], deadline: Deadline, max_output: int
) -> tuple[Result, bool]:
    """What the child left, and whether it ended by itself."""
    exited = threading.Event()
    try:
        streams = [_Stream(pipe, max_output) for pipe in _pipes(process)]
        in_background(process.wait, exited)
        finished = deadline.wait_for(exited)
        if finished:
            _drain(streams)
    finally:
        _end_group(process)
    exited.wait(_GRACE_SECONDS)
    _drain(streams)
    result = Result(
        streams[0].text(),
        streams[1].text(),
        process.returncode if exited.is_set() else -signal.SIGKILL,
        any(stream.truncated for stream in streams),
    )
    return result, finished


def _start(
    name: str,
    argv: Sequence[str],
    cwd: str | os.PathLike[str],
    env: Mapping[str, str],
) -> subprocess.Popen[bytes]:
    try:
        return subprocess.Popen(
            argv,
            cwd=cwd,
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
    except OSError as error:
        raise NotConfiguredError(f"{name} cannot be run: {error.strerror}") from None


def _pipes(process: subprocess.Popen[bytes]) -> tuple[IO[bytes], IO[bytes]]:
    assert process.stdout is not None
    assert process.stderr is not None
    return process.stdout, process.stderr


class _Stream:
    """Reads a pipe to its end on a thread and keeps the first `limit` bytes."""

    def __init__(self, pipe: IO[bytes], limit: int) -> None:
        self.ended = threading.Event()
        self.truncated = False
        self._pipe = pipe
        self._limit = limit
        self._kept = bytearray()
        in_background(self._read, self.ended)

    def text(self) -> str:
        return bytes(self._kept).decode("utf-8", "replace")

    def _read(self) -> None:
        with self._pipe as pipe:
            while chunk := os.read(pipe.fileno(), _CHUNK_BYTES):
                room = self._limit - len(self._kept)
                self._kept += chunk[:room]
                self.truncated = self.truncated or len(chunk) > room


def _drain(streams: Sequence[_Stream]) -> None:
    grace = Deadline(_GRACE_SECONDS)
    for stream in streams:
        grace.wait_for(stream.ended)


def _end_group(process: subprocess.Popen[bytes]) -> None:
    if os.name != "posix":  # No groups there: the program itself is what can be ended.
        process.kill()
        return
    try:
        end = time.monotonic() + _GRACE_SECONDS
        alive = _signal(process.pid, signal.SIGTERM)
        while alive and time.monotonic() < end:
            time.sleep(_POLL_SECONDS)
            alive = _signal(process.pid, 0)
    finally:
        _signal(process.pid, signal.SIGKILL)


def _signal(group: int, number: int) -> bool:
    """Signal a group; false if nobody is left in it."""
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):  # macOS refuses for a dead group.
        return False
    return True
