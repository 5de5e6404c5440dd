"""Statement: what an item says, in one text."""

from __future__ import annotations

from engine.model import Item

__all__ = ["statement"]


def statement(item: Item) -> str:
    """An item's title and text; the text alone if it begins with the title.

    Whoever reads items reads this, so that each is taken apart once a run.
    """
    if not item.title or item.text.startswith(item.title):
        return item.text
    return f"{item.title}\n{item.text}" if item.text else item.title
