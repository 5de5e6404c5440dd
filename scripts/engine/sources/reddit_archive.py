"""Arctic Shift, an archive of Reddit: posts of subreddits in slices, counts, comments.

https://github.com/ArthurHeitmann/arctic_shift/blob/master/api/README.md. It needs no
key, promises nothing, and searches words inside one subreddit alone. A post is
archived as it is written; its counts are true once it was looked at again.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import TypeAlias

from engine.errors import (
    BadResponseError,
    DeadlineError,
    RateLimitError,
    SourceError,
    UnreachableError,
)
from engine.exchange import Request
from engine.io import IO
from engine.model import Comment, Depth, Item
from engine.sources.base import COMMENT_CHARS, COMMENTS, THIN, Ask
from engine.sources.reddit_hosts import ArchiveHost
from engine.sources.reddit_posts import (
    author_name,
    comment_link,
    make_post,
    visible,
)
from engine.text.redact import excerpt
from engine.text.topic import parse_topic
from engine.together import together
from engine.values import (
    as_mapping,
    as_text,
    parse_count,
    parse_time,
    unescape,
)
from engine.window import Window

__all__ = ["Sweep", "archived_comments", "archived_counts", "sweep"]

_URL = "https://arctic-shift.photon-reddit.com"
_LABEL = ArchiveHost.label
_PARALLEL = 3

_SLICE_DAYS = 8
# So that a long window is cut into longer slices and not into more of them.
_SLICES = {Depth.QUICK: 2, Depth.DEFAULT: 4, Depth.DEEP: 8}
# The most that a call gives; half of it has worked where that took too long.
_ROWS = 100
_IDS = 500

# For so long the archive has a post's first counts, which are 0 or 1.
_UNCOUNTED = timedelta(hours=36)

_POST_FIELDS = "id,author,created_utc,num_comments,score,selftext,subreddit,title,url"
_COMMENT_FIELDS = "id,author,body,created_utc,score"
_Slice: TypeAlias = "list[Item] | SourceError"

_BOTS = ("automoderator",)
_LINK = re.compile(r"https?://[^\s()\[\]<>\"'|\\^`{}]+")


class _SlowError(DeadlineError):
    """The service ran out of its own time: less may be had."""


class _NoWordsError(BadResponseError):
    """The service does not search words here."""


@dataclass(frozen=True, slots=True)
class Sweep:
    """What a walk through some subreddits gave, slice by slice.

    `searched` are posts with the query's words, `listed` any. `asked` counts the
    slices, `failures` are those of slices that gave nothing.
    """

    searched: list[list[Item]]
    listed: list[list[Item]]
    failures: list[SourceError]
    asked: int


def sweep(subreddits: Sequence[str], ask: Ask, io: IO) -> Sweep:
    """The posts of the window in some subreddits, the latest slice first.

    A subreddit that is too busy for a search of words, or where hardly a post has them
    all, is listed as well, for the judge to choose from.
    """
    searched = _walk(subreddits, _keywords(ask.query), ask, io)
    poor = [name for name in subreddits if _is_poor(searched[name])]
    listed = _walk(poor, "", ask, io)
    # A listing's outcome stands for that of the search which it makes up for.
    counting = [part for name in subreddits for part in {**searched, **listed}[name]]
    return Sweep(
        _given(searched),
        _given(listed),
        [part for part in counting if isinstance(part, SourceError)],
        len(counting),
    )


def _given(walk: Mapping[str, Sequence[_Slice]]) -> list[list[Item]]:
    return [part for parts in walk.values() for part in parts if isinstance(part, list)]


def _keywords(query: str) -> str:
    """The words that a post has to have all, free of operators."""
    surfaces = (term.surface.lstrip("#$@") for term in parse_topic(query).significant)
    return " ".join(dict.fromkeys(surface.lower() for surface in surfaces))


def _is_poor(parts: Sequence[_Slice]) -> bool:
    refused = any(isinstance(part, _NoWordsError) for part in parts)
    return refused or sum(len(part) for part in parts if isinstance(part, list)) < THIN


def _walk(
    names: Sequence[str], words: str, ask: Ask, io: IO
) -> dict[str, list[_Slice]]:
    """The slices of each subreddit; all subreddits' latest days are asked for first."""
    days, latest = ask.window.days, ask.window.parts
    parts = latest(min(_SLICES[ask.depth], math.ceil(days / _SLICE_DAYS)))
    begun = [part for part in reversed(parts) if part.start <= io.settings.now]
    tasks = [(name, part) for part in begun for name in names]
    jobs = [partial(_slice, name, part, words, ask.depth, io) for name, part in tasks]
    answers = together(jobs, parallel=_PARALLEL, deadline=io.deadline)
    found: dict[str, list[_Slice]] = {name: [] for name in names}
    for (name, _), answer in zip(tasks, answers, strict=True):
        found[name].append(answer)
    return found


