"""Arctic Shift, the archive of Reddit, played over a small table of threads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from fakes.reddit import Reply, Thread
from fakes.server import Answer, Asked, Server, answer_json

__all__ = ["ArcticShift", "refused"]

_POST_FIELDS = frozenset(
    ("author", "created_utc", "id", "retrieved_on", "subreddit", "score", "title")
    + ("num_comments", "over_18", "selftext", "url", "link_flair_text", "post_hint")
)
_COMMENT_FIELDS = frozenset(
    ("author", "created_utc", "id", "subreddit", "score", "body", "link_id")
    + ("parent_id",)
)
_SEARCH = frozenset(("subreddit", "author", "after", "before", "limit", "sort"))
_UNCOUNTED = timedelta(hours=36)


def refused(error: str, code: int = 422) -> Answer:
    """An error as the archive gives it."""
    return answer_json({"data": None, "error": error}, code)


@dataclass
class ArcticShift:
    """The service, on the paths of `server`.

    In `busy` subreddits no words can be searched. A call for more than `bearable` rows
    takes too long. Counts are 0 or 1 for a day and a half.
    """

    server: Server
    threads: list[Thread]
    now: datetime
    busy: set[str] = field(default_factory=set)
    bearable: int = 100

    def __post_init__(self) -> None:
        self.server.route("/api/posts/search", self._search)
        self.server.route("/api/posts/ids", self._ids)
        self.server.route("/api/comments/search", self._comments)

    def asked(self, path: str) -> list[Mapping[str, str]]:
        """The parameters of the requests to a path, in their order."""
        return [a.params for a in self.server.requests if a.path == f"/api{path}"]

    def _search(self, asked: Asked) -> Answer:
        params = asked.params
        wrong = _wrong(params, _SEARCH | {"query", "fields"}, _POST_FIELDS)
        if wrong:
            return wrong
        name = params.get("subreddit", "").lower()
        if "query" in params and not name:
            return refused("query needs author or subreddit", 400)
        if "query" in params and name in self.busy:
            return refused("'query' is not available for very active subreddits")
        limit = int(params.get("limit", "25"))
        if limit > self.bearable:
            return refused("Timeout. Maybe slow down a bit")
        found = [
            thread
            for thread in self.threads
            if thread.subreddit.lower() == name
            and int(params["after"]) < thread.at.timestamp() < int(params["before"])
            and thread.holds(params.get("query", "").split())
        ]
        newest_first = params.get("sort", "desc") == "desc"
        found.sort(key=lambda thread: thread.at, reverse=newest_first)
        return self._given([self._post(t) for t in found[:limit]], params)

    def _ids(self, asked: Asked) -> Answer:
        wanted = [raw.removeprefix("t3_") for raw in asked.params["ids"].split(",")]
        if len(wanted) > 500:
            return refused("too many ids", 400)
        found = [self._post(t) for t in self.threads if t.id in wanted]
        return self._given(found, asked.params)

    def _comments(self, asked: Asked) -> Answer:
        params = asked.params
        known = _SEARCH | {"body", "link_id", "parent_id", "fields"}
        wrong = _wrong(params, known, _COMMENT_FIELDS)
        if wrong:
            return wrong
        number = params["link_id"].removeprefix("t3_")
        found = [
            self._comment(thread, reply)
            for thread in self.threads
            if thread.id == number
            for reply in thread.replies
        ]
        return self._given(found[: int(params.get("limit", "25"))], params)

    def _post(self, thread: Thread) -> dict[str, Any]:
        page = f"https://www.reddit.com{thread.permalink}"
        young = self._is_young(thread)
        return {
            "id": thread.id,
            "title": thread.title,
            "selftext": thread.text,
            "author": thread.author,
            "subreddit": thread.subreddit,
            "created_utc": int(thread.at.timestamp()),
            "retrieved_on": int(thread.at.timestamp()) + 30,
            "score": 1 if young else thread.score,
            "num_comments": 0 if young else len(thread.replies),
            "over_18": False,
            "url": thread.url or page,
            "permalink": thread.permalink,
        }

    def _comment(self, thread: Thread, reply: Reply) -> dict[str, Any]:
        return {
            "id": reply.id,
            "author": reply.author,
            "body": reply.text,
            "created_utc": int(thread.at.timestamp()) + 60,
            "score": 1 if self._is_young(thread) else reply.score,
            "link_id": f"t3_{thread.id}",
            "parent_id": f"t3_{thread.id}",
            "subreddit": thread.subreddit,
        }

    def _is_young(self, thread: Thread) -> bool:
        return self.now - thread.at < _UNCOUNTED

    def _given(self, rows: list[dict[str, Any]], params: Mapping[str, str]) -> Answer:
        fields = params["fields"].split(",") if "fields" in params else None
        data = [
            {name: row[name] for name in (fields or row) if name in row} for row in rows
        ]
        return answer_json({"data": data}, X_RateLimit_Remaining="99")


def _wrong(
    params: Mapping[str, str], known: frozenset[str], fields: frozenset[str]
) -> Answer | None:
    odd = sorted(set(params) - known)
    if odd:
        return refused(f"unknown parameter {odd[0]}", 400)
    limit = params.get("limit", "25")
    if limit != "auto" and not 1 <= int(limit) <= 100:
        return refused("limit must be 1 to 100", 400)
    chosen = params["fields"].split(",") if "fields" in params else []
    unknown = [name for name in chosen if name not in fields]
    return refused(f"field {unknown[0]} cannot be selected", 400) if unknown else None
