"""Pool: the places, and for whom some are kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from engine.model import Depth
from engine.rank.candidate import Candidate, Mark
from engine.rank.pool import cap_authors, select
from fakes.ranked import INFOS, item


def candidate(
    number: int, source: str = "x", relevance: float = 0.5, **more: Any
) -> Candidate:
    """A candidate as scoring leaves it; `marks` are its own."""
    marks = more.pop("marks", ())
    made = item(number, "text", source, **more)
    return Candidate(
        key=f"{source}:{number}",
        item=made,
        sources=(source,),
        item_ids=(f"{source}:{number}",),
        places=(),
        relevance=relevance,
        fusion=0.0,
        marks=marks,
    )


def keys(found: Sequence[Candidate]) -> list[str]:
    """What they are known by, in their order."""
    return [one.key for one in found]


@pytest.mark.parametrize(
    ("depth", "places"), [(Depth.QUICK, 15), (Depth.DEFAULT, 40), (Depth.DEEP, 60)]
)
def test_the_places(depth: Depth, places: int) -> None:
    """The best, in their order; what is left out keeps its order too."""
    ranked = [candidate(i) for i in range(70)]
    pool, rest = select(ranked, INFOS, depth)
    assert pool == ranked[:places]
    assert rest == ranked[places:]


@pytest.mark.parametrize(
    ("relevance", "kept"), [(0.25, 2), (0.24, 0)], ids=["speaks", "does-not"]
)
def test_a_source_that_speaks_keeps_two_places(relevance: float, kept: int) -> None:
    """If its best is relevant enough, at its place in the order."""
    ranked = [candidate(i) for i in range(20)]
    ranked += [candidate(i, "web", relevance) for i in range(4)]
    pool, rest = select(ranked, INFOS, Depth.QUICK)
    expected = ranked[: 15 - kept] + ranked[20 : 20 + kept]
    assert keys(pool) == keys(expected)
    assert len(pool) + len(rest) == len(ranked)


def test_every_source_has_two_of_few_places() -> None:
    """Six sources of which one has the best of everything."""
    ranked = [candidate(i) for i in range(20)]
    for source in ("web", "youtube", "polymarket", "hackernews", "reddit"):
        ranked += [candidate(i, source, 0.3) for i in range(5)]
    pool, _ = select(ranked, INFOS, Depth.QUICK)
    counts = {name: sum(one.sources == (name,) for one in pool) for name in INFOS}
    assert counts == {name: 2 for name in INFOS} | {"x": 15 - 2 * 5}


@pytest.mark.parametrize(
    ("depth", "kept"), [(Depth.QUICK, 2), (Depth.DEFAULT, 3), (Depth.DEEP, 4)]
)
def test_the_most_discussed_threads_keep_places(depth: Depth, kept: int) -> None:
    """On topic, by their comments, and only where people discuss in threads."""
    ranked = [candidate(i) for i in range(80)]
    talk = [candidate(i, "reddit", 0.12, counts={"comments": i}) for i in range(9)]
    talk += [
        candidate(90, "reddit", 0.05, counts={"comments": 900}),
        candidate(
            91, "reddit", 0.2, counts={"comments": 900}, marks=(Mark.ENTITY_MISS,)
        ),
    ]
    videos = [candidate(i, "youtube", 0.2, counts={"comments": 999}) for i in range(9)]
    pool, _ = select([*ranked, *talk, *videos], INFOS, depth)
    threads = [one.key for one in pool if one.sources == ("reddit",)]
    assert threads == [f"reddit:{i}" for i in range(9 - kept, 9)]
    assert not any(one.sources == ("youtube",) for one in pool)


def test_threads_without_comments_keep_none() -> None:
    """An unanswered thread is no discussion."""
    ranked = [candidate(i) for i in range(20)] + [candidate(1, "reddit", 0.2)]
    assert select(ranked, INFOS, Depth.QUICK)[0] == ranked[:15]


def test_authors_are_capped() -> None:
    """Three of an author, eight of a first party; unknown authors are no one."""
    ranked = [
        candidate(10 * i + n, author_handle=handle)
        for i in range(10)
        for n, handle in enumerate(("Ada", "named", ""))
    ]
    kept, over = cap_authors(ranked, {("x", "named")})
    counts = [
        sum(one.item.author_handle == h for one in kept) for h in ("Ada", "named", "")
    ]
    assert counts == [3, 8, 10]
    assert len(over) == 30 - 3 - 8 - 10


def test_a_handle_on_another_source_is_another_author() -> None:
    """Accounts of the same name are not the same person."""
    ranked = [candidate(i, author_handle="ada") for i in range(3)]
    ranked += [candidate(i, "reddit", author_handle="ada") for i in range(3)]
    assert cap_authors(ranked, ()) == (ranked, [])
