"""Parallel: a search of the web for programs, with a key; it gives excerpts.

https://docs.parallel.ai/api-reference/search
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

_LABEL = "Parallel"
# Queries are to have three to six words; what is longer says the objective.
_QUERY_WORDS = 6
_EXCERPT_CHARS = 1_500


def _request(ask: Ask, settings: Settings) -> Request:
    body = {
        "objective": (ask.ranking_queries or (ask.query,))[0],
        "search_queries": [" ".join(query_words(ask)[:_QUERY_WORDS])],
        "mode": "fast",
        "advanced_settings": {
            "max_results": min(20, ask.limit),
            "source_policy": {"after_date": str(ask.window.first)},
            "excerpt_settings": {"max_chars_per_result": _EXCERPT_CHARS},
        },
    }
    key = settings.get("PARALLEL_API_KEY")
    url = settings.base_url("parallel", "https://api.parallel.ai")
    return Request(
        _LABEL,
        f"{url}/v1/search",
        headers={"x-api-key": key},
        body=body,
        secrets=(key,),
    )


def _pages(answer: object, now: datetime) -> list[Item]:
    return read_pages(
        _LABEL,
        as_mapping(answer).get("results"),
        lambda one: page(
            "parallel",
            now,
            url=one.get("url"),
            title=one.get("title"),
            text=joined(one.get("excerpts")),
            date=one.get("publish_date"),
        ),
    )


PROVIDER = Provider(
    name="parallel",
    label=_LABEL,
    setting="PARALLEL_API_KEY",
    request=_request,
    read=_pages,
)
