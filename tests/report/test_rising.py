"""The brief of a discovery, and that it is passed on as it is."""

from __future__ import annotations

from typing import Any

import pytest

from engine.report.laws import check_brief
from engine.report.rising import rising
from fakes.research_run import comment, research, thing


def _topic(number: int, **more: Any) -> dict[str, Any]:
    return {
        "id": f"n{number}",
        "merged": [],
        "name": f"Foo keys {number}",
        "by_host": True,
        "ungrounded": [],
        "junk_shape": "",
        "worthiness": 80,
        "momentum": 70,
        "reactions": 300,
        "sources": ["hackernews"],
        "origins": 1,
        "items": [f"hackernews:{number}"],
        "pages": [],
        "angles": {"podcast": "", "x_article": ""},
        "surfaced": 0,
        "covered": False,
        **more,
    }


def _record(*topics: dict[str, Any], **more: Any) -> dict[str, Any]:
    items = [
        thing(
            "hackernews", i, "Text", title=f"Title [{i}] | of it", author_handle="ann",
            engagement={"points": 1200, "comments": 1}, **more.pop("item", {}),
        )
        for i in (1, 2)
    ]  # fmt: skip
    states = more.pop("states", {"hackernews": "ok"})
    found = research(items, states, tool="discover", topic="what is rising")
    discovery = {
        "bundle_id": "17519f00500c772c",
        "origin": "live",
        "domain": "",
        "nominated": 5,
        "judged": 5,
        "researched": 2,
        "topics": list(topics),
        "left": [],
        **more,
    }
    return {**found, "discovery": discovery}


@pytest.mark.parametrize(
    ("number", "ordinal"),
    [(1, "1st"), (2, "2nd"), (3, "3rd"), (4, "4th"), (11, "11th"), (12, "12th"),
     (13, "13th"), (21, "21st"), (22, "22nd"), (112, "112th")],
)  # fmt: skip
def test_how_often_it_surfaced_is_an_ordinal(number: int, ordinal: str) -> None:
    """Nothing is said where it is unknown."""
    assert f" · surfaced {ordinal} time\n" in rising(
        _record(_topic(1, surfaced=number))
    )
    assert "surfaced" not in rising(_record(_topic(1)))


def test_a_topic_says_why_where_and_who() -> None:
    """Counts by source, the days, the loudest comment, links whose labels are safe."""
    said = [comment("bob", "Hm.", 3), comment("eve", 'It is "over".', 90)]
    shown = rising(_record(_topic(1), item={"comments": said}))
    assert "1. **Foo keys 1** · momentum 70 of 100\n" in shown
    assert "   Why: 1.2K points, 1 comment on Hacker News; 2026-11-14\n" in shown
    assert "   Seen on Hacker News alone: no independent second source\n" in shown
    assert "   Voice: \"It is 'over'.\" [@eve](https://example.org/c/eve)\n" in shown
    link = "[Title (1) / of it](https://news.ycombinator.com/item?id=1)"
    assert f"   Evidence: {link}\n" in shown
    assert "   Next: `/last30days Foo keys 1`\n" in shown
    assert "Podcast" not in shown and "Ungrounded" not in shown


def test_angles_and_marks_have_their_lines() -> None:
    """And only where there are any."""
    angles = {"podcast": "Who looks?", "x_article": "One bucket"}
    shown = rising(_record(_topic(1, angles=angles, ungrounded=["Pwn2Own", "Oslo"])))
    assert "   Podcast: Who looks?\n   Article for X: One bucket\n" in shown
    assert "   Ungrounded: Pwn2Own, Oslo (in the name, not in the evidence)\n" in shown


def test_a_post_of_its_author_is_a_voice() -> None:
    """Where nobody commented."""
    post = thing("x", 7, "We leave.", author_handle="quadnine", title="")
    record = _record(_topic(1, items=["x:7"], sources=["x", "hackernews"], origins=2))
    record["items"].append(post)
    shown = rising(record)
    assert '   Voice: "We leave." [@quadnine](https://x.com/w/status/7)\n' in shown
    assert "Confirmed across X, Hacker News (2 independent origins)" in shown


def test_covered_topics_leave_the_list() -> None:
    """Named in one line; with none left the window is quiet."""
    shown = rising(_record(_topic(1, covered=True), _topic(2)))
    assert "1. **Foo keys 2**" in shown and "Covered before: Foo keys 1.\n" in shown
    quiet = rising(_record(_topic(1, covered=True)))
    assert "\n\nNothing solid this window.\n" in quiet and "Why" not in quiet


def test_nobody_judged_is_said() -> None:
    """Unless there was nothing to judge."""
    assert "Nobody judged" in rising(_record(_topic(1), judged=0))
    assert "Nobody judged" not in rising(_record(judged=0, nominated=0))
    assert "Nobody judged" not in rising(_record(_topic(1)))


def test_the_pipeline_and_the_gaps_are_told() -> None:
    """What became of the nominations, and what could not be seen."""
    left = [
        {"id": f"n{i}", "name": "x", "reason": reason, "detail": ""}
        for i, reason in enumerate(("junk", "junk", "below-floor", "no-room"), 3)
    ]
    states = {"hackernews": "ok", "reddit": ("blocked", "HTTP 403", "")}
    shown = rising(
        _record(_topic(1, merged=["n2"]), left=left, states=states, origin="archive")
    )
    assert (
        "Pipeline: 5 nominated, 5 judged by you, 2 researched, 1 told of, 1 merged, "
        "2 junk, 1 below the floor, 1 less worthy, from archive posts, not from live "
        "services.\nNot seen in full: Reddit (blocked: HTTP 403).\n"
    ) in shown


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (lambda text: text, 0),
        (lambda text: text.rstrip() + "\n\n\n", 0),
        (lambda text: text.replace("\n", "\r\n"), 0),
        (lambda text: text.replace("Foo keys 1", "Foo Keys", 1), 5),
        (lambda text: "Here it is:\n" + text, 1),
        (lambda text: text.rstrip() + "\nHope that helps!\n", 16),
        (lambda text: "\n".join(text.split("\n")[:6]), 6),
    ],
    ids=["as-is", "blanks", "line-ends", "renamed", "before", "behind", "cut"],
)
def test_the_brief_is_passed_on_line_by_line(change: Any, line: int) -> None:
    """The checker names the first line that differs, and what it has to be."""
    record = _record(_topic(1))
    found = check_brief(change(rising(record)), record)
    assert [(one.law, one.line) for one in found] == (
        [("LAW 11", line)] if line else []
    )
    assert all("as finalize printed it" in one.fix for one in found)
