"""The measures of `make judge-eval`, on figures that can be reckoned by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

import judge_eval
from judge_measures import Counts, Judged, auc, corpora, load


def post(score: float, label: int) -> Judged:
    """A judged post of no particular topic."""
    return Judged("set", "topic", 1, "en", label, score, likely=score > 0.5)


def test_counts_give_the_usual_figures() -> None:
    """Three of four good posts pass and one of five others."""
    posts = [post(0.9, 1)] * 3 + [post(0.1, 1)] + [post(0.9, 0)] + [post(0.1, 0)] * 4
    counts = Counts.of(posts, lambda p: p.likely)
    assert counts == Counts(hit=3, missed=1, wrong=1, right=4)
    assert counts.balanced == pytest.approx((3 / 4 + 4 / 5) / 2)
    assert counts.precision == 3 / 4
    assert counts.f1 == pytest.approx(2 * 3 / (2 * 3 + 1 + 1))


def test_auc_counts_pairs_and_halves_ties() -> None:
    """Of four pairs two are won, one is tied and one lost."""
    posts = [post(0.9, 1), post(0.5, 1), post(0.5, 0), post(0.7, 0)]
    assert auc(posts) == (2 + 0.5) / 4
    assert auc(posts[:2]) is None


def test_corpora_hold_every_post_once() -> None:
    """The posts of a topic are dealt out evenly."""
    rows = [{"topic": "t", "text": str(n), "label": n % 2} for n in range(45)]
    dealt = corpora({("s", "t"): rows}, 20, 1)
    assert sorted(len(part) for _, part in dealt) == [45 // 2, 45 - 45 // 2]
    texts = [row["text"] for _, part in dealt for row in part]
    assert sorted(texts, key=int) == [str(n) for n in range(45)]


def test_posts_of_other_people_are_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Any JSON Lines of that shape can be measured; the file's name is the set."""
    lines = [
        f'{{"topic": "Rome", "text": "Rome {n}", "label": 1}}\n'
        f'{{"topic": "Rome", "text": "Cat {n}", "label": 0}}\n'
        for n in range(15)
    ]
    path = tmp_path / "mine.jsonl"
    path.write_text("".join(lines), encoding="utf-8")
    assert list(load([path])) == [("mine", "Rome")]
    assert judge_eval.main([str(path), "--baselines"]) == 0
    assert "mine" in capsys.readouterr().out
