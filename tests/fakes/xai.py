"""The xAI API's responses endpoint, played over a set of posts.

The query is read from the prompt, the days and accounts from the tool's parameters as
well, and the posts that are found are told as a model tells them: in a text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta, timezone
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
from fakes.server import Answer, Asked, Failure, Server, answer_json, status

__all__ = ["FAILURES", "KEY", "MODELS", "XAi", "edited", "said"]

KEY = "xai-0123456789abcdefghijklmnopqrstuv"
MODELS = ("grok-4.7", "grok-4.5", "grok-4.3")

_DAY = timedelta(days=1)
_DATE = re.compile(r"\d{4}-\d\d-\d\d")
_PART = re.compile(r'-?"[^"]*"|\([^)]*\)|\S+')
_TOP = frozenset(
    ["model", "input", "tools", "store", "max_output_tokens", "instructions"]
)
_TOOL = frozenset(
    ("type", "allowed_x_handles", "excluded_x_handles", "from_date", "to_date")
)
# How citations come: on the text, beside it, both, or not at all.
_CITED = ("text", "beside", "both", "none")


@dataclass
class XAi:
    """The service, on `server.url` + /v1.

    `cited` is how posts are cited, `call` the kind of output that shows the search
    (empty: it does not show), `shape` makes the text of the posts, `delay` is in
    seconds.
    """

    server: Server
    posts: list[Item]
    cited: str = "both"
    call: str = "custom_tool_call"
    shape: Callable[[list[dict[str, Any]]], str] = json.dumps
    delay: float = 0.0
    _index: Archive = field(init=False)

    def __post_init__(self) -> None:
        self._index = Archive(post for post in self.posts if not post.repost_of)
        self.server.route("/v1/responses", self._answer)

    @property
    def url(self) -> str:
        """The base URL."""
        return f"{self.server.url}/v1"

    @property
    def bodies(self) -> list[dict[str, Any]]:
        """What was asked, in its order."""
        return [asked.json for asked in self.server.requests]

    @property
    def tools(self) -> list[dict[str, Any]]:
        """The search tools that were asked for, in their order."""
        return [body["tools"][0] for body in self.bodies]

    def _answer(self, asked: Asked) -> Answer:
        return replace(self._checked(asked), delay=self.delay)

    def _checked(self, asked: Asked) -> Answer:
        authorization = asked.headers.get("authorization", "")
        if not authorization.startswith("Bearer "):
            return _error(401, "Unauthenticated", "No credentials were given.")
        if authorization != f"Bearer {KEY}":
            return _error(400, _ARGUMENT, "Incorrect API key provided: xa***zz. Get …")
        if asked.method != "POST":
            return _error(405, "Method not allowed", asked.method)
        body = asked.json
        if "search_parameters" in body:
            return _error(410, "Gone", "Live search is deprecated. Please switch …")
        if odd := set(body) - _TOP:
            return _error(422, "Unprocessable", f"unknown field {sorted(odd)[0]}")
        if body["model"] not in MODELS:
            return _error(404, "Not found", f"The model {body['model']} does not exist")
        tool = body["tools"][0]
        if refusal := _refusal(tool):
            return _error(400, _ARGUMENT, refusal)
        return answer_json(self._response(body, tool))

    def _response(self, body: Any, tool: Mapping[str, Any]) -> dict[str, Any]:
        prompt = body["input"][-1]["content"]
        literal = next(line for line in prompt.splitlines() if line.startswith('"'))
        limit = int(prompt.split("limit ")[1].split(".")[0])
        query = _query(json.loads(literal), tool, latest="mode Latest" in prompt)
        found = archive.search(Ask(query, limit), _io(self._index))
        text = self.shape([_told(item) for item in found])
        urls = [f"https://x.com/i/status/{item.id}" for item in found]
        return _response(text, urls, self.cited, self.call, body["model"])


def _refusal(tool: Mapping[str, Any]) -> str:
    """Why the service does not take a tool; empty if it does."""
    if tool["type"] != "x_search" or set(tool) - _TOOL:
        return f"unknown tool or parameter: {sorted(tool)}"
    lists = [
        name for name in ("allowed_x_handles", "excluded_x_handles") if name in tool
    ]
    if len(lists) == 2:
        return "allowed_x_handles and excluded_x_handles exclude each other"
    if any(len(tool[name]) > 20 or not tool[name] for name in lists):
        return "1 to 20 handles"
    dates = [tool[name] for name in ("from_date", "to_date") if name in tool]
    return (
        "" if all(map(_DATE.fullmatch, dates)) and dates == sorted(dates) else "dates"
    )


def _query(syntax: str, tool: Mapping[str, Any], *, latest: bool) -> Query:
    """The query in a text of X's web syntax, within the bounds of the tool."""
    found: dict[str, Any] = {"latest": latest}

    def add(name: str, *values: str) -> None:
        found[name] = (*found.get(name, ()), *values)

    for token in _PART.findall(syntax):
        name, _, value = token.partition(":")
        if token.startswith("("):
            add("from_handles", *re.findall(r"from:(\w+)", token))
        elif token in ("filter:links", "-filter:replies"):
            found["links_only" if token[0] == "f" else "no_replies"] = True
        elif name in ("since", "until"):
            found[name] = date.fromisoformat(value)
        elif name == "min_faves":
            found["min_likes"] = int(value)
        elif name in ("from", "-from"):
            add("from_handles" if name == "from" else "not_from", value)
        elif token.startswith("-"):
            add("exclude", token[1:].strip('"'))
        else:
            add("phrases" if token.startswith('"') else "terms", token.strip('"'))
    first, last = found.pop("since"), found.pop("until") - _DAY
    first = max(first, date.fromisoformat(tool["from_date"]))
    if "to_date" in tool:
        last = min(last, date.fromisoformat(tool["to_date"]) - _DAY)
    add("not_from", *tool.get("excluded_x_handles", ()))
    if allowed := tool.get("allowed_x_handles"):
        found["from_handles"] = tuple(allowed)
    return Query(Window(first, last), **found)


