"""Support: which sources bear a story out independently of each other.

A repost, a second link to one article, another page of a site that was linked, a page
that quotes what another said, and a page of vacancies are no second source.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Iterator, Sequence
from functools import partial

from engine.model import Item
from engine.rank.origins import origins
from engine.text.statement import statement
from engine.text.tokens import read
from engine.text.urls import linked_pages, site

__all__ = ["independent_sources", "origin_count"]

# So many words in a row are somebody's own: whoever repeats them quotes.
_QUOTED = 8
_READ_WORDS = 400
_URL = re.compile(r"https?://[^\s<>()\[\]\"'`]+")
_VACANCY = re.compile(
    r"(?:^|[/._-])(?:careers?|jobs?|vacanc(?:y|ies)|hiring|positions|stellen|empleos?)"
    r"(?:[/._?-]|$)|greenhouse\.io|lever\.co|ashbyhq\.com|workable\.com",
    re.IGNORECASE,
)


def independent_sources(
    items: Sequence[Item], platforms: Collection[str]
) -> tuple[str, ...]:
    """The sources of items, each with an origin of its own.

    As many as there can be, those of the first items first.

    Args:
        items: about one story.
        platforms: sites where anybody may post, as `engine.text.urls.site` gives them.
    """
    counting = _counting(items)
    found = origins(counting, platforms, partial(_traits, platforms=platforms))
    by_source: dict[str, list[int]] = {}
    for item, origin in zip(counting, found, strict=True):
        by_source.setdefault(item.source, []).append(origin)
    taken: dict[int, str] = {}
    return tuple(s for s in by_source if _take(s, by_source, taken, set()))


def origin_count(items: Sequence[Item], platforms: Collection[str]) -> int:
    """How many independent people or publishers stand behind items."""
    counting = _counting(items)
    more = partial(_traits, platforms=platforms)
    return len(set(origins(counting, platforms, more)))


def _counting(items: Sequence[Item]) -> list[Item]:
    return [item for item in items if not _VACANCY.search(item.url)]


def _take(
    source: str,
    by_source: dict[str, list[int]],
    taken: dict[int, str],
    tried: set[int],
) -> bool:
    """Give a source an origin; whoever has it may move to another (Kuhn's matching)."""
    for origin in by_source[source]:
        if origin not in tried:
            tried.add(origin)
            if origin not in taken or _take(taken[origin], by_source, taken, tried):
                taken[origin] = source
                return True
    return False


def _traits(item: Item, platforms: Collection[str]) -> Iterator[Hashable]:
    """What an item has in common with those that it draws on."""
    said = statement(item)
    linked = (item.url, *item.urls, *_URL.findall(said))
    for page in linked_pages(*linked):
        yield "page", page
        if (host := site(page)) not in platforms:
            yield "publisher", host
    words = read(said).words[:_READ_WORDS]
    for start in range(len(words) - _QUOTED + 1):
        yield "said", words[start : start + _QUOTED]
