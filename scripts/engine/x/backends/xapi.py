"""The official X API, version 2: full-archive search, or else recent search.

https://docs.x.com/x-api/posts/search/introduction. The archive takes one request a
second and not every account has access to it; recent search reaches back seven days.
Posts and their authors are paid for, so nothing else is expanded.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from functools import partial

from engine.errors import (
    AuthError,
    BadResponseError,
    DeadlineError,
    RateLimitError,
    SourceError,
)
from engine.exchange import Request, sentences
from engine.model import BackendInfo, Item, Warning
from engine.pacing import wait_turn
from engine.text.redact import excerpt
from engine.values import as_mapping, as_sequence, as_text
from engine.x.backends.base import IO, Ask
from engine.x.backends.xapi_query import v2_syntax
from engine.x.backends.xapi_run import REACH_DAYS, Run
from engine.x.posts import items_from_v2
from engine.x.query import Query

__all__ = ["INFO", "missing", "search"]

INFO = BackendInfo(
    name="xapi",
    label="X API",
    site="x.com",
    api_page="https://docs.x.com/x-api/posts/search/introduction",
    operators=frozenset(field.name for field in fields(Query)),
    credentials=("X_BEARER_TOKEN",),
    min_seconds=1.0,
    paid=True,
)


@dataclass(frozen=True, slots=True)
class _Endpoint:
    path: str
    max_query: int
    max_results: int
    spacing: float


# What self-serve accounts get. Starts that are a second apart may arrive closer.
_ARCHIVE = _Endpoint("/2/tweets/search/all", 1024, 500, spacing=1.1)
_RECENT = _Endpoint("/2/tweets/search/recent", 512, 100, spacing=0.0)

_MIN_RESULTS = 10
_MAX_PAGES = 5
# The service itself ends thirty seconds ago where it is told no end.
_END_MARGIN = timedelta(seconds=30)

# The names of fields up to version 2.166 of the API and those after it.
_OLD_FIELDS = {
    "tweet.fields": "author_id,created_at,entities,in_reply_to_user_id,lang,"
    "note_tweet,public_metrics,referenced_tweets"
}
_NEW_FIELDS = {"post.fields": "created_at,entities,lang,note_post,public_metrics"}
# What a request can do without, should the service refuse it by name.
_DISPENSABLE = ("tweet.fields", "min_likes", "end_time", "start_time")

_NO_ARCHIVE = (401, 403, 404)
_CODE_RATE_LIMIT = 88
_DAY_SECONDS = 24 * 60 * 60
_FIX = "check X_BEARER_TOKEN, its access and its credits at https://developer.x.com"


class _NoArchiveError(AuthError):
    """The account may not search the archive; `certain` if it is that and no other."""

    def __init__(self, status: int) -> None:
        super().__init__(f"X API refused the full archive (HTTP {status})", fix=_FIX)
        self.certain = status == 403


class _NotTakenError(BadResponseError):
    """The service does not take a `part` that the request can do without."""

    def __init__(self, part: str) -> None:
        super().__init__(f"X API does not take {part}")
        self.part = part


def missing(io: IO) -> str:
    """What has to be done before the API can be asked; empty if nothing."""
    if io.settings.get("X_BEARER_TOKEN"):
        return ""
    return "set X_BEARER_TOKEN (from https://developer.x.com; posts cost money)"


def search(ask: Ask, io: IO) -> list[Item]:
    """The posts that match, at most `ask.limit`.

    Days that recent search reaches are asked of it, since everybody has it; what is
    older is asked of the archive. The first call that needs the archive shows whether
    the account has it, and the others wait for that.

    Raises:
        SourceError: the subclass says what happened; `items` holds what had arrived.
    """
    run = io.memory.of(Run)
    if ask.query.window.start >= run.reach(io.settings):
        return _pages(_RECENT, ask, io, run)
    first = run.claim("archive")
    if not first and not io.deadline.wait_for(run.archive_tried):
        raise DeadlineError("X API gave no answer in time")
    try:
        if not run.archive_refused:
            return _pages(_ARCHIVE, ask, io, run)
    except _NoArchiveError as error:
        run.archive_refused = True
        if error.certain:
            run.archive_tried.set()
        return _without_archive(ask, io, run)
    finally:
        if first:
            run.archive_tried.set()
    return _without_archive(ask, io, run)


def _without_archive(ask: Ask, io: IO, run: Run) -> list[Item]:
    run.check()
    window, reach = ask.window or ask.query.window, run.reach(io.settings)
    if window.end <= reach:
        raise AuthError(
            f"X API: this account searches the last {REACH_DAYS} days alone, and the "
            "days asked for are older",
            fix="ask for later days, or get access to full-archive search at "
            "https://developer.x.com",
        )
    if ask.query.window.end <= reach:
        return []
    found = _pages(_RECENT, ask, io, run)
    # Said once there is an answer: a failure of both is no matter of reach.
    if run.claim("warning"):
        covered = sum(reach <= day.start for day in window.parts(window.days))
        io.warn(
            Warning(
                "covers-part",
                "x",
                f"X API: recent search covers {covered} of {window.days} days",
                {"covered": covered, "asked": window.days},
            )
        )
    return found


def _pages(endpoint: _Endpoint, ask: Ask, io: IO, run: Run) -> list[Item]:
    found: dict[str, Item] = {}
    token = ""
    seen: set[str] = set()
    try:
        for _ in range(_MAX_PAGES):
            page = _page(endpoint, ask, token, io, run)
            found.update((item.id, item) for item in items_from_v2(page))
            token = as_text(as_mapping(page.get("meta")).get("next_token"))
            if len(found) >= ask.limit or not token or token in seen:
                break
            seen.add(token)
    except SourceError as error:
        error.items = tuple(found.values())[: ask.limit]
        raise
    return list(found.values())[: ask.limit]


def _page(
    endpoint: _Endpoint, ask: Ask, token: str, io: IO, run: Run
) -> Mapping[str, object]:
    """One page of an answer, asked for without what the service has refused by name."""
    while True:
        request = _request(endpoint, ask, token, io, run)
        if request is None:
            return {}
        if endpoint.spacing:
            wait_turn(io, INFO.label, endpoint.spacing, in_vain=run.stopped)
        run.check()
        try:
            return _checked(io.fetch.json(request, io.deadline), request)
        except _NoArchiveError:
            raise
        except _NotTakenError as error:
            run.avoid(error.part)
        except RateLimitError as error:
            dated = _dated(error, run.now(io.settings))
            run.stop(dated)
            raise dated from None
        except AuthError as error:
            error.fix = error.fix or _FIX
            run.stop(error)
            raise


def _request(
    endpoint: _Endpoint, ask: Ask, token: str, io: IO, run: Run
) -> Request | None:
    """None if none of the days has begun."""
    avoided, settings = run.avoided, io.settings
    query = v2_syntax(ask.query, endpoint.max_query, floors="min_likes" not in avoided)
    if not query:
        raise SourceError("X API cannot search without a word or an account to find")
    start, end = ask.query.window.start, ask.query.window.end
    if endpoint is _RECENT:
        start = max(start, run.reach(settings))
    end = min(end, run.now(settings) - _END_MARGIN)
    if start >= end:
        return None
    params: dict[str, str | int] = {
        "query": query,
        "max_results": max(_MIN_RESULTS, min(ask.limit, endpoint.max_results)),
        "sort_order": "recency" if ask.query.latest else "relevancy",
        "start_time": f"{start:%Y-%m-%dT%H:%M:%SZ}",
        "end_time": f"{end:%Y-%m-%dT%H:%M:%SZ}",
        **(_NEW_FIELDS if "tweet.fields" in avoided else _OLD_FIELDS),
        "expansions": "author_id",
        "user.fields": "name,username",
    }
    if token:
        params["next_token"] = token
    bearer = settings.get("X_BEARER_TOKEN")
    return Request(
        "X API",
        settings.base_url("xapi", "https://api.x.com") + endpoint.path,
        {name: value for name, value in params.items() if name not in avoided},
        {"Authorization": f"Bearer {bearer}"},
        secrets=(bearer,),
        refine=partial(_refined, endpoint, avoided),
    )


def _refined(
    endpoint: _Endpoint, avoided: frozenset[str], status: int, text: str
) -> SourceError | None:
    if text.startswith("<"):
        return None
    if status == 400:
        named = (part for part in _DISPENSABLE if part not in avoided and part in text)
        part = next(named, "")
        return _NotTakenError(part) if part else None
    if status == 429 and "usage-capped" in text:
        return RateLimitError(
            "X API says that the monthly cap of posts is reached (HTTP 429)", fix=_FIX
        )
    if endpoint is _ARCHIVE and status in _NO_ARCHIVE:
        return _NoArchiveError(status)
    return None


def _checked(page: object, request: Request) -> Mapping[str, object]:
    """An answer with posts, or one that says that there are none."""
    found = as_mapping(page)
    posts, meta = found.get("data"), as_mapping(found.get("meta"))
    if isinstance(posts, list) and (not posts or items_from_v2(found)):
        return found
    if posts is None and meta.get("result_count") == 0:
        return found
    said = "; ".join(dict.fromkeys(sentences(found))) or "neither posts nor a count"
    what = excerpt(said, request.secrets)
    errors = map(as_mapping, as_sequence(found.get("errors")))
    if any(error.get("code") == _CODE_RATE_LIMIT for error in errors):
        raise RateLimitError(f"X API had too many requests: {what}")
    raise BadResponseError(f"X API gave an answer that it does not document: {what}")


def _dated(error: RateLimitError, now: datetime) -> RateLimitError:
    """The same with the time of day from which on the service answers again."""
    # Of another day it would say nothing.
    if error.retry_after is None or error.retry_after > _DAY_SECONDS:
        return error
    # A limit that ends within a minute is over at the next one.
    back = now + timedelta(seconds=error.retry_after + 59)
    return RateLimitError(
        f"{error.detail}; comes back at {back:%H:%M} UTC",
        fix=error.fix,
        retry_after=error.retry_after,
    )
