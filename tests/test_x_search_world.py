"""The script in a hostile world: closed streams, full disks, odd locales, bare Pythons."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from engine.contracts import check
from support import (
    ROME,
    ROOT,
    SCRIPT,
    environment,
    post,
    read_envelope,
    run,
    write_posts,
)


@pytest.fixture
def posts(tmp_path: Path) -> str:
    """A small file of posts about Rome, each with its own words."""
    return write_posts(tmp_path / "posts.jsonl", ROME)


def test_invalid_bytes_in_a_topic_are_left_out(posts: str, tmp_path: Path) -> None:
    """A broken character costs itself and nothing else."""
    done = run(b"Rome \xff Italy", "--archive", posts, cwd=tmp_path)
    assert done.returncode == 0
    assert "· Rome Italy ·" in done.stdout


@pytest.mark.parametrize("emit", ["compact", "json"])
def test_a_saved_run_can_be_replayed_byte_for_byte(emit: str, tmp_path: Path) -> None:
    """Artifact and envelope are saved under the topic's name, and render the same."""
    hostile = post(7, "Rome Italy \u202e\x1b[31m \U000e0041 --> [x](y) \ud83d\x00 end")
    path = write_posts(tmp_path / "p.jsonl", [*ROME, hostile])
    first = run(
        "Rome Italy",
        "--archive",
        path,
        "--emit",
        emit,
        "--save-dir",
        "out/runs",
        cwd=tmp_path,
    )
    assert first.returncode == 0
    saved = Path(tmp_path, "out/runs")
    assert sorted(os.listdir(saved)) == [
        "rome-italy-2026-11-15.json",
        "rome-italy-2026-11-15.md",
    ]
    artifact = "out/runs/rome-italy-2026-11-15.json"
    again = run("--replay", artifact, "--emit", emit, cwd=tmp_path)
    assert (again.returncode, again.stderr) == (0, "")
    assert again.stdout == first.stdout
    written = saved / f"rome-italy-2026-11-15.{'json' if emit == 'json' else 'md'}"
    assert written.read_text(encoding="utf-8") == first.stdout
    check(
        json.loads(Path(tmp_path, artifact).read_text(encoding="utf-8")),
        "artifact",
        name=artifact,
    )


