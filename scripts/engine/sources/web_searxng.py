"""SearXNG: the web by a search server of the user's own, without a key.

https://docs.searxng.org/dev/search_api.html. JSON has to be switched on in its
settings. What its engines find has hardly ever a date.
"""

from __future__ import annotations

from datetime import datetime

from engine.errors import BadResponseError, RateLimitError, SourceError
from engine.exchange import Request
from engine.model import Item
from engine.settings import Settings
from engine.sources.base import Ask
from engine.sources.web_base import Provider, query_words, read_pages
from engine.sources.web_pages import page
from engine.values import as_mapping, as_sequence

__all__ = ["PROVIDER"]

_LABEL = "SearXNG"
_RANGES = ((1, "day"), (7, "week"), (31, "month"), (366, "year"))


def _request(ask: Ask, settings: Settings) -> Request:
    params = {"q": " ".join(query_words(ask)), "format": "json", "language": "all"}
    age = (settings.now.date() - ask.window.first).days + 1
    ranges = [name for days, name in _RANGES if age <= days]
    if ranges:
        params["time_range"] = ranges[0]
    url = settings.base_url("searxng", "") + "/search"
    return Request(_LABEL, url, params, refine=_refusal)


def _refusal(status: int, text: str) -> SourceError | None:
    if status == 403:
        return BadResponseError(
            f"{_LABEL} refuses to answer in JSON (HTTP 403)",
            fix="list json under search.formats in the settings.yml of the instance",
        )
    return None


def _pages(answer: object, now: datetime) -> list[Item]:
    results = as_mapping(answer).get("results")
    silent = as_sequence(as_mapping(answer).get("unresponsive_engines"))
    if results == [] and silent:
        raise RateLimitError(f"{_LABEL}: none of its engines answered")
    return read_pages(
        _LABEL,
        results,
        lambda one: page(
            "searxng",
            now,
            url=one.get("url"),
            title=one.get("title"),
            text=one.get("content"),
            date=one.get("publishedDate") or one.get("pubdate"),
        ),
    )


PROVIDER = Provider(
    name="searxng",
    label=_LABEL,
    setting="LAST30DAYS_SEARXNG_URL",
    request=_request,
    read=_pages,
    self_hosted=True,
)
