"""Junk: titles in the shape of what is no story, whatever it is about."""

from __future__ import annotations

import re
from functools import cache

from engine import data
from engine.text.tokens import fold

__all__ = ["junk_shape"]


def junk_shape(title: str) -> str:
    """help, musing, release or promotion; empty for what may be a story.

    Args:
        title: of an item, or the beginning of its text.
    """
    line = fold(" ".join(title.split())).lstrip("¿¡\"'“«(")
    return next((kind for kind, shape in _shapes() if shape.search(line)), "")


@cache
def _shapes() -> tuple[tuple[str, re.Pattern[str]], ...]:
    found, kind = [], ""
    for line in data.lines("junk_shapes.txt"):
        if line[0] == "[" and line[-1] == "]":
            kind = line.strip("[]")
        else:
            found.append((kind, re.compile(line)))
    return tuple(found)
