"""The user's configuration files: where they lie and what they may hold."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from engine.configfiles import config_folders, read_config
from engine.errors import UsageError
from engine.settings import load_settings

posix = pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX's")


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


def test_yaml_values_are_taken_as_written(folder: Path) -> None:
    """Numbers, dates and booleans stay the text that they are; null is empty."""
    _write(
        folder / "config.yaml",
        "\ufeff# comment\nXAI_API_KEY: 007\nX_BEARER_TOKEN: 1e5\nGROK_HOME: '~/g'\n"
        "LAST30DAYS_STRICT_EXIT: yes\nLAST30DAYS_XAI_MODEL:\n",
    )
    settings = load_settings()
    names = ("XAI_API_KEY", "X_BEARER_TOKEN", "GROK_HOME", "LAST30DAYS_STRICT_EXIT")
    assert [settings.get(name) for name in names] == ["007", "1e5", "~/g", "yes"]
    assert settings.values["LAST30DAYS_XAI_MODEL"] == ""


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("XAI_API_KEY=abc", "abc"),
        ("export XAI_API_KEY=abc", "abc"),
        ("  XAI_API_KEY = abc  # mine", "abc"),
        ("XAI_API_KEY='a #b \\n'", "a #b \\n"),
        (r'XAI_API_KEY="a \"b\" #c"  # d', 'a "b" #c'),
        ('XAI_API_KEY="a\\nb"', "a\nb"),
        ("XAI_API_KEY=a#b=c", "a#b=c"),
        ("XAI_API_KEY=", ""),
        ("XAI_API_KEY= # none", ""),
        ("XAI_API_KEY=''", ""),
    ],
)
def test_env_lines_are_read(folder: Path, line: str, value: str) -> None:
    """Quotes, comments and export as in a shell."""
    _write(folder / ".env", f"# mine\n\n{line}\r\n")
    assert load_settings().get("XAI_API_KEY") == value


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        pytest.param("config.yaml", "a: 1\nb: [hush\n", 3, id="yaml-broken"),
        pytest.param("config.yaml", "A: 1\nB: *hush\n", 2, id="yaml-alias"),
        pytest.param("config.yaml", "# c\n- hush\n", 2, id="yaml-list"),
        pytest.param("config.yaml", "hush", 1, id="yaml-word"),
        pytest.param("config.yaml", "A: 1\nB:\n  hush: 1\n", 2, id="yaml-nested"),
        pytest.param("config.yaml", "A: 1\nB: [hush]\n", 2, id="yaml-values"),
        pytest.param("config.yaml", "A: 1\nno name: hush\n", 2, id="yaml-name"),
        pytest.param("config.yaml", "A: 1\n? [hush]\n: 1\n", 2, id="yaml-key"),
        pytest.param("config.yaml", "A: \x00hush\n", 1, id="yaml-nul"),
        pytest.param("config.yaml", "[" * 5_000, 1, id="yaml-deep"),
        pytest.param("config.yaml", "A: 1\n---\nA: hush\n", 2, id="yaml-documents"),
        pytest.param(".env", "A=1\nhush\n", 2, id="env-no-value"),
        pytest.param(".env", "A=1\n\nB='hush\n", 3, id="env-open-quote"),
        pytest.param(".env", "A='hush' more\n", 1, id="env-after-quote"),
        pytest.param(".env", "1A=hush\n", 1, id="env-name"),
    ],
)
def test_a_broken_file_is_one_line_with_its_place(
    folder: Path, name: str, text: str, line: int
) -> None:
    """The file and the line are named, what stands there is not."""
    path = _write(folder / name, text)
    with pytest.raises(UsageError) as caught:
        load_settings()
    message = str(caught.value)
    assert message.startswith(f"{path}, line {line}: ")
    assert "hush" not in message and "\n" not in message


def test_a_file_that_cannot_be_read_is_named(folder: Path) -> None:
    """A folder in the file's place, bytes that are no text: one line each."""
    (folder / "config.yaml").mkdir()
    with pytest.raises(UsageError, match=r"config\.yaml: cannot be read: Is a dir"):
        load_settings()
    (folder / "config.yaml").rmdir()
    (folder / ".env").write_bytes(b"A=\xff\n")
    with pytest.raises(UsageError, match=r"\.env: not UTF-8"):
        load_settings()


@posix
@pytest.mark.parametrize(
    ("mode", "text", "warned"),
    [
        pytest.param(0o600, "XAI_API_KEY: k\n", False, id="own"),
        pytest.param(0o640, "XAI_API_KEY: k\n", True, id="group"),
        pytest.param(0o604, "XAI_API_KEY: k\n", True, id="others"),
        pytest.param(0o644, "# nothing yet\n", False, id="without-values"),
    ],
)
def test_a_file_that_others_can_read_is_told(
    folder: Path, mode: int, text: str, warned: bool
) -> None:
    """A warning with the path and the command that helps."""
    path = _write(folder / "config.yaml", text)
    path.chmod(mode)
    warnings = load_settings().warnings
    assert [warning.code for warning in warnings] == ["config-readable"] * warned
    if warned:
        assert warnings[0].data == {"path": str(path)}
        assert "chmod 600" in warnings[0].message


def test_the_folder_is_the_platforms(home: Path) -> None:
    """XDG first, then the place that is usual on the platform."""
    own = os.path.join(home, ".config", "last30days")
    assert config_folders({}, "linux") == (own,)
    assert config_folders({"XDG_CONFIG_HOME": "relative"}, "linux") == (own,)
    xdg = os.path.join(os.sep, "xdg")
    assert config_folders({"XDG_CONFIG_HOME": xdg}, "linux") == (
        os.path.join(xdg, "last30days"),
    )
    support = os.path.join(home, "Library", "Application Support", "last30days")
    assert config_folders({}, "darwin") == (own, support)
    roaming = os.path.join("roaming", "last30days")
    assert config_folders({"APPDATA": "roaming"}, "win32") == (own, roaming)


def test_the_first_folder_wins(folder: Path, home: Path) -> None:
    """On macOS a value in ~/.config stands before one in Application Support."""
    support = home / "Library" / "Application Support" / "last30days"
    support.mkdir(parents=True)
    _write(support / "config.yaml", "XAI_API_KEY: second\nGROK_HOME: /g\n")
    _write(folder / ".env", "XAI_API_KEY=first\n")
    values, _ = read_config({}, "darwin")
    assert values == {"XAI_API_KEY": "first", "GROK_HOME": "/g"}
