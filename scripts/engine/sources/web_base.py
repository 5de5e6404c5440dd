"""What a provider of web search has to be, and what all of them share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import accumulate

from engine.errors import BadResponseError
from engine.exchange import Request
from engine.model import Item
from engine.settings import Settings
from engine.sources.base import Ask
from engine.sources.wording import plain_words
from engine.values import as_mapping, as_sequence, as_text

__all__ = ["Provider", "joined", "query_words", "read_pages"]

# Brave's limits; nobody else's are narrower.
_MAX_WORDS = 50
_MAX_CHARS = 400


@dataclass(frozen=True, slots=True)
class Provider:
    """A service that searches the web; `setting` is the one that switches it on.

    `request` makes the request for a query, `read` the pages of its answer; that raises
    a `SourceError` for an answer that tells of a failure. `self_hosted` is true for a
    server of the user's own.
    """

    name: str
    label: str
    setting: str
    request: Callable[[Ask, Settings], Request]
    read: Callable[[object, datetime], list[Item]]
    self_hosted: bool = False


def query_words(ask: Ask) -> list[str]:
    """The words to search with: plain, since signs between them may be operators."""
    words = plain_words(ask.query)[:_MAX_WORDS]
    ends = accumulate(len(word) + 1 for word in words)
    return [word for word, end in zip(words, ends, strict=True) if end <= _MAX_CHARS]


def read_pages(
    label: str, results: object, one: Callable[[Mapping[str, object]], Item | None]
) -> list[Item]:
    """The pages that `one` makes of results, without those that are none.

    Raises:
        BadResponseError: there is no list of results, or no page in it.
    """
    if not isinstance(results, list):
        raise BadResponseError(f"{label} gave an answer without results")
    found = [item for result in results if (item := one(as_mapping(result)))]
    if results and not found:
        raise BadResponseError(f"{label} gave results without addresses")
    return found


def joined(parts: object) -> str:
    """Pieces of a page as one text."""
    return " … ".join(filter(None, map(as_text, as_sequence(parts))))