def _told(item: Item) -> dict[str, Any]:
    assert item.created_at is not None
    return {
        "id": item.id,
        "handle": item.author_handle,
        "name": item.author_name,
        "text": item.text,
        "created_at": item.created_at.isoformat(),
        **item.engagement,
        "in_reply_to": item.in_reply_to,
        "urls": list(item.urls),
    }


def _response(
    text: str, urls: list[str], cited: str, call: str, model: str
) -> dict[str, Any]:
    assert cited in _CITED
    notes = [{"type": "url_citation", "title": "1", "url": url} for url in urls]
    on_text = cited in ("text", "both")
    message = {
        "type": "output_text",
        "text": text,
        "annotations": notes if on_text else [],
    }
    arguments = json.dumps({"query": "q", "limit": 10})
    asked = "input" if call == "custom_tool_call" else "arguments"
    search = {"type": call, "name": "x_keyword_search", asked: arguments}
    output = [
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Looking"}]},
        *([search] if call else []),
        {"type": "message", "role": "assistant", "content": [message]},
        {"type": "some_new_kind", "content": "unknown"},
    ]
    return {
        "id": "resp_0a1b2c3d",
        "object": "response",
        "model": model,
        "status": "completed",
        "incomplete_details": None,
        "error": None,
        "output": output,
        **({"citations": urls} if cited in ("beside", "both") else {}),
        "usage": {"input_tokens": 2600, "output_tokens": 420},
    }


def _io(index: Archive) -> IO:
    settings = Settings({}, datetime.now(timezone.utc))
    return IO(settings, Deadline(60), Fetch(settings), print, print, archive=index)


_ARGUMENT = "Client specified an invalid argument"


def _error(code: int, kind: str, message: str) -> Answer:
    return answer_json({"code": kind, "error": message}, code)


def _refused(code: int, message: str, **headers: str) -> Failure:
    return status(code, {"code": "some code", "error": message}, **headers)


def edited(edit: Callable[[dict[str, Any]], object]) -> Failure:
    """The answer, after a function has changed what its JSON holds."""

    def change(answer: Answer) -> Answer:
        body = json.loads(answer.body)
        edit(body)
        return replace(answer, body=json.dumps(body).encode())

    return change


def said(text: str, *, urls: tuple[str, ...] = (), call: str = "") -> Failure:
    """An answer of any text, with these citations and this proof of a search."""
    return lambda _: answer_json(_response(text, list(urls), "both", call, "grok-4.5"))


# What only this service answers, by name; the other failures are those of any server.
FAILURES: Mapping[str, Failure] = {
    "wrong-key": _refused(400, "Incorrect API key provided: xa***zz. Get one at …"),
    "argument": _refused(400, "Argument not supported on this model: tools"),
    "no-key": _refused(401, "No credentials were given."),
    "payment": _refused(402, "Payment is required."),
    "permission": _refused(403, "The key may not do this."),
    "no-credits": _refused(403, "You have run out of credits or need a subscription."),
    "model": _refused(404, "The model grok-4.5 does not exist or your team has no …"),
    "retired": _refused(410, "Live search is deprecated. Please switch to the …"),
    "schema": _refused(422, "tools[0].type: unknown variant"),
    "requests": _refused(429, "Too many requests for team 7."),
    "requests-until": _refused(429, "Too many tokens for team 7.", Retry_After="900"),
    "spent": _refused(
        429,
        "Your team 7 has either used all available credits or reached its monthly "
        "spending limit.",
        Retry_After="1",
    ),
    "failed": edited(lambda page: page.update(status="failed")),
    "error-in-200": edited(
        lambda page: page.update(error={"code": "x", "message": "Something is amiss"})
    ),
    "error-object": status(200, {"code": "some code", "error": "Something is amiss"}),
    "no-output": edited(lambda page: page.pop("output")),
    "null": status(200, [None]),
    "null-entries": edited(lambda page: page["output"].insert(0, None)),
    "incomplete": edited(
        lambda page: page.update(
            status="incomplete", incomplete_details={"reason": "max_output_tokens"}
        )
    ),
    "uncited": said("People love it."),
    "users-only": said("People love it.", urls=("https://x.com/i/user/42",)),
    "prose": said("People love it.", call="custom_tool_call"),
    "admits": said("I could not search X just now.", call="custom_tool_call"),
}
