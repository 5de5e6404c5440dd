"""One call of the grok tool, shut in: nothing of the user's but a copy of the login.

The tool is a coding agent with files and a shell, and both the topic and the posts that
it finds are strangers' text. So every tool of its own machine is denied to it, and it
runs in an empty folder with a home that is thrown away.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from engine.deadline import Deadline
from engine.settings import Settings
from engine.x.backends.grok_login import FILE, Login, grok_folder

if TYPE_CHECKING:
    from engine.child import Result

__all__ = ["DENIED", "executable", "run_grok"]

# Every tool but those that search X. An allow list would take the hosted X tools away,
# and so would a schema for the answer: with one, posts are made up instead of searched.
DENIED = (
    *("run_terminal_cmd", "monitor", "workflow", "read_file", "write"),
    *("search_replace", "grep", "list_dir", "web_search", "web_fetch", "todo_write"),
    *("task", "Agent", "search_tool", "use_tool", "image_gen", "image_edit"),
    *("image_to_video", "reference_to_video", "enter_plan_mode", "exit_plan_mode"),
    *("ask_user_question", "send_feedback"),
)
_TURNS = 6
# A tool that does not end when told to is ended by force, within the time of the run.
_ENDING_SECONDS = 1.0


def executable(settings: Settings) -> str:
    """The path of the grok tool: on PATH, or where its installer puts it; or ""."""
    import shutil

    own = os.path.join(grok_folder(settings), "bin")
    usual = os.path.expanduser(os.path.join("~", ".grok", "bin"))
    for folders in (settings.get("PATH"), own, usual):
        if found := shutil.which("grok", path=folders):
            return os.path.abspath(found)
    return ""


def run_grok(
    prompt: str, program: str, login: Login, settings: Settings, deadline: Deadline
) -> Result:
    """Run the tool on a prompt. Raises what `child.run` raises.

    Args:
        program: the path that `executable` gave.
        login: what the child is signed in with; the user's own file stays untouched.
    """
    import tempfile

    from engine.child import run

    with tempfile.TemporaryDirectory(
        prefix="last30days-", ignore_cleanup_errors=True
    ) as base:
        home, work = os.path.join(base, "home"), os.path.join(base, "work")
        folder = os.path.join(home, ".grok")
        for made in (home, folder, work):
            os.mkdir(made, 0o700)
        _write_private(os.path.join(folder, FILE), login.content)
        return run(
            _command(program, prompt, work),
            cwd=work,
            env=_environment(settings, home, folder),
            deadline=deadline.before(_ENDING_SECONDS),
        )


def _command(program: str, prompt: str, work: str) -> list[str]:
    return [
        program,
        *("-p", prompt),
        *("--output-format", "json"),
        "--no-auto-update",
        *("--max-turns", str(_TURNS)),
        *("--cwd", work),
        *("--disallowed-tools", ",".join(DENIED)),
    ]


def _environment(settings: Settings, home: str, folder: str) -> Mapping[str, str]:
    from engine.child import NETWORK

    network = {name: settings.get(name) for name in NETWORK}
    return {
        **{name: value for name, value in network.items() if value},
        "PATH": settings.get("PATH") or os.defpath,
        "HOME": home,
        # A tool that looks its home up elsewhere must not find the real login.
        "GROK_HOME": folder,
        "GROK_DISABLE_AUTOUPDATER": "1",
        "LANG": "C.UTF-8",
    }


def _write_private(path: str, content: bytes) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with open(descriptor, "wb") as file:
        file.write(content)
