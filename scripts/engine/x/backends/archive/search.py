"""Answer a query from posts on disk, as X would.

A term matches the text, the display name, the handle or the target of a link, `#tag`
and `$tag` the tags alone, `@name` posts that name the account or are written by it.
Where no index can help (the window, the floor of likes), posts are looked at one by
one. Reposts are found too: the loop counts them once. The search is that of
https://www.sqlite.org/fts5.html.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields

from engine.errors import NotConfiguredError
from engine.model import BackendInfo, Item
from engine.text.tokens import sought, tokenize
from engine.x.backends.archive.index import EVERY, LINKS, REPLIES
from engine.x.backends.base import IO, Ask
from engine.x.query import Query, clean_handle

__all__ = ["INFO", "missing", "search"]

INFO = BackendInfo(
    name="archive",
    label="posts on disk",
    site="x.com",
    api_page="https://www.sqlite.org/fts5.html",
    operators=frozenset(field.name for field in fields(Query)),
    parallel=1,
)

# A word that no text can hold.
_NOTHING = '"is:nothing"'


def missing(io: IO) -> str:
    """What has to be done before posts on disk can be searched; empty if nothing."""
    return "pass --archive FILE to search posts on disk" if io.archive is None else ""


def search(ask: Ask, io: IO) -> list[Item]:
    """The posts that match, in X's order, at most `ask.limit`.

    Raises:
        NotConfiguredError: no posts were given.
    """
    if io.archive is None:
        raise NotConfiguredError("no posts on disk were given", fix=missing(io))
    query = ask.query
    start, end = query.window.start, query.window.end

    def keep(item: Item) -> bool:
        at = item.created_at
        if at is not None and not start <= at < end:
            return False
        return item.engagement.get("likes", 0) >= query.min_likes

    return io.archive.find(_expression(query), keep, ask.limit, latest=query.latest)


def _expression(query: Query) -> str:
    """The query in the language of FTS5, which takes every word in quotes as data."""
    wanted = [*map(_term, query.terms), *map(_phrase, query.phrases)]
    if query.from_handles:
        authors = (_handle("from:", name) for name in query.from_handles)
        wanted.append(_joined(" OR ", authors))
    if query.mention:
        wanted.append(_handle("@", query.mention))
    if query.links_only:
        wanted.append(f'"{LINKS}"')
    unwanted = [*map(_term, query.exclude)]
    unwanted += [_handle("from:", name) for name in query.not_from]
    if query.no_replies:
        unwanted.append(f'"{REPLIES}"')
    expression = _joined(" AND ", wanted or [f'"{EVERY}"'])
    return f"{expression} NOT {_joined(' OR ', unwanted)}" if unwanted else expression


def _joined(operator: str, expressions: Iterable[str]) -> str:
    return f"({operator.join(expressions)})"


def _term(term: str) -> str:
    if term.startswith("@") and clean_handle(term):
        return _joined(" OR ", (_handle("@", term), _handle("from:", term)))
    if term.startswith(("#", "$")) and (tags := sorted(tokenize(term).tags)):
        return _joined(" AND ", (f'"{tag}"' for tag in tags))
    return _phrase(term)


def _handle(sign: str, raw: str) -> str:
    handle = clean_handle(raw)
    return f'"{sign}{handle.lower()}"' if handle else _NOTHING


def _phrase(phrase: str) -> str:
    """The words of a phrase side by side; a phrase without words matches nothing."""
    words, is_start = sought(phrase)
    if not words:
        return _NOTHING
    return f'"{" ".join(words)}"{" *" if is_start else ""}'
