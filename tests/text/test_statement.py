"""Statement: what an item says."""

from __future__ import annotations

import pytest

from engine.model import Item
from engine.text.statement import statement


@pytest.mark.parametrize(
    ("title", "text", "expected"),
    [
        ("", "a post", "a post"),
        ("A title", "", "A title"),
        ("A title", "and a text", "A title\nand a text"),
        ("A title", "A title, said again", "A title, said again"),
        ("", "", ""),
    ],
    ids=["post", "link", "thread", "repeated", "nothing"],
)
def test_title_and_text_are_one(title: str, text: str, expected: str) -> None:
    """The title comes first, and once."""
    assert statement(Item("1", "s", text, title=title)) == expected
