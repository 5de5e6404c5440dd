"""One call of the grok tool: what it is given, and how it ends."""

from __future__ import annotations

import json
import os
import shutil
import stat
import threading
import time
from pathlib import Path

import pytest

from engine.errors import (
    DeadlineError,
    NotConfiguredError,
)
from engine.x.backends import grok
from engine.x.backends.base import Ask
from engine.x.backends.grok_call import DENIED
from fakes.grokstage import (
    LOGIN,
    ROME,
    Stage,
)


def test_the_call_has_the_flags_that_matter(stage: Stage) -> None:
    """Every local tool is denied, none of the harmful flags is there."""
    stage.search(limit=4)
    (call,) = stage.calls
    program, *arguments = call["argv"]
    assert program == str(stage.bin / "grok")
    flags = dict(zip(arguments[::2], arguments[1::2], strict=False))
    assert arguments[0] == "-p" and "limit 4." in arguments[1]
    position = arguments.index("--no-auto-update")
    rest = arguments[:position] + arguments[position + 1 :]
    flags = dict(zip(rest[::2], rest[1::2], strict=True))
    assert set(flags) == {
        "-p",
        "--output-format",
        "--max-turns",
        "--cwd",
        "--disallowed-tools",
    }
    assert flags["--output-format"] == "json"
    assert os.path.realpath(flags["--cwd"]) == call["cwd"]
    assert flags["--disallowed-tools"] == ",".join(DENIED)
    assert "run_terminal_cmd" in DENIED and "Agent" in DENIED
    assert not [tool for tool in DENIED if tool.startswith("x_")]


def test_the_child_sees_an_empty_folder_and_a_copy_of_the_login(stage: Stage) -> None:
    """Nothing of the user's but one private file, and no variable but those needed."""
    stage.values["HTTPS_PROXY"] = "http://proxy.example:8080"
    stage.values["AUTH_TOKEN"] = "other"
    stage.search()
    (call,) = stage.calls
    home = call["env"]["HOME"]
    assert call["work"] == []
    assert not home.startswith(str(stage.home)) and call["cwd"] != os.getcwd()
    modes = {path: stat.S_IMODE(mode) for path, mode in call["home"]}
    assert modes == {f"{home}/.grok": 0o700, f"{home}/.grok/auth.json": 0o600}
    assert set(call["env"]) - {"LC_CTYPE", "__CF_USER_TEXT_ENCODING"} == {
        *("PATH", "HOME", "GROK_HOME", "GROK_DISABLE_AUTOUPDATER", "LANG"),
        "HTTPS_PROXY",
    }
    assert call["env"]["GROK_HOME"] == f"{home}/.grok"
    assert call["group"] == call["pid"]


def test_a_refresh_in_the_child_leaves_the_login_alone(stage: Stage) -> None:
    """The child writes into its copy."""
    stage.play("spoil")
    assert len(stage.search()) == 4
    assert json.loads(stage.login.read_text()) == LOGIN


def test_a_hung_tool_ends_with_its_children_at_the_deadline(stage: Stage) -> None:
    """Also those that ignore the signal to end; see what is checked after each test."""
    stage.play("hang")
    started = time.monotonic()
    with pytest.raises(DeadlineError, match="in time"):
        stage.search(seconds=2)
    # One second of it is kept for ending the tool by force.
    assert time.monotonic() - started < 2 + 0.3
    assert (stage.bin / "child.pid").exists()


def test_an_interrupt_ends_the_tool(stage: Stage) -> None:
    """The user does not wait for the deadline."""
    stage.play("hang")
    io = stage.io(60)
    threading.Timer(1, io.deadline.interrupt).start()
    started = time.monotonic()
    with pytest.raises(DeadlineError, match="interrupted"):
        grok.search(Ask(ROME, 10), io)
    assert time.monotonic() - started < 1 + 2.5


def test_a_child_that_keeps_the_pipes_open_holds_nothing_up(stage: Stage) -> None:
    """The tool has ended, its answer is there."""
    stage.play("answer-and-leave-child")
    started = time.monotonic()
    assert len(stage.search()) == 4
    assert time.monotonic() - started < 5
    assert (stage.bin / "child.pid").exists()


def test_a_tool_that_cannot_run_is_not_configured(stage: Stage) -> None:
    """A broken installation is no failure of the service."""
    (stage.bin / "grok").write_text("#!/nowhere/node\n")
    with pytest.raises(NotConfiguredError, match="grok cannot be run"):
        stage.search()


def test_the_tool_is_found_where_its_installer_puts_it(
    stage: Stage, home: Path
) -> None:
    """In ~/.grok/bin, if it is not on PATH."""
    target = home / ".grok" / "bin"
    target.mkdir(parents=True)
    shutil.move(stage.bin / "grok", target / "grok")
    assert grok.missing(stage.io()) == ""
