"""What `judge_eval.py` measures with: posts, corpora, judges, figures.

Every post is judged in a corpus of 20 of its own topic, drawn at random with a fixed
seed, since that is what a run looks like, and again with all posts of its topic.
"""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from math import log
from pathlib import Path
from typing import Any

from engine.text.question import Question, prepare
from engine.text.relevance import weigh
from engine.text.tokens import read
from engine.x.judge import CORPUS_ON_TOPIC_FLOOR

__all__ = [
    "CORE",
    "DIAGNOSTIC",
    "JUDGES",
    "SIZE",
    "Counts",
    "Judged",
    "best_border",
    "by_set",
    "floods",
    "judged",
    "load",
    "mean",
    "mean_auc",
]

CORE = (
    "crisislex_t6",
    "crisislex_t26",
    "trec_mb",
    "disaster_kw",
    "sanders_brand",
    "selfdrive",
)
DIAGNOSTIC = ("wsd_words", "entity_kaggle")
SIZE = 20
SEEDS = (1, 2)
FLOODS = 2_000

Row = dict[str, Any]
Key = tuple[str, str]
Topics = dict[Key, list[Row]]
Corpus = tuple[Key, list[Row]]
Score = tuple[float, bool, float]
"""Of a post: a score to rank by, whether it is likely, and its share."""
Judge = Callable[[list[str], Question], list[Score]]


def ours(texts: list[str], question: Question) -> list[Score]:
    """The judge of this project."""
    verdicts = weigh(texts, (question,))
    return [(v.relevance, v.likely, v.share) for v in verdicts]


def overlap(texts: list[str], question: Question) -> list[Score]:
    """Plain token overlap: the share of the question's words in the post."""
    wanted = {clue.word for clue in question.clues}
    found = [len(wanted.intersection(read(t).words)) / len(wanted) for t in texts]
    return [(score, score > 0, float(score > 0)) for score in found]


def bm25(texts: list[str], question: Question) -> list[Score]:
    """Okapi BM25 (k1 = 1.2, b = 0.75) with the corpus's own document frequencies."""
    wanted = sorted({clue.word for clue in question.clues})
    posts = [read(text).words for text in texts]
    mean = sum(map(len, posts)) / len(posts) or 1.0
    idf = {}
    for word in wanted:
        n = sum(word in post for post in posts)
        idf[word] = log(1 + (len(posts) - n + 0.5) / (n + 0.5))
    scores = []
    for post in posts:
        damping = 1.2 * (0.25 + 0.75 * len(post) / mean)
        counts = {word: post.count(word) for word in wanted}
        score = sum(idf[w] * 2.2 * n / (n + damping) for w, n in counts.items())
        scores.append((score, score > 0, float(score > 0)))
    return scores


JUDGES: dict[str, Judge] = {"ours": ours, "overlap": overlap, "bm25": bm25}


@dataclass(frozen=True, slots=True)
class Judged:
    """One post in one corpus."""

    set: str
    topic: str
    draw: int
    lang: str
    label: int
    score: float
    likely: bool


def load(paths: Iterable[Path]) -> Topics:
    """The posts of some files by set and topic."""
    topics: Topics = defaultdict(list)
    for path in paths:
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.strip():
                row = json.loads(line)
                topics[row.get("set") or path.stem, row["topic"]].append(row)
    return {key: sorted(topics[key], key=_identity) for key in sorted(topics)}


def _identity(row: Row) -> str:
    return str(row.get("id") or row["text"])


def corpora(topics: Topics, size: int | None, draw: int) -> list[Corpus]:
    """Each topic's posts in corpora of about `size` (None: one), drawn at random."""
    found = []
    for key, rows in topics.items():
        rows = rows.copy()
        random.Random(f"{draw} {key}").shuffle(rows)
        parts = max(1, round(len(rows) / size)) if size else 1
        found += [(key, rows[i::parts]) for i in range(parts)]
    return found


def _scores(judge: Judge, rows: list[Row]) -> list[Score]:
    query = rows[0].get("ranking_query") or ""
    question = prepare(rows[0]["topic"], [query])[0]
    return judge([row["text"] for row in rows], question)


def judged(judge: Judge, topics: Topics, size: int | None) -> list[Judged]:
    """Every post, judged in each of its corpora."""
    found = []
    for draw in SEEDS if size else SEEDS[:1]:
        for (name, topic), rows in corpora(topics, size, draw):
            for row, (score, likely, _) in zip(rows, _scores(judge, rows), strict=True):
                lang = str(row.get("lang") or "?")
                label = int(row["label"])
                found.append(Judged(name, topic, draw, lang, label, score, likely))
    return found


