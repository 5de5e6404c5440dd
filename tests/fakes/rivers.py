"""Services whose hot lists hold fifteen stories: three are one, two are junk."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from engine.x.backends.archive.formats import read_posts
from fakes.arctic_shift import ArcticShift
from fakes.asking import NOW
from fakes.github import GitHub, repository
from fakes.hackernews import HackerNews, Said, Story
from fakes.polymarket import Polymarket, event, market
from fakes.reddit import Reddit, Reply, Thread
from fakes.server import Failure, Server
from fakes.web import Page, WebSearch
from fakes.xapi import TOKEN, XApi
from support import ROOT, post, run, write_posts

__all__ = ["JUNK", "NAMES", "ONE_STORY", "SCRIPT", "Rivers"]

SCRIPT = ROOT / "scripts" / "discover.py"

_SERVERS = ("hackernews", "reddit", "arctic_shift", "polymarket", "github", "searxng")

# Titles by what they are, and what a judge who knows them would call them.
_LEAKED = "Veritrust CA private keys leaked in a public bucket"
_READABLE = "Signing keys of an authority were for all to read"
_DROPPED = "Browsers drop Veritrust certificates today"
ONE_STORY = (_LEAKED, _READABLE, _DROPPED)
JUNK = ("Ask HN: How do I learn Rust at forty?", "PHP 8.2.35")
NAMES = {
    _LEAKED: "Veritrust CA keys leaked",
    _DROPPED: "Veritrust ca keys LEAKED",
    "We hacked what we set out to hack: the Orbit phone": "Orbit phone hacked Pwn2Own",
    "Quadnine to exit France over a blocking order": "Quadnine exits France",
    "星河手机发布会定档十二月八日": "星河手机发布会",
}


def _story(number: int, title: str, points: int, **more: Any) -> Story:
    more.setdefault("url", f"https://site{number}.example/story")
    return Story(
        number, title, NOW - timedelta(hours=6 + number % 20), f"hacker_{number}",
        points=points, front=True, **more,
    )  # fmt: skip


def stories() -> list[Story]:
    """The front page of Hacker News."""
    said = (Said(900, "ann", "The keys were there for a month."),)
    return [
        _story(201, _LEAKED, 480, url="https://report.example/keys", comments=said),
        _story(202, _READABLE, 260, url="https://paper.example/all-keys"),
        _story(203, _DROPPED, 240),
        _story(204, "Kestrel 4 beats every human at Go", 350),
        _story(205, "Quadnine to exit France over a blocking order", 180),
        _story(206, "We hacked what we set out to hack: the Orbit phone", 280),
        _story(207, "DeepForge engine doubles DeepMoon inference", 150),
        _story(208, "A flood of bots closes the Marble forum", 220),
        _story(209, "星河手机发布会定档十二月八日", 210),
        _story(210, "Small island votes for its own domain", 18),
        _story(211, JUNK[0], 230, url=None),
        _story(212, JUNK[1], 40),
        _story(213, "Tin solar sails reach Saturn's rings", 205),
    ]


def threads() -> list[Thread]:
    """What rises on Reddit."""
    at = NOW - timedelta(hours=40)
    reply = (Reply("c1", "reader", "I moved my resolver to Norway.", 41),)
    return [
        Thread(
            "1a", f"{_LEAKED}, says a reader", "netsec", at, "netsec_fan", score=310,
            url="https://paper.example/all-keys",
        ),
        Thread(
            "1b", "Quadnine leaves France: what now for its users?", "privacy", at,
            "resolver_fan", "Quadnine says that it will exit France.", 160, reply,
        ),
    ]  # fmt: skip


class Rivers:
    """Runs while its `with` block does; `servers` are there by the setting's name."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.servers: dict[str, Server] = {}
        self._open = ExitStack()

    def __enter__(self) -> Rivers:
        for name in (*_SERVERS, "xapi"):
            self.servers[name] = self._open.enter_context(Server())
        servers = self.servers
        self.hackernews = HackerNews(servers["hackernews"], stories())
        self.reddit = Reddit(servers["reddit"], threads(), NOW)
        self.arctic = ArcticShift(servers["arctic_shift"], threads(), NOW)
        self.github = GitHub(servers["github"], [], [_repository()])
        self.polymarket = Polymarket(servers["polymarket"], _events())
        self.web = WebSearch(servers["searxng"], _pages())
        self.posts = write_posts(self.folder / "posts.jsonl", _posts())
        self.x = XApi(servers["xapi"], list(read_posts(self.posts, print)), NOW)
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    @property
    def values(self) -> dict[str, str]:
        """What a user sets who has all of them; no tool of the machine is found."""
        urls = {f"LAST30DAYS_{n.upper()}_URL": s.url for n, s in self.servers.items()}
        urls["LAST30DAYS_SEARXNG_URL"] += "/searxng"
        return {
            **urls,
            "LAST30DAYS_NOW": NOW.isoformat(),
            "LAST30DAYS_PACING": "0",
            "X_BEARER_TOKEN": TOKEN,
            "PATH": str(self.folder / "no-tools"),
        }

    def fail(self, failure: Failure | None, *names: str) -> None:
        """Spoil the answers of services; None ends a failure."""
        for name in names:
            self.servers[name].fail(failure)

    def run(
        self, *args: str, at: datetime = NOW, **env: str
    ) -> subprocess.CompletedProcess[str]:
        """Run the script, in a folder of its own."""
        values = {**self.values, "LAST30DAYS_NOW": at.isoformat(), **env}
        return run(*args, cwd=self.folder, env=values, script=SCRIPT)

    def leg(self, *args: str, at: datetime = NOW, code: int = 0, **env: str) -> str:
        """What a leg prints that ends so, its files in the folder `out`."""
        done = self.run(*args, "--save-dir", "out", at=at, **env)
        assert done.returncode == code, done.stderr
        return done.stdout

    def file(self, name: str) -> Any:
        """A JSON file of a leg."""
        return json.loads((self.folder / "out" / name).read_text(encoding="utf-8"))

    def nominate(self, *args: str, **more: Any) -> Any:
        """Run the first leg; what it left is returned."""
        self.leg("nominate", *args, **more)
        return self.file("discover-nominations.json")

    def judge(self, rows: Iterable[object], bundle_id: str) -> str:
        """Write a file of judgments; its name is returned."""
        path = self.folder / "judgments.json"
        body = {"bundle_id": bundle_id, "judgments": list(rows)}
        path.write_text(json.dumps(body), encoding="utf-8")
        return str(path)

    def judged(self, bundle: Mapping[str, Any], **more: Any) -> Any:
        """Run the second leg on what a careful judge says; what it left is returned."""
        path = self.judge(map(verdict, bundle["nominations"]), bundle["bundle_id"])
        self.leg("research", "--judgments", path, **more)
        return self.file("discover-pending.json")