def _slice(
    subreddit: str, part: Window, words: str, depth: Depth, io: IO
) -> list[Item]:
    params: dict[str, str | int] = {
        "subreddit": subreddit,
        # Whether the moment itself is in is not documented; the window is checked.
        "after": int(part.start.timestamp()) - 1,
        "before": int(part.end.timestamp()),
        "sort": "desc",
        "fields": _POST_FIELDS,
    }
    if words:
        params["query"] = words
    try:
        rows = _rows("/posts/search", {**params, "limit": _ROWS}, depth, io)
    except _SlowError:
        rows = _rows("/posts/search", {**params, "limit": _ROWS // 2}, depth, io)
    return _posts(rows, io)


def archived_counts(posts: Sequence[Item], depth: Depth, io: IO) -> list[Item]:
    """The archive's copies of those posts that are old enough to have been counted.

    Raises:
        SourceError: the archive could not be asked.
    """
    now = io.settings.now
    old = [p for p in posts if p.created_at is None or _is_counted(p.created_at, now)]
    if not old:
        return []
    ids = ",".join(post.id for post in old[:_IDS])
    rows = _rows("/posts/ids", {"ids": ids, "fields": _POST_FIELDS}, depth, io)
    return _posts(rows, io)


def archived_comments(item: Item, depth: Depth, io: IO) -> tuple[Comment, ...]:
    """Those of the first comments on the post itself that were voted up most.

    Raises:
        SourceError: the archive could not be asked.
    """
    params: dict[str, str | int] = {
        "link_id": item.id,
        # Empty: answers to the post itself.
        "parent_id": "",
        "sort": "asc",
        "limit": _ROWS,
        "fields": _COMMENT_FIELDS,
    }
    rows = _rows("/comments/search", params, depth, io)
    found = [comment for row in rows if (comment := _comment(row, item, io))]
    found.sort(key=lambda comment: -1 if comment.votes is None else -comment.votes)
    return tuple(found[:COMMENTS])


def _rows(
    path: str, params: Mapping[str, str | int], depth: Depth, io: IO
) -> list[Mapping[str, object]]:
    request = Request(
        _LABEL,
        f"{io.settings.base_url('arctic_shift', _URL)}/api{path}",
        params,
        refine=partial(_refined, "query" in params),
    )
    answer = io.memory.of(ArchiveHost).ask(io.fetch.json, request, depth, io)
    told = as_mapping(answer)
    rows = told.get("data")
    if isinstance(rows, list):
        return [as_mapping(row) for row in rows]
    said = as_text(told.get("error"))
    known = _refined(False, 200, said) if said else None
    raise known or BadResponseError(f"{_LABEL} gave an answer without data")


def _refined(words: bool, status: int, text: str) -> SourceError | None:
    """What an error means, by its text: 422 is overload as well as bad input."""
    said = text.lower()
    if "timeout" in said or "timed out" in said or status == 524:
        return _SlowError(f"{_LABEL} ran out of its own time")
    if status == 429:
        return None
    if "slow down" in said:
        return RateLimitError(f"{_LABEL} had too many requests (HTTP {status})")
    if "maintenance" in said:
        return UnreachableError(f"{_LABEL} is under maintenance")
    if words and status in (400, 422):
        shown = excerpt(text, limit=100)
        return _NoWordsError(f"{_LABEL} does not search words here: {shown}")
    return None


def _posts(rows: Iterable[Mapping[str, object]], io: IO) -> list[Item]:
    return [item for row in rows if (item := _post(row, io))]


def _post(row: Mapping[str, object], io: IO) -> Item | None:
    text = unescape(as_text(row.get("selftext")))
    return make_post(
        as_text(row.get("id")),
        unescape(as_text(row.get("title"))),
        text,
        subreddit=as_text(row.get("subreddit")),
        author=as_text(row.get("author")),
        created=_moment(row),
        backend="archive",
        counts={
            "score": _count(row, "score", io),
            "comments": _count(row, "num_comments", io),
        },
        urls=(row.get("url"), *_LINK.findall(text)),
    )


def _comment(row: Mapping[str, object], item: Item, io: IO) -> Comment | None:
    author = author_name(as_text(row.get("author")))
    text = visible(unescape(as_text(row.get("body"))))[:COMMENT_CHARS]
    if not (author and text) or author.lower() in _BOTS:
        return None
    url = comment_link(item.url, as_text(row.get("id")))
    return Comment(author, text, _count(row, "score", io), url)


def _count(row: Mapping[str, object], name: str, io: IO) -> int | None:
    """A count, if what it counts is old enough to have been counted again."""
    created = _moment(row)
    if created is None or not _is_counted(created, io.settings.now):
        return None
    return parse_count(row.get(name))


def _is_counted(created: datetime, now: datetime) -> bool:
    return now - created >= _UNCOUNTED


def _moment(row: Mapping[str, object]) -> datetime | None:
    created = row.get("created_utc")
    return parse_time(str(created) if isinstance(created, float) else as_text(created))
