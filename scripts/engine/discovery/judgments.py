"""What the host wrote between the legs, read row by row: a bad row loses itself alone.

The frame of a file, its id above all, has to be right; in a row each field that is
none falls back to what the engine had, and is told.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from engine.contracts import check, read_json
from engine.discovery.grounding import ungrounded
from engine.discovery.model import Judged, Nomination
from engine.discovery.naming import WORDS, clean_name, word_count
from engine.model import Warning
from engine.report.clean import clean_line, clip
from engine.text.tokens import is_paired, read

__all__ = ["ANGLES", "MOST_ANGLE", "angles", "by_heuristic", "judge", "read_handoff"]

ANGLES = ("podcast", "x_article")
MOST_ANGLE = 200
"""The most characters of an angle."""

# What a page that shows the brief would make a link of.
_LINK = re.compile(r"//[^\s/]|\bwww\.", re.IGNORECASE)

_Row = Mapping[str, Any]
_Warn = Callable[[Warning], None]


def read_handoff(path: str, contract: str) -> dict[str, Any]:
    """A file from the host: its frame is checked, its rows are not.

    Args:
        path: of the file; `-` is standard input.
        contract: judgments or angles, which is the field of the rows too.

    Raises:
        UsageError: it cannot be read.
        ContractError: its frame breaks the contract.
    """
    name = "standard input" if path == "-" else path
    raw = read_json(path, what=f"file of {contract}")
    frame = raw
    if isinstance(raw, dict) and isinstance(raw.get(contract), list):
        frame = {**raw, contract: []}
    check(frame, f"discover_{contract}", name=name)
    found: dict[str, Any] = raw
    return found


def by_heuristic(one: Nomination) -> Judged:
    """A nomination as the engine sees it, without a judge."""
    return Judged(one, one.name, bool(one.junk_shape), one.momentum, by_host=False)


def judge(
    rows: Sequence[Any], nominations: Sequence[Nomination], warn: _Warn
) -> list[Judged]:
    """The nominations with what the host's rows say of them.

    Args:
        rows: of the file of judgments, as they are.
        nominations: of the bundle.
        warn: is told of each row or field that could not be taken.
    """
    known = {one.id: one for one in nominations}
    found = {one.id: by_heuristic(one) for one in nominations}
    for row in _rows(rows, known, "judgments", warn):
        found[row["id"]] = _judged(row, known[row["id"]], warn)
    if missing := [id for id, one in found.items() if not one.by_host]:
        problem = f"no row for {', '.join(missing)}; the engine's own guess stands"
        _tell(warn, "judgments", f"{len(missing)} of {len(found)}", problem)
    return list(found.values())


def angles(
    rows: Sequence[Any], topics: Mapping[str, Any], warn: _Warn
) -> dict[str, dict[str, str]]:
    """The angles by topic and kind, clean and of at most 200 characters.

    Args:
        rows: of the file of angles, as they are.
        topics: by their ids.
        warn: is told of each row or field that could not be taken.
    """
    found: dict[str, dict[str, str]] = {}
    for row in _rows(rows, topics, "angles", warn):
        said = {}
        for kind in ANGLES:
            text = row.get(kind, "")
            if not isinstance(text, str):
                _tell(warn, "angles", row["id"], f"{kind} is no text")
                text = ""
            elif _LINK.search(text):
                _tell(warn, "angles", row["id"], f"{kind} has a link, angles have none")
                text = ""
            said[kind] = clip(clean_line(text), MOST_ANGLE)
        found[row["id"]] = said
    return found


def _rows(
    rows: Sequence[Any], known: Mapping[str, Any], file: str, warn: _Warn
) -> Iterator[_Row]:
    """The rows that are about something known, one each."""
    seen: set[str] = set()
    for number, row in enumerate(rows):
        if not isinstance(row, dict) or not isinstance(row.get("id"), str):
            _tell(warn, file, f"row {number + 1}", "it is no object with an id")
        elif row["id"] not in known:
            _tell(warn, file, row["id"], "there is no such id")
        elif row["id"] in seen:
            _tell(warn, file, row["id"], "it stands twice, the first row is taken")
        else:
            seen.add(row["id"])
            yield row


def _judged(row: _Row, one: Nomination, warn: _Warn) -> Judged:
    def tell(problem: str) -> None:
        _tell(warn, "judgments", one.id, problem)

    own = by_heuristic(one)
    junk, worth = row.get("junk"), row.get("worthiness")
    if not isinstance(junk, bool):
        tell("junk is neither true nor false")
        junk = own.junk
    if isinstance(worth, bool) or not isinstance(worth, (int, float)):
        tell("worthiness is no number")
        worth = own.worthiness
    name = _name(row.get("name"), own.name, tell) if not junk else own.name
    missing = ungrounded(name, one.items) if name != own.name else ()
    worth = round(min(max(worth, 0), 100))
    return Judged(one, name, junk, worth, by_host=True, ungrounded=missing)


def _name(raw: object, own: str, tell: Callable[[str], None]) -> str:
    line = clean_line(raw) if isinstance(raw, str) else ""
    name = clean_name(line)
    if not name:
        tell("name holds no word; the engine's own name stands")
        return own
    # Of what was written: a name that was cut has fewer.
    words = word_count(line)
    # A word of a script without spaces may be a name by itself.
    least = 1 if any(map(is_paired, read(name).words)) else WORDS.start
    if not least <= words < WORDS.stop:
        tell(f"name has {words} words, 2 to 6 are wanted; the engine's own stands")
        return own
    return name


def _tell(warn: _Warn, file: str, row: str, problem: str) -> None:
    where = clip(clean_line(row), 40)
    warn(
        Warning(
            "handoff-row",
            "",
            f"{file}, {where}: {problem}",
            {"file": file, "row": where, "problem": problem},
        )
    )
