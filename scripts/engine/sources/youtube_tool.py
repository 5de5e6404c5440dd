"""Calls of the yt-dlp tool: what it is asked, and what its failures mean.

https://github.com/yt-dlp/yt-dlp. The user's own configuration is left out, since it may
download or write what nobody asked for.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from engine.child import NETWORK, ChildTimeoutError, Result, run
from engine.errors import (
    BadResponseError,
    BlockedError,
    DeadlineError,
    RateLimitError,
    SourceError,
    UnreachableError,
)
from engine.io import IO
from engine.settings import Settings
from engine.text.redact import excerpt

__all__ = [
    "GoneError",
    "Listing",
    "captions",
    "details",
    "executable",
    "list_videos",
    "page_of",
]

_LABEL = "yt-dlp"
_COMMON = (
    *("--ignore-config", "--no-warnings", "--no-cache-dir", "--skip-download"),
    *("--socket-timeout", "15"),
)
# Without it a list has no times at all; with it they are those of "3 weeks ago".
_COARSE_TIMES = ("--extractor-args", "youtubetab:approximate_date")
# What the tool needs to be found and to run.
_NEEDS = (
    *("PATH", "PATHEXT", "SYSTEMROOT", "HOME", "USERPROFILE", "APPDATA"),
    *("TMPDIR", "TEMP", *NETWORK),
)
# A tool that does not end when told to is ended by force, within the time of the run.
_ENDING_SECONDS = 1.0
_MAX_OUTPUT = 16 * 1024 * 1024
_MAX_CAPTIONS = 4 * 1024 * 1024
_OPTIONS, _RESTART = 2, 100
_UPDATE = "update it, for example with: pipx upgrade yt-dlp, or: yt-dlp -U"


class GoneError(BadResponseError):
    """This one video cannot be seen by everybody (any more)."""


class Listing(NamedTuple):
    """Videos as the tool lists them; `failure` says why there are not more."""

    videos: tuple[Mapping[str, object], ...]
    failure: SourceError | None


def executable(settings: Settings) -> str:
    """The path of the tool; empty if it is not installed."""
    import shutil

    found = shutil.which("yt-dlp", path=settings.get("PATH"))
    return os.path.abspath(found) if found else ""


def page_of(video: str) -> str:
    """The address of a video."""
    return f"https://www.youtube.com/watch?v={video}"


def list_videos(query: str, count: int, io: IO) -> Listing:
    """Search: at most `count` videos by the service's own order, with coarse times.

    Raises:
        SourceError: nothing came, and the subclass says why.
    """
    wanted = ("--dump-json", "--flat-playlist", *_COARSE_TIMES)
    result, failure = _call((*wanted, f"ytsearch{count}:{query}"), io)
    videos = _objects(result.stdout)
    if failure is None and result.stdout.strip() and not videos:
        failure = BadResponseError(f"{_LABEL} gave broken JSON")
    if failure is not None and not videos:
        raise failure
    return Listing(tuple(videos), failure)


def details(video: str, io: IO) -> Mapping[str, object]:
    """All that the tool knows of one video.

    Raises:
        GoneError: the video cannot be seen.
        SourceError: anything else went wrong.
    """
    wanted = ("--dump-json", "--ignore-no-formats-error", "--no-playlist")
    result, failure = _call((*wanted, "--", page_of(video)), io)
    found = _objects(result.stdout)
    if found:
        return found[0]
    if result.stdout.strip():
        raise failure or BadResponseError(f"{_LABEL} gave broken JSON")
    raise failure or GoneError(f"{_LABEL} tells nothing of {video}")


def captions(video: str, language: str, io: IO) -> str:
    """The captions of a video, in YouTube's JSON; empty if there are none.

    Raises:
        SourceError: they could not be had.
    """
    from pathlib import Path
    from tempfile import TemporaryDirectory

    wanted: tuple[str, ...]
    wanted = ("--write-subs", "--write-auto-subs", "--sub-langs", language)
    wanted += ("--sub-format", "json3", "--ignore-no-formats-error", "--no-playlist")
    with TemporaryDirectory(prefix="last30days-", ignore_cleanup_errors=True) as folder:
        target = (*wanted, "--output", "%(id)s", "--", page_of(video))
        _, failure = _call(target, io, folder)
        files = sorted(Path(folder).glob("*.json3"))
        if files:
            with files[0].open("rb") as file:
                return file.read(_MAX_CAPTIONS).decode("utf-8", "replace")
    if failure:
        raise failure
    return ""


def _call(
    arguments: Sequence[str], io: IO, folder: str = ""
) -> tuple[Result, SourceError | None]:
    """What a call printed, and its failure if it did not end well."""
    from tempfile import gettempdir

    settings = io.settings
    env = {name: value for name in _NEEDS if (value := settings.get(name))}
    try:
        result = run(
            (executable(settings) or "yt-dlp", *_COMMON, *arguments),
            cwd=folder or gettempdir(),
            env={**env, "LANG": "C.UTF-8", "PYTHONUTF8": "1"},
            deadline=io.deadline.before(_ENDING_SECONDS),
            max_output=_MAX_OUTPUT,
        )
    except ChildTimeoutError as error:
        return error.result, DeadlineError(error.detail)
    failure = _failure(result, settings) if result.status else None
    if isinstance(failure, UnreachableError) and settings.offline:
        failure = BlockedError(
            "YouTube: the sandbox of this host lets no connection out",
            fix="allow network access for this command",
        )
    return result, failure


_TOO_MUCH = "wait an hour, or go by another network"
# What errors say, in lower case; the first row that fits decides. Connections come
# before "please report this issue", which the tool adds to almost everything.
_MEANINGS: tuple[tuple[tuple[str, ...], type[SourceError], str, str], ...] = (
    (("not a bot",), RateLimitError, "YouTube distrusts this address", _TOO_MUCH),
    (
        ("rate-limited by youtube", "http error 429", "too many requests"),
        RateLimitError,
        "YouTube had too many requests",
        _TOO_MUCH,
    ),
    (
        ("getaddrinfo", "failed to resolve", "name resolution", "not known")
        + ("connection refused", "unreachable", "connection reset", "certificate")
        + ("http error 5", "remote end closed", "no route to host", "proxy"),
        UnreachableError,
        "YouTube cannot be reached",
        "",
    ),
    (("timed out", "timeout"), DeadlineError, "YouTube gave no answer in time", ""),
    (("http error 403",), BlockedError, "YouTube does not let this tool in", ""),
    (
        ("video unavailable", "video is not available", "private video", "removed")
        + ("members-only", "members on level", "confirm your age", "premieres in")
        + ("live event will begin", "in your country", "terminated", "copyright"),
        GoneError,
        "a video cannot be seen",
        "",
    ),
    (
        ("unable to extract", "failed to parse json", "please report this issue"),
        BadResponseError,
        f"{_LABEL} is too old for what YouTube answers",
        _UPDATE,
    ),
)


def _failure(result: Result, settings: Settings) -> SourceError:
    """What a bad exit status and the errors before it mean."""
    lines = result.stderr.splitlines()
    errors = [line for line in lines if line.startswith("ERROR:")] or lines[-3:]
    said = excerpt(" ".join(errors), settings.secrets)
    if result.status == _OPTIONS:
        return BadResponseError(
            f"{_LABEL} does not know the options that it was given: {said}",
            fix=_UPDATE,
        )
    if result.status == _RESTART:
        return BadResponseError(f"{_LABEL} wants to be updated: {said}", fix=_UPDATE)
    told = " ".join(errors).lower()
    for signs, kind, meaning, fix in _MEANINGS:
        if any(sign in told for sign in signs):
            return kind(f"{meaning}: {said}", fix=fix)
    return SourceError(f"{_LABEL} ended with status {result.status}: {said}")


def _objects(stdout: str) -> list[Mapping[str, object]]:
    """The JSON objects of an output, one a line; a line that was cut is left out."""
    found: list[Mapping[str, object]] = []
    for line in stdout.splitlines():
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            found.append(value)
    return found
