"""Runs of places over the fake tools and a fake web: in this process, or as a script."""

from __future__ import annotations

import json
import subprocess
import sys
from datetime import datetime, timezone
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from engine.contracts import check
from engine.places.budget import DEEP, DEFAULT
from engine.places.intent import parse_intent
from engine.places.orchestrate import run
from engine.places.profile import EMPTY
from engine.places.request import Request
from fakes.asking import World
from fakes.server import Server
from fakes.travelstage import TravelStage, note
from fakes.web import Page, WebSearch

__all__ = [
    "FOUND",
    "INTENT",
    "NOTES",
    "PLACES",
    "SIGHTS",
    "Trip",
    "examined",
    "ready",
    "sources",
]

PLACES = Path(__file__).parents[2] / "scripts" / "places.py"
INTENT = "江西附近游玩 4 天"
NOW = "2026-11-30T04:00:00Z"
SIGHTS = ("庐山", "婺源", "三清山", "龙虎山", "井冈山", "鄱阳湖")
NOTES = [
    *(note(i + 1, f"{name}两日游攻略 路线", f"{name}值得去，第{i}段") for i, name in enumerate(SIGHTS)),
    *(note(i + 20, f"{name}避雷", f"{name}这里被坑过") for i, name in enumerate(SIGHTS)),
    note(40, "今天的晚餐"),
    note(41, "庐山直播", kind="live_v2"),
]  # fmt: skip
PAGES = [Page(f"https://example.com/{i}", f"{n}游记 攻略", f"{n}的路线") for i, n in enumerate(SIGHTS)]  # fmt: skip
FOUND = [
    {"name": "庐山风景区", "lat": 29.57, "lon": 115.97},
    {"name": "婺源", "lat": 29.25, "lon": 117.86},
]
# What no text of a run may say of a source that failed.
SILENCE = (
    "nobody",
    "no one",
    "no discussion",
    "nothing was said",
    "没有人",
    "无人讨论",
)


class Trip(TravelStage):
    """The tools, a web, and the script over them."""

    def __init__(self, folder: Path, server: Server, *tools: str) -> None:
        super().__init__(folder, *tools)
        self.folder = folder
        self.web = WebSearch(server, PAGES)
        # Keyless live sources lie at addresses where nobody listens.
        self.values |= {
            "LAST30DAYS_NOW": NOW,
            "LAST30DAYS_SEARXNG_URL": f"{server.url}/searxng",
            "LAST30DAYS_OVERPASS_URL": f"{server.url}/none",
            "LAST30DAYS_WIKIVOYAGE_URL": f"{server.url}/none",
        }

    def start(self, *args: str, **env: str) -> subprocess.CompletedProcess[str]:
        """Run the script to its end."""
        return subprocess.run(
            [sys.executable, str(PLACES), *args],
            cwd=self.folder,
            env={**self.values, **env},
            capture_output=True,
            encoding="utf-8",
            timeout=60,
        )

    def document(self, *args: str, code: int = 0, **env: str) -> dict[str, Any]:
        """The document of a run about Jiangxi that ends with a code."""
        done = self.start("--intent", INTENT, "--domain", "destination", *args, **env)
        assert done.returncode == code, done.stderr
        return examined(json.loads(done.stdout))

    def run(
        self, intent: str = INTENT, *, seconds: float = 30, now: str = NOW, **more: Any
    ) -> dict[str, Any]:
        """The document of a run in this process; `said` is what it announced."""
        moment = datetime.fromisoformat(now.replace("Z", "+00:00"))
        world = World(self.values, seconds, now=moment)
        today = moment.astimezone(timezone.utc).date()
        given = {
            "intent": intent,
            "parsed": parse_intent(intent, today),
            "domain": "destination",
            "profile": EMPTY,
            "zone": ZoneInfo("Asia/Shanghai"),
            "today": today,
            "requests": DEEP if more.get("deep") else DEFAULT,
            **more,
        }
        self.said: list[str] = []
        document = run(Request(**given), world.io, world.warnings, self.said.append)
        world.io.fetch.close()
        return examined(document)


def ready(folder: Path, server: Server) -> Trip:
    """A trip for which everything is set up and well."""
    made = Trip(folder, server, "xhs", "ht-ai", "online-search")
    made.play("xhs", notes=NOTES)
    prices = "庐山门票￥1XX起，天街酒店￥3XX"
    made.play("ht-ai", answers={"庐山": prices, "江西": "庐山值得"})
    made.play("online-search", places=FOUND)
    return made


def examined(document: dict[str, Any]) -> dict[str, Any]:
    """A document that keeps its contract and says of no failure that it is silence."""
    check(document, "candidates", name="the document")
    shown = json.dumps(document, ensure_ascii=False)
    assert not any(word in shown for word in SILENCE)
    assert "token-" not in shown
    return document


def sources(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """How each connector of a document ended, by its name."""
    return {one["name"]: one for one in document["sources"]}
