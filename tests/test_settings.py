"""Settings from the environment and from files, and the page that lists them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from datetime import datetime, timezone
from pathlib import Path

import pytest

from engine.errors import UsageError
from engine.settings import KNOWN, Settings, load_settings

ROOT = Path(__file__).parent.parent
NOW = datetime(2026, 11, 30, 12, tzinfo=timezone.utc)


@pytest.fixture
def folder(home: Path) -> Path:
    """The user's configuration folder, which exists and is empty."""
    made = home / ".config" / "last30days"
    made.mkdir(parents=True)
    return made


def _write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    path.chmod(0o600)
    return path


def test_the_environment_wins_over_yaml_and_that_over_env(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each place is asked only for what the one before does not set."""
    monkeypatch.setenv("XAI_API_KEY", "from the environment")
    _write(folder / "config.yaml", "XAI_API_KEY: yaml\nX_BEARER_TOKEN: yaml\n")
    _write(folder / ".env", "XAI_API_KEY=env\nX_BEARER_TOKEN=env\nGROK_HOME=/g\n")
    settings = load_settings()
    assert settings.get("XAI_API_KEY") == "from the environment"
    assert settings.get("X_BEARER_TOKEN") == "yaml"
    assert settings.get("GROK_HOME") == "/g"
    assert settings.warnings == ()


def test_an_empty_variable_switches_a_file_off(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A key can be taken away for one run."""
    _write(folder / "config.yaml", "XAI_API_KEY: paid\n")
    monkeypatch.setenv("XAI_API_KEY", "")
    assert load_settings().get("XAI_API_KEY") == ""


@pytest.mark.parametrize(
    ("name", "near"),
    [
        ("LAST30DAYS_XAI_MODLE", "LAST30DAYS_XAI_MODEL"),
        ("LAST30DAYS_XIA_URL", "LAST30DAYS_XAI_URL"),
        ("LAST30DAYS_FRUIT", ""),
    ],
)
def test_an_unknown_setting_is_told(
    home: Path, monkeypatch: pytest.MonkeyPatch, name: str, near: str
) -> None:
    """A mistyped name gets the one that was meant."""
    monkeypatch.setenv(name, "x")
    (warning,) = load_settings().warnings
    assert warning.code == "unknown-setting"
    assert warning.data == {"name": name, "suggestion": near}
    assert (f"did you mean {near}?" in warning.message) is bool(near)


def test_a_file_may_hold_other_names_but_no_near_misses(folder: Path) -> None:
    """Another program's name is left alone, a wrong one of ours is told."""
    _write(folder / ".env", "EDITOR=vi\nXAI_APIKEY=k\nx_bearer_token=t\n")
    found = [warning.data["suggestion"] for warning in load_settings().warnings]
    assert found == ["XAI_API_KEY", "X_BEARER_TOKEN"]


def test_a_chosen_folder_replaces_the_others(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """LAST30DAYS_CONFIG_DIR is the only place then, and has to exist."""
    _write(folder / ".env", "XAI_API_KEY=usual\n")
    chosen = tmp_path / "chosen"
    monkeypatch.setenv("LAST30DAYS_CONFIG_DIR", str(chosen))
    with pytest.raises(UsageError, match="LAST30DAYS_CONFIG_DIR"):
        load_settings()
    chosen.mkdir()
    assert load_settings().get("XAI_API_KEY") == ""
    _write(chosen / ".env", "XAI_API_KEY=chosen\n")
    assert load_settings().get("XAI_API_KEY") == "chosen"


def test_secrets_are_the_values_of_credentials() -> None:
    """Those that are set, and nothing else."""
    values = {"XAI_API_KEY": " k-1 ", "X_BEARER_TOKEN": "", "LAST30DAYS_XAI_MODEL": "m"}
    settings = Settings(values, NOW)
    assert settings.secrets == ("k-1",)
    assert "k-1" not in repr(settings)


@pytest.mark.parametrize(
    ("value", "url"),
    [
        ("", "https://api.x.ai/v1"),
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000"),
        (" https://mirror.example/xai/v1/ ", "https://mirror.example/xai/v1"),
        ("http://[::1]:80/", "http://[::1]:80"),
    ],
)
def test_a_base_url_may_be_replaced(value: str, url: str) -> None:
    """With a port and a path, and without the slash at its end."""
    settings = Settings({"LAST30DAYS_XAI_URL": value}, NOW)
    assert settings.base_url("xai", "https://api.x.ai/v1/") == url


@pytest.mark.parametrize(
    "value",
    [
        *("ftp://a.example", "a.example", "file:///etc/passwd", "https://", "//a"),
        *("https://me:hush@a.example", "https://a.example?q=1", "https://a.example#x"),
        *(
            "https://a.example:port",
            "https://[::1",
            "https://a b.example",
            "http://a\n.b",
        ),
    ],
)
def test_a_base_url_is_an_address_and_nothing_more(value: str) -> None:
    """The variable is named, its value, which may hold a password, is not."""
    settings = Settings({"LAST30DAYS_XAI_URL": value}, NOW)
    with pytest.raises(UsageError, match="LAST30DAYS_XAI_URL") as caught:
        settings.base_url("XAI", "https://api.x.ai/v1")
    assert "hush" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-11-30T12:00:00Z", NOW),
        ("2026-11-30T13:00:00+01:00", NOW),
        ("2026-11-30T12:00", NOW),
        ("2026-11-30", NOW.replace(hour=0)),
    ],
)
def test_the_clock_can_be_replaced(
    home: Path, monkeypatch: pytest.MonkeyPatch, text: str, moment: datetime
) -> None:
    """Any ISO 8601 time, UTC where it names no zone."""
    monkeypatch.setenv("LAST30DAYS_NOW", text)
    assert load_settings().now == moment


@pytest.mark.parametrize(
    "text",
    [
        *("yesterday", "2026-13-01", "0001-01-01T00:00+14:00"),
        *("0001-01-01", "1999-12-31T23:59:59Z", "3000-01-01", "9999-12-31T23:59:59Z"),
    ],
)
def test_a_clock_that_is_none_is_a_usage_error(
    home: Path, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    """The message shows how to write one."""
    monkeypatch.setenv("LAST30DAYS_NOW", text)
    with pytest.raises(UsageError, match="write for example"):
        load_settings()


def test_without_files_settings_cost_nothing(home: Path) -> None:
    """Reading them takes under a millisecond."""
    load_settings()
    times = []
    for _ in range(20):
        started = time.perf_counter()
        load_settings()
        times.append(time.perf_counter() - started)
    assert min(times) < 0.001


def test_starting_up_imports_no_heavy_module() -> None:
    """Settings, fetch and child are on the way of every run, also of one from disk."""
    code = (
        "import sys, engine.settings, engine.fetch, engine.child\n"
        "engine.settings.load_settings()\n"
        "print(sorted({'yaml', 'requests', 'ssl', 'http.client', 'email.utils', "
        "'difflib'} & set(sys.modules)))"
    )
    found = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(ROOT / "scripts")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout == "[]\n"


def test_the_reference_lists_every_setting_and_no_other() -> None:
    """The table of references/configuration.md is complete."""
    page = (ROOT / "references" / "configuration.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)`", page, re.MULTILINE)
    assert rows == [setting.name for setting in KNOWN]
