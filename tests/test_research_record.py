"""The artifact of a research run: outcomes, calls, items, what was left out, clusters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from engine.contracts import check
from engine.errors import BlockedError, RateLimitError, SourceError
from engine.model import Item, Warning
from engine.report.artifact import dump
from engine.report.envelope import envelope
from engine.research import Request, run
from engine.research_record import record, researched
from engine.sources import SOURCES
from engine.sources.base import Ask, Facts, tier_refused
from fakes.asking import World
from fakes.scripted import Scripted, about, registry, request, sub

CORE = "claude code skills"


def _record(
    wanted: Request, *sources: Scripted, notes: Sequence[Warning] = ()
) -> dict[str, Any]:
    """The artifact of a run in which all other sources are not set up."""
    others = [
        Scripted(name, needs="set a key")
        for name in SOURCES
        if name not in registry(*sources)
    ]
    every = registry(*sources, *others)
    every = {name: every[name] for name in SOURCES}
    world = World({})
    research = run(wanted, every, world.io, lambda answer: None)
    found = record(research, every, world.io, [*world.warnings, *notes])
    check(found, "artifact", name="artifact")
    return found


def _status(found: dict[str, Any], source: str) -> tuple[str, str, str]:
    told = found["source_status"][source]
    return told["state"], told["detail"], told["fix"]


def _giving(*items: Item, error: SourceError | None = None) -> Any:
    def script(ask: Ask) -> Sequence[Item]:
        if error is not None:
            error.items = items
            raise error
        return items

    return script


def test_each_source_of_the_registry_has_an_outcome() -> None:
    """Asked or not, in the order of the registry."""
    found = _record(request(sub(CORE, "reddit", "web")), Scripted("reddit"))
    assert list(found["source_status"]) == list(found["sources"]) == list(SOURCES)
    assert _status(found, "reddit") == ("ok", "", "")
    assert _status(found, "web") == ("skipped-unconfigured", "not set up", "set a key")
    assert _status(found, "x") == ("not-asked", "", "")


ON = about(1, source="reddit")
OFF = about(2, "The tariff vote was postponed", source="reddit")
OLD = about(3, source="reddit", day=40)


@pytest.mark.parametrize(
    ("items", "error", "state"),
    [
        ([ON], None, "ok"),
        ([], None, "no-results"),
        ([OFF], None, "no-results"),
        ([OLD], None, "no-results"),
        ([ON], RateLimitError("too many", fix="wait"), "partial"),
        ([], RateLimitError("too many", fix="wait"), "rate-limited"),
        ([OFF], RateLimitError("too many", fix="wait"), "rate-limited"),
    ],
)
def test_an_outcome_tells_silence_from_failure(
    items: list[Item], error: SourceError | None, state: str
) -> None:
    """No item and any failure is that failure, whatever was off topic beside it."""
    source = Scripted("reddit", _giving(*items, error=error))
    found = _record(request(sub(CORE, "reddit")), source)
    assert _status(found, "reddit")[0] == state
    if error:
        assert _status(found, "reddit")[1:] == ("too many", "wait")


def test_of_several_failures_the_most_telling_is_the_outcome() -> None:
    """Whichever came first; each call keeps its own."""

    def script(ask: Ask) -> list[Item]:
        raise SourceError("odd") if ask.query == "a b" else BlockedError("closed")

    source = Scripted("hackernews", script)
    subs = (sub("a b", "hackernews"), sub("c d", "hackernews", label="q2"))
    found = _record(request(*subs), source)
    assert _status(found, "hackernews")[:2] == ("blocked", "closed")
    calls = {
        call["query"]: (call["outcome"], call["detail"]) for call in found["queries"]
    }
    assert calls == {"a b": ("error", "odd"), "c d": ("blocked", "closed")}


def test_what_others_crowded_out_was_found_all_the_same() -> None:
    """A source whose items are all below the pool had something on topic."""
    # On topic, but under what keeps a source its places in the pool.
    weak = [about(i, lane="topic", relevance=0.15, day=29) for i in range(5)]
    strong = [about(i, source="reddit", text=_UNLIKE[i]) for i in range(40)]
    found = _record(
        request(sub(CORE, "reddit", "github")),
        Scripted("reddit", lambda ask: strong),
        Scripted("github", lambda ask: weak),
    )
    assert {item["source"] for item in found["items"]} == {"reddit"}
    below = {p["source"] for p in found["pruned"] if p["reason"] == "below-pool"}
    assert "github" in below
    assert _status(found, "github") == (
        "ok",
        "all that it found ranks below the rest",
        "",
    )
    assert "ranked below these all from github" in envelope(found)


_UNLIKE = [
    f"Claude Code skills {word} {i * 7919} times before {word[::-1]} {i * 104729}"
    for i, word in enumerate(
        ["alpha", "bravo", "delta", "gamma", "kappa", "lambda", "omega", "sigma"] * 5
    )
]


@pytest.mark.parametrize(
    ("tier", "error", "state"),
    [
        ("site search", BlockedError("no"), "partial"),
        ("comments", BlockedError("no"), "ok"),
    ],
)
def test_a_way_that_failed_beside_others_is_a_gap(
    tier: str, error: SourceError, state: str
) -> None:
    """Unless it leads to extras alone."""
    note = tier_refused(SOURCES["reddit"].INFO, tier, error)
    source = Scripted("reddit")
    found = _record(request(sub(CORE, "reddit")), source, notes=[note])
    assert _status(found, "reddit")[0] == state


def test_each_call_is_recorded() -> None:
    """What was asked, why, and what came."""

    def script(ask: Ask) -> list[Item]:
        return [about(1)] if ask.query == "narrow" else []

    found = _record(
        request(sub("narrow", "hackernews")), Scripted("hackernews", script)
    )
    calls = [
        (c["lane"], c["query"], c["returned"], c["outcome"]) for c in found["queries"]
    ]
    assert calls == [("topic", "narrow", 1, "ok"), ("thin", CORE, 0, "no-results")]


def test_clusters_name_items_by_source_and_id() -> None:
    """Ids are unique inside a source alone."""
    found = _record(
        request(sub(CORE, "reddit", "github"), cluster_mode="story"),
        Scripted("reddit", _giving(about(1), about(2))),
        Scripted("github", _giving(about(1, "Skills for Claude Code, once more"))),
    )
    ids = {f"{item['source']}:{item['id']}" for item in found["items"]}
    assert ids == {"reddit:1", "reddit:2", "github:1"}
    members = [one for cluster in found["clusters"] for one in cluster["item_ids"]]
    assert sorted(members) == sorted(ids)
    assert all(cluster["origins"] >= 1 for cluster in found["clusters"])


def test_what_was_left_out_stands_there_with_its_reason() -> None:
    """Each item once."""
    copies = [
        about(i, "Claude Code skills are the talk of our town now") for i in (5, 6)
    ]
    busy = [about(10 + i, _UNLIKE[i], author_handle="busy") for i in range(5)]
    source = Scripted("reddit", _giving(ON, OFF, OLD, *copies, *busy))
    found = _record(request(sub(CORE, "reddit")), source)
    reasons = [entry["reason"] for entry in found["pruned"]]
    assert sorted(reasons) == [
        *["author-cap"] * (5 - 3), "near-duplicate", "off-topic", "out-of-window"
    ]  # fmt: skip
    assert len(found["items"]) == 1 + 1 + 3


def test_scores_stand_in_parts() -> None:
    """The score of an item is its final figure as a share."""
    found = _record(request(sub(CORE, "reddit")), Scripted("reddit", _giving(ON)))
    (item,) = found["items"]
    assert item["score"] == pytest.approx(item["scores"]["final"] / 100, abs=1e-4)
    assert item["sources"] == ["reddit"]


def test_what_a_source_noted_for_the_artifact_is_in_it() -> None:
    """Its own calls replace the one that stands for them."""
    call = {
        "source": "x", "backend": "archive", "lane": "from", "query": "q", "returned": 1,
        "new": 1, "outcome": "ok", "detail": "", "seconds": 0.0,
    }  # fmt: skip
    world = World({})

    class Noting(Scripted):
        def search(self, ask: Ask, io: Any) -> list[Item]:
            io.memory.of(Facts).queries.append(call)
            return super().search(ask, io)

    sources = registry(Noting("x"), Scripted("reddit"))
    research = run(request(sub(CORE, "x", "reddit")), sources, world.io, print)
    found = record(research, sources, world.io, [])
    assert [c["lane"] for c in found["queries"] if c["source"] == "x"] == ["from"]
    assert [c["lane"] for c in found["queries"] if c["source"] == "reddit"] == ["topic"]


def test_the_same_answers_give_the_same_bytes() -> None:
    """But for how long they took."""
    wanted = request(sub(CORE, "reddit", "github"))

    def once() -> str:
        sources = (Scripted("reddit"), Scripted("github", _giving(about(8), about(9))))
        found = _record(wanted, *sources)
        return dump(
            {**found, "queries": [{**q, "seconds": 0} for q in found["queries"]]}
        )

    assert once() == once()


def test_a_run_without_a_plan_says_so_before_anything_else() -> None:
    """The first warning names what everything was judged by."""
    world = World({})
    world.io.warn(Warning("config-readable", "", "m", {"path": "p"}))
    wanted = request(sub(CORE, "reddit"), planned=False, sources=())
    found = researched(wanted, world.io, world.warnings, print)
    check(found, "artifact", name="artifact")
    assert [w["code"] for w in found["_warnings"]] == ["no-plan", "config-readable"]
    question = wanted.plan.subqueries[0].ranking_query
    assert found["_warnings"][0]["data"] == {"ranking_query": question}
