"""What several tests share: the script as a process, posts, artifacts, the envelope."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

__all__ = [
    "NOW",
    "PLAN",
    "ROME",
    "ROOT",
    "SCRIPT",
    "Block",
    "Envelope",
    "Said",
    "artifact",
    "environment",
    "item",
    "post",
    "read_envelope",
    "run",
    "write_posts",
]

ROOT = Path(__file__).resolve().parents[1]
SCRIPT = ROOT / "scripts" / "x_search.py"
NOW = "2026-11-15T12:00:00Z"
_EPOCH_MS = 1288834974657


def environment(home: Path, **more: str) -> dict[str, str]:
    """The least that a run needs: a path, an empty home, a fixed clock."""
    kept = {
        name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ
    }
    return {**kept, "HOME": str(home), "LAST30DAYS_NOW": NOW, **more}


def run(
    *args: str | bytes,
    cwd: Path,
    env: Mapping[str, str] | None = None,
    python: Iterable[str] = (),
    script: Path = SCRIPT,
    stdin: str = "",
    stdout: Any = subprocess.PIPE,
) -> subprocess.CompletedProcess[str]:
    """Run the script as a process of its own, in a folder that is not the project's."""
    return subprocess.run(
        [sys.executable, *python, str(script), *args],
        cwd=cwd,
        env=environment(cwd, **(env or {})),
        input=stdin,
        stdout=stdout,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        timeout=60,
    )


def post(
    number: int, text: str, at: str = "2026-11-10T12:00:00Z", **more: object
) -> dict[str, Any]:
    """A plain post; its id is a snowflake of its time."""
    moment = datetime.fromisoformat(at.replace("Z", "+00:00"))
    return {
        "id": str((int(moment.timestamp() * 1000) - _EPOCH_MS << 22) + number * 37),
        "author_handle": f"writer_{number}",
        "author_name": f"Writer {number}",
        "text": text,
        "created_at": at,
        "likes": number,
        **more,
    }


ROME = [
    post(i, f"Rome Italy tip {i}: the metro to stop {i} was free") for i in range(6)
]


PLAN = {
    "intent": "opinion",
    "freshness_mode": "balanced_recent",
    "cluster_mode": "none",
    "subqueries": [
        {
            "search_query": "rome",
            "ranking_query": "How is Rome in Italy?",
            "sources": ["x"],
        }
    ],
}


def write_posts(path: Path, posts: Iterable[Mapping[str, Any]]) -> str:
    """Write posts as JSON Lines; the name of the file is returned."""
    path.write_text("".join(json.dumps(p) + "\n" for p in posts), encoding="utf-8")
    return str(path)


def item(
    number: int = 1, text: str = "Rome in November", **more: Any
) -> dict[str, Any]:
    """An item of an artifact."""
    return {
        "id": f"21216507489828{number:05d}",
        "source": "x",
        "url": f"https://x.com/writer_{number}/status/21216507489828{number:05d}",
        "author_handle": f"writer_{number}",
        "author_name": "",
        "title": "",
        "text": text,
        "created_at": "2026-11-14T10:00:00Z",
        "date": "2026-11-14",
        "lang": "",
        "engagement": {"likes": 1200, "reposts": 30, "replies": 4},
        "in_reply_to": "",
        "repost_of": "",
        "urls": [],
        "lane": "topic",
        "backend": "archive",
        "relevance": 0.5,
        "score": 0.5,
        "copies": 0,
        "container": "",
        "comments": [],
        **more,
    }


def artifact(items: Iterable[dict[str, Any]] = (), **more: Any) -> dict[str, Any]:
    """An artifact of X; `state`, `detail` and `fix` are X's, `warnings` messages."""
    status = {name: more.pop(name, "") for name in ("state", "detail", "fix")}
    status["state"] = status["state"] or "ok"
    messages = more.pop("warnings", ())
    return {
        "schema_version": 1,
        "tool": "x_search",
        "topic": "Rome Italy",
        "plan": None,
        "window": {"from": "2026-10-17", "to": "2026-11-15"},
        "depth": "default",
        "queries": [],
        "x": None,
        "items": list(items),
        "pruned": [],
        "clusters": [],
        "sources": {
            "x": {
                "label": "X",
                "emoji": "𝕏",
                "noun": "posts",
                "at": "@",
                "counts": ["likes", "reposts", "replies", "quotes"],
                "reference": 9.2,
            }
        },  # fmt: skip
        "sides": [],
        "source_status": {"x": status},
        "_warnings": [
            {
                "code": "flood",
                "source": "x",
                "message": m,
                "data": {"on_topic_ratio": 0.1},
            }
            for m in messages
        ],
        "saved": None,
        **more,
    }


@dataclass
class Said:
    """A comment as a reader of the envelope sees it."""

    head: str
    url: str = ""
    text: str = ""


@dataclass
class Block:
    """One item of the evidence as a reader of the envelope sees it.

    `under` is the line of its cluster, `side` that of its side.
    """

    rank: int
    head: str
    url: str = ""
    why: str = ""
    title: str = ""
    text: str = ""
    under: str = ""
    side: str = ""
    comments: list[Said] = field(default_factory=list)


