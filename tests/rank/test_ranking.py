"""Ranking: from the streams of all sources to one list and its clusters."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from engine.model import Depth, Item
from engine.rank.candidate import Mark, Stream
from engine.rank.order import order
from engine.rank.ranking import Ranking, rank
from engine.text.relevance import prepare, weigh
from engine.text.statement import statement
from engine.text.topic import parse_topic
from fakes.ranked import INFOS, item, stream
from fakes.xposts import WINDOW

TOPIC = "Claude Code skills"
QUESTIONS = {
    "primary": (
        "How are people building and using Agent Skills (SKILL.md) in Claude Code?",
        1.0,
    ),
    "format": ("What do developers think of the Agent Skills SKILL.md format?", 0.7),
}

TEAM = item(
    "team",
    source="hackernews",
    title="How the Claude Code team does code review",
    counts={"points": 487, "comments": 480},
    day=8,
)
CHESS = item(
    "chess",
    source="hackernews",
    title="Show HN: A Claude Code skill to analyze your chess games",
    counts={"points": 15, "comments": 4},
    day=5,
)
DATABASE = item(
    "database",
    source="hackernews",
    title="A database without a server",
    counts={"points": 300, "comments": 90},
    day=2,
)
BEGINNER = item(
    "beginner",
    "I just got a subscription and have no idea where to start. How are people using it, "
    "and what are you building with it? Any use cases for somebody who is no developer?",
    "reddit",
    title="Claude use cases (for a newbie)",
    container="r/ClaudeAI",
    author_handle="newhere",
    counts={"score": 17, "comments": 24},
    day=7,
)
BUILT = item(
    "built",
    "I was tired of job boards, so I had Claude Code write a skill: a SKILL.md with the "
    "steps of the search and a small script. It finds new jobs every morning.",
    "reddit",
    title="I built a Claude skill to find fully remote jobs",
    container="r/ClaudeAI",
    author_handle="jobhunter",
    counts={"score": 62, "comments": 18},
    day=7,
)
LIMITS = item(
    "limits",
    "Is it just me or is the limit lower since Tuesday? I hit it after two hours.",
    "reddit",
    title="Usage limits are getting worse",
    container="r/ClaudeCode",
    author_handle="limited",
    counts={"score": 160, "comments": 34},
    day=3,
)
MARKET = item(
    "market",
    "Yes 22% (+3 points in a week)",
    "polymarket",
    title="Claude 6 released by December 31?",
    counts={"volume": 14_000, "liquidity": 23_000},
)
CORPUS = (TEAM, CHESS, DATABASE, BEGINNER, BUILT, LIMITS, MARKET)


def streams(items: Sequence[Item]) -> list[Stream]:
    """Each source for each question, judged by the judge and in its order."""
    found = []
    texts = [statement(one) for one in items]
    for label, (question, weight) in QUESTIONS.items():
        verdicts = weigh(texts, prepare(TOPIC, [question]))
        judged = [
            replace(one, relevance=verdict.relevance)
            for one, verdict in zip(items, verdicts, strict=True)
        ]
        for name, info in INFOS.items():
            own = [one for one in judged if one.source == name]
            ordered = order(own, WINDOW, info, "evergreen_ok")
            found.append(Stream(name, label, weight, tuple(ordered)))
    return found


def ranking(given: Sequence[Stream], topic: str = TOPIC, **more: Any) -> Ranking:
    """Rank with the settings of the corpus."""
    settings = {
        "freshness_mode": "evergreen_ok",
        "cluster_mode": "story",
        "depth": Depth.DEFAULT,
        **more,
    }
    return rank(given, INFOS, WINDOW, topic=parse_topic(topic), **settings)


def test_the_thread_on_the_subject_is_above_what_shares_its_words() -> None:
    """Above the beginner's question and the small market; noise is last."""
    places = [one.item.id for one in ranking(streams(CORPUS)).candidates]
    assert places.index("built") < places.index("beginner")
    for better in ("built", "chess", "team", "beginner"):
        assert places.index(better) < places.index("market")
    assert places[-1] == "database"


def test_the_order_of_input_means_nothing() -> None:
    """The same ranking, to the last digit, of streams in any order."""
    given = streams(CORPUS)
    expected = ranking(given)
    for seed in range(4):
        random.Random(seed).shuffle(given)
        assert ranking(given) == expected


NEWS = "The new metro line in Rome opens on Monday after nine years of digging"


def test_copies_across_sources_are_folded_into_the_best() -> None:
    """It counts them and names all sources; where they went is on record."""
    liked = item(1, NEWS, relevance=0.9, counts={"likes": 5_000}, author_handle="a")
    copied = item(2, NEWS, "web", relevance=0.4)
    found = ranking([stream(liked), stream(copied)], "Rome")
    [one] = found.candidates
    assert (one.key, one.item.copies) == ("https://x.com/i/status/1", 1)
    assert one.sources == ("web", "x")
    assert one.item_ids == ("web:2", "x:1")
    assert [place.source for place in one.places] == ["web", "x"]
    [left] = found.dropped
    assert (left.candidate.item.id, left.reason) == ("2", "near-duplicate")
    [told] = found.clusters
    assert (told.sources, told.origins, told.mark) == (("web", "x"), 1, "thin-evidence")


def test_threads_of_two_people_are_two_origins() -> None:
    """The site that they stand on is no publisher."""
    threads = [
        item(
            i, text, "reddit", title=f"Rome opens metro line C {i}", author_handle=text
        )
        for i, text in enumerate(("finally", "great"))
    ]
    [told] = ranking([stream(*threads)], "Rome").clusters
    assert (len(told.members), told.origins, told.mark) == (2, 2, "single-source")


def test_nobody_speaks_too_often() -> None:
    """Three of an author; eight of a first party, who need not name the topic."""
    loud = [item(i, f"Rome on day {i}", author_handle="loud") for i in range(10)]
    own = [item(100 + i, f"Open on day {i}", author_handle="Own") for i in range(10)]
    found = ranking([stream(*loud), stream(*own)], "Rome", first_party={("x", "own")})
    authors = [one.item.author_handle for one in found.candidates]
    assert (authors.count("loud"), authors.count("Own")) == (3, 8)
    assert {left.reason for left in found.dropped} == {"author-cap"}
    assert len(found.dropped) == (10 - 3) + (10 - 8)
    own_marks = {m for one in found.candidates for m in one.marks if one.item.id > "99"}
    assert Mark.ENTITY_MISS not in own_marks


def test_what_has_no_place_is_on_record() -> None:
    """Nothing disappears: the pool and what was dropped are everything."""
    posts = [item(i, f"Rome w{i} x{i} y{i}") for i in range(50)]
    found = ranking([stream(*posts)], "Rome", depth=Depth.QUICK)
    assert len(found.candidates) == 15
    assert [left.reason for left in found.dropped] == ["below-pool"] * 35
    assert sum(len(part.members) for part in found.clusters) == 15


@pytest.mark.parametrize(
    "given", [[], [Stream("x", "q1", 1.0, ())]], ids=["none", "empty"]
)
def test_nothing_gives_nothing(given: list[Stream]) -> None:
    """A run that found nothing is ranked without complaint."""
    assert ranking(given) == Ranking((), (), ())
