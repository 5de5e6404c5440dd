"""The web by one of several search services, or by what the host itself found.

Each service has a file of its own, which names its API page. The first that is set up
is asked; one that fails is followed by the next. Pages without a date are kept as
undated context.
"""

from __future__ import annotations

from copy import copy
from dataclasses import replace

from engine.errors import (
    BadResponseError,
    BlockedError,
    NotConfiguredError,
    SourceError,
    most_telling,
)
from engine.io import IO
from engine.model import Item, SourceInfo
from engine.sources import (
    web_brave,
    web_exa,
    web_parallel,
    web_searxng,
    web_serper,
)
from engine.sources.base import Ask, RiverAsk, tier_refused
from engine.sources.web_base import Provider, query_words
from engine.sources.web_pages import has_results, load_results

__all__ = ["INFO", "PROVIDERS", "missing", "river", "search"]

PROVIDERS: tuple[Provider, ...] = (
    web_searxng.PROVIDER,
    web_brave.PROVIDER,
    web_exa.PROVIDER,
    web_serper.PROVIDER,
    web_parallel.PROVIDER,
)
"""The services, in the order in which they are asked."""

_KEYS = tuple(p.setting for p in PROVIDERS if not p.self_hosted)

INFO = SourceInfo(
    name="web",
    label="Web",
    emoji="🌐",
    site="web",
    api_page="https://docs.searxng.org/dev/search_api.html",
    # Nothing tells how many people read a page.
    weights={},
    reference=1.0,
    quality=0.60,
    credentials=_KEYS,
    requests=len(PROVIDERS),
    noun="pages",
)


class _Failed:
    """The services that failed in this run, with their failures."""

    def __init__(self) -> None:
        self.errors: dict[str, SourceError] = {}


def missing(io: IO) -> str:
    """What to set before the web can be searched; empty if something is."""
    if _configured(io) or has_results(io):
        return ""
    return (
        f"set one of {', '.join(_KEYS)}, or LAST30DAYS_SEARXNG_URL to the address of "
        "a SearXNG server of your own, or hand over results that you found yourself"
    )


def search(ask: Ask, io: IO) -> list[Item]:
    """The pages of the window and the undated ones, at most `ask.limit`.

    If the host handed over a file of results, its pages, all of them, and nobody is
    asked.

    Raises:
        SourceError: no service answered; the most telling of the failures.
        UsageError: the file of results is unusable.
    """
    if ask.hints.web_results:
        return _inside(load_results(ask.hints.web_results, io), ask)
    providers = _configured(io)
    if not providers:
        raise NotConfiguredError(f"{INFO.label}: no search is set up", fix=missing(io))
    if not query_words(ask):
        return []
    failures: list[SourceError] = []
    for provider in providers:
        left = len(providers) - len(failures)
        # One that hangs must leave time for those after it.
        reserve = io.deadline.left * (1 - 1 / left)
        timed = replace(io, deadline=io.deadline.before(reserve))
        try:
            return _inside(_ask(provider, ask, timed), ask)[: ask.limit]
        except SourceError as error:
            failures.append(error)
            _note(provider, error, io, followed=left > 1)
    raise most_telling(failures)


def river(hot: RiverAsk, io: IO) -> list[Item]:
    """The pages of the week on the domain; without one there is nothing to ask.

    Raises:
        NoHotListError: there is no domain.
        SourceError: no service answered.
    """
    return search(hot.search(), io)


def _configured(io: IO) -> list[Provider]:
    return [p for p in PROVIDERS if io.settings.get(p.setting)]


def _inside(items: tuple[Item, ...] | list[Item], ask: Ask) -> list[Item]:
    """Each page once, without those of other times."""
    found: dict[str, Item] = {}
    for item in items:
        if item.created_at is None or ask.window.contains(item.created_at):
            found.setdefault(item.id, item)
    return list(found.values())


def _ask(provider: Provider, ask: Ask, io: IO) -> list[Item]:
    if known := io.memory.of(_Failed).errors.get(provider.name):
        raise copy(known)
    request = provider.request(ask, io.settings)
    try:
        answer = io.fetch.json(request, io.deadline)
    except BlockedError as error:
        if not provider.self_hosted or io.settings.offline:
            raise
        # The user's own server shows no login: it answers as it does to a browser.
        raise BadResponseError(error.detail) from None
    return provider.read(answer, io.settings.now)


def _note(provider: Provider, error: SourceError, io: IO, *, followed: bool) -> None:
    """Remember a failure, and tell once that another service was asked instead."""
    errors = io.memory.of(_Failed).errors
    if provider.name in errors:
        return
    # What a service makes of one query says nothing of the next.
    if not isinstance(error, BadResponseError):
        errors[provider.name] = error
    if followed:
        io.warn(tier_refused(INFO, provider.label, error))