@dataclass(frozen=True, slots=True)
class Counts:
    """Verdicts against labels."""

    hit: int
    missed: int
    wrong: int
    right: int

    @classmethod
    def of(cls, posts: Iterable[Judged], passes: Callable[[Judged], bool]) -> Counts:
        """Count the posts that pass a border."""
        n = [0, 0, 0, 0]
        for post in posts:
            n[(0 if post.label else 2) + (0 if passes(post) else 1)] += 1
        return cls(*n)

    @property
    def recall(self) -> float:
        """Share of the on-topic posts that passed."""
        return self.hit / max(1, self.hit + self.missed)

    @property
    def rejected(self) -> float:
        """Share of the off-topic posts that did not pass."""
        return self.right / max(1, self.wrong + self.right)

    @property
    def precision(self) -> float:
        """Share of those that passed which are on topic."""
        return self.hit / max(1, self.hit + self.wrong)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        return 2 * self.hit / max(1, 2 * self.hit + self.wrong + self.missed)

    @property
    def balanced(self) -> float:
        """Balanced accuracy."""
        return (self.recall + self.rejected) / 2


def auc(posts: Sequence[Judged]) -> float | None:
    """Chance that an on-topic post ranks above an off-topic one; None if undefined."""
    ranked = sorted(posts, key=lambda post: post.score)
    on = sum(post.label for post in ranked)
    off = len(ranked) - on
    if not on or not off:
        return None
    below, won = 0, 0.0
    for _, tied in groupby(ranked, key=lambda post: post.score):
        labels = [post.label for post in tied]
        won += sum(labels) * (below + (len(labels) - sum(labels)) / 2)
        below += len(labels) - sum(labels)
    return won / (on * off)


def by_set(posts: Iterable[Judged]) -> dict[str, list[Judged]]:
    """Posts by their set."""
    found: dict[str, list[Judged]] = defaultdict(list)
    for post in posts:
        found[post.set].append(post)
    return found


def best_border(posts: Sequence[Judged]) -> float:
    """The one score at which the mean balanced accuracy of the plain sets is best."""
    sets = [group for name, group in by_set(posts).items() if name not in DIAGNOSTIC]
    scores = sorted({round(post.score, 3) for post in posts})
    borders = scores[:: max(1, len(scores) // 150)]
    return max(borders, key=lambda border: mean(_balanced(g, border) for g in sets))


def _balanced(posts: Iterable[Judged], border: float) -> float:
    return Counts.of(posts, lambda post: post.score >= border).balanced


def mean(values: Iterable[float]) -> float:
    """The mean; 0 of nothing."""
    found = list(values)
    return sum(found) / max(1, len(found))


def mean_auc(posts: Iterable[Judged]) -> float:
    """The mean over topics of the AUC inside each."""
    topics: dict[tuple[str, int], list[Judged]] = defaultdict(list)
    for post in posts:
        topics[post.topic, post.draw].append(post)
    return mean(value for group in topics.values() if (value := auc(group)) is not None)


def floods(judge: Judge, topics: Topics, border: float | None) -> tuple[float, float]:
    """F1 and balanced accuracy of telling floods, over simulated corpora.

    A set, one of its topics and a count of on-topic posts are drawn evenly. With a
    border, posts above it are counted; without one their shares are averaged.
    """
    pools: dict[str, list[tuple[list[Row], list[Row]]]] = defaultdict(list)
    for (name, _), rows in topics.items():
        on = [row for row in rows if row["label"]]
        off = [row for row in rows if not row["label"]]
        if name not in DIAGNOSTIC and len(rows) >= SIZE and min(len(on), len(off)) >= 8:
            pools[name].append((on, off))
    names = [name for name in sorted(pools) if name in CORE] or sorted(pools)
    chance, n, drawn = random.Random(5), [0, 0, 0, 0], 0
    while names and drawn < FLOODS:
        on, off = chance.choice(pools[chance.choice(names)])
        count = chance.randint(0, SIZE)
        if count > len(on) or SIZE - count > len(off):
            continue
        drawn += 1
        rows = chance.sample(on, count) + chance.sample(off, SIZE - count)
        scores = _scores(judge, rows)
        shares = [s if border is None else float(r >= border) for r, _, s in scores]
        flood, told = count / SIZE < CORPUS_ON_TOPIC_FLOOR, mean(shares) < 0.4
        n[(0 if flood else 2) + (0 if told else 1)] += 1
    return Counts(*n).f1, Counts(*n).balanced
