"""Child processes, with real ones: Python programs and their children."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from engine.child import ChildTimeoutError, Result, run
from engine.deadline import Deadline
from engine.errors import DeadlineError, NotConfiguredError

posix = pytest.mark.skipif(os.name != "posix", reason="process groups are POSIX's")


def _python(
    code: str, folder: Path, *, seconds: float = 10, max_output: int = 1 << 20
) -> Result:
    """Run a Python program in `folder`."""
    return run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={"PATH": os.environ["PATH"], "ONLY": "this"},
        deadline=Deadline(seconds),
        max_output=max_output,
    )


def _is_gone(pid: int) -> bool:
    """Whether a process ends within two seconds; one that nobody reaped has ended."""
    end = time.monotonic() + 2
    while time.monotonic() < end:
        state = subprocess.run(
            ["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True
        ).stdout.strip()
        if not state or state[0] == "Z":
            return True
        time.sleep(0.02)
    return False


def _pid(file: Path) -> int:
    """The process id that a child writes into a file, once it stands there."""
    end = time.monotonic() + 5
    while time.monotonic() < end:
        if file.exists() and file.read_text().endswith("\n"):
            return int(file.read_text())
        time.sleep(0.01)
    raise AssertionError("the child wrote no process id")


def test_both_streams_and_the_status_come_back(tmp_path: Path) -> None:
    """What a program writes and how it ends is kept, a bad status too."""
    result = _python(
        "import sys; print('罗马'); print('note', file=sys.stderr); sys.exit(3)",
        tmp_path,
    )
    assert result == Result("罗马\n", "note\n", 3, False)


def test_the_environment_and_the_folder_are_those_given(tmp_path: Path) -> None:
    """Nothing of this process's environment reaches the child."""
    os.environ["LAST30DAYS_LEAK"] = "1"
    result = _python(
        "import os; print(os.getcwd()); print(os.environ.get('ONLY'), "
        "os.environ.get('LAST30DAYS_LEAK'), 'HOME' in os.environ)",
        tmp_path,
    )
    assert result.stdout.splitlines() == [str(tmp_path.resolve()), "this None False"]


def test_standard_input_is_empty(tmp_path: Path) -> None:
    """A program that reads gets the end of the file at once."""
    result = _python("import sys; print(repr(sys.stdin.read()))", tmp_path)
    assert result.stdout == "''\n"


def test_large_output_on_both_pipes_blocks_nobody(tmp_path: Path) -> None:
    """Two full pipes are drained side by side, and no byte is lost."""
    result = _python(
        "import sys\n"
        "for _ in range(300):\n"
        "    sys.stderr.write('e' * 10000); sys.stdout.write('o' * 10000)",
        tmp_path,
        max_output=300 * 10000,
    )
    assert (len(result.stdout), len(result.stderr)) == (300 * 10000, 300 * 10000)
    assert not result.truncated


def test_output_is_capped(tmp_path: Path) -> None:
    """The first bytes are kept, the rest is read and dropped."""
    result = _python("print('x' * 500000)", tmp_path, max_output=1000)
    assert result == Result("x" * 1000, "", 0, True)


def test_bytes_that_are_no_text_are_replaced(tmp_path: Path) -> None:
    """Invalid UTF-8 never raises."""
    result = _python("import os; os.write(1, b'a\\xff\\xfeb')", tmp_path)
    assert result.stdout == "a\ufffd\ufffdb"


def test_a_child_that_ends_at_once_costs_no_grace(tmp_path: Path) -> None:
    """The time of ten runs is the program's own: each has no half second of grace."""
    started = time.monotonic()
    for _ in range(10):
        _python("pass", tmp_path)
    assert time.monotonic() - started < 10 * 0.5


def test_the_deadline_ends_the_child_and_keeps_what_it_wrote(tmp_path: Path) -> None:
    """The error carries the output so far."""
    started = time.monotonic()
    with pytest.raises(DeadlineError, match="did not finish in time") as caught:
        _python(
            "import time; print('so far', flush=True); time.sleep(60)",
            tmp_path,
            seconds=0.5,
        )
    assert time.monotonic() - started < 0.5 + 1
    assert isinstance(caught.value, ChildTimeoutError)
    assert caught.value.result.stdout == "so far\n"


def test_nothing_starts_after_the_deadline(tmp_path: Path) -> None:
    """Without time no process is made."""
    with pytest.raises(ChildTimeoutError, match="not started"):
        _python("open('made', 'w')", tmp_path, seconds=0)
    assert not (tmp_path / "made").exists()


_FAMILY = (
    "import os, signal, subprocess, sys, time\n"
    "{before}\n"
    "code = 'import signal, time; {ignore}; time.sleep(60)'\n"
    "child = subprocess.Popen([sys.executable, '-c', code])\n"
    "open('pid.new', 'w').write(str(child.pid) + '\\n')\n"
    "os.rename('pid.new', 'pid')\n"
    "print('ready', flush=True)\n"
    "{after}\n"
)
_STUBBORN = "signal.signal(signal.SIGTERM, signal.SIG_IGN)"


