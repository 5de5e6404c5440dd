"""Reposts: what X writes before the text of another."""

from __future__ import annotations

import pytest

from engine.text.reposts import reposted, without_repost


@pytest.mark.parametrize(
    ("text", "handle", "rest"),
    [
        ("RT @Ann_1: big\nnews", "Ann_1", "big\nnews"),
        ("RT @ann:", "ann", ""),
        ("RT @ann big news", "", "RT @ann big news"),
        (f"RT @{'a' * 16}: news", "", f"RT @{'a' * 16}: news"),
        ("so RT @ann: news", "", "so RT @ann: news"),
        ("", "", ""),
    ],
    ids=["repost", "nothing-more", "no-colon", "no-handle", "inside", "empty"],
)
def test_what_stands_before_a_repost(text: str, handle: str, rest: str) -> None:
    """The handle is told, and the text stays; any other text is its own."""
    assert (reposted(text), without_repost(text)) == (handle, rest)
