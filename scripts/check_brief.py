#!/usr/bin/env python3
# /// script
# requires-python = ">=3.10"
# dependencies = [
#     "jsonschema>=4.18",
#     "pyyaml>=6.0",
#     "requests>=2.31",
# ]
# ///
"""Hold a finished brief against the LAWs and its evidence; 5 if it breaks one."""

from __future__ import annotations

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

from engine import cli

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

VIOLATIONS = 5
# A brief is a screen or two.
MAX_BRIEF_BYTES = 64_000


def parser() -> cli.Parser:
    """The command line of this script."""
    found = cli.Parser("check_brief.py", __doc__)
    found.add_argument(
        "brief",
        nargs="?",
        metavar="BRIEF",
        help="the brief, a Markdown file; - reads standard input",
    )
    found.add_argument(
        "--artifact",
        metavar="FILE",
        help="the record of the run, the .json that --save-dir wrote",
    )
    found.add_argument(
        "--emit",
        choices=("text", "json"),
        default="text",
        help="text is for a reader, json for programs",
    )
    found.add_argument(
        "--explain",
        metavar="LAW",
        help="say what a LAW demands, why, and how it is checked; no brief is needed",
    )
    return found


def main(argv: list[str] | None = None) -> int:
    """Run the script; the exit code is returned."""
    return cli.run(lambda: _check(parser().read(argv)))


def _check(args: Namespace) -> int:
    from engine import flags
    from engine.contracts import check, read_text
    from engine.errors import UsageError
    from engine.report import laws
    from engine.report.artifact import dump

    if args.explain is not None:
        sys.stdout.write(laws.explain(args.explain))
        return 0
    if args.brief is None or args.artifact is None:
        raise UsageError("give a brief and the --artifact of its run; see --help")
    if args.brief == args.artifact == "-":
        raise UsageError("only one of the brief and --artifact can be standard input")
    artifact = flags.artifact(args.artifact)
    text = read_text(args.brief, what="brief", limit=MAX_BRIEF_BYTES)
    if not text.strip():
        raise UsageError(f"{args.brief}: the brief is empty")
    violations = laws.check_brief(text, artifact)
    if args.emit == "json":
        found = laws.record(violations, brief=args.brief, artifact=args.artifact)
        check(found, "brief_check", name="the result")
        sys.stdout.write(dump(found))
    else:
        name = "standard input" if args.brief == "-" else args.brief
        sys.stdout.write(laws.render(violations, brief=name))
    return VIOLATIONS if violations else 0


if __name__ == "__main__":
    sys.exit(main())
