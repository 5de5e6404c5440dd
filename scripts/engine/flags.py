"""What the values of flags mean: the window, the topic, the plan, handles, the time."""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

from engine.contracts import read_json
from engine.errors import UsageError
from engine.fetch import Fetch
from engine.report.artifact import check_artifact
from engine.report.envelope import MIN_BYTES
from engine.text.topic import Topic, parse_topic
from engine.window import Window
from engine.x.query import clean_handle

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from engine.plan import Plan
    from engine.settings import Settings

__all__ = [
    "account",
    "artifact",
    "check",
    "fetch",
    "handles",
    "listed",
    "names",
    "plan",
    "questions",
    "repositories",
    "seconds",
    "strict",
    "subreddits",
    "topic",
    "window",
]

_DAYS = 30
_MAX_DAYS = 366
# Nothing was posted before, and a window must not run out of the calendar.
_FIRST_YEAR, _LAST_YEAR = 2000, 2999
_MAX_SECONDS = 3600
_MAX_CACHE_HOURS = 720
_SUBREDDIT = re.compile(r"(?:/?r/)?([A-Za-z0-9_]{2,21})/?")
_ACCOUNT = re.compile(r"(?:https://github\.com/|@)?([A-Za-z0-9-]{1,39})/?")
_REPOSITORY = re.compile(
    r"(?:https://github\.com/)?([A-Za-z0-9-]{1,39}/[A-Za-z0-9._-]{1,100}?)(?:\.git)?/?"
)
# By depth: a call of a slow backend takes up to 45 s, and there are up to three rounds.
_TIMEOUTS = {"quick": 100.0, "default": 240.0, "deep": 360.0}
_MAX_ARTIFACT_BYTES = 50_000_000

_FLAGS = {"topic": "a topic", "first": "--from", "last": "--to"}
_WHY = {
    "demo": "it searches the bundled posts over their own 30 days",
    "replay": "it renders the run that is in the artifact",
}


def window(args: Namespace, today: date) -> Window:
    """The window that the flags ask for.

    Args:
        args: with `days`, `first` and `last`.
        today: the UTC date on which the run began.

    Raises:
        UsageError: a date is none, the order is wrong, or both forms are mixed.
    """
    if args.days is not None and (args.first or args.last):
        raise UsageError("give --days or --from and --to, not both")
    if args.days is not None and not 1 <= args.days <= _MAX_DAYS:
        raise UsageError(f"--days {args.days}: give a number from 1 to {_MAX_DAYS}")
    last = _date("--to", args.last) if args.last else today
    if not args.first:
        return Window.ending(last, args.days or _DAYS)
    first = _date("--from", args.first)
    if first > last:
        raise UsageError(f"--from {first} is after the last day, {last}")
    if first > today:
        raise UsageError(f"--from {first} lies in the future; nothing was said yet")
    if last - first >= timedelta(days=_MAX_DAYS):
        raise UsageError(f"a window has at most {_MAX_DAYS} days")
    return Window(first, last)


def _date(flag: str, value: str) -> date:
    try:
        found = datetime.strptime(value, "%Y-%m-%d").date()
    except ValueError:
        raise UsageError(f"{flag} {value!r}: write a date as YYYY-MM-DD") from None
    if not _FIRST_YEAR <= found.year <= _LAST_YEAR:
        raise UsageError(f"{flag} {value}: years go from {_FIRST_YEAR} to {_LAST_YEAR}")
    return found


def handles(flag: str, values: Sequence[str]) -> tuple[str, ...]:
    """The handles given with a flag that may repeat and hold commas.

    Raises:
        UsageError: a value is no handle of X.
    """
    found: dict[str, str] = {}
    for raw in (part.strip() for value in values for part in value.split(",")):
        if not raw.strip("@"):
            continue
        handle = clean_handle(raw)
        if not handle:
            raise UsageError(
                f"{flag} {raw[:40]!r}: a handle has 1 to 15 letters, digits or _"
            )
        found.setdefault(handle.lower(), handle)
    return tuple(found.values())


def listed(values: Sequence[str]) -> tuple[str, ...]:
    """The values of a flag that may repeat and hold commas, blanks and repeats out."""
    parts = (part.strip() for value in values for part in value.split(","))
    return tuple(dict.fromkeys(part for part in parts if part))


def names(flag: str, values: Sequence[str], known: Iterable[str]) -> tuple[str, ...]:
    """The names of sources given with a flag.

    Raises:
        UsageError: one of them is not known; it says which are, and which is near.
    """
    from difflib import get_close_matches

    accepted = list(known)
    for name in listed(values):
        if name not in accepted:
            near = get_close_matches(name, accepted, 1)
            hint = f", did you mean {near[0]!r}?" if near else ""
            raise UsageError(
                f"{flag} {name[:40]!r} is no source{hint}; "
                f"accepted: {', '.join(accepted)}"
            )
    return listed(values)


