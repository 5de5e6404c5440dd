"""A place for the fake tools of a places run: their scenario, and what the calls left."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from fakes.asking import World

__all__ = ["TravelStage", "note"]

_ROOT = Path(__file__).parents[2]


def note(number: int, title: str, desc: str = "", **more: Any) -> dict[str, Any]:
    """A note of Xiaohongshu; the higher the number, the less it is liked."""
    return {
        "id": f"65f0aa{number:018d}",
        "title": title,
        "desc": desc,
        "nickname": f"用户{number}",
        "liked": str(10_000 // number),
        "commented": str(1_000 // number),
        "collected": "赞",
        "time": 1795168800000,
        "comments": [{"content": f"评论{i}", "likes": i} for i in range(3)],
        **more,
    }


class TravelStage:
    """A folder with tools, their scenario, and a run that finds them on its PATH."""

    def __init__(self, folder: Path, *tools: str) -> None:
        self.bin = folder / "bin"
        self.bin.mkdir()
        source = (_ROOT / "tests" / "fakes" / "travel_tool").read_text(encoding="utf-8")
        for name in tools:
            tool = self.bin / name
            tool.write_text(f"#!{sys.executable} -IS\n{source}", encoding="utf-8")
            tool.chmod(0o755)
        self.values = {
            "PATH": str(self.bin),
            "HOME": str(folder),
            "XDG_CACHE_HOME": str(folder / "cache"),
            "LAST30DAYS_PACING": "0",
        }
        self.scenario: dict[str, dict[str, Any]] = {name: {} for name in tools}
        self._write()

    def play(self, tool: str, **more: Any) -> None:
        """Set what a tool knows; its failures stay as they are."""
        self.scenario[tool] |= more
        self._write()

    def fail(self, tool: str, operation: str, **how: Any) -> None:
        """Have an operation of a tool fail from now on."""
        self.scenario[tool].setdefault("fail", {})[operation] = how
        self._write()

    def mend(self, tool: str) -> None:
        """End all failures of a tool."""
        self.scenario[tool].pop("fail", None)
        self._write()

    def _write(self) -> None:
        path = self.bin / "scenario.json"
        path.write_text(json.dumps(self.scenario), encoding="utf-8")

    def world(self, seconds: float = 20, **values: str) -> World:
        """What a run may touch that has these tools."""
        return World({**self.values, **values}, seconds)

    @property
    def calls(self) -> list[Mapping[str, Any]]:
        """What each call of a tool was given, in their order."""
        files = sorted(self.bin.glob("call-*.json"))
        return [json.loads(file.read_text(encoding="utf-8")) for file in files]

    def count(self, tool: str, operation: str = "") -> int:
        """How often a tool was started, for one operation or at all."""
        return sum(
            call["tool"] == tool and operation in ("", call["operation"])
            for call in self.calls
        )

    @property
    def requests(self) -> int:
        """The requests that the calls to Xiaohongshu made there."""
        made = (c["requests"] for c in self.calls if c["tool"].startswith("xhs"))
        return sum(made)
