"""The official X API's two search endpoints, played over a set of posts.

A query in the API's own language is read into the engine's `Query` and answered by
the search over posts on disk, so that a run against this service finds what a run over
the same posts finds. What the API does not take is refused as it refuses it.
"""

from __future__ import annotations

import re
import time
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta, timezone
from functools import partial
from typing import Any

from engine.deadline import Deadline
from engine.fetch import Fetch
from engine.model import Item
from engine.settings import Settings
from engine.window import Window
from engine.x.backends.archive import search as archive
from engine.x.backends.archive.index import Archive
from engine.x.backends.base import IO, Ask
from engine.x.query import Query
from fakes.server import Answer, Asked, Server, answer_json
from fakes.xapi_failures import FORBIDDEN, UNAUTHORIZED
from fakes.xapi_query import Refused, read_v2

__all__ = ["ALL", "RECENT", "TOKEN", "XApi"]

TOKEN = "AAAAtestbearer%2Fof%2Fnobody"
ALL = "/2/tweets/search/all"
RECENT = "/2/tweets/search/recent"
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_PARAMS = frozenset(
    ("query", "max_results", "start_time", "end_time", "since_id", "until_id")
    + ("next_token", "pagination_token", "sort_order", "expansions", "user.fields")
    + ("media.fields", "poll.fields", "place.fields")
)


