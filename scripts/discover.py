#!/usr/bin/env python3
# /// script
# requires-python = ">=3.10"
# dependencies = [
#     "jsonschema>=4.18",
#     "pyyaml>=6.0",
#     "requests>=2.31",
# ]
# ///
"""Find out what is rising: sweep hot lists, have the host judge, research, tell.

discover.py nominate [DOMAIN]           first leg: what the hot lists hold
discover.py research --judgments FILE   second leg: what you judged, researched
discover.py finalize [--angles FILE]    third leg: the brief, offline
discover.py once [DOMAIN]               all in one, without a judge
discover.py queue list                  what has surfaced before
discover.py queue cover NAME            mark it as covered
"""

from __future__ import annotations

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

from engine import cli

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from engine.discovery.steps import Output, World
    from engine.settings import Settings
    from engine.sources.base import RiverAsk

_FETCHING = ("days", "depth", "subreddits", "sources", "exclude")
_ORIGIN = ("archive", "demo", "strict")
TAKES = {
    "nominate": ("words", "save_dir", *_FETCHING, *_ORIGIN),
    "research": ("save_dir", "judgments", *_ORIGIN),
    "finalize": ("save_dir", "angles"),
    "once": ("words", "save_dir", *_FETCHING, *_ORIGIN),
    "queue": ("words", "save_dir"),
}
DEMO_DAYS = ("2026-10-17", "2026-11-15")
DEMO_DOMAIN = "Rome Italy"


def parser() -> cli.Parser:
    """The command line of this script."""
    found = cli.Parser("discover.py", __doc__)
    found.add_argument("command", choices=tuple(TAKES), help="which leg to run")
    found.add_argument(
        "words", nargs="*", metavar="WORDS", help="the domain, or what queue should do"
    )
    for flag, metavar, meaning in (
        ("--save-dir", "DIR", "where the files of the legs and the briefs are"),
        ("--judgments", "FILE", "research: what you judged, as JSON"),
        ("--angles", "FILE", "finalize: what you would tell, as JSON"),
    ):
        found.add_argument(flag, metavar=metavar, help=meaning)
    _add_fetching_options(found)
    found.add_argument(
        "--emit",
        choices=("compact", "json"),
        default="compact",
        help="compact is for a model and its reader, json is the whole record",
    )
    found.add_argument(
        "--strict",
        action="store_true",
        help="exit 3 if the coverage of a source is partial or failed",
    )
    found.add_argument(
        "--timeout",
        type=float,
        metavar="SECONDS",
        help="one deadline for the whole leg (default 100, 240, 360 by depth)",
    )
    found.set_defaults(first=None, last=None)
    return found


def _add_fetching_options(found: cli.Parser) -> None:
    found.add_argument(
        "--days", type=int, metavar="N", help="the last N days (default 30)"
    )
    cli.add_depth_options(found)
    for flag, metavar, meaning in (
        ("--subreddits", "LIST", "subreddits of the domain, without r/"),
        ("--sources", "LIST", "ask these sources alone"),
        ("--exclude", "LIST", "do not ask these sources"),
        ("--archive", "FILE", "search posts on disk instead of X"),
    ):
        found.add_argument(
            flag,
            action="append",
            default=[],
            metavar=metavar,
            help=f"{meaning}; repeatable",
        )
    found.add_argument(
        "--demo", action="store_true", help="discover in the bundled posts about Rome"
    )


def main(argv: list[str] | None = None) -> int:
    """Run the script; the exit code is returned."""
    return cli.run(lambda: _discover(parser().read(argv)))


def _discover(args: Namespace) -> int:
    from engine.errors import UsageError
    from engine.report.save import demand_writable

    _check(args)
    if args.save_dir is None and args.command != "once":
        raise UsageError(f"{args.command} needs --save-dir: its files live there")
    demand_writable(args.save_dir)
    if args.command == "queue":
        return _queue(args)
    return _finalize(args) if args.command == "finalize" else _ask(args)


def _check(args: Namespace) -> None:
    """Refuse what the command would ignore."""
    from engine.errors import UsageError

    takes = (*TAKES[args.command], "command", "emit", "timeout")
    usual = parser()
    for name, value in vars(args).items():
        if name not in takes and value not in (usual.get_default(name), []):
            flag = "a domain" if name == "words" else f"--{name.replace('_', '-')}"
            others = ", ".join(c for c, taken in TAKES.items() if name in taken)
            raise UsageError(f"{args.command} comes without {flag}: it is for {others}")
    if args.demo and (args.archive or args.days or args.sources or args.exclude):
        raise UsageError("--demo has posts, days and a source of its own")
    if args.command == "research" and args.judgments is None:
        raise UsageError("research needs --judgments FILE: what you judged")


