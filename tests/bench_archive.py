"""Speed and size of posts on disk: read, index, answer.

As a script (`bench_archive.py FILE`) it is the child process whose memory is measured:
it prints seconds, megabytes and the two ratios as JSON.
"""

from __future__ import annotations

import json
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta, timezone
from functools import partial
from pathlib import Path

__all__ = ["measure"]

_POSTS = 100_000
_ROUNDS = 5
_SCRIPTS = Path(__file__).parent.parent / "scripts"
_FIRST = datetime(2026, 11, 1, tzinfo=timezone.utc)
_EPOCH_MS = 1288834974657


def measure() -> list[tuple[str, str]]:
    """Rows of label and value, in some 20 seconds."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "posts.jsonl")
        with path.open("w", encoding="utf-8") as file:
            file.writelines(_lines())
        child = subprocess.run(
            [sys.executable, __file__, str(path)],
            env={**os.environ, "PYTHONPATH": str(_SCRIPTS)},
            capture_output=True,
            text=True,
            check=True,
        )
    found = json.loads(child.stdout)
    label = f"archive: {_POSTS:,} posts"
    return [
        (f"{label}, read and indexed (< 8 s)", f"{found['seconds']:.1f} s"),
        (f"{label}, memory at its highest (< 400 MB)", f"{found['megabytes']:.0f} MB"),
        *(
            (f"archive: variant against bare FTS5, {name} (<= 2)", f"{ratio:.2f}")
            for name, ratio in found["ratios"].items()
        ),
    ]


def _lines() -> Iterator[str]:
    rng = random.Random(1)
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["rome", "italy"]
    words += ["".join(rng.choices(letters, k=rng.randint(2, 9))) for _ in range(30_000)]
    for number in range(_POSTS):
        # The cube makes a few words frequent and most rare, as in speech.
        chosen = [words[int(len(words) * rng.random() ** 3)] for _ in range(20)]
        at = _FIRST + timedelta(seconds=rng.randrange(30 * 86_400))
        handle = f"user_{rng.randrange(20_000)}"
        post = {
            "id": str((int(at.timestamp() * 1000) - _EPOCH_MS << 22) + number),
            "author_handle": handle,
            "author_name": handle.replace("_", " ").title(),
            "text": f"{' '.join(chosen).capitalize()}. https://t.co/abc #rome",
            "created_at": at.isoformat().replace("+00:00", "Z"),
            "lang": "en",
            "likes": int(rng.paretovariate(1)),
            "reposts": rng.randrange(50),
            "replies": rng.randrange(9),
            "quotes": rng.randrange(5),
            "views": rng.randrange(100_000),
            "urls": ["https://example.com/news/story"] if number % 5 == 0 else [],
        }
        yield json.dumps(post) + "\n"


def _child(path: str) -> None:
    from engine.x.backends.archive.index import open_archive

    began = time.perf_counter()
    archive = open_archive([path], lambda warning: None)
    seconds = time.perf_counter() - began
    # Kilobytes on Linux, bytes on macOS.
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / unit
    print(
        json.dumps({"seconds": seconds, "megabytes": peak, "ratios": _ratios(archive)})
    )


def _ratios(archive: object) -> dict[str, float]:
    from engine.deadline import Deadline
    from engine.fetch import Fetch
    from engine.settings import Settings
    from engine.window import Window
    from engine.x.backends.archive.index import Archive
    from engine.x.backends.archive.search import search
    from engine.x.backends.base import IO, Ask
    from engine.x.fanout import variants
    from engine.x.query import Query

    assert isinstance(archive, Archive)
    settings = Settings({}, _FIRST)
    io = IO(settings, Deadline(60), Fetch(settings), print, print, archive=archive)
    window = Window(date(2026, 11, 1), date(2026, 11, 30))
    query = Query(window, terms=("rome", "italy"), latest=True)
    names = (
        "latest",
        "top, 5 likes",
        "top, links",
        "top, no replies",
        "top, an eighth",
    )
    database = archive._database
    bare = 'SELECT rowid FROM top WHERE top MATCH \'"rome" AND "italy"\' ORDER BY rowid'
    base = _fastest(lambda: database.execute(bare).fetchall())
    limited = _fastest(lambda: database.execute(f"{bare} LIMIT 10").fetchall())
    found = {"bare LIMIT 10": limited / base}
    for name, variant in zip(names, variants(query, 5), strict=True):
        found[name] = _fastest(partial(search, Ask(variant, 10), io)) / base
    return found


def _fastest(call: Callable[[], object]) -> float:
    times = []
    for _ in range(_ROUNDS):
        began = time.perf_counter()
        call()
        times.append(time.perf_counter() - began)
    return min(times)


if __name__ == "__main__":
    _child(sys.argv[1])
