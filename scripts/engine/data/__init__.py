"""Word lists, reference values and templates: data, not code."""

from __future__ import annotations

import os
from functools import cache

__all__ = ["lines", "path", "sections", "text", "words"]


def path(name: str) -> str:
    """Where a file of this folder lies."""
    return os.path.join(os.path.dirname(__file__), name)


def text(name: str) -> str:
    """The text of a file of this folder."""
    with open(path(name), encoding="utf-8") as file:
        return file.read()


def lines(name: str) -> list[str]:
    """The lines of a list in this folder, without comments and empty lines."""
    raw = text(name).splitlines()
    return [line.strip() for line in raw if line.strip() and line[0] != "#"]


@cache
def words(name: str) -> frozenset[str]:
    """The words of a list in this folder: blanks and line ends part them."""
    return frozenset(word for line in lines(name) for word in line.split())


@cache
def sections(name: str) -> dict[str, frozenset[str]]:
    """The words of a list by the [headings] that part it; equal headings are one."""
    found: dict[str, set[str]] = {}
    current = found.setdefault("", set())
    for line in lines(name):
        if line[0] == "[":
            current = found.setdefault(line.strip("[]"), set())
        else:
            current.update(line.split())
    return {heading: frozenset(words) for heading, words in found.items() if words}
