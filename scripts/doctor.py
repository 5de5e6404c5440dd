#!/usr/bin/env python3
# /// script
# requires-python = ">=3.10"
# dependencies = [
#     "jsonschema>=4.18",
#     "pyyaml>=6.0",
#     "requests>=2.31",
# ]
# ///
"""Say which sources are ready and how to mend the others; 4 if no way to X is ready."""

from __future__ import annotations

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

from engine import cli

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

PROBE_SECONDS = 90.0


def parser() -> cli.Parser:
    """The command line of this script."""
    found = cli.Parser("doctor.py", __doc__)
    found.add_argument(
        "--probe",
        action="store_true",
        help="ask each source that is set up one small question; paid ones cost money",
    )
    found.add_argument(
        "--emit",
        choices=("compact", "json"),
        default="compact",
        help="compact is a line for each way, json is for programs",
    )
    return found


def main(argv: list[str] | None = None) -> int:
    """Run the script; the exit code is returned."""
    return cli.run(lambda: _examine(parser().read(argv)))


def _examine(args: Namespace) -> int:
    from engine import doctor
    from engine.deadline import Deadline, end_on_interrupt
    from engine.fetch import Fetch
    from engine.report.artifact import dump
    from engine.settings import load_settings
    from engine.sources import SOURCES
    from engine.x.backends import BACKENDS
    from engine.x.backends.base import IO

    settings = load_settings()
    warnings = list(settings.warnings)
    deadline = Deadline(PROBE_SECONDS)
    io = IO(
        settings,
        deadline,
        fetch=Fetch(settings),
        warn=warnings.append,
    )
    end_on_interrupt(deadline)
    ways = doctor.ways(BACKENDS, SOURCES)
    checks = doctor.examine(ways, io)
    if args.probe:
        checks = doctor.probe(ways, checks, io)
    found = doctor.record(checks, warnings, probed=args.probe)
    as_json = args.emit == "json"
    sys.stdout.write(dump(found) if as_json else doctor.render(found))
    if deadline.interrupted:
        return 130
    return 0 if found["x_ready"] else 4


if __name__ == "__main__":
    sys.exit(main())
