"""Engagement: counts on an absolute scale of 0…100."""

from __future__ import annotations

from collections.abc import Mapping
from math import log

import pytest

from engine.rank.engagement import engagement, engagement_score
from engine.x.stream import INFO
from fakes.ranked import INFOS, item


def score(**counts: int) -> float | None:
    """The engagement of a post of X."""
    return engagement_score(counts, INFO.weights, INFO.reference)


# Weighted logarithms, the reference of the platform, and the figure that users know.
FIGURES = [
    pytest.param(
        "hackernews",
        {"points": 487, "comments": 480},
        0.55 * log(488) + 0.45 * log(481),
        6.2,
        100,
        id="hackernews-487",
    ),
    pytest.param(
        "hackernews",
        {"points": 15, "comments": 4},
        0.55 * log(16) + 0.45 * log(5),
        6.2,
        36,
        id="hackernews-15",
    ),
    pytest.param(
        "reddit",
        {"score": 160, "comments": 34},
        0.50 * log(161) + 0.35 * log(35),
        7.6,
        50,
        id="reddit-160",
    ),
    pytest.param(
        "reddit",
        {"score": 17, "comments": 24},
        0.50 * log(18) + 0.35 * log(25),
        7.6,
        34,
        id="reddit-17",
    ),
    pytest.param(
        "x",
        {"likes": 1000, "reposts": 100, "replies": 50},
        0.55 * log(1001) + 0.25 * log(101) + 0.15 * log(51),
        9.2,
        60,
        id="x-1000",
    ),
    pytest.param("x", {"likes": 3}, 0.55 * log(4), 9.2, 8, id="x-3"),
    pytest.param(
        "youtube",
        {"views": 133_000, "likes": 8_400},
        0.45 * log(133_001) + 0.32 * log(8_401),
        11.2,
        73,
        id="youtube-133k",
    ),
]


@pytest.mark.parametrize(("source", "counts", "raw", "reference", "figure"), FIGURES)
def test_the_figures(
    source: str, counts: Mapping[str, int], raw: float, reference: float, figure: int
) -> None:
    """100 · Σ weight · ln(1 + count) / reference: one scale for all platforms."""
    found = engagement(item(1, source=source, counts=counts), INFOS[source])
    assert found is not None
    assert found == pytest.approx(100 * raw / reference)
    assert round(found) == figure


def test_a_unit_counts_in_thousands() -> None:
    """A market of $14,000 is small: the first dollars say less than the first votes."""
    market = {"volume": 14_000, "liquidity": 23_000}
    found = engagement(item(1, source="polymarket", counts=market), INFOS["polymarket"])
    raw = 0.60 * log(1 + 14_000 / 1_000) + 0.40 * log(1 + 23_000 / 1_000)
    assert found == pytest.approx(100 * raw / INFOS["polymarket"].reference)
    thread = {"score": 160, "comments": 34}
    talked = engagement(item(1, source="reddit", counts=thread), INFOS["reddit"])
    assert found is not None
    assert talked is not None
    assert found < talked


@pytest.mark.parametrize(
    "counts",
    [{}, {"likes": 0, "reposts": 0}, {"likes": -5}, {"views": 10_000}],
    ids=["none", "zeros", "negative", "without-a-weight"],
)
def test_no_positive_count_is_unknown(counts: dict[str, int]) -> None:
    """Unknown is not zero."""
    assert score(**counts) is None


def test_the_scale_ends_at_100() -> None:
    """Beyond very high there is nothing."""
    assert score(likes=10**9, reposts=10**9, replies=10**9, quotes=10**9) == 100


def test_more_is_more() -> None:
    """Each count adds, each like less than the one before."""
    zero, one, two = (
        score(reposts=9),
        score(reposts=9, likes=1),
        score(reposts=9, likes=2),
    )
    assert zero is not None
    assert one is not None
    assert two is not None
    assert zero < one < two
    assert two - one < one - zero