def subreddits(values: Sequence[str]) -> tuple[str, ...]:
    """The subreddits given, without r/.

    Raises:
        UsageError: a value is no name of a subreddit.
    """
    return _matching("--subreddits", values, _SUBREDDIT, "2 to 21 letters, digits or _")


def account(value: str | None) -> str:
    """The account on GitHub that was given; a `UsageError` for what can be none."""
    if value is None:
        return ""
    if match := _ACCOUNT.fullmatch(value.strip()):
        return match[1]
    raise UsageError(f"--github-user {value[:60]!r}: write the name of an account")


def repositories(values: Sequence[str]) -> tuple[str, ...]:
    """The repositories given, as owner/name.

    Raises:
        UsageError: a value is none.
    """
    return _matching("--github-repo", values, _REPOSITORY, "owner/name")


def _matching(
    flag: str, values: Sequence[str], pattern: re.Pattern[str], form: str
) -> tuple[str, ...]:
    found = []
    for value in listed(values):
        match = pattern.fullmatch(value)
        if match is None:
            raise UsageError(f"{flag} {value[:60]!r}: write it as {form}")
        found.append(match[1])
    return tuple(dict.fromkeys(found))


def fetch(args: Namespace, settings: Settings) -> Fetch:
    """The HTTP session of the run, with a cache if `--cache` says so.

    Raises:
        UsageError: `--cache` is no number of hours over 0.
    """
    if args.cache is None:
        return Fetch(settings)
    if not 0 < args.cache <= _MAX_CACHE_HOURS:
        raise UsageError(
            f"--cache {args.cache:g}: give up to {_MAX_CACHE_HOURS} hours, over 0"
        )
    from engine.cache import CachingFetch, cache_folder

    return CachingFetch(settings, cache_folder(settings), args.cache)


def topic(args: Namespace) -> Topic:
    """The topic of the command line.

    Raises:
        UsageError: there is none, or it holds no letter and no digit.
    """
    text = " ".join(args.topic)
    if not text.strip():
        raise UsageError('name a topic, for example "Rome Italy"; see --help')
    return parse_topic(text)


def plan(args: Namespace, topic: Topic) -> Plan | None:
    """The plan that `--plan` names, for a topic.

    Raises:
        UsageError: it cannot be read, breaks its contract, is for another topic, or
            stands beside `--ranking-query`.
    """
    if args.plan is None:
        return None
    if getattr(args, "ranking_query", None) is not None:
        raise UsageError("--ranking-query: the plan has its own; give one of the two")
    from engine.plan import load_plan

    return load_plan(args.plan, topic.text)


def questions(args: Namespace, plan: Plan | None) -> tuple[str, ...]:
    """What X is judged against: the plan's questions or `--ranking-query`, or nothing.

    Raises:
        UsageError: the question holds no letter and no digit.
    """
    if plan is not None:
        return plan.ranking_queries("x")
    if args.ranking_query is None:
        return ()
    try:
        parse_topic(args.ranking_query)
    except UsageError:
        raise UsageError(
            "--ranking-query has no letter or digit; ask in words"
        ) from None
    return (args.ranking_query,)


def check(args: Namespace, not_with: Mapping[str, Sequence[str]]) -> None:
    """Refuse a budget that holds no envelope, and flags of which one would be ignored.

    Args:
        args: the command line.
        not_with: for a flag those that it comes without, by their names in `args`.

    Raises:
        UsageError: one of them.
    """
    if args.max_bytes < MIN_BYTES:
        raise UsageError(f"--max-bytes {args.max_bytes}: give at least {MIN_BYTES}")
    for flag, others in not_with.items():
        for other in others if getattr(args, flag) else ():
            if getattr(args, other):
                name = _FLAGS.get(other, f"--{other.replace('_', '-')}")
                raise UsageError(f"--{flag} comes without {name}: {_WHY[flag]}")
    if [args.plan, getattr(args, "web_results", None), *args.archive].count("-") > 1:
        raise UsageError("standard input can be read only once; name a file instead")


def artifact(path: str) -> dict[str, Any]:
    """The artifact in a file, or on standard input for `-`.

    Raises:
        UsageError: it cannot be read, or is no artifact.
    """
    record = read_json(path, what="artifact", limit=_MAX_ARTIFACT_BYTES)
    return check_artifact(record, name=path)


def strict(args: Namespace, settings: Settings) -> bool:
    """Whether partial coverage is to show in the exit code."""
    return args.strict or settings.get("LAST30DAYS_STRICT_EXIT") == "1"


def seconds(args: Namespace) -> float:
    """The budget of the run: `--timeout`, or the default of its depth.

    Raises:
        UsageError: it is not a time over 0.
    """
    given: float | None = args.timeout
    if given is None:
        return _TIMEOUTS[args.depth]
    if not 0 < given <= _MAX_SECONDS:
        raise UsageError(f"--timeout {given:g}: give 1 to {_MAX_SECONDS} seconds")
    return given
