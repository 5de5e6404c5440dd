"""A live run of the script: the services that it meets, and what it leaves behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timezone
from functools import cache
from pathlib import Path
from typing import Any

from engine import data
from engine.model import Item
from engine.x.backends.archive.formats import read_posts
from fakes.grokstage import KEY as GROK_KEY
from fakes.grokstage import REFRESH, Stage, is_gone
from fakes.server import Answer, Asked, Failure, Server
from fakes.xai import KEY, XAi
from fakes.xapi import TOKEN, XApi
from support import SCRIPT, environment

__all__ = ["DEMO", "SECRETS", "Live", "Run", "after"]

# The posts of the demo end a day before this moment.
NOW = datetime(2026, 11, 16, 12, tzinfo=timezone.utc)
TOPIC = "Rome Italy"
DEMO = data.path("demo_rome.jsonl")
SECRETS = (KEY, TOKEN, GROK_KEY, REFRESH)


@cache
def _posts(path: str) -> tuple[Item, ...]:
    """The posts of a file that a live service gives: it gives no reposts."""
    return tuple(post for post in read_posts(path, print) if not post.repost_of)


def after(good: int, failure: Failure) -> Failure:
    """A failure that spoils no answer but those after the first `good` ones."""
    left = [good]

    def spoil(answer: Answer) -> Answer:
        left[0] -= 1
        return answer if left[0] >= 0 else failure(answer)

    return spoil


@dataclass(frozen=True)
class Run:
    """What a run printed, saved and left: processes by id, files in its temp folder."""

    code: int
    out: str
    err: str
    seconds: float
    requests: Sequence[Asked]
    calls: Sequence[Mapping[str, Any]]
    saved: Mapping[str, str]
    left: Sequence[str]

    @property
    def record(self) -> dict[str, Any]:
        """The artifact, which was printed."""
        found: dict[str, Any] = json.loads(self.out)
        return found

    @property
    def envelope(self) -> str:
        """The envelope, which was saved."""
        return next(text for name, text in self.saved.items() if name[-3:] == ".md")

    @property
    def status(self) -> dict[str, str]:
        """How X ended."""
        found: dict[str, str] = self.record["source_status"]["x"]
        return found

    @property
    def asked(self) -> int:
        """How many requests or calls of the tool were made."""
        return len(self.requests) + len(self.calls)


@dataclass
class Live:
    """Services over the posts of a file, of which those in `ways` are set up.

    The server of xai and xapi is one, and so are their failures; `stage` is the grok
    tool's.
    """

    folder: Path
    server: Server
    ways: Sequence[str] = ("grok", "xai", "xapi")
    posts: str = DEMO
    env: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        posts = list(_posts(self.posts))
        self.folder.mkdir(parents=True, exist_ok=True)
        self.stage = Stage(self.folder)
        self.xai = XAi(self.server, posts)
        self.xapi = XApi(self.server, posts, NOW)
        self.play()
        values = {
            "grok": {
                "PATH": str(self.stage.bin),
                "GROK_HOME": self.stage.values["GROK_HOME"],
            },
            "xai": {"XAI_API_KEY": KEY},
            "xapi": {"X_BEARER_TOKEN": TOKEN},
        }
        for way in self.ways:
            self.env |= values[way]

    def play(self, *plays: str, **scenario: object) -> None:
        """Set what the grok tool does."""
        lines = Path(self.posts).read_text(encoding="utf-8").splitlines()
        posts = {post["id"]: post for post in map(json.loads, lines)}
        known = [posts[item.id] for item in _posts(self.posts)]
        self.stage.play(*plays, posts=known, **scenario)

    def run(self, *args: str, seconds: float = 20) -> Run:
        """Run the script to its end; it prints the artifact and saves both."""
        with self.started(*args, seconds=seconds) as started:
            began = time.monotonic()
            out, err = started.communicate(timeout=60)
            took = time.monotonic() - began
        return self.ended(started, out, err, took)

    @contextmanager
    def started(
        self, *args: str, seconds: float = 20
    ) -> Iterator[subprocess.Popen[str]]:
        """The script as a process that heads a group of its own."""
        for name in ("tmp", "cwd"):
            (self.folder / name).mkdir(exist_ok=True)
        options = ["--timeout", f"{seconds:g}", "--emit", "json", "--save-dir", "saved"]
        process = subprocess.Popen(
            [sys.executable, str(SCRIPT), TOPIC, *options, *args],
            cwd=self.folder / "cwd",
            env=self._environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            encoding="utf-8",
            start_new_session=True,
        )
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()

    def _environment(self) -> dict[str, str]:
        return environment(
            self.folder / "cwd",
            **{
                "PATH": "/nowhere",
                "TMPDIR": str(self.folder / "tmp"),
                "LAST30DAYS_NOW": NOW.isoformat(),
                "LAST30DAYS_PACING": "0",
                "LAST30DAYS_XAI_URL": self.xai.url,
                "LAST30DAYS_XAPI_URL": self.server.url,
                **self.env,
            },
        )

    def ended(
        self, process: subprocess.Popen[str], out: str, err: str, took: float
    ) -> Run:
        """What a process that has ended left behind."""
        saved = self.folder / "cwd" / "saved"
        files = sorted(saved.iterdir()) if saved.exists() else []
        return Run(
            code=process.returncode,
            out=out,
            err=err,
            seconds=took,
            requests=tuple(self.server.requests),
            calls=self.stage.calls,
            saved={f.name: f.read_text(encoding="utf-8") for f in files},
            left=list(self._left(process.pid)),
        )

    def _left(self, group: int) -> Iterator[str]:
        yield from os.listdir(self.folder / "tmp")
        started = [call["pid"] for call in self.stage.calls]
        child = self.stage.bin / "child.pid"
        if child.exists():
            started.append(int(child.read_text()))
        yield from (f"process {pid}" for pid in started if not is_gone(pid))
        try:
            os.killpg(group, 0)
            yield f"group {group}"
        except ProcessLookupError:
            pass
