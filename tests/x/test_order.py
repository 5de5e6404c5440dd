"""Order: copies out, nobody more often than is fair."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine.rank.caps import AUTHOR_CAP, FIRST_PARTY_CAP
from engine.x.order import PROMOTED_CAP, cap, unique
from engine.x.stream import INFO
from fakes.xposts import post

NEWS = "The new metro line in Rome opens on Monday after nine years of digging"


def ids(items: list[object]) -> list[str]:
    """The ids in their order."""
    return [item.id for item in items]  # type: ignore[attr-defined]


def test_the_copy_with_most_engagement_stays_and_counts_the_others() -> None:
    """It keeps its own place; what leaves says why."""
    given = [
        post("1", NEWS, "a", likes=3),
        post("2", "Something else entirely about the weather in town", "b"),
        post("3", f"{NEWS} 🚇", "c", likes=90),
        post("4", NEWS.upper(), "d"),
    ]
    kept, dropped = unique(given, INFO)
    assert [(item.id, item.copies) for item in kept] == [("2", 0), ("3", 2)]
    assert [(d.item.id, d.reason) for d in dropped] == [
        ("1", "near-duplicate"),
        ("4", "near-duplicate"),
    ]


def test_copies_of_copies_add_up() -> None:
    """What an item stood for before is counted when it leaves itself."""
    given = [replace(post("1", NEWS), copies=4), post("2", NEWS, likes=9)]
    kept, _ = unique(given, INFO)
    assert [(item.id, item.copies) for item in kept] == [("2", 1 + 4)]


def test_among_equals_the_lower_id_stays() -> None:
    """Whatever the order in which they came."""
    given = [post("2", NEWS), post("1", NEWS)]
    assert ids(list(unique(given, INFO)[0])) == ids(list(unique(given[::-1], INFO)[0]))


def test_posts_without_text_are_no_copies_of_each_other() -> None:
    """Two pictures are two posts."""
    kept, _ = unique([post("1", ""), post("2", "")], INFO)
    assert len(kept) == 2


@pytest.mark.parametrize(
    ("handle", "expected"),
    [("anyone", 3), ("found", 5), ("Named", 8), ("", 12)],
)
def test_the_caps(handle: str, expected: int) -> None:
    """Three an author, five promoted, eight named; unknown authors are no one."""
    allowed = {"found": PROMOTED_CAP, "named": FIRST_PARTY_CAP}
    given = [post(str(i), f"post {i}", handle) for i in range(12)]
    kept, dropped = cap(given, lambda name: allowed.get(name, AUTHOR_CAP))
    assert ids(list(kept)) == [str(i) for i in range(expected)]
    assert [d.reason for d in dropped] == ["author-cap"] * (12 - expected)


def test_one_author_in_two_cases_is_one() -> None:
    """Handles are equal in any case."""
    given = [post(str(i), "a", "Ada" if i % 2 else "ADA") for i in range(6)]
    assert len(cap(given, lambda name: AUTHOR_CAP)[0]) == AUTHOR_CAP
