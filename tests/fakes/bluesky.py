"""A Bluesky server, played over a small table of posts."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fakes.server import Answer, Asked, Server, answer_json

__all__ = ["HANDLE", "LOGIN", "PASSWORD", "Bluesky", "post"]

HANDLE, PASSWORD = "ann.example.com", "abcd-efgh-ijkl-mnop"
LOGIN = "/xrpc/com.atproto.server.createSession"
_SEARCH = "/xrpc/app.bsky.feed.searchPosts"


def post(
    number: int, text: str, at: str = "2026-11-20T10:00:00.000Z", **more: Any
) -> dict[str, Any]:
    """A post; `record` and `author` are merged into what stands there."""
    record, author = more.pop("record", {}), more.pop("author", {})
    return {
        "uri": f"at://did:plc:abc{number}/app.bsky.feed.post/3lz{number}",
        "cid": "bafy",
        "author": {
            "did": f"did:plc:abc{number}",
            "handle": f"writer{number}.example.com",
            "displayName": f"Writer {number}",
            **author,
        },
        "record": {
            "$type": "app.bsky.feed.post",
            "text": text,
            "createdAt": at,
            "langs": ["en"],
            **record,
        },
        "replyCount": 1,
        "repostCount": 2,
        "likeCount": number,
        "quoteCount": 0,
        "indexedAt": at,
        "labels": [],
        **more,
    }


@dataclass
class Bluesky:
    """The service: each token is good for `searches_a_login` searches."""

    server: Server
    posts: list[dict[str, Any]] = field(default_factory=list)
    searches_a_login: int = 1_000
    expired_status: int = 400
    logins: int = 0
    _left: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.server.route(LOGIN, self._login)
        self.server.route(_SEARCH, self._search)

    @property
    def searches(self) -> list[Mapping[str, str]]:
        """The parameters of the searches, in their order."""
        return [a.params for a in self.server.requests if a.path == _SEARCH]

    def _login(self, asked: Asked) -> Answer:
        self.logins += 1
        if asked.json != {"identifier": HANDLE, "password": PASSWORD}:
            return _error(
                401, "AuthenticationRequired", "Invalid identifier or password"
            )
        token = f"eyJ0eXAi.{self.logins}.c2lnbmF0dXJl"
        self._left[f"Bearer {token}"] = self.searches_a_login
        return answer_json(
            {
                "accessJwt": token,
                "refreshJwt": "eyJyZWZy.1.c2ln",
                "handle": HANDLE,
                "did": "did:plc:abc",
                "active": True,
            }
        )

    def _search(self, asked: Asked) -> Answer:
        token = asked.headers.get("authorization", "")
        if token not in self._left:
            return _error(401, "AuthMissing", "Authentication Required")
        if self._left[token] <= 0:
            return _error(self.expired_status, "ExpiredToken", "Token has expired")
        self._left[token] -= 1
        params = asked.params
        if not params.get("q") or not 1 <= int(params.get("limit", "25")) <= 100:
            return _error(400, "InvalidRequest", "Error: Params must have valid values")
        wanted = [one for one in self.posts if _matches(one, params)]
        newest = params.get("sort", "latest") == "latest"
        wanted.sort(
            key=lambda one: _moment(one) if newest else f"{one['likeCount']:09}",
            reverse=True,
        )
        return answer_json({"posts": wanted[: int(params.get("limit", "25"))]})


def _moment(one: Mapping[str, Any]) -> str:
    return str(min(one["record"]["createdAt"], one["indexedAt"]))


def _matches(one: Mapping[str, Any], params: Mapping[str, str]) -> bool:
    """Words are ANDed; one with a colon is an operator that no post here meets."""
    said = json.dumps(one["record"], ensure_ascii=False).lower()
    words = params["q"].lower().split()
    inside = params["since"] <= _moment(one) < params["until"]
    return inside and all(word in said for word in words)


def _error(code: int, name: str, message: str) -> Answer:
    return answer_json({"error": name, "message": message}, code)
