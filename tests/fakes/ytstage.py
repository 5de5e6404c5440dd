"""A place for the fake yt-dlp tool: its scenario, and what the calls left."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from engine.model import Depth, Item
from engine.sources import youtube
from fakes.asking import NOW, World, question

__all__ = ["ROOT", "Stage", "video"]

ROOT = Path(__file__).parents[2]


def video(
    number: int, title: str, at: datetime | None = None, **more: Any
) -> dict[str, Any]:
    """A video of some day in the window, as the details show it."""
    moment = at or NOW - timedelta(days=number)
    return {
        "id": f"video-{number:05d}",
        "title": title,
        "description": f"All about it, part {number}",
        "channel": f"Channel {number}",
        "uploader": f"Channel {number}",
        "uploader_id": f"@channel_{number}",
        "timestamp": int(moment.timestamp()),
        "upload_date": f"{moment:%Y%m%d}",
        "view_count": 1000 * number,
        "like_count": 10 * number,
        "comment_count": number,
        "language": "en",
        **more,
    }


class Stage:
    """A folder with the tool, its scenario, and a run that finds it on its PATH."""

    def __init__(self, folder: Path) -> None:
        self.bin = folder / "bin"
        self.bin.mkdir()
        source = (ROOT / "tests" / "fakes" / "yt_dlp").read_text(encoding="utf-8")
        tool = self.bin / "yt-dlp"
        tool.write_text(f"#!{sys.executable} -IS\n{source}", encoding="utf-8")
        tool.chmod(0o755)
        self.values = {"PATH": str(self.bin), "HOME": str(folder)}
        self.world = World(self.values)

    def play(self, *videos: Mapping[str, Any], **fail: Mapping[str, Any]) -> None:
        """Set what can be found, and what goes wrong; `_` in an id stands for `-`."""
        names = {name.replace("_", "-"): failure for name, failure in fail.items()}
        scenario = {"now": int(NOW.timestamp()), "videos": videos, "fail": names}
        path = self.bin / "scenario.json"
        path.write_text(json.dumps(scenario), encoding="utf-8")

    def search(
        self,
        query: str = "foo",
        depth: Depth = Depth.DEFAULT,
        seconds: float = 20,
        **values: str,
    ) -> list[Item]:
        """Ask the source in a run of its own."""
        self.world = World({**self.values, **values}, seconds)
        return youtube.search(question(query, depth), self.world.io)

    @property
    def calls(self) -> list[dict[str, Any]]:
        """What each call of the tool was given, in the order of their starts."""
        files = self.bin.glob("call-*.json")
        found = [json.loads(file.read_text(encoding="utf-8")) for file in files]
        return sorted(found, key=lambda call: float(call["at"]))

    @property
    def looked_at(self) -> list[str]:
        """The videos of which details were asked for."""
        return [
            call["targets"][0][-11:]
            for call in self.calls
            if "--ignore-no-formats-error" in call["options"]
            and "--dump-json" in call["options"]
        ]
