"""GitHub's search, played over a small table of issues and repositories."""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fakes.server import Answer, Asked, Server, answer_json

__all__ = ["TOKEN", "GitHub", "limited", "repository", "thread"]

TOKEN = "ghp_9f2c4e6a8b0d1357"
RESET = 1796126400

_RANGE = re.compile(r"(\d{4}-\d\d-\d\d)\.\.(\d{4}-\d\d-\d\d)")


def thread(
    number: int, title: str, /, *, pull: bool = False, **more: Any
) -> dict[str, Any]:
    """An issue or pull request of o/foo, opened ten days before the end of the month."""
    name = more.pop("repository", "o/foo")
    kind = "pull" if pull else "issues"
    found = {
        "id": 3000 + number,
        "number": number,
        "html_url": f"https://github.com/{name}/{kind}/{number}",
        "repository_url": f"https://api.github.com/repos/{name}",
        "title": title,
        "body": None,
        "state": "open",
        "state_reason": None,
        "user": {"login": "ann", "type": "User"},
        "labels": [{"name": "bug"}],
        "comments": 4,
        "reactions": {"total_count": 7, "+1": 6, "heart": 1},
        "created_at": "2026-11-20T10:00:00Z",
        "updated_at": "2026-11-21T10:00:00Z",
        "closed_at": None,
        "score": 1.0,
        **more,
    }
    if pull:
        found["pull_request"] = {"html_url": found["html_url"], "merged_at": None}
    return found


def repository(name: str, **more: Any) -> dict[str, Any]:
    """A repository that was pushed to ten days before the end of the month."""
    return {
        "id": 77,
        "name": name.split("/")[1],
        "full_name": name,
        "owner": {"login": name.split("/")[0]},
        "html_url": f"https://github.com/{name}",
        "description": f"A {name}",
        "stargazers_count": 900,
        "forks_count": 12,
        "open_issues_count": 3,
        "language": "Rust",
        "topics": [],
        "created_at": "2024-01-01T00:00:00Z",
        "updated_at": "2026-11-20T00:00:00Z",
        "pushed_at": "2026-11-20T00:00:00Z",
        "score": 1.0,
        **more,
    }


def limited(code: int = 403, *, secondary: bool = False, **headers: str) -> Answer:
    """The answer to too many requests."""
    if secondary:
        said = "You have exceeded a secondary rate limit. Please wait a few minutes."
        return answer_json(
            {"message": said}, code, X_RateLimit_Remaining="17", **headers
        )
    return answer_json(
        {"message": "API rate limit exceeded for 192.0.2.1.", "documentation_url": "…"},
        code,
        X_RateLimit_Remaining="0",
        X_RateLimit_Resource="search",
        **headers,
    )


@dataclass
class GitHub:
    """The service: so many searches a minute without a token, all with `TOKEN`."""

    server: Server
    threads: list[dict[str, Any]] = field(default_factory=list)
    repositories: list[dict[str, Any]] = field(default_factory=list)
    anonymous: int = 10
    incomplete: bool = False

    def __post_init__(self) -> None:
        self.server.route("/search/issues", self._threads)
        self.server.route("/search/repositories", self._repositories)

    @property
    def queries(self) -> list[str]:
        """What was searched for, in order."""
        return [asked.params["q"] for asked in self.server.requests]

    @property
    def tokens(self) -> list[str]:
        """What each request was authorised with."""
        return [a.headers.get("authorization", "") for a in self.server.requests]

    def _threads(self, asked: Asked) -> Answer:
        query = asked.params["q"]
        if "is:issue" not in query and "is:pull-request" not in query:
            return _invalid("Query must include 'is:issue' or 'is:pull-request'")
        return self._found(asked, self.threads)

    def _repositories(self, asked: Asked) -> Answer:
        return self._found(asked, self.repositories)

    def _found(self, asked: Asked, table: list[dict[str, Any]]) -> Answer:
        if refused := self._refused(asked):
            return refused
        wanted = [one for one in table if _matches(one, asked.params["q"])]
        sort = asked.params.get("sort")
        if sort == "stars":
            wanted.sort(key=lambda one: -one["stargazers_count"])
        elif sort == "reactions":
            wanted.sort(key=lambda one: -one["reactions"]["total_count"])
        return answer_json(
            {
                "total_count": len(wanted),
                "incomplete_results": self.incomplete,
                "items": wanted[: int(asked.params.get("per_page", "30"))],
            }
        )

    def _refused(self, asked: Asked) -> Answer | None:
        assert asked.headers["accept"] == "application/vnd.github+json"
        assert asked.headers["user-agent"].startswith("last30days/")
        token = asked.headers.get("authorization")
        if token not in (None, f"Bearer {TOKEN}"):
            return answer_json({"message": "Bad credentials", "status": "401"}, 401)
        if token is None:
            self.anonymous -= 1
            if self.anonymous < 0:
                return limited(X_RateLimit_Reset=str(RESET))
        if "repo:o/gone" in asked.params["q"]:
            return _invalid(
                "The listed users and repositories cannot be searched either because "
                "the resources do not exist or you do not have permission to view them."
            )
        return None


def _invalid(message: str) -> Answer:
    body = {
        "message": "Validation Failed",
        "errors": [{"message": message, "resource": "Search", "field": "q"}],
    }
    return answer_json(body, 422)


def _matches(one: Mapping[str, Any], query: str) -> bool:
    said = " ".join(
        str(one.get(name) or "")
        for name in ("title", "body", "full_name", "description")
    ).lower()
    pull = "pull_request" in one
    place = one.get("full_name") or one["repository_url"].split("/repos/")[1]
    author = (one.get("user") or one.get("owner") or {}).get("login")
    places = []
    for word in shlex.split(query):
        name, colon, value = word.partition(":")
        if not colon:
            if name.lower() not in said:
                return False
        elif name == "is":
            if pull != (value == "pull-request"):
                return False
        elif name == "repo":
            places.append(value)
        elif name in ("author", "user"):
            if author != value:
                return False
        else:
            match = _RANGE.fullmatch(value)
            assert match and name in ("created", "updated", "pushed"), word
            if not match[1] <= one[f"{name}_at"][:10] <= match[2]:
                return False
    return not places or place in places