@dataclass
class XApi:
    """The service, on the paths of `server`.

    `names` is the generation of field names that it takes, old or new. Without
    `floors` it does not know `min_likes:`. `archive` is the status with which it
    answers those who search the archive. `page_size` cuts its pages short; a `stuck`
    service gives the same cursor for ever. Answers take `delay` seconds, and `late` more
    by their query.
    """

    server: Server
    posts: list[Item]
    now: datetime
    archive: int = 200
    names: str = "old"
    floors: bool = True
    page_size: int = 100
    stuck: bool = False
    delay: float = 0.0
    late: Callable[[str], float] = lambda query: 0.0
    _index: Archive = field(init=False)

    def __post_init__(self) -> None:
        self._index = Archive(post for post in self.posts if not post.repost_of)
        self._began = time.monotonic()
        self.server.route(ALL, partial(self._answer, 1024, 500))
        self.server.route(RECENT, partial(self._answer, 512, 100))

    @property
    def paths(self) -> list[str]:
        """The paths that were asked, in their order."""
        return [asked.path for asked in self.server.requests]

    @property
    def queries(self) -> list[str]:
        """The queries that were asked, in their order."""
        return [asked.params["query"] for asked in self.server.requests]

    def _answer(self, max_query: int, max_results: int, asked: Asked) -> Answer:
        answer = self._checked(max_query, max_results, asked)
        headers = {
            **answer.headers,
            "x-rate-limit-limit": "450",
            "x-rate-limit-remaining": "449",
            "x-rate-limit-reset": str(int(time.time()) + 900),
        }
        delay = self.delay + self.late(asked.params.get("query", ""))
        return replace(answer, headers=headers, delay=delay)

    def _checked(self, max_query: int, max_results: int, asked: Asked) -> Answer:
        if asked.headers.get("authorization") != f"Bearer {TOKEN}":
            return answer_json(UNAUTHORIZED, 401)
        if asked.path == ALL and self.archive != 200:
            return answer_json(FORBIDDEN, self.archive)
        try:
            params = asked.params
            self._check_params(params, asked.path == RECENT, max_results)
            if not 1 <= len(params["query"]) <= max_query:
                raise Refused(f"query must be at most {max_query} characters long")
            return answer_json(self._found(params))
        except Refused as refused:
            return answer_json(refused.body, 400)

    def _check_params(
        self, params: Mapping[str, str], recent: bool, max_results: int
    ) -> None:
        fields_name = "tweet.fields" if self.names == "old" else "post.fields"
        for name in params:
            if name not in _PARAMS and name != fields_name:
                known = ",".join(sorted((*_PARAMS, fields_name)))
                raise Refused(
                    f"The query parameter [{name}] is not one of [{known}]", name
                )
        wanted = params.get("max_results", "10")
        if not 10 <= int(wanted) <= max_results:
            raise Refused(
                f"The `max_results` query parameter value [{wanted}] is not between "
                f"10 and {max_results}",
                "max_results",
                wanted,
            )
        now = self.now + timedelta(seconds=time.monotonic() - self._began)
        start, end = _times(params)
        if recent and start and start < now - timedelta(days=7):
            raise Refused("'start_time' must be within the last 7 days", "start_time")
        if end and end > now - timedelta(seconds=10):
            raise Refused("'end_time' must be 10 seconds before now", "end_time")
        if start and end and start >= end:
            raise Refused("'end_time' must be after 'start_time'", "end_time")

    def _found(self, params: Mapping[str, str]) -> dict[str, Any]:
        start, end = _times(params)
        first = start or self.now - timedelta(days=7)
        last = end or self.now
        query = Query(
            Window(first.date(), last.date()),
            latest=params.get("sort_order", "recency") == "recency",
            **read_v2(params["query"], floors=self.floors),
        )
        matches = [
            item
            for item in archive.search(Ask(query, 1 << 30), _io(self._index))
            if item.created_at is not None and first <= item.created_at < last
        ]
        skip = int(params.get("next_token", _cursor(0))[-6:])
        size = min(int(params.get("max_results", "10")), self.page_size)
        page = matches[skip : skip + size]
        meta: dict[str, Any] = {"result_count": len(page)}
        if skip + size < len(matches):
            meta["next_token"] = _cursor(0 if self.stuck else skip + size)
        if not page:
            return {"meta": meta}
        return {
            "data": [self._post(i) for i in page],
            **self._users(page),
            "meta": meta,
        }

    def _users(self, page: Iterable[Item]) -> dict[str, Any]:
        names = {post.author_handle: post.author_name for post in page}
        users = [
            {"id": _user_id(handle), "username": handle, "name": name}
            for handle, name in names.items()
            if handle
        ]
        return {"includes": {"users": users}}

    def _post(self, item: Item) -> dict[str, Any]:
        old = self.names == "old"
        assert item.created_at is not None
        text = item.text.replace("&", "&amp;").replace("<", "&lt;")
        post: dict[str, Any] = {
            "id": item.id,
            "text": text,
            "lang": item.lang,
            "created_at": f"{item.created_at:%Y-%m-%dT%H:%M:%S}.000Z",
            "edit_history_tweet_ids" if old else "edit_history_post_ids": [item.id],
            "public_metrics": {
                name: item.engagement[ours]
                for name, ours in _METRICS.items()
                if ours in item.engagement
            },
            "entities": {"urls": [{"expanded_url": url} for url in item.urls]},
        }
        if item.author_handle:
            post["author_id"] = _user_id(item.author_handle)
        if len(item.text) > 280:
            post["text"] = text[:277] + "…"
            post["note_tweet" if old else "note_post"] = {"text": text}
        if item.in_reply_to:
            post["in_reply_to_user_id"] = _user_id(item.in_reply_to)
            listed = "referenced_tweets" if old else "referenced_posts"
            post[listed] = [{"type": "replied_to", "id": "2000000000000000000"}]
        return post


_METRICS = {
    "like_count": "likes",
    "retweet_count": "reposts",
    "reply_count": "replies",
    "quote_count": "quotes",
    "impression_count": "views",
}


def _times(params: Mapping[str, str]) -> tuple[datetime | None, datetime | None]:
    found = []
    for name in ("start_time", "end_time"):
        raw = params.get(name, "")
        if raw and not _TIME.fullmatch(raw):
            raise Refused(f"Invalid '{name}':'{raw}'", name, raw)
        at = datetime.strptime(raw, "%Y-%m-%dT%H:%M:%SZ") if raw else None
        found.append(at.replace(tzinfo=timezone.utc) if at else None)
    return found[0], found[1]


def _cursor(skip: int) -> str:
    return f"b26v89c19zqg8o3f{skip:06d}"


def _user_id(handle: str) -> str:
    return str(zlib.crc32(handle.lower().encode()))


def _io(index: Archive) -> IO:
    settings = Settings({}, datetime.now(timezone.utc))
    return IO(settings, Deadline(60), Fetch(settings), print, print, archive=index)