@dataclass
class Envelope:
    """An envelope, taken apart."""

    badge: str
    contract: list[str]
    coverage: str
    notes: list[str]
    footer: list[str]
    reminder: str
    verdict: str = ""
    blocks: list[Block] = field(default_factory=list)
    clusters: list[str] = field(default_factory=list)
    also: list[str] = field(default_factory=list)
    telling: list[Said] = field(default_factory=list)
    left_out: int = 0
    """Items that did not fit or are only counted in their cluster."""


_NOTE = re.compile(
    r"! |X judged \d|Named: @|Promoted: @|Refused: @|Partial Coverage: \d"
)
_HEAD = re.compile(r"\[(\d+)\] (\w|@|u/)[^\[\]]*")
_LEFT = re.compile(r"\((\d+) more did not fit; [^()]*\)")
_MORE = re.compile(r"also (\d+) more in this cluster")
_COMMENT = re.compile(r"COMMENT (@|u/)[^\[\]]*")
_CLUSTER = re.compile(
    r"CLUSTER \d+ · score \d+ · [a-z]+(, [a-z]+)* · \d+ origins?"
    r"( · (single-source|thin-evidence))?"
)
_SIDE = re.compile(r"SIDE \d OF \d · [\dKM.]+ items? · .+")


def read_envelope(text: str) -> Envelope:
    """Take an envelope apart by the rules of references/envelope.md alone.

    Every line has to be one that its place allows: what a post says is found only in
    lines that are indented, and nothing else is.
    """
    assert text.endswith("\n")
    # Only this character parts lines; any other that could has to be gone.
    assert text[:-1].splitlines() == text[:-1].split("\n")
    sections = [part.split("\n") for part in text[:-1].split("\n\n")]
    badge, contract, coverage, evidence, footer, reminder = sections
    assert len(badge) == len(reminder) == 1 and len(contract) == 3
    assert badge[0].startswith("🌐 last30days v")
    assert contract[0].startswith("CONTRACT: ")
    assert coverage[0].startswith("Coverage: ")
    assert all(_NOTE.match(line) for line in coverage[1:]), coverage
    assert footer[0].startswith(("✅ ", "⚠️ "))
    assert all(line.startswith("├─ ") for line in footer[1:-1])
    assert footer[-1].startswith("└─ 🗓 ")
    assert reminder[0].startswith("REMINDER: ")
    found = Envelope(badge[0], contract, coverage[0], coverage[1:], footer, reminder[0])
    _read_evidence(found, evidence)
    return found


def _read_evidence(found: Envelope, lines: list[str]) -> None:
    if lines[0].startswith(("No evidence: ", "Nothing solid this window.")):
        found.verdict, *lines = lines
        if not lines:
            return
        assert found.verdict.startswith("Nothing solid")
    start = re.fullmatch("EVIDENCE ([0-9a-f]{8})", lines[0])
    assert start and lines[-1] == f"END OF EVIDENCE {start[1]}"
    body = lines[1:-1]
    cut = (
        body.index("MOST TELLING COMMENTS") if "MOST TELLING COMMENTS" in body else None
    )
    _read_items(found, body[:cut])
    if cut is not None:
        _read_telling(found, body[cut + 1 :])
    ranks = [block.rank for block in found.blocks]
    assert ranks == sorted(set(ranks))
    assert all(block.text for block in found.blocks)


def _read_items(found: Envelope, lines: list[str]) -> None:
    side = cluster = ""
    full = False
    for line in lines:
        last = found.blocks[-1] if found.blocks else None
        if _SIDE.fullmatch(line):
            side, cluster, full = line, "", False
            continue
        assert not full, "nothing follows the count of what did not fit"
        if head := _HEAD.fullmatch(line):
            found.blocks.append(Block(int(head[1]), line, under=cluster, side=side))
        elif _CLUSTER.fullmatch(line):
            cluster = line
            found.clusters.append(line)
        elif left := _LEFT.fullmatch(line) or _MORE.fullmatch(line):
            found.left_out += int(left[1])
            full = bool(_LEFT.fullmatch(line))
        elif line.startswith("also "):
            found.also.append(line)
        elif line.startswith("    "):
            assert last
            _read_text(last, line[4:])
        else:
            assert last
            _read_own_line(last, line)


def _read_text(block: Block, text: str) -> None:
    """Indented: the title, the text, or the words of the comment before."""
    if block.comments:
        assert not block.comments[-1].text
        block.comments[-1].text = text
    else:
        assert not block.title, text
        block.title, block.text = (block.text, text) if block.text else ("", text)


def _read_own_line(block: Block, line: str) -> None:
    if line.startswith("https://"):
        assert not (block.url or block.comments)
        block.url = line
    elif line.startswith("why: "):
        block.why = line
    else:
        assert _COMMENT.fullmatch(line) and block.text, line
        block.comments.append(Said(line))


def _read_telling(found: Envelope, lines: list[str]) -> None:
    for line in lines:
        if _COMMENT.fullmatch(line):
            found.telling.append(Said(line))
        elif line.startswith("https://"):
            assert not (found.telling[-1].url or found.telling[-1].text)
            found.telling[-1].url = line
        else:
            assert line.startswith("    ") and not found.telling[-1].text, line
            found.telling[-1].text = line[4:]
    assert all(said.text for said in found.telling)
