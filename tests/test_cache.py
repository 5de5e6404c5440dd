"""The cache: what is taken from it, for how long, and what is never kept."""

from __future__ import annotations

import contextlib
import json
import os
import stat
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from engine.cache import CachingFetch, cache_folder
from engine.deadline import Deadline
from engine.errors import SourceError
from engine.exchange import Request
from engine.settings import Settings
from fakes.server import Failure, Server, answer_json, cut, empty, page, status

NOW = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)
SECRET = 'k3y-"é\\ü-0123456789'


def _fetch(folder: Path, later: float = 0.0, hours: float = 6.0) -> CachingFetch:
    """The session of a run that begins so many hours after the first."""
    return CachingFetch(Settings({}, NOW + timedelta(hours=later)), folder, hours)


def _ask(server: Server, **more: Any) -> Request:
    return Request("Service", f"{server.url}/search", **more)


def _files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_an_answer_is_taken_from_disk(good: Server, tmp_path: Path) -> None:
    """Text and JSON apart, each asked for once; the age is that of the oldest."""
    first = _fetch(tmp_path)
    request = _ask(good, params={"q": "罗马"})
    wanted = first.json(request, Deadline(5)), first.text(request, Deadline(5))
    assert first.oldest == 0.0
    again = _fetch(tmp_path, later=2.5)
    assert (
        again.json(request, Deadline(5)),
        again.text(request, Deadline(5)),
    ) == wanted
    assert len(good.requests) == 2
    assert again.oldest == 2.5


@pytest.mark.parametrize(
    ("later", "sent"), [(6.0, 1), (6.01, 2), (-0.01, 2)], ids=["limit", "old", "future"]
)
def test_an_answer_that_is_too_old_is_asked_for_again(
    later: float, sent: int, good: Server, tmp_path: Path
) -> None:
    """Neither is one believed that comes from a time to come."""
    _fetch(tmp_path).json(_ask(good), Deadline(5))
    again = _fetch(tmp_path, later)
    again.json(_ask(good), Deadline(5))
    assert len(good.requests) == sent
    assert again.oldest == (later if sent == 1 else 0.0)
    # What was asked for again is as good as new.
    _fetch(tmp_path, later).json(_ask(good), Deadline(5))
    assert len(good.requests) == sent


@pytest.mark.parametrize(
    "other",
    [{"params": {"q": "b"}}, {"body": {"q": "a"}}, {"params": {"q": "a", "page": 2}}],
    ids=str,
)
def test_another_request_is_another_answer(
    other: dict[str, Any], good: Server, tmp_path: Path
) -> None:
    """Address, parameters and body count; headers do not."""
    fetch = _fetch(tmp_path)
    fetch.json(_ask(good, params={"q": "a"}), Deadline(5))
    fetch.json(_ask(good, params={"q": "a"}, headers={"X-Trace": "7"}), Deadline(5))
    assert len(good.requests) == 1
    fetch.json(_ask(good, **other), Deadline(5))
    assert len(good.requests) == 2


FAILURES = {
    "status": status(500),
    "limit": status(429),
    "page": page(),
    "empty": empty(),
    "cut": cut(),
    "told": lambda _: answer_json({"data": None, "error": "Timeout"}),
}


@pytest.mark.parametrize("failure", FAILURES.values(), ids=FAILURES)
def test_a_failure_is_never_kept(
    failure: Failure, good: Server, tmp_path: Path
) -> None:
    """Not even one that is told inside a success."""
    good.fail(failure)
    with contextlib.suppress(SourceError):
        _fetch(tmp_path).json(_ask(good), Deadline(5))
    assert _files(tmp_path) == []
    good.fail(None)
    assert _fetch(tmp_path).json(_ask(good), Deadline(5))["name"] == "Zoë"


@pytest.mark.parametrize("place", ["body", "params"])
def test_a_request_that_holds_a_credential_is_not_kept(
    place: str, good: Server, tmp_path: Path
) -> None:
    """Its answer may be a login; whatever signs the credential is made of."""
    more: dict[str, Any] = {place: {"password": SECRET}, "secrets": (SECRET,)}
    for _ in range(2):
        _fetch(tmp_path).json(_ask(good, **more), Deadline(5))
    assert len(good.requests) == 2
    assert _files(tmp_path) == []


def test_no_credential_of_a_header_is_on_disk(server: Server, tmp_path: Path) -> None:
    """Nor one that the service repeats."""
    server.route("/", answer_json({"you": "Bearer abcdef123456"}))
    headers = {"Authorization": "Bearer abcdef123456"}
    request = _ask(server, headers=headers, secrets=("abcdef123456",))
    _fetch(tmp_path).json(request, Deadline(5))
    (file,) = _files(tmp_path)
    kept = file.read_text(encoding="utf-8")
    assert "abcdef123456" not in kept + file.name and "Authorization" not in kept


@pytest.mark.skipif(os.name != "posix", reason="modes are of POSIX")
def test_the_folder_is_for_its_owner_alone(good: Server, tmp_path: Path) -> None:
    """It is made when the first answer is kept."""
    folder = tmp_path / "a" / "answers"
    fetch = _fetch(folder)
    assert not folder.exists()
    fetch.json(_ask(good), Deadline(5))
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_folder_that_cannot_be_written_loses_no_answer(
    good: Server, tmp_path: Path
) -> None:
    """Everything is asked for, as without a cache."""
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "below"):
        for _ in range(2):
            assert _fetch(folder).json(_ask(good), Deadline(5))
    assert len(good.requests) == 4


BROKEN = {
    "empty": "",
    "cut": '{"at": "2026-11-30T12:00:00+00:00", "answer": {"na',
    "list": "[]",
    "bare": '"text"',
    "no-time": '{"answer": 1}',
    "no-answer": '{"at": "2026-11-30T12:00:00+00:00"}',
    "odd-time": '{"at": "yesterday", "answer": 1}',
    "number-time": '{"at": 7, "answer": 1}',
    "no-zone": '{"at": "2026-11-30T12:00:00", "answer": 1}',
    "deep": "[" * 200_000,
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_no_answer(content: str, good: Server, tmp_path: Path) -> None:
    """It is asked for and written again."""
    _fetch(tmp_path).json(_ask(good), Deadline(5))
    (file,) = _files(tmp_path)
    file.write_text(content, encoding="utf-8")
    assert _fetch(tmp_path).json(_ask(good), Deadline(5))["name"] == "Zoë"
    assert len(good.requests) == 2
    assert json.loads(file.read_text(encoding="utf-8"))["answer"]["name"] == "Zoë"


def test_the_folder_is_in_the_user_s_cache(tmp_path: Path) -> None:
    """By the usual variable, else below the home folder."""
    below = Path("last30days", "answers")
    named = Settings({"XDG_CACHE_HOME": str(tmp_path)}, NOW)
    assert cache_folder(named) == tmp_path / below
    assert cache_folder(Settings({}, NOW)) == Path.home() / ".cache" / below
