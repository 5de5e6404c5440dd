"""All services at once, each on a server of its own, with posts on one topic."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Mapping
from contextlib import ExitStack
from datetime import timedelta
from pathlib import Path
from typing import Any

from engine.x.backends.archive.formats import read_posts
from fakes.arctic_shift import ArcticShift
from fakes.asking import NOW
from fakes.bluesky import HANDLE, PASSWORD, Bluesky
from fakes.bluesky import post as bluesky_post
from fakes.github import GitHub, repository, thread
from fakes.hackernews import HackerNews, Said, Story
from fakes.polymarket import Polymarket, event
from fakes.reddit import Reddit, Reply, Thread
from fakes.server import Failure, Server
from fakes.web import Page, WebSearch
from fakes.xapi import TOKEN, XApi
from fakes.ytstage import Stage, video
from support import ROOT, post, run, write_posts

__all__ = ["SCRIPT", "SECRETS", "SERVERS", "TOPIC", "Services"]

SCRIPT = ROOT / "scripts" / "last30days.py"
TOPIC = "Claude Code skills"
SECRETS = (PASSWORD, TOKEN)

SERVERS = {
    "x": ("xapi",),
    "reddit": ("reddit", "arctic_shift"),
    "hackernews": ("hackernews",),
    "polymarket": ("polymarket",),
    "github": ("github",),
    "bluesky": ("bluesky",),
    "web": ("searxng",),
}
"""The services behind each source that is reached over HTTP."""

_DAY = timedelta(days=1)

# What people say of the topic: no two are near-duplicates.
_SAID = (
    "We review every pull request with Claude Code skills of our own",
    "Claude Code skills are a folder and a prompt, and that is the point",
    "My Claude Code skills wrote the release notes overnight",
    "Why I deleted all Claude Code skills but four",
)


class Services:
    """Runs while its `with` block does; `servers` are there by the setting's name.

    The X API and the posts on disk hold the same; `archive` is their file.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.servers: dict[str, Server] = {}
        self._open = ExitStack()

    def __enter__(self) -> Services:
        for names in SERVERS.values():
            for name in names:
                self.servers[name] = self._open.enter_context(Server())
        self._fill()
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def _fill(self) -> None:
        servers = self.servers
        threads = _threads()
        self.reddit = Reddit(servers["reddit"], threads, NOW)
        self.arctic = ArcticShift(servers["arctic_shift"], threads, NOW)
        self.hackernews = HackerNews(servers["hackernews"], _stories())
        self.polymarket = Polymarket(servers["polymarket"], _events())
        self.github = GitHub(servers["github"], _issues(), _repositories())
        self.bluesky = Bluesky(servers["bluesky"], _blue_posts())
        self.web = WebSearch(servers["searxng"], _pages())
        posts = [
            post(i, f"{text}, a thread {i}", f"2026-11-{10 + 3 * i}T1{i}:07:00Z")
            for i, text in enumerate(_SAID, start=1)
        ]
        self.archive = write_posts(self.folder / "posts.jsonl", posts)
        read = list(read_posts(self.archive, print))
        self.x = XApi(servers["xapi"], read, NOW)
        self.youtube = Stage(self.folder)
        self.youtube.play(
            *(video(i, f"{text}, the video") for i, text in enumerate(_SAID, start=1))
        )

    @property
    def values(self) -> dict[str, str]:
        """What a user sets who has all of them."""
        urls = {f"LAST30DAYS_{n.upper()}_URL": s.url for n, s in self.servers.items()}
        urls["LAST30DAYS_SEARXNG_URL"] += "/searxng"
        return {
            **urls,
            "LAST30DAYS_NOW": NOW.isoformat(),
            "LAST30DAYS_PACING": "0",
            "BSKY_HANDLE": HANDLE,
            "BSKY_APP_PASSWORD": PASSWORD,
            "X_BEARER_TOKEN": TOKEN,
            # The tool alone: no gh of the machine lends its login.
            **self.youtube.values,
        }

    def fail(self, source: str, failure: Failure | None) -> None:
        """Spoil the answers of all services of a source; None ends a failure."""
        for name in SERVERS[source]:
            self.servers[name].fail(failure)

    def run(
        self, *args: str, env: Mapping[str, str] | None = None, stdin: str = ""
    ) -> subprocess.CompletedProcess[str]:
        """Run the script over them, in a folder of its own."""
        values = {**self.values, **(env or {})}
        return run(*args, cwd=self.folder, env=values, script=SCRIPT, stdin=stdin)

    def record(self, *args: str, env: Mapping[str, str] | None = None) -> Any:
        """The artifact of a run that has to end well."""
        done = self.run(*args, "--emit", "json", env=env)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    @property
    def sent(self) -> int:
        """How many requests came to all of them."""
        return sum(len(server.requests) for server in self.servers.values())


def _threads() -> list[Thread]:
    replies = tuple(
        Reply(f"c{i}", f"reader_{i}", f"So true, {i}", 9 - i) for i in (1, 2)
    )
    subs = ("ClaudeAI", "ClaudeCode")
    return [
        Thread(
            f"1p{i}", f"{text} (discussion {i})", subs[i % 2], NOW - (i + 2) * _DAY,
            score=40 * i, replies=replies, author=f"redditor_{i}",
        )
        for i, text in enumerate(_SAID, start=1)
    ]  # fmt: skip


def _stories() -> list[Story]:
    return [
        Story(
            100 + i, f"{text}: a story", NOW - (i + 1) * _DAY, f"hacker_{i}", points=90 * i,
            url=f"https://blog{i}.example/skills", comments=(Said(900 + i, "bob", "Hm."),),
        )
        for i, text in enumerate(_SAID, start=1)
    ]  # fmt: skip


def _events() -> list[dict[str, Any]]:
    return [
        event(1, "Will Claude Code skills be a standard by December 31?"),
        event(2, "Claude Code skills store opened this year?"),
        event(3, "Most downloaded of all Claude Code skills in January?"),
    ]


def _issues() -> list[dict[str, Any]]:
    return [
        thread(i, f"{text} [bug {i}]", user={"login": f"dev_{i}", "type": "User"})
        for i, text in enumerate(_SAID, start=1)
    ]


def _repositories() -> list[dict[str, Any]]:
    return [repository("o/foo", description="Claude Code skills for chess players")]


def _blue_posts() -> list[dict[str, Any]]:
    return [
        bluesky_post(i, f"{text}, says my sky {i}")
        for i, text in enumerate(_SAID, start=1)
    ]


def _pages() -> list[Page]:
    return [
        Page(
            f"https://paper{i}.example/a",
            f"{text}, explained",
            "All of it.",
            NOW.date(),
        )
        for i, text in enumerate(_SAID, start=1)
    ]
