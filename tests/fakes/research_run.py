"""The artifact of a research run over many sources, with made-up people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from support import artifact, item

__all__ = ["SOURCES", "cluster", "comment", "research", "sample", "thing"]


def _source(
    label: str, emoji: str, noun: str, counts: str, reference: float, at: str = "@"
) -> dict[str, Any]:
    return {
        "label": label, "emoji": emoji, "noun": noun, "at": at,
        "counts": counts.split(), "reference": reference,
    }  # fmt: skip


SOURCES = {
    "x": _source("X", "𝕏", "posts", "likes reposts replies quotes", 9.2),
    "reddit": _source(
        "Reddit", "🟠", "threads", "score comments best_comment", 7.6, "u/"
    ),
    "hackernews": _source("Hacker News", "🟧", "stories", "points comments", 6.2),
    "polymarket": _source("Polymarket", "📊", "markets", "volume liquidity", 8.3),
    "github": _source("GitHub", "🐙", "issues", "reactions comments stars", 5.3),
    "bluesky": _source("Bluesky", "🦋", "posts", "likes reposts replies quotes", 9.2),
    "youtube": _source(
        "YouTube", "▶️", "videos", "views likes comments best_comment", 11.2
    ),
    "web": _source("Web", "🌍", "pages", "", 1.0),
}
_URLS = {
    "x": "https://x.com/w/status/",
    "reddit": "https://www.reddit.com/r/ClaudeAI/comments/",
    "hackernews": "https://news.ycombinator.com/item?id=",
    "polymarket": "https://polymarket.com/event/",
    "github": "https://github.com/acme/tools/issues/",
    "web": "https://paper.example/",
    "youtube": "https://www.youtube.com/watch?v=",
    "bluesky": "https://bsky.app/profile/w/post/",
}


def thing(source: str, number: int, text: str = "words", **more: Any) -> dict[str, Any]:
    """An item of a source. `heat` is its engagement on the scale of 0…100."""
    final, heat = more.pop("final", 40.0), more.pop("heat", 50.0)
    found = item(
        number,
        text,
        id=str(number),
        source=source,
        url=f"{_URLS[source]}{number}",
        engagement={},
        backend=source,
        score=final / 100,
        sources=[source],
        marks=[],
        scores={
            "local": 50.0, "fusion": 40.0, "freshness": 80.0, "quality": 0.6,
            "engagement": heat, "final": final,
        },
    )  # fmt: skip
    return {**found, **more}


def comment(author: str, text: str, votes: int | None = None) -> dict[str, Any]:
    """A comment, with an address if its author's name makes one."""
    url = f"https://example.org/c/{author}" if author.isalnum() else ""
    return {"author": author, "text": text, "votes": votes, "url": url}


def cluster(
    *items: Mapping[str, Any], others: Iterable[Mapping[str, Any]] = (), **more: Any
) -> dict[str, Any]:
    """A cluster with its best items and others."""
    best = [f"{one['source']}:{one['id']}" for one in items]
    members = [*items, *others]
    return {
        "title": items[0]["title"] or items[0]["text"][:100],
        "score": items[0]["scores"]["final"],
        "item_ids": [*best, *(f"{one['source']}:{one['id']}" for one in others)],
        "best_ids": best,
        "sources": sorted({name for one in members for name in one["sources"]}),
        "origins": len(members),
        "mark": "",
        **more,
    }


def research(
    items: Iterable[dict[str, Any]] = (),
    states: Mapping[str, Any] | None = None,
    **more: Any,
) -> dict[str, Any]:
    """An artifact of last30days; each item is a cluster unless `clusters` says else.

    `states` gives (state, detail, fix) or a state by source; all others are not-asked.
    """
    given = {"state": "not-asked", "detail": "", "fix": ""}
    items = list(items)
    status = {}
    for name in SOURCES:
        told = (states or {}).get(name, "not-asked")
        values = [told] if isinstance(told, str) else told
        status[name] = {**given, **dict(zip(given, values, strict=False))}
    found = artifact(
        items,
        tool="last30days",
        topic="Claude Code skills",
        sources=SOURCES,
        source_status=status,
        clusters=[cluster(one) for one in items],
    )
    return {**found, **more}


