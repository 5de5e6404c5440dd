"""Scores: how the parts add up."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.model import Item
from engine.rank.candidate import Candidate, Mark
from engine.rank.entity import primary_entity
from engine.rank.fusion import fuse
from engine.rank.order import stream_score
from engine.rank.score import final_score, local_score, score
from engine.text.topic import parse_topic
from fakes.ranked import INFOS, item, stream
from fakes.xposts import WINDOW


@pytest.mark.parametrize(
    ("relevance", "freshness", "engagement", "expected"),
    [
        pytest.param(1.0, 100.0, 100.0, 0.65 + 0.25 + 0.10, id="best"),
        pytest.param(0.0, 0.0, 0.0, 0.0, id="worst"),
        pytest.param(
            0.5, 50.0, 60.0, 0.65 * 0.5 + 0.25 * 0.5 + 0.10 * 0.6, id="between"
        ),
        pytest.param(0.5, 50.0, None, 0.65 * 0.5 + 0.25 * 0.5, id="unknown-engagement"),
    ],
)
def test_the_parts(
    relevance: float, freshness: float, engagement: float | None, expected: float
) -> None:
    """0.65 relevance, 0.25 freshness, 0.10 engagement."""
    assert stream_score(relevance, freshness, engagement) == pytest.approx(expected)


def test_relevance_outweighs_the_crowd() -> None:
    """A post that everybody liked does not pass one that answers."""
    assert stream_score(0.6, 50, None) > stream_score(0.4, 50, 100)


def test_the_first_row_of_the_known_table() -> None:
    """28.3 local, 2.4 fused, 83 fresh, quality 0.80 and all of the crowd are 44.8."""
    found = final_score(28.3, 2.4, 83, 0.80, 100)
    expected = 0.60 * 28.3 + 0.20 * 2.4 + 0.10 * 83 + 0.05 * 80 + 0.15 * 100
    assert found == pytest.approx(expected)
    assert round(found, 1) == 44.8


@pytest.mark.parametrize(
    ("misses", "own", "expected"),
    [
        (False, False, 70 * 0.5 + 10 * 0.6),
        (True, False, 70 * 0.5 + 10 * 0.6 - 25),
        (False, True, 70 * 0.5 + 10 * 0.6 + 5),
    ],
    ids=["plain", "without-the-entity", "first-party"],
)
def test_the_local_score(misses: bool, own: bool, expected: float) -> None:
    """Relevance and quality; naming the entity counts, and so does who says it."""
    found = local_score(0.5, 0.6, misses_entity=misses, first_party=own)
    assert found == pytest.approx(expected)


def test_scores_stay_on_the_scale() -> None:
    """Nothing is under 0 or over 100."""
    assert local_score(0.1, 0.5, misses_entity=True, first_party=False) == 0
    assert local_score(1.0, 1.0, misses_entity=False, first_party=True) == 70 + 10 + 5
    assert final_score(100, 100, 100, 1.0, 100) == 100
    assert final_score(0, 0, 0, 0.5, None, misses_entity=True) == 0


def test_what_lowers_the_final_score() -> None:
    """20 less without the entity, a third of it out of the window."""
    plain = 0.60 * 40 + 0.20 * 50 + 0.10 * 60 + 0.05 * 80 + 0.15 * 70
    parts = (40.0, 50.0, 60.0, 0.80, 70.0)
    assert final_score(*parts, misses_entity=True) == pytest.approx(plain - 20)
    assert final_score(*parts, out_of_window=True) == pytest.approx(0.35 * plain)
    both = final_score(*parts, misses_entity=True, out_of_window=True)
    assert both == pytest.approx(0.35 * (plain - 20))


def test_unknown_engagement_is_left_out() -> None:
    """The other terms are scaled up by the weight that they miss: it is not zero."""
    others = 0.60 * 40 + 0.20 * 50 + 0.10 * 60 + 0.05 * 80
    whole = 0.60 + 0.20 + 0.10 + 0.05 + 0.15
    found = final_score(40, 50, 60, 0.80, None)
    assert found == pytest.approx(others * whole / (whole - 0.15))
    assert found > final_score(40, 50, 60, 0.80, 0)


def scored(
    *items: Item, first_party: frozenset[tuple[str, str]] = frozenset()
) -> list[Candidate]:
    """Items of X about Rome, each in a stream of its own, after scoring."""
    streams = [stream(one, subquery=one.id) for one in items]
    entity = primary_entity(parse_topic("Rome"))
    return score(fuse(streams), INFOS, WINDOW, "strict_recent", entity, first_party)


def test_the_figures_of_a_candidate() -> None:
    """Each part stands in the candidate, and the final score is made of them."""
    [found] = scored(item(1, "Rome", relevance=0.4, day=10, counts={"likes": 3}))
    assert found.local == pytest.approx(70 * 0.4 + 10 * 0.68)
    assert (found.fusion, found.quality) == (100, 0.68)
    assert found.freshness == pytest.approx(100 * 19 / 29)
    assert found.engagement is not None
    assert round(found.engagement) == 8
    expected = final_score(found.local, 100, found.freshness, 0.68, found.engagement)
    assert found.final == pytest.approx(expected, abs=1e-4)
    assert found.marks == ()


def test_a_page_on_two_sources_has_the_quality_of_the_better() -> None:
    """That the web found it too does not lower it."""
    streams = [
        stream(item(1, "Rome", source, url="https://rome.example/a"))
        for source in ("web", "hackernews")
    ]
    entity = primary_entity(parse_topic("Rome"))
    [found] = score(fuse(streams), INFOS, WINDOW, "strict_recent", entity, ())
    assert found.quality == max(0.60, 0.80)


def test_a_first_party_need_not_name_itself() -> None:
    """Only the account that the user named: the same words of another lose."""
    posts = [item(i, "We open at nine", author_handle=h) for i, h in enumerate("ab")]
    named, other = scored(*posts, first_party=frozenset({("x", "a")}))
    assert named.marks == (Mark.FIRST_PARTY,)
    assert other.marks == (Mark.ENTITY_MISS,)
    assert named.final - other.final == pytest.approx(
        ((25 + 5) * 0.60) * 1.10 / 0.95 + 20, abs=1e-3
    )


def test_a_handle_is_a_first_party_on_its_own_source_only() -> None:
    """Anybody can take the name elsewhere."""
    [found] = scored(
        item(1, "Rome", author_handle="Ada"),
        first_party=frozenset({("reddit", "ada")}),
    )
    assert found.marks == ()


def test_out_of_the_window_is_last() -> None:
    """However good; undated items keep their place and are marked."""
    stale = item(1, "Rome", relevance=1.0, day=40, counts={"likes": 10**6})
    fresh = item(2, "Rain", relevance=0.0)
    undated = item(3, "Rome", relevance=0.6, day=None)
    found = scored(stale, fresh, undated)
    assert [one.item.id for one in found] == ["3", "2", "1"]
    assert found[2].final > found[1].final
    assert [one.marks for one in found] == [
        (Mark.UNDATED,),
        (Mark.ENTITY_MISS,),
        (Mark.OUT_OF_WINDOW,),
    ]


def test_ties_by_the_newest_then_by_key() -> None:
    """The order does not hang on the order of input."""
    noon = item(2, "Rome")
    assert noon.created_at is not None
    later = replace(noon, id="9", url="", created_at=noon.created_at.replace(hour=13))
    posts = [noon, later, item(1, "Rome")]
    for given in (posts, posts[::-1]):
        assert [one.item.id for one in scored(*given)] == ["9", "1", "2"]
