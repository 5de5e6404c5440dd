"""The queue: which stories have surfaced before, under whatever name, and are covered.

A SQLite file in the folder of `--save-dir`. A story is known again by its name's words
or by a page of its evidence.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from difflib import get_close_matches
from typing import Any, NamedTuple

from engine.discovery.merge import same_words
from engine.errors import UsageError
from engine.report.clean import clean_line
from engine.report.counts import counted

__all__ = ["Standing", "cover", "listed", "record", "render"]

_FILE = "discover-queue.sqlite"
_TABLES = """
CREATE TABLE IF NOT EXISTS story (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL, covered INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS sighting (
    story INTEGER NOT NULL, bundle TEXT NOT NULL, day TEXT NOT NULL,
    PRIMARY KEY (story, bundle)
);
CREATE TABLE IF NOT EXISTS trace (
    story INTEGER NOT NULL, value TEXT NOT NULL, PRIMARY KEY (story, value)
);
CREATE INDEX IF NOT EXISTS trace_value ON trace (value);
"""


class Standing(NamedTuple):
    """How often a story has surfaced, this time included, and whether it is covered."""

    times: int
    covered: bool


def record(
    folder: str, pending: Mapping[str, Any], seconds: float
) -> dict[str, Standing]:
    """Write down that topics surfaced; the same bundle counts once.

    Args:
        folder: of `--save-dir`.
        pending: what the second leg gave.
        seconds: how long to wait for another run that is writing.

    Returns:
        The standing of each topic, by its id.

    Raises:
        UsageError: the file cannot be written or is no queue.
    """
    bundle_id, day = pending["bundle_id"], pending["created_at"][:10]
    found = {}
    with _opened(folder, seconds) as db:
        for topic in pending["discovery"]["topics"]:
            traces = [_name_trace(topic["name"]), *topic["pages"]]
            story = _known(db, traces) or _new(db, topic["name"])
            db.executemany(
                "INSERT OR IGNORE INTO trace VALUES (?, ?)",
                [(story, trace) for trace in traces],
            )
            db.execute(
                "INSERT OR IGNORE INTO sighting VALUES (?, ?, ?)",
                (story, bundle_id, day),
            )
            times = _one(db, "SELECT count(*) FROM sighting WHERE story = ?", story)
            covered = _one(db, "SELECT covered FROM story WHERE id = ?", story)
            found[topic["id"]] = Standing(times, bool(covered))
    return found


def listed(folder: str, seconds: float) -> list[dict[str, Any]]:
    """The stories, those that surfaced most often and last first.

    Raises:
        UsageError: the file is no queue.
    """
    if not os.path.exists(os.path.join(folder, _FILE)):
        return []
    with _opened(folder, seconds) as db:
        rows = db.execute(
            "SELECT name, count(*), min(day), max(day), covered FROM story "
            "JOIN sighting ON story = id GROUP BY id "
            "ORDER BY covered, count(*) DESC, max(day) DESC, id"
        ).fetchall()
    fields = ("name", "times", "first", "last", "covered")
    return [
        {**dict(zip(fields, row, strict=True)), "covered": bool(row[-1])}
        for row in rows
    ]


def render(stories: Sequence[Mapping[str, Any]]) -> str:
    """What `listed` gave as lines."""
    if not stories:
        return "Nothing has surfaced yet.\n"
    lines = [
        " · ".join(
            filter(
                None,
                (
                    clean_line(one["name"]),
                    f"surfaced {counted(one['times'], 'times')}",
                    f"{one['first']} to {one['last']}",
                    "covered" if one["covered"] else "",
                ),
            )
        )
        for one in stories
    ]
    return "\n".join(lines) + "\n"


def cover(folder: str, name: str, seconds: float) -> str:
    """Mark a story as covered, by any name that it had; its first name is returned.

    Raises:
        UsageError: there is no such story; the text names those that are near.
    """
    stories = listed(folder, seconds)
    with _opened(folder, seconds) as db:
        story = _known(db, [_name_trace(name)])
        if story is None:
            names = [one["name"] for one in stories]
            near = get_close_matches(name, names, 3, 0.4) or names[:3]
            hint = f"; there is: {', '.join(near)}" if near else ": it is empty"
            raise UsageError(f"queue: no story is called {name[:96]!r}{hint}")
        db.execute("UPDATE story SET covered = 1 WHERE id = ?", (story,))
        found: str = _one(db, "SELECT name FROM story WHERE id = ?", story)
    return found


@contextmanager
def _opened(folder: str, seconds: float) -> Iterator[sqlite3.Connection]:
    """The queue, locked for one run until all of its changes are written, or none."""
    path = os.path.join(folder, _FILE)
    try:
        db = sqlite3.connect(path, timeout=seconds, isolation_level=None)
        with closing(db):
            db.executescript(_TABLES)
            db.execute("BEGIN IMMEDIATE")
            yield db
            db.execute("COMMIT")
    except sqlite3.Error as error:
        remedy = "move it away or give another --save-dir"
        if "locked" in str(error):
            remedy = "another run is writing it: run this again"
        raise UsageError(
            f"{path}: cannot be used as the queue ({error}); {remedy}"
        ) from None


def _known(db: sqlite3.Connection, traces: Sequence[str]) -> int | None:
    """The story that left most of these traces; the older of two."""
    marks = ", ".join("?" * len(traces))
    row = db.execute(
        f"SELECT story FROM trace WHERE value IN ({marks}) "
        "GROUP BY story ORDER BY count(*) DESC, story LIMIT 1",
        traces,
    ).fetchone()
    return row[0] if row else None


def _new(db: sqlite3.Connection, name: str) -> int:
    number = db.execute("INSERT INTO story (name) VALUES (?)", (name,)).lastrowid
    assert number is not None
    return number


def _one(db: sqlite3.Connection, query: str, story: int) -> Any:
    return db.execute(query, (story,)).fetchone()[0]


def _name_trace(name: str) -> str:
    # No address begins so.
    return "name " + " ".join(sorted(same_words(name)))