def sample() -> dict[str, Any]:
    """A run with a bit of everything: comments, odds, pages, failures, no plan."""
    story = thing(
        "hackernews", 1, "They review every pull request twice, once by hand.",
        title="How the Claude Code team does code review", author_handle="reviewer",
        engagement={"points": 487, "comments": 480}, heat=100.0, final=72.0,
        comments=[comment("skeptic", "Two reviews, and both by the same model?")],
        relevance=0.81,
    )  # fmt: skip
    thread = thing(
        "reddit", 2, "We wrote a skill for our release notes and never looked back.",
        title="How the Claude Code team does code review (discussion)",
        author_handle="skill_smith", container="r/ClaudeAI", date="2026-11-10",
        engagement={"score": 160, "comments": 34, "best_comment": 120}, final=61.0,
        comments=[
            comment("blunt", "A skill is a prompt with a folder. The folder is what matters.", 120),
            comment("gone", "[deleted]", 90),
            comment("kind", "Ours is forty lines and saves an hour a week.", 45),
        ],
        relevance=0.7,
    )  # fmt: skip
    posts = [
        thing("x", 3, "Our skills folder is now reviewed like code.", author_handle="lead_dev",
              engagement={"likes": 1_240, "reposts": 100, "replies": 50, "views": 90_000},
              date="2026-11-12", marks=["first-party"], final=58.0, relevance=0.6),
        thing("x", 4, "Code review by skills, day three: it finds the typos.", author_handle="day_three",
              engagement={"likes": 12}, date="2026-11-13", final=41.0),
        thing("x", 5, "Reviewing code with a skill, a thread", author_handle="threader",
              engagement={"likes": 3}, date="2026-11-13", final=33.0),
    ]  # fmt: skip
    market = thing(
        "polymarket", 6, "Yes 63% (+5 points in a week)\n$14K volume", title="Claude 6 released by March?",
        engagement={"volume": 14_000, "liquidity": 23_000}, author_handle="", final=28.0,
    )  # fmt: skip
    issue = thing(
        "github", 7, "Skills in nested folders are not found.", title="Nested skills are ignored",
        author_handle="finder", container="acme/tools", date="2026-11-02",
        engagement={"reactions": 40, "comments": 12}, final=37.0,
    )  # fmt: skip
    page = thing(
        "web", 8, "A long read on skills as folders.", title="Skills, explained", author_handle="",
        container="paper.example", created_at=None, date=None, marks=["undated"],
        heat=None, final=30.0,
    )  # fmt: skip
    stray = thing(
        "reddit", 9, "What can I use it for?", title="Use cases for a newbie", author_handle="new_here",
        container="r/ClaudeAI", date="2026-11-09", engagement={"score": 17, "comments": 24},
        marks=["entity-miss"], final=18.0, relevance=0.3,
    )  # fmt: skip
    items = [story, thread, posts[0], posts[1], issue, posts[2], page, market, stray]
    pruned = [
        {**thing("reddit", 100 + i, f"Off topic {i}"), "reason": reason}
        for i, reason in enumerate(["off-topic"] * 5 + ["near-duplicate", "below-pool"])
    ]
    return research(
        items,
        {
            "x": ("partial", "1 of 4 calls failed: HTTP 500"),
            "reddit": "ok",
            "hackernews": "ok",
            "polymarket": "ok",
            "github": ("rate-limited", "GitHub: HTTP 403", "set GITHUB_TOKEN\nor: gh auth login"),
            "web": "ok",
            "youtube": ("skipped-unconfigured", "not set up", "install yt-dlp"),
        },
        pruned=pruned,
        clusters=[
            cluster(story, thread, others=posts, mark=""),
            cluster(issue, mark="single-source"),
            cluster(page, mark="single-source"),
            cluster(market, mark="single-source"),
            cluster(stray, mark="single-source"),
        ],
        queries=[
            {
                "source": source, "backend": source, "lane": "topic", "query": "claude code skills",
                "returned": returned, "new": returned, "outcome": "ok" if returned else "rate-limited",
                "detail": "", "seconds": 0.4,
            }
            for source, returned in (("reddit", 9), ("hackernews", 1), ("x", 4), ("github", 2), ("web", 1), ("polymarket", 1))
        ],
        _warnings=[
            {"code": "cached", "source": "", "message": "Some answers are from the cache", "data": {"hours": 2.0}},
            {"code": "no-plan", "source": "", "message": "No --plan: asked one thing", "data": {"ranking_query": "Claude Code skills"}},
        ],
    )  # fmt: skip
