"""Exa: a search of the web by meaning, with a key.

https://exa.ai/docs/reference/search
"""

from __future__ import annotations

from datetime import datetime

from engine.exchange import Request
from engine.model import Item
from engine.settings import Settings
from engine.sources.base import Ask
from engine.sources.web_base import Provider, joined, query_words, read_pages
from engine.sources.web_pages import page
from engine.values import as_mapping

__all__ = ["PROVIDER"]

_LABEL = "Exa"


def _request(ask: Ask, settings: Settings) -> Request:
    body = {
        "query": " ".join(query_words(ask)),
        "type": "auto",
        "numResults": min(25, ask.limit),
        "startPublishedDate": f"{ask.window.first}T00:00:00.000Z",
        "endPublishedDate": f"{ask.window.last}T23:59:59.999Z",
        "contents": {"highlights": True},
    }
    key = settings.get("EXA_API_KEY")
    url = settings.base_url("exa", "https://api.exa.ai")
    return Request(
        _LABEL, f"{url}/search", headers={"x-api-key": key}, body=body, secrets=(key,)
    )


def _pages(answer: object, now: datetime) -> list[Item]:
    return read_pages(
        _LABEL,
        as_mapping(answer).get("results"),
        lambda one: page(
            "exa",
            now,
            url=one.get("url"),
            title=one.get("title"),
            text=joined(one.get("highlights")) or one.get("text"),
            date=one.get("publishedDate"),
            by=one.get("author"),
        ),
    )


PROVIDER = Provider(
    name="exa",
    label=_LABEL,
    setting="EXA_API_KEY",
    request=_request,
    read=_pages,
)
