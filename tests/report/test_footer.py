"""The footer counts what the artifact holds."""

from __future__ import annotations

import pytest

from engine.report.counts import amounts, count, counted
from engine.report.footer import footer
from fakes.research_run import research, sample, thing
from support import artifact, item


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        (0, "0"), (7, "7"), (999, "999"), (1_000, "1K"), (1_240, "1.2K"), (9_949, "9.9K"),
        (9_960, "10K"), (39_400, "39K"), (999_499, "999K"), (999_500, "1M"),
        (999_999, "1M"), (1_000_000, "1M"), (1_240_000, "1.2M"), (250_000_000, "250M"),
    ],
)  # fmt: skip
def test_counts_are_written_as_people_do(number: int, shown: str) -> None:
    """Thousands and millions are rounded, never to 1000K."""
    assert count(number) == shown


@pytest.mark.parametrize(
    ("number", "kind", "shown"),
    [
        (1, "replies", "1 reply"), (2, "replies", "2 replies"), (1, "stories", "1 story"),
        (1, "likes", "1 like"), (160, "score", "160 votes"), (1, "score", "1 vote"),
        (14_000, "volume", "$14K volume"), (1, "liquidity", "$1 liquidity"),
    ],
)  # fmt: skip
def test_a_count_has_its_unit(number: int, kind: str, shown: str) -> None:
    """Dollars have their sign, and one is one."""
    assert counted(number, kind) == shown


def test_only_what_says_something_of_an_item_is_shown() -> None:
    """The votes of the best comment stand with that comment."""
    known = {"best_comment": 9, "comments": 3, "score": 0, "views": 7}
    assert amounts(known, ["score", "comments", "best_comment"]) == ["3 comments"]


def test_every_count_comes_from_the_items() -> None:
    """Posts, different authors and the sums of what is known."""
    items = [
        item(1, engagement={"likes": 900, "views": 5}),
        item(2, engagement={"likes": 300, "replies": 1}, author_handle="WRITER_1"),
        item(3, engagement={}, author_handle=""),
        item(4, engagement={"likes": 50}, source="reddit"),
    ]
    assert footer(artifact(items)) == [
        "✅ All sources reported back",
        f"├─ 𝕏 X: 3 posts · 1 author · {count(900 + 300)} likes · 1 reply",
        "└─ 🗓 2026-10-17 to 2026-11-15 · not saved",
    ]


_UNSEEN = (
    "partial", "skipped-unconfigured", "auth-failed", "rate-limited", "blocked",
    "unreachable", "timeout", "bad-response", "error",
)  # fmt: skip


@pytest.mark.parametrize("state", _UNSEEN)
def test_what_was_not_seen_is_marked(state: str) -> None:
    """It changes the first line, and the state is named with and without items."""
    empty = footer(artifact(state=state))
    assert empty[0].startswith("⚠️")
    assert empty[1] == f"├─ 𝕏 X: ⚠️ {state}"
    some = footer(artifact([item(1)], state=state))
    assert some[1].endswith(f" · ⚠️ {state}")


def test_only_full_coverage_gets_a_tick() -> None:
    """Silence is full coverage too."""
    assert footer(artifact([item(1)]))[1].endswith("4 replies")
    silent = footer(artifact(state="no-results"))
    assert silent[:2] == ["✅ All sources reported back", "├─ 𝕏 X: no-results"]


def test_a_source_that_was_not_asked_has_no_line() -> None:
    """It has nothing to report, and nothing is wrong with it."""
    found = footer(artifact(state="not-asked"))
    assert found[0].startswith("✅") and len(found) == 2


def test_every_source_counts_in_its_own_units() -> None:
    """Threads with votes, stories with points, markets with dollars, pages."""
    assert footer(sample()) == [
        "⚠️ Not every source could be seen",
        f"├─ 𝕏 X: 3 posts · 3 authors · {count(1_240 + 12 + 3)} likes · 100 reposts"
        " · 50 replies · ⚠️ partial",
        f"├─ 🟠 Reddit: 2 threads · 2 authors · {160 + 17} votes · {34 + 24} comments",
        "├─ 🟧 Hacker News: 1 story · 1 author · 487 points · 480 comments",
        "├─ 📊 Polymarket: 1 market · $14K volume · $23K liquidity",
        "├─ 🐙 GitHub: 1 issue · 1 author · 40 reactions · 12 comments · ⚠️ rate-limited",
        "├─ ▶️ YouTube: ⚠️ skipped-unconfigured",
        "├─ 🌍 Web: 1 page",
        "└─ 🗓 2026-10-17 to 2026-11-15 · not saved",
    ]


def test_an_item_of_two_sources_counts_for_both() -> None:
    """Its votes count where they were given."""
    both = thing(
        "reddit",
        1,
        sources=["reddit", "web"],
        engagement={"score": 5},
        author_handle="a",
    )
    found = footer(research([both], {"reddit": "ok", "web": "ok"}))
    assert found[1:3] == [
        "├─ 🟠 Reddit: 1 thread · 1 author · 5 votes",
        "├─ 🌍 Web: 1 page",
    ]


def test_what_both_sides_of_a_comparison_found_counts_once() -> None:
    """The same thread may be about both."""
    sides = ["a", "b"]
    found = [{**thing("reddit", 1, engagement={"score": 5}), "side": s} for s in sides]
    tree = footer(research(found, {"reddit": "ok"}, sides=sides))
    assert tree[1] == "├─ 🟠 Reddit: 1 thread · 1 author · 5 votes"


def test_a_brief_footer_counts_items_alone() -> None:
    """For the smallest envelopes."""
    found = footer({**sample(), "saved": "/deep" * 20 + "/a.json"}, brief=True)
    assert found[2] == "├─ 🟠 Reddit: 2 threads"
    assert found[-1].endswith("saved: …/a.json")


def test_the_path_of_the_artifact_is_shown() -> None:
    """Whole, or its last part if it would crowd out everything else."""
    assert footer(artifact(saved="/d/rome.json"))[-1].endswith("saved: /d/rome.json")
    long = "/deep" * 700 + "/rome.json"
    assert footer(artifact(saved=long))[-1].endswith("saved: …/rome.json")
