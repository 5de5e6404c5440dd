"""The files between the legs: whole, found by their id, refused when stale."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from engine.contracts import check, schema
from engine.discovery import handoff
from engine.discovery.handoff import NOMINATIONS, find, lifetime, new_id, write
from engine.discovery.legs import infos
from engine.discovery.model import Bundle, Nomination
from engine.discovery.record import bundle_record, moment, read_bundle
from engine.errors import ContractError, UsageError
from engine.model import Comment, Depth, Item
from engine.settings import Settings
from engine.sources import SOURCES
from engine.window import Window

_NOW = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)
_TTL = "LAST30DAYS_DISCOVER_TTL_MINUTES"


def _settings(minutes: float = 0, ttl: str = "") -> Settings:
    return Settings({_TTL: ttl}, _NOW + timedelta(minutes=minutes))


def _bundle(**more: Any) -> Bundle:
    item = Item(
        "2116700000000000001", "x", "Foo 🎉 \u202e", "https://x.com/a/status/1", "ann", "Ann",
        "", _NOW, "en", {"likes": 7}, "bob", "cem", ("https://a.example/b",), "r/foo",
        (Comment("dee", "yes", None, ""), Comment("eve", "no", -2, "https://a.example")),
        "topic", "xapi", 0.5, 0.25, 3,
    )  # fmt: skip
    given: dict[str, Any] = {
        "id": new_id(),
        "created_at": moment(_NOW),
        "origin": "live",
        "tier": Depth.DEEP,
        "domain": "AI agents",
        "window": Window.ending(_NOW.date(), 30),
        "subreddits": ("AI_Agents",),
        "asked": ("x", "reddit"),
        "status": {n: {"state": "ok", "detail": "d", "fix": "f"} for n in SOURCES},
        "warnings": ({"code": "cached", "source": "", "message": "m", "data": {}},),
        "nominations": (Nomination("n1", "Foo", 70, "help", (item,)),),
    }
    return Bundle(**{**given, **more})


def _written(folder: Path, **more: Any) -> dict[str, Any]:
    record = bundle_record(_bundle(**more), infos().values())
    write(NOMINATIONS, str(folder), record)
    return record


def _find(
    folder: Path, settings: Settings | None = None, **more: Any
) -> Mapping[str, Any]:
    return find(NOMINATIONS, str(folder), settings or _settings(), **more)


def test_a_bundle_survives_its_file(tmp_path: Path) -> None:
    """Every field of it, of its items and of their comments."""
    bundle = _bundle()
    write(NOMINATIONS, str(tmp_path), bundle_record(bundle, infos().values()))
    found = read_bundle(_find(tmp_path, bundle_id=bundle.id))
    assert found == bundle


def test_two_runs_in_one_folder_keep_both(tmp_path: Path) -> None:
    """The plain name is that of the latest; each is found by its id."""
    first, second = _written(tmp_path), _written(tmp_path)
    assert _find(tmp_path) == second
    assert _find(tmp_path, bundle_id=first["bundle_id"]) == first
    assert _find(tmp_path, bundle_id=second["bundle_id"]) == second
    assert len(list(tmp_path.iterdir())) == 3, "no half of a file is left"


def test_a_wrong_id_names_both(tmp_path: Path) -> None:
    """And says to correct it and to run this leg again, not the one before."""
    record = _written(tmp_path)
    for wrong in ("deadbeefdeadbeef", "../../etc/passwd", "", "x" * 500):
        with pytest.raises(ContractError) as caught:
            _find(tmp_path, bundle_id=wrong, asked_by="j.json")
        said = str(caught.value)
        assert said.startswith("j.json: bundle_id is ") and len(said) < 500
        assert repr(wrong[:60]) in said and record["bundle_id"] in said
        assert "run this leg (research) again" in said and "nothing" in said


@pytest.mark.parametrize(
    ("minutes", "setting", "taken"),
    [
        (60, "", True),
        (61, "", False),
        (-60, "", True),
        (-61, "", False),
        (89, "90", True),
        (2, "1", False),
    ],
)
def test_a_file_is_taken_for_an_hour(
    minutes: float, setting: str, taken: bool, tmp_path: Path
) -> None:
    """Or as long as the setting says, counted from its own time; also backwards."""
    _written(tmp_path)
    settings = _settings(minutes, setting)
    if taken:
        _find(tmp_path, settings)
        return
    with pytest.raises(ContractError, match=f"minutes old.*{_TTL}.*nominate first"):
        _find(tmp_path, settings)


@pytest.mark.parametrize("value", ["0", "-5", "soon", "nan", "inf", "99999"])
def test_the_setting_is_a_number_of_minutes(value: str) -> None:
    """Anything else is refused by its name."""
    with pytest.raises(UsageError, match=_TTL):
        lifetime(_settings(ttl=value))
    assert lifetime(_settings()) == timedelta(hours=1)


@pytest.mark.parametrize("made", ["live", "demo", "archive"])
def test_origins_never_mix(made: str, tmp_path: Path) -> None:
    """A bundle goes on only in a run of its own kind."""
    _written(tmp_path, origin=made)
    for origin in ("live", "demo", "archive"):
        if origin == made:
            assert _find(tmp_path, origin=origin)
        else:
            with pytest.raises(ContractError, match="the two never mix"):
                _find(tmp_path, origin=origin)


def _broken(record: dict[str, Any]) -> dict[str, bytes]:
    def changed(**fields: Any) -> bytes:
        return json.dumps({**record, **fields}).encode()

    text = json.dumps(record).encode()
    return {
        "half": text[: len(text) // 2],
        "utf-16": json.dumps(record).encode("utf-16"),
        "list": b"[]",
        "no-list": changed(nominations="n1"),
        "bad-rows": changed(nominations=[1, 2]),
        "no-evidence": changed(
            nominations=[{**record["nominations"][0], "evidence": []}]
        ),
        "version": changed(schema_version=2),
        "kind": changed(kind="discover-pending"),
        "no-id": changed(bundle_id=""),
        "no-time": changed(created_at="yesterday"),
        "unreal-time": changed(created_at="2026-99-99T00:00:00Z"),
        "misspelt": changed(nomination=[]),
    }


@pytest.mark.parametrize("name", _broken({"nominations": [{}]}))
def test_a_broken_bundle_is_refused_with_the_remedy(name: str, tmp_path: Path) -> None:
    """Never an empty pool, never a traceback."""
    record = _written(tmp_path)
    for path in tmp_path.iterdir():
        path.write_bytes(_broken(record)[name])
    for wanted in (None, record["bundle_id"]):
        with pytest.raises(ContractError, match="discover.py nominate first"):
            _find(tmp_path, bundle_id=wanted)


@pytest.mark.parametrize("broken", [b"", b'{"bundle', None])
def test_a_bundle_needs_no_file_of_another_run(
    broken: bytes | None, tmp_path: Path
) -> None:
    """Its own is enough, whatever became of the plain name: no leg is redone."""
    record = _written(tmp_path)
    path = tmp_path / "discover-nominations.json"
    path.unlink() if broken is None else path.write_bytes(broken)
    assert _find(tmp_path, bundle_id=record["bundle_id"]) == record


def test_a_file_under_the_id_of_another_bundle_is_not_taken(tmp_path: Path) -> None:
    """What it holds decides, and both ids are named."""
    record = _written(tmp_path)
    other = "deadbeefdeadbeef"
    own = tmp_path / f"discover-nominations-{record['bundle_id']}.json"
    own.rename(tmp_path / f"discover-nominations-{other}.json")
    with pytest.raises(ContractError, match=f"{other}.*{record['bundle_id']}"):
        _find(tmp_path, bundle_id=other, asked_by="j.json")


def test_a_folder_without_a_bundle_says_what_to_run(tmp_path: Path) -> None:
    """Each leg names the one before it."""
    with pytest.raises(ContractError, match="discover.py nominate first"):
        _find(tmp_path)
    with pytest.raises(ContractError, match="discover.py research --judgments FILE"):
        find(handoff.PENDING, str(tmp_path), _settings())


def test_what_cannot_be_written_leaves_the_earlier_file(tmp_path: Path) -> None:
    """A leg that fails while it writes takes nothing away."""
    first = _written(tmp_path)
    before = sorted(tmp_path.iterdir())
    for path in before:
        assert json.loads(path.read_text(encoding="utf-8")) == first
    broken = {**first, "bundle_id": "0123456789abcdef", "nominations": "none"}
    with pytest.raises(ContractError):
        write(NOMINATIONS, str(tmp_path), broken)
    (tmp_path / "discover-nominations-0123456789abcdef.json").mkdir()
    with pytest.raises(UsageError, match="--save-dir"):
        write(NOMINATIONS, str(tmp_path), {**first, "bundle_id": "0123456789abcdef"})
    assert _find(tmp_path) == first


@pytest.mark.parametrize("name", ["nominations", "pending", "judgments", "angles"])
def test_every_file_has_its_schema(name: str) -> None:
    """With a title, descriptions, and the sources that there are."""
    found = schema(f"discover_{name}")
    assert found["title"] and found["description"]
    assert "additionalProperties" in found
    if "$defs" in found:
        assert found["$defs"]["source"]["enum"] == list(SOURCES)


def test_the_shapes_of_the_host_are_exact() -> None:
    """What the digests show keeps the schema, row by row."""
    row = {"id": "n1", "name": "Foo keys", "junk": True, "worthiness": 5.5}
    check({"bundle_id": "a", "judgments": [row]}, "discover_judgments", name="j")
    check({"bundle_id": "a", "angles": [{"id": "n1"}]}, "discover_angles", name="a")
    for field, value in (("junk", "false"), ("worthiness", "85"), ("id", 1)):
        with pytest.raises(ContractError):
            body = {"bundle_id": "a", "judgments": [{**row, field: value}]}
            check(body, "discover_judgments", name="j")
