"""What the entry scripts share: flags that mean the same, printing, exit codes.

Importing this module costs little: whatever is not needed for `--help` is imported
where it is used, and types are imported for the type checker alone.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Sequence

from engine.parser import Parser

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    from engine.errors import EngineError

__all__ = [
    "NOT_WITH_REPLAY",
    "WINDOW",
    "Parser",
    "add_depth_options",
    "add_output_options",
    "add_search_options",
    "add_x_options",
    "exit_code",
    "run",
    "show",
]

WINDOW = ("days", "first", "last")
NOT_WITH_REPLAY = (
    *("topic", "plan", "x_handle", "x_related", "archive", *WINDOW),
    *("save_dir", "timeout"),
)


def add_search_options(parser: Parser) -> None:
    """The options that say what to look for and when."""
    parser.add_argument("topic", nargs="*", metavar="TOPIC", help="what to look for")
    parser.add_argument(
        "--plan", metavar="FILE", help="the host model's plan; - reads standard input"
    )
    parser.add_argument(
        "--days",
        type=int,
        metavar="N",
        help="the last N days, today (UTC) included (default 30)",
    )
    parser.add_argument(
        "--from", dest="first", metavar="DATE", help="the first day, YYYY-MM-DD"
    )
    parser.add_argument(
        "--to",
        dest="last",
        metavar="DATE",
        help="the last day, inside the window (default today, UTC)",
    )
    add_depth_options(parser)


def add_depth_options(parser: Parser) -> None:
    """The options that say how much to fetch."""
    parser.add_argument(
        "--depth",
        choices=("quick", "default", "deep"),
        default="default",
        help="how much to fetch",
    )
    for depth in ("quick", "deep"):
        parser.add_argument(
            f"--{depth}",
            dest="depth",
            action="store_const",
            const=depth,
            help=f"the same as --depth {depth}",
        )


def add_x_options(parser: Parser) -> None:
    """The options that say whom to follow on X, and which posts on disk to search."""
    for flag, whose in (
        ("--x-handle", "that is the topic's subject"),
        ("--x-related", "close to the topic"),
    ):
        parser.add_argument(
            flag,
            action="append",
            default=[],
            metavar="H",
            help=f"an account {whose}; repeatable, commas allowed",
        )
    parser.add_argument(
        "--archive",
        action="append",
        default=[],
        metavar="FILE",
        help="search posts on disk, - is standard input; repeatable",
    )


def add_output_options(
    parser: Parser, emits: Sequence[str] = ("compact", "json")
) -> None:
    """The options that say what the result looks like and how a run ends."""
    page = ", html a page for people" if "html" in emits else ""
    said = f"compact is the envelope for a model, json the whole artifact{page}"
    parser.add_argument("--emit", choices=emits, default="compact", help=said)
    parser.add_argument(
        "--max-bytes",
        type=int,
        default=24_000,
        metavar="N",
        help="the most bytes of the envelope (default 24000, at least 2000)",
    )
    parser.add_argument(
        "--save-dir", metavar="DIR", help="write artifact and envelope there"
    )
    parser.add_argument(
        "--replay", metavar="ARTIFACT", help="render a saved run again, no network"
    )
    parser.add_argument(
        "--explain",
        action="store_true",
        help="say for each item which terms spoke for and against it",
    )
    parser.add_argument(
        "--strict",
        action="store_true",
        help="exit 3 if the coverage of a source is partial or failed",
    )
    parser.add_argument(
        "--timeout",
        type=float,
        metavar="SECONDS",
        help="one deadline for the whole run (default 100, 240, 360 by depth)",
    )


def run(main: Callable[[], int]) -> int:
    """Run a script's work; every expected failure becomes one line and an exit code."""
    # A host that ends a run by SIGTERM gets what was found, and no orphan is left.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    # Python has no stream where the caller closed it.
    sys.stdin = sys.stdin or os.fdopen(os.open(os.devnull, os.O_RDONLY))
    sys.stderr = sys.stderr or os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    if sys.stdout is None:
        return _fail("standard output is closed", 2)
    for stream in (sys.stdout, sys.stderr):
        # What is printed is UTF-8 whatever the locale: posts are in every language.
        stream.reconfigure(  # type: ignore[union-attr]
            encoding="utf-8", errors="replace", newline="\n"
        )
    try:
        code = _main(main)
        sys.stdout.flush()
    except BrokenPipeError:
        # A reader that has seen enough, like `head`, is no error.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return _fail(f"cannot write the result: {error.strerror or error}", 2)
    return code


def _main(main: Callable[[], int]) -> int:
    try:
        return main()
    except SystemExit as ended:  # argparse, after --help or a bad flag.
        return int(ended.code or 0)
    except KeyboardInterrupt:
        return _fail("interrupted", 130)
    except MemoryError:
        return _fail("too little memory; give fewer posts or smaller files", 2)
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] == "engine":
            raise
        return _fail(
            f"the package {error.name!r} is missing; install what this project needs: "
            f"{sys.executable} -m pip install jsonschema pyyaml requests",
            2,
        )
    except _expected() as error:
        return _fail(str(error), error.exit_code)


def _expected() -> type[EngineError]:
    # Python asks for it only when something was raised: --help stays cheap.
    from engine.errors import EngineError

    return EngineError


def _fail(message: str, code: int) -> int:
    from engine.progress import say

    say(f"{os.path.basename(sys.argv[0])}: {message}")
    return code


def show(args: Namespace, record: dict[str, Any]) -> None:
    """Print a run, and save it where `--save-dir` says.

    Raises:
        UsageError: it cannot be saved; it has been printed all the same.
    """
    from engine.report.artifact import dump
    from engine.report.envelope import envelope
    from engine.report.save import save

    def rendered() -> str:
        return envelope(record, max_bytes=args.max_bytes, explain=args.explain)

    problem = None
    if args.save_dir and not args.replay:
        problem = save(record, args.save_dir, rendered)
    if args.emit == "html":
        from engine.report.html import html

        sys.stdout.write(html(record))
    else:
        sys.stdout.write(dump(record) if args.emit == "json" else rendered())
    if problem is not None:
        raise problem


def exit_code(
    record: dict[str, Any], *, strict: bool, interrupted: bool = False
) -> int:
    """The exit code of a run by its artifact; see EXIT_CODES."""
    from engine.model import State

    if interrupted:
        return 130
    states = [State(s["state"]) for s in record["source_status"].values()]
    asked = [state for state in states if state is not State.NOT_ASKED]
    unusable = [s.failed or s is State.SKIPPED_UNCONFIGURED for s in asked]
    if all(unusable):
        return 4
    if strict and any(state.failed or state is State.PARTIAL for state in states):
        return 3
    return 0
