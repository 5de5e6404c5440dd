#!/usr/bin/env python3
# /// script
# requires-python = ">=3.10"
# dependencies = [
#     "jsonschema>=4.18",
#     "pyyaml>=6.0",
#     "requests>=2.31",
# ]
# ///
"""Search X for one topic: fetch widely, judge, retry once, prune, print."""

from __future__ import annotations

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

from engine import cli

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from engine.deadline import Deadline
    from engine.model import Warning
    from engine.settings import Settings
    from engine.text.topic import Topic
    from engine.x.backends.base import IO
    from engine.x.stream import Request

BACKENDS = ("auto", "grok", "xai", "xapi", "archive")
DEMO_DAYS = ("2026-10-17", "2026-11-15")

NOT_WITH = {
    "demo": ("archive", *cli.WINDOW),
    "replay": (*cli.NOT_WITH_REPLAY, "ranking_query", "demo"),
}


def parser() -> cli.Parser:
    """The command line of this script."""
    found = cli.Parser("x_search.py", __doc__)
    cli.add_search_options(found)
    found.add_argument(
        "--ranking-query",
        metavar="TEXT",
        help="the question to judge against, without a plan",
    )
    cli.add_x_options(found)
    found.add_argument(
        "--backend",
        choices=BACKENDS,
        default="auto",
        help="how to reach X; auto takes those that are configured, in this order",
    )
    cli.add_output_options(found)
    found.add_argument(
        "--demo",
        action="store_true",
        help="search the bundled posts about Rome over their own 30 days",
    )
    return found


def main(argv: list[str] | None = None) -> int:
    """Run the script; the exit code is returned."""
    return cli.run(lambda: _search(parser().read(argv)))


def _search(args: Namespace) -> int:
    from engine import flags
    from engine.errors import UsageError
    from engine.settings import load_settings

    flags.check(args, NOT_WITH)
    if (args.demo or args.archive) and args.backend not in ("auto", "archive"):
        raise UsageError(f"--backend {args.backend} does not search posts on disk")
    if not args.replay:
        return _run(args)
    record = flags.artifact(args.replay)
    cli.show(args, record)
    return cli.exit_code(record, strict=flags.strict(args, load_settings()))


def _run(args: Namespace) -> int:
    from engine import data, flags
    from engine.deadline import Deadline, end_on_interrupt
    from engine.errors import NotConfiguredError
    from engine.report.save import demand_writable
    from engine.settings import load_settings
    from engine.x.choose import search_x
    from engine.x.record import record, record_unconfigured

    settings = load_settings()
    if args.demo:
        args.first, args.last = DEMO_DAYS
        args.archive = [data.path("demo_rome.jsonl")]
    topic = flags.topic(args)
    plan = flags.plan(args, topic)
    questions = flags.questions(args, plan)
    request = _request(args, topic, questions, settings)
    deadline = Deadline(flags.seconds(args))
    demand_writable(args.save_dir)
    notes: list[Warning] = list(settings.warnings)
    io = _io(args, settings, deadline, notes.append)
    end_on_interrupt(deadline)
    effective = plan.effective if plan else None
    try:
        stream = search_x(request, io, "archive" if args.archive else args.backend)
        found = record(stream, ranking_queries=questions, plan=effective, notes=notes)
    except NotConfiguredError as error:
        error.fix += "\ndemo: --demo shows a run over bundled posts"
        found = record_unconfigured(request, error, plan=effective, notes=notes)
    _note_retry(found["x"])
    cli.show(args, found)
    return cli.exit_code(
        found, strict=flags.strict(args, settings), interrupted=deadline.interrupted
    )


def _request(
    args: Namespace, topic: Topic, questions: Sequence[str], settings: Settings
) -> Request:
    from engine import flags
    from engine.model import Depth
    from engine.text.relevance import prepare
    from engine.x.stream import Request

    return Request(
        topic=topic,
        question=prepare(topic.text, questions),
        window=flags.window(args, settings.now.date()),
        depth=Depth(args.depth),
        explicit=flags.handles("--x-handle", args.x_handle),
        related=flags.handles("--x-related", args.x_related),
    )


def _note_retry(x: Mapping[str, Any] | None) -> None:
    from engine.progress import say

    if x is not None and x["retry"]["adopted"] and x["retry"]["reason"] == "retry":
        before, after = x["judgment"]["on_topic_ratio"], x["retry"]["on_topic_ratio"]
        say(f"retry improved on-topic ratio: {before:.0%} -> {after:.0%}")


def _io(
    args: Namespace,
    settings: Settings,
    deadline: Deadline,
    warn: Callable[[Warning], None],
) -> IO:
    from engine.fetch import Fetch
    from engine.x.backends.archive.index import open_archive
    from engine.x.backends.base import IO

    return IO(
        settings,
        deadline,
        fetch=Fetch(settings),
        warn=warn,
        archive=open_archive(args.archive, warn) if args.archive else None,
    )


if __name__ == "__main__":
    sys.exit(main())