@posix
@pytest.mark.parametrize("stubborn", [False, True], ids=["obedient", "ignores-term"])
def test_the_whole_group_ends_at_the_deadline(tmp_path: Path, stubborn: bool) -> None:
    """A grandchild ends too, by force if it must."""
    code = _FAMILY.format(
        before=_STUBBORN if stubborn else "",
        ignore=_STUBBORN if stubborn else "pass",
        after="time.sleep(60)",
    )
    started = time.monotonic()
    with pytest.raises(ChildTimeoutError):
        _python(code, tmp_path, seconds=1)
    assert time.monotonic() - started < 1 + 2
    assert _is_gone(_pid(tmp_path / "pid"))


@posix
def test_a_grandchild_that_keeps_the_pipe_does_not_keep_us(tmp_path: Path) -> None:
    """After the program has ended, what it left behind is ended and its output kept."""
    code = _FAMILY.format(before="", ignore="pass", after="")
    started = time.monotonic()
    result = _python(code, tmp_path)
    assert time.monotonic() - started < 2
    assert (result.stdout, result.status) == ("ready\n", 0)
    assert _is_gone(_pid(tmp_path / "pid"))


@posix
def test_what_a_grandchild_writes_a_moment_later_is_kept(tmp_path: Path) -> None:
    """The group has a short grace after the program's own end."""
    code = (
        "import subprocess; print('early', flush=True)\n"
        "subprocess.Popen(['sh', '-c', 'sleep 0.15; echo late'])"
    )
    assert _python(code, tmp_path).stdout == "early\nlate\n"


@posix
def test_a_process_that_left_the_group_does_not_hold_the_run(tmp_path: Path) -> None:
    """One that made its own session and keeps the pipe delays the result by a grace."""
    code = (
        "import subprocess, sys\n"
        "child = subprocess.Popen(['sleep', '30'], start_new_session=True)\n"
        "print(child.pid, flush=True)"
    )
    started = time.monotonic()
    result = _python(code, tmp_path)
    os.kill(int(result.stdout), signal.SIGKILL)
    assert time.monotonic() - started < 3


@posix
def test_an_interrupt_of_the_run_ends_the_group(tmp_path: Path) -> None:
    """A run that the user ends leaves no process, whichever thread waits for it."""
    deadline = Deadline(60)
    threading.Timer(0.5, deadline.interrupt).start()
    code = _FAMILY.format(before="", ignore="pass", after="time.sleep(60)")
    started = time.monotonic()
    with pytest.raises(ChildTimeoutError, match="interrupted"):
        run(
            [sys.executable, "-c", code],
            cwd=tmp_path,
            env={"PATH": os.environ["PATH"]},
            deadline=deadline,
        )
    assert time.monotonic() - started < 0.5 + 1.5
    assert _is_gone(_pid(tmp_path / "pid"))


@posix
def test_ctrl_c_gets_through_and_ends_the_group(tmp_path: Path) -> None:
    """SIGINT raises KeyboardInterrupt out of `run`, after the group has ended."""
    code = _FAMILY.format(before="", ignore="pass", after="time.sleep(60)")
    (tmp_path / "family.py").write_text(code)
    program = (
        "import sys\n"
        "from engine.child import run\n"
        "from engine.deadline import Deadline\n"
        "try:\n"
        "    run([sys.executable, 'family.py'], cwd='.', env={}, deadline=Deadline(60))\n"
        "except KeyboardInterrupt:\n"
        "    sys.exit(130)\n"
    )
    scripts = Path(__file__).parent.parent / "scripts"
    waiting = subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(scripts)},
    )
    grandchild = _pid(tmp_path / "pid")
    started = time.monotonic()
    waiting.send_signal(signal.SIGINT)
    assert waiting.wait(5) == 130
    assert time.monotonic() - started < 2
    assert _is_gone(grandchild)


def test_a_missing_program_is_not_configured(tmp_path: Path) -> None:
    """The message names the program and what is wrong, not its path."""
    with pytest.raises(NotConfiguredError, match="grok cannot be run: No such file"):
        run(["/nowhere/grok"], cwd=tmp_path, env={}, deadline=Deadline(5))


@posix
@pytest.mark.parametrize(
    ("content", "mode"),
    [
        pytest.param("#!/bin/sh\n", 0o644, id="no-permission"),
        pytest.param("\0\1\2", 0o755, id="no-program"),
        pytest.param("#!/nowhere/sh\n", 0o755, id="no-interpreter"),
    ],
)
def test_a_program_that_cannot_run_is_not_configured(
    tmp_path: Path, content: str, mode: int
) -> None:
    """Whatever the operating system refuses is told in its words."""
    program = tmp_path / "grok"
    program.write_text(content)
    program.chmod(mode)
    with pytest.raises(NotConfiguredError, match="grok cannot be run: "):
        run([str(program)], cwd=tmp_path, env={}, deadline=Deadline(5))


@posix
def test_a_child_that_a_signal_ended_has_a_negative_status(tmp_path: Path) -> None:
    """The status tells a signal from an exit."""
    result = _python(
        "import os, signal; os.kill(os.getpid(), signal.SIGKILL)", tmp_path
    )
    assert result.status == -signal.SIGKILL
