"""Pages that the host itself found, handed over in a file."""

from __future__ import annotations

import json
import threading
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from engine.errors import (
    ContractError,
    UsageError,
)
from engine.model import Item
from engine.sources import web
from engine.sources.web_pages import load_results, page
from fakes.asking import NOW, World, question
from fakes.server import Server
from fakes.web import KEYS, WebSearch


@pytest.fixture
def service(server: Server) -> WebSearch:
    """All the services, with nothing to find."""
    return WebSearch(server, [])


def search(world: World, query: str = "foo", **more: Any) -> list[Item]:
    return web.search(question(query, **more), world.io)


def results(folder: Path, *found: object) -> str:
    path = folder / "web.json"
    path.write_text(json.dumps(list(found)), encoding="utf-8")
    return str(path)


GOOD = {
    "url": "https://example.com/a",
    "title": "Foo 2",
    "snippet": "A <b>test</b>",
    "date": "Nov 20, 2026",
    "source": "The Example",
}


def test_results_of_the_host_are_pages_and_nobody_is_asked(
    service: WebSearch, tmp_path: Path
) -> None:
    """Even if a service is set up; other times are dropped, copies are one."""
    path = results(
        tmp_path,
        GOOD,
        {**GOOD, "url": "https://example.com/a?utm_medium=y", "title": "copy"},
        {"url": "http://example.org/", "title": "Undated"},
        {**GOOD, "url": "https://example.com/old", "date": "2026-01-01"},
    )
    items = search(World(service.settings(*KEYS)), web_results=path)
    assert not any(service.asked.values())
    assert items == [
        Item(
            id="https://example.com/a",
            source="web",
            text="A test",
            url="https://example.com/a",
            author_name="The Example",
            title="Foo 2",
            created_at=datetime(2026, 11, 20, tzinfo=timezone.utc),
            container="example.com",
            backend="host",
        ),
        page("host", NOW, url="http://example.org/", title="Undated", text=""),
    ]


def test_results_of_the_host_need_no_service(tmp_path: Path) -> None:
    """Once they are loaded nothing is missing, and the file is read once."""
    world = World({})
    path = results(tmp_path, GOOD)
    assert len(load_results(path, world.io)) == 1
    assert web.missing(world.io) == ""
    Path(path).unlink()
    found: list[list[Item]] = []
    jobs = [
        threading.Thread(target=lambda: found.append(search(world, web_results=path)))
        for _ in range(4)
    ]
    for job in jobs:
        job.start()
    for job in jobs:
        job.join()
    assert [len(items) for items in found] == [1] * 4


@pytest.mark.parametrize(
    ("found", "message"),
    [
        ({"web": []}, r'web\.json: {"web": \[\]} is no array'),
        ([7], r"web\.json: \[0\]: 7 is no object"),
        ([{"title": "x"}], r"\[0\]: the field 'url' is missing"),
        ([GOOD, {"url": "https://a.example"}], r"\[1\]: the field 'title' is missing"),
        (
            [{**GOOD, "snipet": "x"}],
            r"unknown field \"snipet\", did you mean 'snippet'",
        ),
        ([{**GOOD, "date": None}], r"\[0\]\.date: null is no string"),
        ([{**GOOD, "date": "soon"}], r"\[0\]\.date: cannot be read as a date"),
        ([{**GOOD, "url": "ftp://a.example"}], r"\[0\]\.url: .* must match"),
        ([{**GOOD, "url": "https://localhost/x"}], r"\[0\]\.url: is no address"),
        ([{**GOOD, "title": " "}], r"\[0\]\.title: "),
        ([GOOD] * 201, r"must have at most so many entries: 200"),
    ],
)
def test_a_file_that_breaks_its_contract_is_refused(
    tmp_path: Path, found: Any, message: str
) -> None:
    """File and field are named; nothing is repaired in silence."""
    path = tmp_path / "web.json"
    path.write_text(json.dumps(found), encoding="utf-8")
    with pytest.raises(ContractError, match=message):
        search(World({}), web_results=str(path))


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    """By its name."""
    with pytest.raises(UsageError, match=r"no\.json: cannot read"):
        search(World({}), web_results=str(tmp_path / "no.json"))


def test_an_empty_list_is_an_answer(tmp_path: Path) -> None:
    """The host looked and found nothing."""
    path = results(tmp_path)
    assert search(World({}), web_results=path) == []
