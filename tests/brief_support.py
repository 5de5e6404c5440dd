"""What the tests of the LAWs share: an artifact, and a brief that breaks nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.report.brief.evidence import Evidence
from engine.report.brief.frame import badges, footers
from engine.report.brief.page import Violation
from engine.report.laws import check_brief
from support import artifact, item

__all__ = [
    "ANN",
    "BOB",
    "HN",
    "MARKET",
    "PAPER",
    "RECORD",
    "THREAD",
    "brief",
    "broken",
    "found",
]

ANN = "https://x.com/ann_w/status/2121650748982800001"
BOB = "https://x.com/bob_rides/status/2121650748982800002"
THREAD = "https://www.reddit.com/r/bikes/comments/1k3/(loud)_thread/"
HN = "https://news.ycombinator.com/item?id=45800004"
MARKET = "https://polymarket.com/event/foo-bike"
PAPER = "https://paper.example/a(1)[b].pdf?x=1&y=2"


def _source(label: str, noun: str, at: str, *counts: str) -> dict[str, Any]:
    return {
        "label": label,
        "emoji": "•",
        "noun": noun,
        "at": at,
        "counts": list(counts),
        "reference": 7.0,
    }


def _state(state: str, fix: str = "") -> dict[str, str]:
    return {"state": state, "detail": "", "fix": fix}


RECORD = artifact(
    [
        item(
            1,
            'The Foo bike is quiet — too quiet, it\'s "scary". Range: 62.4 km for €1,499.',
            author_handle="ann_w",
            author_name="Ann Wu",
            url=ANN,
            engagement={"likes": 12_345, "replies": 950},
        ),
        item(
            2,
            "Foo bike brakes squeal like a choir. Sold mine for 1.2 million yen, no joke. "
            "https://spam.example/buy",
            author_handle="bob_rides",
            author_name="Bob",
            url=BOB,
            engagement={"likes": 87},
        ),
        item(
            3,
            "Three weeks with the Foo bike. The engine of the old one is missed by nobody.",
            source="reddit",
            title="Foo bike – a review",
            author_handle="carla9",
            url=THREAD,
            container="r/bikes",
            engagement={"score": 402, "comments": 51},
            comments=[
                {
                    "author": "dora_x",
                    "text": "Mine has 3 clusters of rust, 40 % of the frame",
                    "votes": 77,
                    "url": "",
                },
                {"author": "[deleted]", "text": "gone", "votes": 1, "url": ""},
            ],
        ),
        item(
            4,
            "",
            source="hackernews",
            title="Foo bike firmware [pdf]",
            author_handle="evan",
            url=HN,
            urls=[PAPER],
            engagement={"points": 312, "comments": 121},
        ),
        item(
            5,
            "Yes 63% (+5 points in a week)\n$14K volume",
            source="polymarket",
            title="Will Foo ship?",
            author_handle="",
            url=MARKET,
            engagement={"volume": 14_230},
        ),
    ],
    topic="Foo bike",
    sources={
        "x": _source("X", "posts", "@", "likes", "replies"),
        "reddit": _source("Reddit", "threads", "u/", "score", "comments"),
        "hackernews": _source("Hacker News", "stories", "@", "points", "comments"),
        "polymarket": _source("Polymarket", "markets", "@", "volume"),
        "bluesky": _source("Bluesky", "posts", "@", "likes"),
        "web": _source("Web", "pages", "@"),
    },
    source_status={
        "x": _state("ok"),
        "reddit": _state("ok"),
        "hackernews": _state("ok"),
        "polymarket": _state("ok"),
        "bluesky": _state("blocked", "see https://fix.example/bsky."),
        "web": _state("not-asked"),
    },
)

_REST = f"""

**Two riders.** [@ann_w]({ANN}) likes it, [@bob_rides]({BOB}) does not.

KEY PATTERNS from the research:
1. It is bought.
2. It is sold."""


def brief(
    body: str,
    record: Mapping[str, Any] = RECORD,
    *,
    rest: str = _REST,
    behind: str = "",
) -> str:
    """A brief whose first findings are `body`; all else in it is right."""
    evidence = Evidence(record)
    footer = "\n".join(footers(evidence)[0])
    return f"{badges(evidence)[0]}\n\nWhat I learned:\n\n{body}{rest}\n\n{footer}{behind}\n"


def found(text: str, record: Mapping[str, Any] = RECORD) -> list[Violation]:
    """What the checker says of a whole brief."""
    return check_brief(text, record)


def broken(body: str, record: Mapping[str, Any] = RECORD, **more: str) -> list[str]:
    """The LAWs that a brief with this body breaks."""
    return [violation.law for violation in found(brief(body, record, **more), record)]
