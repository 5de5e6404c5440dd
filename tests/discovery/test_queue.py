"""The queue: what has surfaced before, under whatever name, and what is covered."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from engine.discovery.queue import Standing, cover, listed, record, render
from engine.errors import UsageError

_PAGE = "https://news.ycombinator.com/item?id="


def _pending(
    day: int, *topics: tuple[str, Sequence[int]], run: str = ""
) -> dict[str, Any]:
    rows = [
        {"id": f"n{i}", "name": name, "pages": [f"{_PAGE}{page}" for page in pages]}
        for i, (name, pages) in enumerate(topics, 1)
    ]
    return {
        "bundle_id": f"run-{day}{run}",
        "created_at": f"2026-11-{day}T12:00:00Z",
        "discovery": {"topics": rows},
    }


def _record(folder: Path, *pending: dict[str, Any]) -> list[dict[str, Standing]]:
    return [record(str(folder), one, 5) for one in pending]


def test_a_story_is_counted_over_three_days(tmp_path: Path) -> None:
    """Known again by its name, or by a page under another name."""
    found = _record(
        tmp_path,
        _pending(28, ("Foo keys leaked", [1])),
        _pending(29, ("LEAKED: Foo keys", [2]), ("Bar", [9])),
        _pending(30, ("Authority in trouble", [2, 7])),
    )
    assert [one["n1"] for one in found] == [
        Standing(1, False),
        Standing(2, False),
        Standing(3, False),
    ]
    assert found[1]["n2"] == Standing(1, False)
    assert [(s["name"], s["times"], s["first"], s["last"]) for s in listed(str(tmp_path), 5)] == [
        ("Foo keys leaked", 3, "2026-11-28", "2026-11-30"),
        ("Bar", 1, "2026-11-29", "2026-11-29"),
    ]  # fmt: skip


def test_one_bundle_counts_once(tmp_path: Path) -> None:
    """Finalizing again is no new sighting."""
    again = _pending(28, ("Foo", [1]))
    assert [one["n1"].times for one in _record(tmp_path, again, again)] == [1, 1]
    other = _pending(28, ("Foo", [1]), run="b")
    assert _record(tmp_path, other)[0]["n1"].times == 2


def test_covered_stays_covered_under_a_new_name(tmp_path: Path) -> None:
    """By any name that the story had; listed behind the others."""
    _record(
        tmp_path,
        _pending(28, ("Foo keys leaked", [1]), ("Bar", [5])),
        _pending(29, ("Authority in trouble", [1])),
    )
    assert cover(str(tmp_path), "in TROUBLE authority", 5) == "Foo keys leaked"
    (third,) = _record(tmp_path, _pending(30, ("Third name", [1])))
    assert third["n1"] == Standing(3, True)
    stories = listed(str(tmp_path), 5)
    assert [(s["name"], s["covered"]) for s in stories] == [
        ("Bar", False),
        ("Foo keys leaked", True),
    ]
    assert render(stories) == (
        "Bar · surfaced 1 time · 2026-11-28 to 2026-11-28\n"
        "Foo keys leaked · surfaced 3 times · 2026-11-28 to 2026-11-30 · covered\n"
    )


def test_an_unknown_name_is_refused_with_those_that_are_near(tmp_path: Path) -> None:
    """And an empty queue says that it is."""
    with pytest.raises(UsageError, match="no story is called 'Foo': it is empty"):
        cover(str(tmp_path), "Foo", 5)
    _record(tmp_path, _pending(28, ("Foo keys leaked", [1]), ("Bar engine", [2])))
    with pytest.raises(UsageError, match="there is: Foo keys leaked"):
        cover(str(tmp_path), "Foo key leak", 5)


def test_looking_at_no_queue_makes_none(tmp_path: Path) -> None:
    """Nothing is written by `queue list`."""
    assert listed(str(tmp_path), 5) == [] and not list(tmp_path.iterdir())
    assert render([]) == "Nothing has surfaced yet.\n"


def test_runs_at_once_lose_nothing(tmp_path: Path) -> None:
    """Each waits for the other; every sighting is there in the end."""
    runs = [
        threading.Thread(
            target=record,
            args=(str(tmp_path), _pending(28, ("Foo", [1]), run=str(i)), 20),
        )
        for i in range(8)
    ]
    for one in runs:
        one.start()
    for one in runs:
        one.join()
    (story,) = listed(str(tmp_path), 5)
    assert story["times"] == 8


@pytest.mark.parametrize("content", [b"no database at all" * 99, b"SQLite format 3\0"])
def test_a_file_that_is_none_is_refused(content: bytes, tmp_path: Path) -> None:
    """With its name and what to do; it is not overwritten."""
    path = tmp_path / "discover-queue.sqlite"
    path.write_bytes(content)
    with pytest.raises(UsageError, match="discover-queue.sqlite: cannot be used"):
        _record(tmp_path, _pending(28, ("Foo", [1])))
    assert path.read_bytes() == content


def test_a_queue_that_is_in_use_is_not_waited_for_for_ever(tmp_path: Path) -> None:
    """After the time given it says so, and nothing of the run is in it."""
    _record(tmp_path, _pending(28, ("Foo", [1])))
    with sqlite3.connect(
        tmp_path / "discover-queue.sqlite", isolation_level=None
    ) as db:
        db.execute("BEGIN EXCLUSIVE")
        with pytest.raises(UsageError, match="locked.*run this again"):
            record(str(tmp_path), _pending(29, ("Foo", [1])), 0.1)
        db.execute("ROLLBACK")
    db.close()
    assert listed(str(tmp_path), 5)[0]["times"] == 1