def verdict(nomination: Mapping[str, Any]) -> dict[str, Any]:
    """What a careful judge says of a nomination."""
    title = nomination["evidence"][0]["title"]
    return {
        "id": nomination["id"],
        "name": NAMES.get(title, nomination["name"]),
        "junk": title in JUNK,
        "worthiness": 90 if title in NAMES else nomination["momentum"] // 2,
    }


def _repository() -> dict[str, Any]:
    return repository(
        "acme/pocketdb",
        description="A database for pockets",
        stargazers_count=9_000,
        created_at="2026-11-25T00:00:00Z",
        pushed_at="2026-11-29T00:00:00Z",
    )


def _events() -> list[dict[str, Any]]:
    return [
        event(
            1,
            "Will Kestrel 5 come out by December 31?",
            market("Will Kestrel 5 come out?", 0.7, oneWeekPriceChange=0.2),
        ),
        event(2, "Will it rain on the coast?", market("Rain?", oneWeekPriceChange=0.0)),
    ]


def _posts() -> list[dict[str, Any]]:
    said = "Orbit phone owners: it was hacked, wait for the patch"
    return [post(5, said, "2026-11-29T08:00:00Z", likes=60)]


def _pages() -> list[Page]:
    day = NOW.date()
    return [
        Page(
            "https://site207.example/careers/engine",
            "DeepForge: engine engineer for DeepMoon inference",
            "Join DeepForge and double DeepMoon inference with our engine.",
            day,
        )
    ]
