"""Measure the judge on labelled posts: `make judge-eval`, or with files of your own.

Each line of a file is a JSON object with `topic`, `ranking_query`, `text` and `label`
(1 on topic, 0 off topic), and perhaps `set` (else the file's name), `lang` and `id`.

Figures are the mean over sets; core are the sets of tweets found by keywords for a
topic, plain all but the diagnostic ones. Intervals hold 95 %, by resampling topics.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path

PROJECT = Path(__file__).parents[1]
sys.path.insert(0, str(PROJECT / "scripts"))

from engine.text.relevance import RELEVANCE_FLOOR  # noqa: E402
from judge_measures import (  # noqa: E402
    CORE,
    DIAGNOSTIC,
    JUDGES,
    SIZE,
    Counts,
    Judged,
    best_border,
    by_set,
    floods,
    judged,
    load,
    mean,
    mean_auc,
)

DATA = PROJECT.parent / "shared" / "data" / "judge"
RESAMPLES = 200
MIN_POSTS = 100

Figure = Callable[[Sequence[Judged]], float]


def main(argv: Sequence[str] | None = None) -> int:
    """Print all figures; 0, also if there is nothing to measure."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("files", nargs="*", type=Path, help="JSON Lines of posts")
    parser.add_argument(
        "--baselines", action="store_true", help="token overlap and BM25 as well"
    )
    args = parser.parse_args(argv)
    files = args.files or sorted(DATA.glob("dev_*.jsonl"))
    if not files:
        print(f"no labelled posts in {DATA}; name files of your own", file=sys.stderr)
        return 0
    began = time.perf_counter()
    topics = load(files)
    print(f"{sum(map(len, topics.values()))} posts, {len(topics)} topics")
    borders: dict[str, float] = {}
    drawn: dict[str, list[Judged]] = {}
    for name in JUDGES if args.baselines else ["ours"]:
        drawn[name] = judged(JUDGES[name], topics, SIZE)
        borders[name] = best_border(drawn[name])
        print_macro(name, f"corpora of {SIZE}", drawn[name], borders[name])
        print_macro(name, "whole topics", judged(JUDGES[name], topics, None))
        f1, balanced = floods(
            JUDGES[name], topics, None if name == "ours" else borders[name]
        )
        print(f"  floods            F1 {f1:.3f}  BA {balanced:.3f}")
    print_groups("set", drawn, borders, lambda post: post.set)
    print_groups("language", drawn, borders, lambda post: post.lang)
    print(f"\n{time.perf_counter() - began:.0f} s")
    return 0


def print_macro(
    name: str, where: str, posts: list[Judged], border: float | None = None
) -> None:
    """The means over sets, with intervals, of one judge."""
    border = best_border(posts) if border is None else border
    print(f"\n{name}, {where} (best single border {border:.3f})")
    figures: dict[str, Figure] = {
        "BA, best border": lambda p: _counted(p, border).balanced,
        "AUC in a topic": mean_auc,
    }
    if name == "ours":
        figures |= {
            "BA, likely border": lambda p: Counts.of(p, _likely).balanced,
            "false prunes": lambda p: 1 - Counts.of(p, _kept).recall,
            "rejected": lambda p: Counts.of(p, _kept).rejected,
        }
    for title, figure in figures.items():
        cells = [_interval(posts, figure, group) for group in ("core", "plain", "all")]
        print(f"  {title:18s}" + "   ".join(cells))


def print_groups(
    title: str,
    drawn: dict[str, list[Judged]],
    borders: dict[str, float],
    group: Callable[[Judged], str],
) -> None:
    """One line a set or language, of all judges."""
    print(
        f"\n{title:16s} posts  BA    likely: BA   P    R    F1   AUC   pruned rejected"
    )
    groups = sorted({group(post) for post in drawn["ours"]})
    for key in groups:
        posts = [post for post in drawn["ours"] if group(post) == key]
        best = _counted(posts, borders["ours"])
        likely, kept = Counts.of(posts, _likely), Counts.of(posts, _kept)
        print(
            f"{key:16s} {len(posts):5d}  {best.balanced:.3f}        "
            f"{likely.balanced:.3f} {likely.precision:.2f} {likely.recall:.2f} "
            f"{likely.f1:.2f} {mean_auc(posts):.3f}  {1 - kept.recall:.2f}   "
            f"{kept.rejected:.2f}" + _others(key, drawn, borders, group)
        )


def _others(
    key: str,
    drawn: dict[str, list[Judged]],
    borders: dict[str, float],
    group: Callable[[Judged], str],
) -> str:
    cells = ""
    for name, posts in drawn.items():
        if name != "ours":
            chosen = [post for post in posts if group(post) == key]
            counts = _counted(chosen, borders[name])
            cells += f"  {name} {counts.balanced:.3f} AUC {mean_auc(chosen):.3f}"
    return cells


def _counted(posts: Sequence[Judged], border: float) -> Counts:
    return Counts.of(posts, lambda post: post.score >= border)


def _likely(post: Judged) -> bool:
    return post.likely


def _kept(post: Judged) -> bool:
    return post.score >= RELEVANCE_FLOOR


def _interval(posts: list[Judged], figure: Figure, group: str) -> str:
    """The mean of a figure over the sets of a group, with its interval."""
    sets = {
        name: _by_topic(found)
        for name, found in by_set(posts).items()
        if (group == "all")
        or (group == "plain" and name not in DIAGNOSTIC)
        or (group == "core" and name in CORE)
    }
    if not sets:
        return f"{group} -"
    value = mean(figure([p for t in topics for p in t]) for topics in sets.values())
    chance = random.Random(9)
    again = sorted(
        mean(
            figure([p for t in chance.choices(topics, k=len(topics)) for p in t])
            for topics in sets.values()
        )
        for _ in range(RESAMPLES)
    )
    low, high = again[RESAMPLES // 40], again[-RESAMPLES // 40 - 1]
    return f"{group} {value:.3f} [{low:.3f} {high:.3f}]"


def _by_topic(posts: Sequence[Judged]) -> list[list[Judged]]:
    found: dict[str, list[Judged]] = defaultdict(list)
    for post in posts:
        found[post.topic].append(post)
    return list(found.values())


if __name__ == "__main__":
    sys.exit(main())
