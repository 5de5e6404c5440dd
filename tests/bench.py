"""Print the speed and size of the project, each figure with its target: `make bench`."""

from __future__ import annotations

import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

_ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(_ROOT / "scripts"), str(_ROOT / "tests")]

import bench_archive  # noqa: E402 (the path above finds it)
import bench_discovery  # noqa: E402
import bench_live  # noqa: E402
import bench_ranking  # noqa: E402
import bench_research  # noqa: E402
from engine.report.envelope import envelope  # noqa: E402
from engine.text.duplicates import near_duplicates  # noqa: E402
from engine.text.relevance import prepare  # noqa: E402
from engine.text.tokens import read  # noqa: E402
from engine.x.judge import judge  # noqa: E402
from support import artifact, item  # noqa: E402

_SCRIPT = str(_ROOT / "scripts" / "x_search.py")
_RESEARCH = str(_ROOT / "scripts" / "last30days.py")
_TOPIC = "Rome Italy"
_QUESTION = (
    "How do visitors and residents of Rome in Italy judge its metro, restaurants, "
    "museums, hotels, prices, crowds and weather?"
)

Rows = Iterator[tuple[str, str]]


def _start_up() -> Rows:
    bare = [sys.executable, "-c", "pass"]
    for name, path, args, most in (
        ("--help", _SCRIPT, ["--help"], 2.5),
        ("last30days.py --help", _RESEARCH, ["--help"], 2.5),
        ("--demo", _SCRIPT, [_TOPIC, "--demo"], 12),
    ):
        script = [sys.executable, path, *args]
        _run_time(script)
        ratios = [_run_time(script) / _run_time(bare) for _ in range(11)]
        label = f"{name} against python -c pass (<= {most})"
        yield label, f"{statistics.median(ratios):.1f}"


def _run_time(command: Sequence[str]) -> float:
    # Compiled modules are kept, as they are for a user from the second run on.
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    return _time(
        lambda: subprocess.run(command, capture_output=True, check=True, env=env)
    )


def _time(call: Callable[[], object]) -> float:
    began = time.perf_counter()
    call()
    return time.perf_counter() - began


def _afresh(call: Callable[[], object]) -> float:
    """The best of three, each with no text read before."""
    times = []
    for _ in range(3):
        read.cache_clear()
        times.append(_time(call))
    return min(times)


def _posts(count: int) -> list[str]:
    """Posts of some 140 characters, few of them about the topic."""
    rng = random.Random(count)
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["rome", "italy", "metro", "prices", "#RomeTrip", "crowds"]
    words += ["".join(rng.choices(letters, k=rng.randint(2, 9))) for _ in range(9_000)]
    # The square makes a few words frequent and most rare, as in speech.
    return [
        " ".join(words[int(len(words) * rng.random() ** 2)] for _ in range(22))
        for _ in range(count)
    ]


def _judging() -> Rows:
    for label, questions in (("2", []), ("12", [_QUESTION])):
        for count in (1_000, 10_000):
            posts = [{"author_handle": "a", "text": text} for text in _posts(count)]
            question = prepare(_TOPIC, questions)
            seconds = _afresh(lambda p=posts, q=question: judge(p, q))  # type: ignore[misc]
            name = f"judge: posts a second, {label} query words, {count:,} posts"
            yield f"{name} (>= 10,000)", f"{count / seconds:,.0f}"


def _duplicates() -> Rows:
    for count in (1_000, 10_000):
        texts = _posts(count)
        texts += [f"{text} 🎉" for text in texts[: count // 10]]
        seconds = _afresh(lambda t=texts: near_duplicates(t))  # type: ignore[misc]
        limit = " (< 1 s)" if count == 10_000 else ""
        yield f"near-duplicates: {count:,} items{limit}", f"{seconds:.2f} s"


def _sizes() -> Rows:
    ten, five = (
        envelope(artifact([item(i, "word") for i in range(n)])) for n in (10, 5)
    )
    own = (len(ten) - len(five)) / 5 - len("word")
    yield "envelope: own tokens of an item (<= 90)", f"{own / 4:.0f}"
    yield (
        "envelope: tokens of the frame (<= 400)",
        f"{len(envelope(artifact())) / 4:.0f}",
    )
    english, chinese = ("plain words " * 24)[:280], "罗马旅游美食攻略" * 17 + "罗马旅游"
    for name, text, least in (("English", english, 40), ("Chinese", chinese, 20)):
        shown = envelope(artifact([item(i, text) for i in range(99)]))
        label = (
            f"envelope: {name} posts of {len(text)} characters that fit (>= {least})"
        )
        yield label, f"{shown.count(text.strip())}, {len(shown.encode()):,} bytes"
    skill = (_ROOT / "SKILL.md").read_text(encoding="utf-8")
    yield "SKILL.md: tokens, read in every session (<= 3500)", f"{len(skill) / 4:.0f}"
    for page in sorted((_ROOT / "references").glob("*.md")):
        tokens = len(page.read_text(encoding="utf-8")) / 4
        yield f"references/{page.name}: tokens, read when needed", f"{tokens:.0f}"


def main() -> int:
    """Print the rows as they are measured."""
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} cores")
    for rows in (_start_up(), _judging(), _duplicates(), _sizes()):
        for label, value in rows:
            print(f"{label:<76} {value}", flush=True)
    for module in (
        bench_live,
        bench_research,
        bench_discovery,
        bench_ranking,
        bench_archive,
    ):
        for label, value in module.measure():
            print(f"{label:<76} {value}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
