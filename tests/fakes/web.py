"""The services of web search over one table of pages, on one server, a path for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from fakes.server import Answer, Asked, Failure, Server, answer_json

__all__ = ["KEYS", "Page", "WebSearch", "refuse_brave"]

KEYS = {
    "searxng": "",
    "brave": "brave-key-1f4c9a",
    "exa": "exa-key-77d20b",
    "serper": "serper-key-c0ffee",
    "parallel": "parallel-key-9a8b7c",
}


@dataclass(frozen=True)
class Page:
    """A page that can be found; `at` is its day, `shown` how Google shows that."""

    url: str
    title: str
    text: str = ""
    at: date | None = None
    shown: str = ""
    by: str = ""


def refuse_brave(
    code: str, status: int = 422, **meta: object
) -> Callable[[Answer], Answer]:
    """An error as Brave writes it."""
    error = {"id": "e1", "status": status, "code": code, "detail": "no", "meta": meta}
    body = {"type": "ErrorResponse", "error": error, "time": 1}
    return lambda _: answer_json(body, status)


class WebSearch:
    """Every service finds the pages in whose title or text a word of the query stands.

    `fail` switches on the failure of one of them; `asked` are the requests that came
    to each.
    """

    def __init__(self, server: Server, pages: list[Page]) -> None:
        self.url = server.url
        self.pages = pages
        self.silent: list[list[str]] = []
        self.asked: dict[str, list[Asked]] = {name: [] for name in KEYS}
        self._failures: dict[str, Failure] = {}
        for name, (path, answer) in {
            "searxng": ("search", self._searxng),
            "brave": ("web/search", self._brave),
            "exa": ("search", self._exa),
            "serper": ("search", self._serper),
            "parallel": ("v1/search", self._parallel),
        }.items():
            server.route(f"/{name}/{path}", self._route(name, answer))

    def settings(self, *names: str) -> dict[str, str]:
        """What a user sets who has these services."""
        urls = {f"LAST30DAYS_{n.upper()}_URL": f"{self.url}/{n}" for n in names}
        keys = {f"{n.upper()}_API_KEY": KEYS[n] for n in names if KEYS[n]}
        return {**urls, **keys}

    def fail(self, name: str, failure: Failure) -> None:
        """Have one service fail from now on."""
        self._failures[name] = failure

    def _route(
        self, name: str, answer: Callable[[Asked], Answer]
    ) -> Callable[[Asked], Answer]:
        def route(asked: Asked) -> Answer:
            self.asked[name].append(asked)
            given = answer(asked)
            failure = self._failures.get(name)
            return failure(given) if failure else given

        return route

    def _found(self, query: str, limit: int = 100) -> list[Page]:
        words = query.lower().split()
        return [
            page
            for page in self.pages
            if any(word in f"{page.title} {page.text}".lower() for word in words)
        ][:limit]

    def _searxng(self, asked: Asked) -> Answer:
        assert asked.params.get("time_range", "year") in (
            *("day", "week", "month", "year"),
        )
        if asked.params.get("format") != "json":
            return Answer(200, b"<!DOCTYPE html><html></html>")
        found = [
            {
                "url": page.url,
                "title": page.title,
                "content": page.text,
                "engine": "duckduckgo",
                "publishedDate": page.at and f"{page.at}T00:00:00",
                "score": 1.0,
            }
            for page in self._found(asked.params["q"])
        ]
        return answer_json(
            {
                "query": asked.params["q"],
                "results": found,
                "answers": [],
                "unresponsive_engines": self.silent,
            }
        )

    def _brave(self, asked: Asked) -> Answer:
        if asked.headers.get("x-subscription-token") != KEYS["brave"]:
            return refuse_brave("SUBSCRIPTION_TOKEN_INVALID")(Answer())
        query, count = asked.params["q"], int(asked.params["count"])
        assert 1 <= count <= 20
        assert len(query) <= 400 and len(query.split()) <= 50
        found = [
            {
                "title": page.title,
                "url": page.url,
                "description": page.text,
                **({"page_age": f"{page.at}T10:00:00"} if page.at else {}),
                "profile": {"name": page.by or None},
            }
            for page in self._found(query, count)
        ]
        web = {"web": {"type": "search", "results": found}} if found else {}
        return answer_json({"type": "search", "query": {"original": query}, **web})

    def _exa(self, asked: Asked) -> Answer:
        if asked.headers.get("x-api-key") != KEYS["exa"]:
            return answer_json({"error": "no", "tag": "INVALID_API_KEY"}, 401)
        body = asked.json
        found = [
            {
                "id": page.url,
                "url": page.url,
                "title": page.title,
                "publishedDate": page.at and f"{page.at}T10:00:00.000Z",
                "author": page.by or None,
                "highlights": [page.text] if page.text else [],
            }
            for page in self._found(body["query"], body["numResults"])
        ]
        return answer_json({"requestId": "r1", "results": found})

    def _serper(self, asked: Asked) -> Answer:
        if asked.headers.get("x-api-key") != KEYS["serper"]:
            return answer_json({"message": "Unauthorized.", "statusCode": 403}, 403)
        body = asked.json
        found = [
            {
                "title": page.title,
                "link": page.url,
                "snippet": page.text,
                **({"date": page.shown} if page.shown else {}),
                "position": place,
            }
            for place, page in enumerate(self._found(body["q"], body["num"]), 1)
        ]
        return answer_json({"searchParameters": body, "organic": found, "credits": 1})

    def _parallel(self, asked: Asked) -> Answer:
        if asked.headers.get("x-api-key") != KEYS["parallel"]:
            return answer_json(_refusal("bad key"), 401)
        body: Mapping[str, Any] = asked.json
        queries = body.get("search_queries")
        if not queries or any(len(query.split()) > 6 for query in queries):
            return answer_json(_refusal("search_queries"), 422)
        limit = body["advanced_settings"]["max_results"]
        found = [
            {
                "url": page.url,
                "title": page.title,
                "publish_date": page.at and str(page.at),
                "excerpts": [page.text] if page.text else [],
            }
            for page in self._found(" ".join(queries), limit)
        ]
        return answer_json({"search_id": "s1", "results": found, "warnings": []})


def _refusal(message: str) -> dict[str, object]:
    return {"type": "error", "error": {"ref_id": "r", "message": message}}
