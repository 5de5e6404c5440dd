"""Serper: what Google finds, with a key.

https://serper.dev. A bad key answers 403; dates are those that Google shows.
"""

from __future__ import annotations

from datetime import datetime

from engine.errors import AuthError, BadResponseError, SourceError
from engine.exchange import Request
from engine.model import Item
from engine.settings import Settings
from engine.sources.base import Ask
from engine.sources.web_base import Provider, query_words, read_pages
from engine.sources.web_pages import page
from engine.values import as_mapping

__all__ = ["PROVIDER"]

_LABEL = "Serper"


def _request(ask: Ask, settings: Settings) -> Request:
    first, last = (
        f"{day.month}/{day.day}/{day.year}"
        for day in (ask.window.first, ask.window.last)
    )
    body = {
        "q": " ".join(query_words(ask)),
        "num": min(20, ask.limit),
        "tbs": f"cdr:1,cd_min:{first},cd_max:{last}",
    }
    key = settings.get("SERPER_API_KEY")
    url = settings.base_url("serper", "https://google.serper.dev")
    return Request(
        _LABEL,
        f"{url}/search",
        headers={"X-API-KEY": key},
        body=body,
        secrets=(key,),
        refine=_refusal,
    )


def _refusal(status: int, text: str) -> SourceError | None:
    if status == 403:
        return AuthError(f"{_LABEL} refused the credentials (HTTP 403)")
    if status == 400 and "enough credits" in text:
        return AuthError(f"{_LABEL} says that the account is out of credit (HTTP 400)")
    return None


def _pages(answer: object, now: datetime) -> list[Item]:
    found = as_mapping(answer)
    if not {"searchParameters", "organic"} & set(found):
        raise BadResponseError(f"{_LABEL} gave an answer that is no search result")
    return read_pages(
        _LABEL,
        found.get("organic", []),
        lambda one: page(
            "serper",
            now,
            url=one.get("link"),
            title=one.get("title"),
            text=one.get("snippet"),
            date=one.get("date"),
            by=one.get("source"),
        ),
    )


PROVIDER = Provider(
    name="serper",
    label=_LABEL,
    setting="SERPER_API_KEY",
    request=_request,
    read=_pages,
)