def _ask(args: Namespace) -> int:
    """The legs that ask the services."""
    from engine import flags
    from engine.discovery import steps
    from engine.progress import clear
    from engine.settings import load_settings

    settings = load_settings()
    origin = _with_origin(args)
    if args.command == "research":
        judged = (args.judgments, args.save_dir, origin, settings)
        bundle, rows = steps.read_judged(*judged)
        # A leg goes as deep, and may take as long, as the one before it.
        args.depth = bundle.tier.value
        world = _world(args, settings)
        output = steps.judged(bundle, rows, world)
    else:
        leg = steps.once if args.command == "once" else steps.nominate
        hot, asked = _hot(args, settings), _asked(args)
        world = _world(args, settings)
        output = leg(hot, asked, origin, world)
    clear()
    _print(args, output)
    return cli.exit_code(
        output.covered,
        strict=flags.strict(args, settings),
        interrupted=world.io.deadline.interrupted,
    )


def _finalize(args: Namespace) -> int:
    from engine import flags
    from engine.discovery import steps
    from engine.progress import say
    from engine.settings import load_settings

    seconds = flags.seconds(args)
    output = steps.tell(args.angles, args.save_dir, load_settings(), seconds)
    for note in output.record["_warnings"]:
        # The brief is for its reader; what is wrong with the angles is for the host.
        if note["code"] == "handoff-row" and note["data"]["file"] == "angles":
            say(note["message"])
    _print(args, output)
    return 0


def _queue(args: Namespace) -> int:
    from engine import flags
    from engine.discovery import queue
    from engine.discovery.steps import Output
    from engine.errors import UsageError

    what, *name = args.words or ("",)
    seconds = flags.seconds(args)
    if what == "list" and not name:
        stories = queue.listed(args.save_dir, seconds)
        _print(args, Output({"stories": stories}, queue.render(stories), {}))
    elif what == "cover" and name:
        covered = queue.cover(args.save_dir, " ".join(name), seconds)
        _print(args, Output({"covered": covered}, f"covered: {covered}\n", {}))
    else:
        raise UsageError("write: queue list, or: queue cover NAME")
    return 0


def _print(args: Namespace, output: Output) -> None:
    from engine.report.artifact import dump

    sys.stdout.write(dump(output.record) if args.emit == "json" else output.text)
    if output.problem is not None:
        raise output.problem


def _with_origin(args: Namespace) -> str:
    """Where posts come from, with what that means for the other flags."""
    from engine import data
    from engine.discovery.model import DEMO, LIVE, ON_DISK

    if not args.demo:
        return ON_DISK if args.archive else LIVE
    args.first, args.last = DEMO_DAYS
    args.sources, args.words = ["x"], args.words or [DEMO_DOMAIN]
    args.archive = [data.path("demo_rome.jsonl")]
    return DEMO


def _hot(args: Namespace, settings: Settings) -> RiverAsk:
    from engine import flags
    from engine.model import Depth
    from engine.sources.base import Hints, RiverAsk
    from engine.text.topic import parse_topic

    domain = " ".join(args.words)
    return RiverAsk(
        parse_topic(domain) if domain.strip() else None,
        flags.window(args, settings.now.date()),
        Depth(args.depth),
        Hints(subreddits=flags.subreddits(args.subreddits)),
    )


def _asked(args: Namespace) -> list[str]:
    from engine import flags
    from engine.errors import UsageError
    from engine.sources import SOURCES

    wanted = flags.names("--sources", args.sources, SOURCES) or tuple(SOURCES)
    excluded = flags.names("--exclude", args.exclude, SOURCES)
    asked = [name for name in SOURCES if name in wanted and name not in excluded]
    if not asked:
        raise UsageError("--exclude leaves no source that --sources names")
    return asked


def _world(args: Namespace, settings: Settings) -> World:
    from engine import flags
    from engine.deadline import Deadline, end_on_interrupt
    from engine.discovery.steps import World
    from engine.fetch import Fetch
    from engine.progress import progress
    from engine.x.backends.archive.index import open_archive
    from engine.x.backends.base import IO

    notes = list(settings.warnings)
    seconds = flags.seconds(args)
    deadline = Deadline(seconds)
    archive = open_archive(args.archive, notes.append) if args.archive else None
    io = IO(
        settings,
        deadline,
        fetch=Fetch(settings),
        warn=notes.append,
        archive=archive,
    )
    end_on_interrupt(deadline)
    return World(io, notes, progress, args.save_dir or "", seconds)


if __name__ == "__main__":
    sys.exit(main())
