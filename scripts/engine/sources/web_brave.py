"""Brave Search: an index of the web of its own, with a key.

https://api-dashboard.search.brave.com/app/documentation. A bad key answers 422.
"""

from __future__ import annotations

import json
from datetime import datetime

from engine.errors import AuthError, BadResponseError, RateLimitError, SourceError
from engine.exchange import Request
from engine.model import Item
from engine.settings import Settings
from engine.sources.base import Ask
from engine.sources.web_base import Provider, query_words, read_pages
from engine.sources.web_pages import page
from engine.values import as_mapping, as_sequence, parse_count

__all__ = ["PROVIDER"]

_LABEL = "Brave Search"


def _request(ask: Ask, settings: Settings) -> Request:
    key = settings.get("BRAVE_API_KEY")
    params: dict[str, str | int] = {
        "q": " ".join(query_words(ask)),
        "count": min(20, ask.limit),
        "freshness": f"{ask.window.first}to{ask.window.last}",
        "text_decorations": "false",
        "result_filter": "web",
    }
    url = settings.base_url("brave", "https://api.search.brave.com/res/v1")
    headers = {"X-Subscription-Token": key, "Accept": "application/json"}
    return Request(
        _LABEL,
        f"{url}/web/search",
        params,
        headers,
        secrets=(key,),
        refine=_refusal,
    )


def _refusal(status: int, text: str) -> SourceError | None:
    error = as_mapping(as_mapping(_json(text)).get("error"))
    meta = as_mapping(error.get("meta"))
    if status == 422:
        fields = (as_mapping(e).get("loc") for e in as_sequence(meta.get("errors")))
        about_key = ["header", "x-subscription-token"]
        if error.get("code") == "SUBSCRIPTION_TOKEN_INVALID" or about_key in fields:
            return AuthError(f"{_LABEL} refused the credentials (HTTP 422)")
    if status == 429:
        quota, used = (
            parse_count(meta.get(f"quota_{n}")) for n in ("limit", "current")
        )
        if quota and used is not None and used >= quota:
            return RateLimitError(f"{_LABEL}: the quota of the plan is used up")
    return None


def _json(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _pages(answer: object, now: datetime) -> list[Item]:
    found = as_mapping(answer)
    if found.get("type") != "search":
        raise BadResponseError(f"{_LABEL} gave an answer that is no search result")
    return read_pages(
        _LABEL,
        as_mapping(found.get("web") or {"results": []}).get("results"),
        lambda one: page(
            "brave",
            now,
            url=one.get("url"),
            title=one.get("title"),
            text=one.get("description"),
            date=one.get("page_age") or one.get("age"),
            by=as_mapping(one.get("profile")).get("name"),
        ),
    )


PROVIDER = Provider(
    name="brave",
    label=_LABEL,
    setting="BRAVE_API_KEY",
    request=_request,
    read=_pages,
)
