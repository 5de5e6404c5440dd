"""Gathering: what several requests of one source gave, as one list."""

from __future__ import annotations

import pytest

from engine.errors import AuthError, SourceError, UnreachableError
from engine.model import Item
from engine.sources.gather import gather


def items(letters: str) -> list[Item]:
    return [Item(letter, "web", letter) for letter in letters]


def ids(found: object) -> str:
    return "".join(item.id for item in found)  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("lists", "limit", "found"),
    [
        ([], 9, ""),
        (["abc"], 9, "abc"),
        (["abc", "xy"], 9, "axbyc"),
        (["abc", "bcd"], 9, "abcd"),
        (["abc", "xy"], 3, "axb"),
        (["", "xy"], 9, "xy"),
    ],
)
def test_items_come_by_turns_and_once(lists: list[str], limit: int, found: str) -> None:
    """No request crowds out another."""
    assert ids(gather([items(letters) for letters in lists], limit)) == found


def test_a_failure_is_raised_with_everything_that_arrived() -> None:
    """Of several the most telling, with what the failed ones had, too."""
    failures: list[list[Item] | SourceError] = [
        UnreachableError("down", items=items("xy")),
        items("ab"),
        AuthError("refused"),
    ]
    with pytest.raises(AuthError) as caught:
        gather(failures, 3)
    assert ids(caught.value.items) == "xay"
