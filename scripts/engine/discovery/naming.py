"""Naming: a name that can be searched for, out of a title, without understanding it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from engine.errors import UsageError
from engine.report.clean import clean_line
from engine.text.tokens import is_paired, runs
from engine.text.topic import Term, parse_topic

__all__ = ["MOST_CHARACTERS", "WORDS", "clean_name", "heuristic_name", "word_count"]

WORDS = range(2, 7)
"""So many words has a name that finds its story and little else."""
MOST_CHARACTERS = 96

_LABEL = re.compile(
    r"^(?:(?:(?:show|ask|tell|launch) hn\s*[:–-]|\[[^\]]{1,30}\]|\([^)]{1,30}\))\s*)+",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"\s[–—|-]\s|[:;?!|(。！？；：（]|\.\s")
# Names come first; other words fill a name up to so many.
_FILLED = 4
# About so many characters of a script without spaces are a word.
_PER_WORD = 3
_RUN_CHARACTERS = 12


def heuristic_name(title: str, taken: Collection[str] = ()) -> str:
    """The names in a title and its first telling words, at most 6, in its order.

    It is told apart from names that are taken by further words, or by a number.

    Args:
        title: of an item, or the beginning of its text.
        taken: names that others have, in lower case.
    """
    line = _LABEL.sub("", clean_line(title))
    words = list({_shortened(t.surface).casefold(): t for t in _terms(line)}.values())
    begins = {clause.split()[0] for clause in _CLAUSE.split(line) if clause.split()}
    named = [t for t in words if _is_name(t.surface, begins)][: WORDS.stop - 1]
    others = [t for t in words if t not in named]
    chosen = [*named, *others[: max(0, _FILLED - len(named))]]
    surfaces = [_shortened(term.surface) for term in words if term in chosen]
    name = _cut(" ".join(surfaces)) or "untitled"
    for word in (_shortened(term.surface) for term in others):
        if name.casefold() not in taken:
            return name
        if word not in name.split():
            name = _cut(f"{name} {word}")
    number = 2
    while name.casefold() in taken:
        name, number = f"{name.rsplit(' #', 1)[0]} #{number}", number + 1
    return name


def _is_name(surface: str, begins: Collection[str]) -> bool:
    """Whether a word is written like a name: a capital where none is due, a digit."""
    if surface.isdigit() or surface[0] == "@":
        return False
    return any(not c.islower() and c.isalnum() for c in surface[1:]) or (
        not surface[0].islower() and surface not in begins
    )


def clean_name(raw: str) -> str:
    """A name from outside on one line, at most 96 characters, cut at the end of a word.

    Empty if no letter or digit is in it.
    """
    name = _cut(clean_line(raw).strip(" \"'`“”«»"))
    return name if _terms(name) else ""


def _cut(name: str) -> str:
    """At most 96 characters, cut at the end of a word."""
    if len(name) <= MOST_CHARACTERS:
        return name
    head, _, tail = name[: MOST_CHARACTERS + 1].rpartition(" ")
    return head if len(tail) < MOST_CHARACTERS else tail[:MOST_CHARACTERS]


def word_count(name: str) -> int:
    """How many words a name has; three characters without spaces count as one."""
    count = 0
    for place, run in enumerate(runs(name)):
        count += -(-len(run) // _PER_WORD) if place % 2 else len(run.split())
    return count


def _terms(text: str) -> Sequence[Term]:
    try:
        return parse_topic(text).significant
    except UsageError:
        return ()


def _shortened(surface: str) -> str:
    paired = len(surface) > _RUN_CHARACTERS and is_paired(surface)
    return surface[:_RUN_CHARACTERS] if paired else surface
