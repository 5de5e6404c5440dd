"""A place for the fake grok tool: its scenario, a login, and what the calls left."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Mapping
from datetime import date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

from engine.deadline import Deadline
from engine.fetch import Fetch
from engine.model import Item, Warning
from engine.settings import Settings
from engine.window import Window
from engine.x.backends import grok
from engine.x.backends.base import IO, Ask
from engine.x.query import Query

__all__ = [
    "KEY",
    "LOGIN",
    "NOW",
    "POSTS",
    "REFRESH",
    "ROMAN",
    "ROME",
    "ROOT",
    "WINDOW",
    "Stage",
    "is_gone",
    "post",
]

ROOT = Path(__file__).parents[2]
NOW = datetime(2026, 11, 30, 23, tzinfo=timezone.utc)
WINDOW = Window(date(2026, 11, 1), date(2026, 11, 30))
ROME = Query(WINDOW, terms=("rome",), latest=True)
KEY, REFRESH = "tok-4f9a7c21e8", "ref-77aa31d0c5"
LOGIN = {
    "https://accounts.x.ai/sign-in": {
        "key": KEY,
        "auth_mode": "oidc",
        "email": "someone@example.com",
        "refresh_token": REFRESH,
        "expires_at": "2026-11-02T14:00:00Z",
    }
}
EPOCH_MS = 1288834974657


def post(number: int, text: str, **fields: object) -> dict[str, Any]:
    """A post that can exist, some uneven hours after the one before."""
    moment = WINDOW.start + timedelta(hours=number * 17 + number * number)
    post_id = (int(moment.timestamp() * 1000) - EPOCH_MS << 22) + number
    return {
        "id": str(post_id),
        "author_handle": f"walker{number % 7}",
        "author_name": f"Walker {number % 7}",
        "text": text,
        "created_at": moment.isoformat(),
        "likes": number * 3,
        **fields,
    }


POSTS = [
    post(1, "Rome is lovely in November"),
    post(2, 'A walk in Rome: "worth it" {really} [1]\nand a second line'),
    post(3, "Best pasta near Termini, Rome", urls=["https://pasta.example/rome"]),
    post(4, "@walker1 Rome it is, then", in_reply_to="walker1"),
    post(5, "Paris in the rain"),
]
ROMAN = [post["id"] for post in POSTS[:4]]


class Stage:
    """A folder with the fake tool, its scenario, a home with a login, and a run."""

    def __init__(self, folder: Path) -> None:
        self.bin, self.home = folder / "bin", folder / "user"
        self.bin.mkdir()
        self.login = self.home / ".grok" / "auth.json"
        self.login.parent.mkdir(parents=True)
        self.login.write_text(json.dumps(LOGIN))
        source = (ROOT / "tests" / "fakes" / "grok").read_text(encoding="utf-8")
        tool = self.bin / "grok"
        tool.write_text(f"#!{sys.executable}\n{source}", encoding="utf-8")
        tool.chmod(0o755)
        self.login_is_spoilt = False
        self.warnings: list[Warning] = []
        self.dropped: list[tuple[str, str]] = []
        self.values = {
            "PATH": str(self.bin),
            "GROK_HOME": str(self.login.parent),
            "XAI_API_KEY": "xai-paid-key",
        }
        self.play()

    def play(self, *plays: str, posts: object = None, **scenario: object) -> None:
        """Set what the tool does."""
        lines = POSTS if posts is None else posts
        assert isinstance(lines, list)
        file = self.bin / "posts.jsonl"
        file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
        whole: dict[str, object] = {
            "scripts": str(ROOT / "scripts"),
            "posts": str(file),
            "play": plays,
        }
        whole |= scenario
        (self.bin / "scenario.json").write_text(json.dumps(whole), encoding="utf-8")

    def io(self, seconds: float = 30) -> IO:
        settings = Settings(self.values, NOW)
        return IO(
            settings,
            Deadline(seconds),
            fetch=Fetch(settings),
            warn=self.warnings.append,
            drop=lambda item, reason: self.dropped.append((item.id, reason)),
        )

    def search(
        self, query: Query = ROME, *, seconds: float = 30, limit: int = 10
    ) -> list[Item]:
        return grok.search(Ask(query, limit), self.io(seconds))

    @property
    def calls(self) -> list[Mapping[str, Any]]:
        """What each call of the tool was given."""
        files = sorted(self.bin.glob("call-*.json"))
        return [json.loads(file.read_text(encoding="utf-8")) for file in files]


def is_gone(pid: int) -> bool:
    """Whether a process ends within two seconds; one nobody reaped has ended."""
    end = time.monotonic() + 2
    while time.monotonic() < end:
        shown = ["ps", "-o", "stat=", "-p", str(pid)]
        state = subprocess.run(shown, capture_output=True, text=True).stdout.strip()
        if not state or state[0] == "Z":
            return True
        time.sleep(0.02)
    return False
