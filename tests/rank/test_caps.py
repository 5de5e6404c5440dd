"""Caps: how often one author may speak."""

from __future__ import annotations

from engine.rank.caps import cap


def test_the_first_stay() -> None:
    """What goes over the cap leaves, in its order; unknown authors are no one."""
    ranked = ["a1", "b1", "a2", "1", "a3", "2", "b2", "3"]

    def author(name: str) -> str:
        return name[:-1]

    kept, over = cap(ranked, author, {"a": 1, "b": 2}.__getitem__)
    assert kept == ["a1", "b1", "1", "2", "b2", "3"]
    assert over == ["a2", "a3"]
