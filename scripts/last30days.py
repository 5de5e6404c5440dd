#!/usr/bin/env python3
# /// script
# requires-python = ">=3.10"
# dependencies = [
#     "jsonschema>=4.18",
#     "pyyaml>=6.0",
#     "requests>=2.31",
# ]
# ///
"""Research one topic on every source: ask, judge, rank, cluster, print the evidence."""

from __future__ import annotations

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

from engine import cli

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable

    from engine.deadline import Deadline
    from engine.model import Warning
    from engine.plan import Plan
    from engine.research import Request
    from engine.settings import Settings
    from engine.sources.base import Hints
    from engine.x.backends.base import IO

LISTS = {
    "--subreddits": "subreddits to read beside the search, without r/",
    "--sources": "ask these sources alone",
    "--exclude": "do not ask these sources",
    "--github-repo": "repositories to search, owner/name",
    "--polymarket-keywords": "at most five further words to search markets with",
}
NOT_WITH = {
    "replay": (
        *cli.NOT_WITH_REPLAY,
        *("subreddits", "sources", "exclude", "github_repo", "polymarket_keywords"),
        *("github_user", "web_results", "cache"),
    )
}


def parser() -> cli.Parser:
    """The command line of this script."""
    found = cli.Parser("last30days.py", __doc__)
    cli.add_search_options(found)
    cli.add_x_options(found)
    for flag, meaning in LISTS.items():
        found.add_argument(
            flag,
            action="append",
            default=[],
            metavar="LIST",
            help=f"{meaning}; repeatable, commas allowed",
        )
    found.add_argument(
        "--github-user", metavar="NAME", help="the account on GitHub to look at"
    )
    found.add_argument(
        "--web-results",
        metavar="FILE",
        help="pages that the host found, as schemas/web_results.schema.json says",
    )
    found.add_argument(
        "--cache",
        type=float,
        metavar="HOURS",
        help="take answers that are no older from disk, and keep new ones there",
    )
    cli.add_output_options(found, ("compact", "json", "html"))
    return found


def main(argv: list[str] | None = None) -> int:
    """Run the script; the exit code is returned."""
    return cli.run(lambda: _research(parser().read(argv)))


def _research(args: Namespace) -> int:
    from engine import flags
    from engine.settings import load_settings

    flags.check(args, NOT_WITH)
    if not args.replay:
        return _run(args)
    record = flags.artifact(args.replay)
    cli.show(args, record)
    return cli.exit_code(record, strict=flags.strict(args, load_settings()))


def _run(args: Namespace) -> int:
    from engine import flags
    from engine.comparison import compare, side_plan, sides
    from engine.deadline import Deadline, end_on_interrupt
    from engine.progress import clear, progress
    from engine.report.save import demand_writable
    from engine.research_record import researched
    from engine.settings import load_settings
    from engine.sources.web_pages import load_results

    settings = load_settings()
    topic = flags.topic(args).text
    plan = flags.plan(args, flags.topic(args))
    hints = _hints(args)
    notes: list[Warning] = list(settings.warnings)
    deadline = Deadline(flags.seconds(args))
    demand_writable(args.save_dir)
    io = _io(args, settings, deadline, notes.append)
    if hints.web_results:
        load_results(hints.web_results, io)
    end_on_interrupt(deadline)
    if compared := sides(topic):
        plans = {s: side_plan(plan, s, compared) if plan else None for s in compared}
        requests = {s: _request(args, s, plans[s], hints, settings) for s in compared}
        record = compare(topic, requests, plan, io, notes, progress)
    else:
        request = _request(args, topic, plan, hints, settings)
        record = researched(request, io, notes, progress)
    clear()
    cli.show(args, record)
    return cli.exit_code(
        record, strict=flags.strict(args, settings), interrupted=deadline.interrupted
    )


def _request(
    args: Namespace, topic: str, plan: Plan | None, hints: Hints, settings: Settings
) -> Request:
    from engine import flags
    from engine.model import Depth
    from engine.plan import default_plan
    from engine.research import Request
    from engine.text.topic import parse_topic

    asked = _sources(args, plan)
    read = parse_topic(topic)
    return Request(
        topic=read,
        plan=plan or default_plan(read, asked),
        window=flags.window(args, settings.now.date()),
        depth=Depth(args.depth),
        sources=asked,
        hints=hints,
        planned=plan is not None,
    )


def _sources(args: Namespace, plan: Plan | None) -> tuple[str, ...]:
    """The sources that may be asked, in the order of the registry."""
    from engine import flags
    from engine.errors import UsageError
    from engine.sources import SOURCES

    wanted = flags.names("--sources", args.sources, SOURCES) or tuple(SOURCES)
    excluded = flags.names("--exclude", args.exclude, SOURCES)
    left = tuple(n for n in SOURCES if n in wanted and n not in excluded)
    if not left:
        raise UsageError("--exclude leaves no source that --sources names")
    if plan and not any(set(sub.sources) & set(left) for sub in plan.subqueries):
        raise UsageError(
            f"the plan names none of the sources that may be asked: {', '.join(left)}"
        )
    return left


def _hints(args: Namespace) -> Hints:
    from engine import flags
    from engine.sources.base import Hints

    return Hints(
        x_handles=flags.handles("--x-handle", args.x_handle),
        x_related=flags.handles("--x-related", args.x_related),
        subreddits=flags.subreddits(args.subreddits),
        github_user=flags.account(args.github_user),
        github_repos=flags.repositories(args.github_repo),
        polymarket_keywords=flags.listed(args.polymarket_keywords),
        web_results=args.web_results or "",
    )


def _io(
    args: Namespace,
    settings: Settings,
    deadline: Deadline,
    warn: Callable[[Warning], None],
) -> IO:
    from engine import flags
    from engine.x.backends.archive.index import open_archive
    from engine.x.backends.base import IO

    return IO(
        settings,
        deadline,
        fetch=flags.fetch(args, settings),
        warn=warn,
        archive=open_archive(args.archive, warn) if args.archive else None,
    )


if __name__ == "__main__":
    sys.exit(main())
