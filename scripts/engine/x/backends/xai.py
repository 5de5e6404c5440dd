"""X through the xAI API, whose models search X by themselves; a call costs money.

https://docs.x.ai/docs/guides/tools/search-tools. What the search found is not part of
the answer: a model reports it, so a post is held against its id, and an answer needs
proof that a search ran.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields, replace
from functools import partial
from typing import Any

from engine.errors import (
    AuthError,
    BadResponseError,
    RateLimitError,
    SourceError,
)
from engine.exchange import Request, messages
from engine.model import BackendInfo, Item
from engine.text.redact import excerpt
from engine.x.backends.base import IO, Ask
from engine.x.query import Query

__all__ = ["DEFAULT_MODEL", "INFO", "missing", "search"]

INFO = BackendInfo(
    name="xai",
    label="xAI API",
    site="x.com",
    api_page="https://docs.x.ai/docs/guides/tools/search-tools",
    operators=frozenset(field.name for field in fields(Query)),
    credentials=("XAI_API_KEY",),
    # An answer takes 10 to 120 seconds.
    min_seconds=10.0,
    paid=True,
    model_reported=True,
)
DEFAULT_MODEL = "grok-4.5"

# Some documents of the API allow twenty, others ten.
_MAX_HANDLES = 10
_FIX = "check XAI_API_KEY, its rights and its credits at https://console.x.ai"
_FIX_MODEL = (
    "set LAST30DAYS_XAI_MODEL to a model of https://docs.x.ai/docs/models that can "
    "search X"
)
_NO_CREDIT = re.compile(r"credit|spending limit", re.IGNORECASE)
_WRONG_KEY = re.compile(r"incorrect api key|invalid api key", re.IGNORECASE)


def missing(io: IO) -> str:
    """What has to be done before the API can be asked; empty if nothing."""
    if io.settings.get("XAI_API_KEY"):
        return ""
    return "set XAI_API_KEY (from https://console.x.ai; calls cost money)"


def search(ask: Ask, io: IO) -> list[Item]:
    """The posts that a model reports for a query and that can exist, up to `ask.limit`.

    Authors of whom the API takes only so many are asked for in groups.

    Raises:
        SourceError: there is no answer to believe; the subclass says why, and what
            could be believed is on it.
    """
    # Every run imports this module, and few need what a call needs.
    from engine.x.backends.xai_answer import believe, read_answer

    if ask.query.window.start > io.settings.now:
        return []
    found: dict[str, Item] = {}
    try:
        for query in _groups(ask.query):
            part = ask._replace(query=query)
            request = _request(part, io)
            page = io.fetch.json(request, io.deadline)
            answer = read_answer(page, request.secrets)
            found.update((item.id, item) for item in believe(answer, part, io))
    except SourceError as error:
        if isinstance(error, AuthError):
            error.fix = error.fix or _FIX
        error.items = (*found.values(), *error.items)[: ask.limit]
        raise
    return list(found.values())[: ask.limit]


def _groups(query: Query) -> Iterator[Query]:
    handles = query.from_handles
    for start in range(0, len(handles) or 1, _MAX_HANDLES):
        yield replace(query, from_handles=handles[start : start + _MAX_HANDLES])


def _request(ask: Ask, io: IO) -> Request:
    from engine.x.prompt import search_prompt

    settings = io.settings
    model = settings.get("LAST30DAYS_XAI_MODEL") or DEFAULT_MODEL
    url = settings.base_url("xai", "https://api.x.ai/v1") + "/responses"
    secrets = settings.secrets
    return Request(
        INFO.label,
        url,
        headers={"Authorization": f"Bearer {settings.get('XAI_API_KEY')}"},
        body={
            "model": model,
            "input": [{"role": "user", "content": search_prompt(ask.query, ask.limit)}],
            "tools": [_tool(ask.query, io)],
            "store": False,
        },
        secrets=secrets,
        refine=partial(_refined, f"model {model} at {url}", secrets),
    )


def _tool(query: Query, io: IO) -> dict[str, Any]:
    tool: dict[str, Any] = {"type": "x_search", "from_date": f"{query.window.first}"}
    # The day after the last, since the end may be exclusive; a date in the future gets
    # an answer for which nothing was searched.
    if query.window.until <= io.settings.now.date():
        tool["to_date"] = f"{query.window.until}"
    # The API takes only one of the two; the loop leaves out whom it does not.
    if query.from_handles:
        tool["allowed_x_handles"] = list(query.from_handles)
    elif query.not_from:
        tool["excluded_x_handles"] = list(query.not_from[:_MAX_HANDLES])
    return tool


def _refined(
    asked: str, secrets: tuple[str, ...], status: int, text: str
) -> SourceError | None:
    """What a status means where this service says more with it than others do.

    Args:
        asked: the model and the address.
        text: the body of the answer.
    """
    page = text.startswith("<")
    said = "" if page else f": {excerpt('; '.join(messages(text)), secrets)}"
    if status == 400 and _WRONG_KEY.search(text):
        return AuthError(f"{INFO.label} refused the key (HTTP 400)", fix=_FIX)
    if status in (404, 410):
        what = "does not know" if status == 404 else "has retired"
        return BadResponseError(
            f"{INFO.label} {what} the {asked} (HTTP {status}){said}", fix=_FIX_MODEL
        )
    if status == 429 and _NO_CREDIT.search(text):
        return RateLimitError(
            f"{INFO.label} says that credits or a spending limit are used up "
            f"(HTTP 429){said}",
            fix=_FIX,
        )
    return None
