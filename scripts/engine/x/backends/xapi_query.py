"""A query in the language of the official X API, version 2.

https://docs.x.com/x-api/posts/search/integrate/build-a-query
"""

from __future__ import annotations

import re

from engine.text.redact import clean
from engine.x.query import Query, clean_handle

__all__ = ["v2_syntax"]

_PLAIN = re.compile(r"[^\W_]+|#\w*[^\W\d_]\w*|\$[A-Za-z]{1,6}")
# In quotes they are the words, without them the API takes them for operators or, in
# lower case, complains of an ambiguity.
_RESERVED = frozenset(("and", "or", "not"))
# Nothing escapes them inside of quotes; X takes curly quotes for straight ones.
_UNQUOTABLE = re.compile('["“”„‟＂*\\\\]')


def v2_syntax(query: Query, limit: int, *, floors: bool = True) -> str:
    """The query as the API takes it; no text in it can become an operator.

    The window is not part of it: it goes into parameters of its own. Plain reposts are
    always left out, as X's own search does.

    Args:
        query: what to ask.
        limit: the most characters that the API takes. What does not fit is left out,
            exclusions before floors and those before words.
        floors: whether the API knows `min_likes:`; without it more is seen.

    Returns:
        Empty if nothing is left that X could look for: a query that only leaves things
        out is refused.
    """
    wanted = _wanted(query)
    kept: list[str] = []
    length = -1
    for part in (*wanted, "-is:retweet", *_widening(query, floors), *_unwanted(query)):
        if length + 1 + len(part) <= limit:
            kept.append(part)
            length += 1 + len(part)
    return " ".join(kept) if set(wanted).intersection(kept) else ""


def _wanted(query: Query) -> list[str]:
    authors = [f"from:{name}" for name in map(clean_handle, query.from_handles) if name]
    parts = [f"({' OR '.join(authors)})"] if len(authors) > 1 else authors
    if mention := clean_handle(query.mention):
        parts.append(f"@{mention}")
    parts += map(_term, query.terms)
    parts += map(_phrase, query.phrases)
    return [part for part in parts if part]


def _widening(query: Query, floors: bool) -> list[str]:
    parts = []
    if query.min_likes and floors:
        parts.append(f"min_likes:{query.min_likes}")
    if query.links_only:
        parts.append("has:links")
    if query.no_replies:
        parts.append("-is:reply")
    return parts


def _unwanted(query: Query) -> list[str]:
    authors = [f"-from:{name}" for name in map(clean_handle, query.not_from) if name]
    return authors + [f"-{word}" for word in map(_word, query.exclude) if word]


def _term(term: str) -> str:
    name = clean_handle(term) if term.startswith("@") else ""
    # X's own search finds the account's posts as well as those that name it.
    return f"(@{name} OR from:{name})" if name else _word(term)


def _word(term: str) -> str:
    plain = _PLAIN.fullmatch(term) and term.lower() not in _RESERVED
    return term if plain else _phrase(term)


def _phrase(text: str) -> str:
    kept = " ".join(_UNQUOTABLE.sub(" ", clean(text)).split())
    return f'"{kept}"' if any(map(str.isalnum, kept)) else ""