@pytest.mark.parametrize(
    "topic", ["𠮷" * 200, "../../etc/passwd", "a/b\\c", "x" * 300, "CON"]
)
def test_any_topic_can_be_saved(topic: str, posts: str, tmp_path: Path) -> None:
    """The file's name is short, safe, and inside the folder."""
    done = run(topic, "--archive", posts, "--save-dir", "out", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(os.listdir(tmp_path / "out")) == 2


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write"
)
def test_a_save_dir_without_permission_is_refused_before_the_run(
    posts: str, tmp_path: Path
) -> None:
    """One line, exit 2."""
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o500)
    done = run("Rome Italy", "--archive", posts, "--save-dir", "locked", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert "permission" in done.stderr


def test_what_cannot_be_saved_is_printed_all_the_same(
    posts: str, tmp_path: Path
) -> None:
    """A folder stands where the artifact should go: the run is not lost."""
    Path(tmp_path, "out", "rome-italy-2026-11-15.json").mkdir(parents=True)
    done = run("Rome Italy", "--archive", posts, "--save-dir", "out", cwd=tmp_path)
    assert done.returncode == 2
    assert "--save-dir out: " in done.stderr
    assert read_envelope(done.stdout).footer[-1].endswith("not saved")
    assert os.listdir(tmp_path / "out") == ["rome-italy-2026-11-15.json"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_a_full_disk_is_one_line(posts: str, tmp_path: Path) -> None:
    """The result cannot be written: exit 2 and no traceback."""
    with open("/dev/full", "w") as full:
        done = run("Rome Italy", "--archive", posts, cwd=tmp_path, stdout=full)
    assert done.returncode == 2
    assert (
        done.stderr == "x_search.py: cannot write the result: No space left on device\n"
    )


@pytest.mark.parametrize(
    "args",
    [("Rome Italy", "--demo"), ("Rome Italy", "--demo", "--emit", "json"), ("--help",)],
    ids=" ".join,
)
def test_a_reader_that_has_seen_enough_is_no_error(
    args: tuple[str, ...], tmp_path: Path
) -> None:
    """As with `| head -1`: exit 0, nothing on stderr but progress."""
    with subprocess.Popen(
        [sys.executable, str(SCRIPT), *args],
        env=environment(tmp_path), stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as child:  # fmt: skip
        assert child.stdout and child.stderr
        child.stdout.close()
        errors = child.stderr.read().decode()
    assert child.returncode == 0
    assert re.fullmatch(r"(retry improved on-topic ratio: \d+% -> \d+%\n)?", errors)


@pytest.mark.parametrize(
    ("closed", "code", "errors"),
    [
        ("<&-", 0, ""),
        (">&-", 2, "x_search.py: standard output is closed\n"),
        ("2>&-", 0, ""),
    ],
)
@pytest.mark.skipif(os.name != "posix", reason="streams are closed by a shell")
def test_a_closed_stream_is_no_bug(
    closed: str, code: int, errors: str, posts: str, tmp_path: Path
) -> None:
    """A caller may close any of the three."""
    done = subprocess.run(
        ["/bin/sh", "-c", f'exec "$0" "$@" {closed}', sys.executable, str(SCRIPT), "Rome Italy", "--archive", posts],
        env=environment(tmp_path), capture_output=True, text=True,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (code, errors)


@pytest.mark.parametrize(
    "env",
    [
        {"PYTHONIOENCODING": "cp1252"},
        {"LC_ALL": "C"},
        {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"},
        {"LC_ALL": "POSIX"},
    ],
    ids=str,
)
def test_output_is_utf_8_in_every_locale(env: dict[str, str], tmp_path: Path) -> None:
    """Posts are in every language, whatever the terminal says it can do."""
    path = write_posts(tmp_path / "p.jsonl", [post(1, "Rome 罗马 São 👩‍🚀")])
    args = ("Rome", "--archive", path, "--emit", "json")
    done = run(*args, cwd=tmp_path, env=env)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == run(*args, cwd=tmp_path).stdout
    assert "罗马 São" in done.stdout


@pytest.mark.parametrize(
    ("python", "env"),
    [
        pytest.param(["-I"], {}, id="-I"),
        pytest.param([], {"PYTHONSAFEPATH": "1"}, id="PYTHONSAFEPATH"),
        pytest.param(
            ["-P"], {}, id="-P",
            marks=pytest.mark.skipif(sys.version_info < (3, 11), reason="3.11 brings -P"),
        ),
    ],
)  # fmt: skip
def test_it_runs_under_a_careful_python(
    python: list[str], env: dict[str, str], posts: str, tmp_path: Path
) -> None:
    """Python may be told not to look into the script's folder."""
    args = ("Rome Italy", "--archive", posts)
    done = run(*args, cwd=tmp_path, python=python, env=env)
    assert done.returncode == 0, done.stderr
    # An isolated Python hears no clock of ours: only the window may differ.
    assert read_envelope(done.stdout)


def test_a_link_to_the_script_works(posts: str, tmp_path: Path) -> None:
    """Skills are installed as symbolic links."""
    link = tmp_path / "linked"
    link.symlink_to(ROOT, target_is_directory=True)
    done = run(
        "Rome Italy",
        "--archive",
        posts,
        cwd=tmp_path,
        script=link / "scripts" / "x_search.py",
    )
    assert (done.returncode, done.stderr) == (0, "")


_BLOCKER = """
import sys
class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"jsonschema", "yaml", "requests"}:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Blocker())
"""


@pytest.fixture
def bare(tmp_path: Path) -> dict[str, str]:
    """An environment in which none of the dependencies is installed."""
    folder = tmp_path / "blocked"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(_BLOCKER)
    return {"PYTHONPATH": str(folder)}


def test_a_missing_package_is_one_line_with_the_command(
    bare: dict[str, str], posts: str, tmp_path: Path
) -> None:
    """Exit 2 and what to type, no traceback."""
    done = run(
        "Rome Italy", "--archive", posts, "--save-dir", "out", cwd=tmp_path, env=bare
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert "'jsonschema' is missing" in done.stderr
    assert "pip install jsonschema pyyaml requests" in done.stderr


def test_help_needs_no_package(bare: dict[str, str], tmp_path: Path) -> None:
    """The first thing that a person types always works."""
    done = run("--help", cwd=tmp_path, env=bare)
    assert (done.returncode, done.stderr) == (0, "")
    assert "exit codes:" in done.stdout


def test_no_terminal_control_reaches_the_screen(tmp_path: Path) -> None:
    """Neither form of the result holds a control character, whatever posts say."""
    nasty = "".join(map(chr, [*range(32), *range(127, 160), 0x202E, 0x2028, 0xE0041]))
    path = write_posts(
        tmp_path / "p.jsonl",
        [
            *ROME,
            post(8, f"Rome Italy {nasty} end", author_name=f"Ann{nasty}", lang=nasty),
        ],
    )
    for emit in ("compact", "json"):
        done = run("Rome Italy", "--archive", path, "--emit", emit, cwd=tmp_path)
        assert "writer_8" in done.stdout
        assert not set(nasty) - {"\n"} & set(done.stdout)


def test_nothing_is_written_into_the_skill(posts: str, tmp_path: Path) -> None:
    """Hosts mount the folder read-only: a copy without permission to write works."""
    skill = tmp_path / "skill"
    for part in ("scripts", "schemas"):
        shutil.copytree(
            ROOT / part,
            skill / part,
            ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"),
        )
    before = {path: path.stat().st_mtime_ns for path in skill.rglob("*")}
    for path in [skill, *before]:
        path.chmod(path.stat().st_mode & ~0o222)
    try:
        for args in (("Rome Italy", "--demo"), ("Rome Italy", "--archive", posts)):
            done = run(*args, cwd=tmp_path, script=skill / "scripts" / "x_search.py")
            assert done.returncode == 0
    finally:
        for path in [skill, *before]:
            path.chmod(path.stat().st_mode | 0o200)
    after = {p for p in skill.rglob("*") if "__pycache__" not in p.parts}
    assert after == set(before)


@pytest.mark.skipif(os.name != "posix", reason="pipes of this kind are POSIX's")
def test_what_is_said_of_a_run_never_costs_its_result(tmp_path: Path) -> None:
    """Nobody reads standard error any more; the retry of the demo is told there."""
    args = [sys.executable, str(SCRIPT), "Rome Italy", "--demo"]
    read_end, write_end = os.pipe()
    os.close(read_end)
    done = subprocess.run(
        args, env=environment(tmp_path), stdout=subprocess.PIPE, stderr=write_end
    )
    os.close(write_end)
    assert done.returncode == 0
    assert done.stdout.decode() == run("Rome Italy", "--demo", cwd=tmp_path).stdout


@pytest.mark.parametrize(
    "args",
    [
        ("--archive", "no\x1b[31m\u202e.jsonl"),
        ("--plan", "no\x1b[31m\u202e.json"),
        ("--emit", "\x1b[31m\u202e"),
        ("--\x1b[31m\u202e",),
        ("--save-dir", "/dev/null/\x1b[31m\u202e"),
    ],
    ids=lambda args: args[0][:9],
)
def test_no_message_steers_the_terminal(
    args: tuple[str, ...], posts: str, tmp_path: Path
) -> None:
    """A name of a file may come from anywhere."""
    done = run("Rome", "--archive", posts, *args, cwd=tmp_path)
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert not re.search("[\x00-\x09\x0b-\x1f\u202e]", done.stderr)


def test_too_little_memory_is_one_line(tmp_path: Path) -> None:
    """It is no mistake of this program."""
    code = (
        "import sys\n"
        "from engine import cli\n"
        "sys.exit(cli.run(lambda: len(bytes(sys.maxsize // 4))))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment(tmp_path, PYTHONPATH=str(ROOT / "scripts")),
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "memory" in done.stderr and done.stderr.count("\n") == 1


def test_a_run_is_saved_whole_or_not_at_all(posts: str, tmp_path: Path) -> None:
    """Where the envelope cannot be written, no artifact is left."""
    Path(tmp_path, "out", "rome-italy-2026-11-15.md").mkdir(parents=True)
    done = run("Rome Italy", "--archive", posts, "--save-dir", "out", cwd=tmp_path)
    assert done.returncode == 2
    assert os.listdir(tmp_path / "out") == ["rome-italy-2026-11-15.md"]
