"""Hacker News by its search service: stories, and what was said about the best.

https://hn.algolia.com/api. It needs no key. Points and comment counts cannot be
filtered on, so that only the time of a story stands in the filter. Comments have no
votes in public; the best are those that drew most answers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from html import unescape

from engine.errors import BadResponseError, RateLimitError, SourceError
from engine.exchange import Request
from engine.io import IO
from engine.model import Comment, Depth, Item, SourceInfo
from engine.pacing import wait_turn
from engine.sources.base import COMMENT_CHARS, COMMENTS, THIN, Ask, RiverAsk
from engine.sources.gather import gather
from engine.sources.threads import (
    THREADS,
    with_comments,
    with_comments_on_hottest,
)
from engine.sources.wording import fitting
from engine.text.markup import links, plain_text
from engine.together import together
from engine.values import (
    as_mapping,
    as_sequence,
    as_text,
    drop_surrogates,
    is_web_address,
    parse_counts,
    parse_time,
)
from engine.window import Window

__all__ = ["INFO", "missing", "river", "search"]

_LABEL = "Hacker News"

INFO = SourceInfo(
    name="hackernews",
    label=_LABEL,
    emoji="🟧",
    site="news.ycombinator.com",
    api_page="https://hn.algolia.com/api",
    weights={"points": 0.55, "comments": 0.45},
    # About ln 500: a story with so many points and comments is as hot as they get.
    reference=6.2,
    quality=0.80,
    requests=2 + THREADS[Depth.DEFAULT],
    noun="stories",
)

_URL = "https://hn.algolia.com/api/v1"
_SPACING_SECONDS = 1.0
# More than any topic has; the service names no limit of its own.
_MAX_QUERY = 512

_Params = dict[str, str | int]

_QUOTE = re.compile('["“”„«»]')
_SPLIT_BADLY = re.compile(r"\w[-.,/'’]\w")
_ID = re.compile("[0-9]{1,19}")


@dataclass(frozen=True, slots=True)
class _Formulation:
    """A query as the service is sent it; `exact` if it holds phrases in quotes."""

    text: str
    exact: bool


class _GoneError(BadResponseError):
    """The service knows no such story (any more)."""


def missing(io: IO) -> str:
    """Nothing is ever missing: the service is open to everybody."""
    return ""


def search(ask: Ask, io: IO) -> list[Item]:
    """The stories of the window that match, at most `ask.limit`.

    Where the query has phrases and hardly a story holds them, its words are asked for
    one by one as well.

    Raises:
        SourceError: the subclass says what happened; `items` holds what had arrived.
    """
    first = _formulation(ask.query, exact=True)
    found = _stories(first, ask, io)
    if first.exact and len(found) < THIN:
        try:
            more = _stories(_formulation(ask.query, exact=False), ask, io)
        except SourceError as error:
            error.items = tuple(found.values())
            raise
        found = {**found, **more}
    stories = list(found.values())[: ask.limit]
    return with_comments(stories, ask, io, INFO, _comments)


def river(hot: RiverAsk, io: IO) -> list[Item]:
    """The front page, and the stories of the week with most points.

    Raises:
        SourceError: a list could not be had; `items` holds what had arrived.
    """
    front: _Params = {"query": "", "tags": "front_page", "hitsPerPage": hot.limit}
    queries = [_Formulation("", exact=False)]
    if hot.domain:
        queries.append(_formulation(hot.domain.core, exact=True))
    lists = [front, *(_params(query, hot.week, hot.limit) for query in queries)]
    jobs = [partial(_listed, params, hot, io) for params in lists]
    answers = together(jobs, parallel=1, deadline=io.deadline)
    items = gather(answers, len(lists) * hot.limit)
    return with_comments_on_hottest(items, hot, io, INFO, _comments)


def _listed(params: _Params, hot: RiverAsk, io: IO) -> list[Item]:
    found = _read(_request("/search", params, io), hot.window, io)
    if not found and params["tags"] == "front_page":
        raise BadResponseError(f"{_LABEL} gave an empty front page")
    return list(found.values())


def _formulation(query: str, *, exact: bool) -> _Formulation:
    """The query without anything that the service would take for an operator.

    If `exact`, what the user put in quotes and names that the service would tear apart
    ("gpt-5") are sent as phrases.
    """
    parts = _QUOTE.split(query)
    pieces: list[str] = []
    for i, part in enumerate(parts):
        words = [word for raw in part.split() if (word := _bare(raw))]
        # A quote without its partner quotes nothing.
        if exact and words and i % 2 and i < len(parts) - 1:
            pieces.append(f'"{" ".join(words)}"')
        else:
            torn = (word for word in words if exact and _SPLIT_BADLY.search(word))
            quoted = {word: f'"{word}"' for word in torn}
            pieces += [quoted.get(word, word) for word in words]
    text = fitting(pieces, _MAX_QUERY)
    return _Formulation(text, exact='"' in text)


def _bare(word: str) -> str:
    """A word without a minus in front, which excludes, and signs around it."""
    return word.lstrip("-–—+.,:;!?()[]{}'’").rstrip("-–—.,:;!?()[]{}'’")


def _stories(query: _Formulation, ask: Ask, io: IO) -> dict[str, Item]:
    params = _params(query, ask.window, ask.limit)
    return _read(_request("/search", params, io), ask.window, io)


def _read(request: Request, window: Window, io: IO) -> dict[str, Item]:
    """The stories of an answer that lie inside a window."""
    wait_turn(io, _LABEL, _SPACING_SECONDS)
    page = io.fetch.json(request, io.deadline)
    hits = as_mapping(page).get("hits")
    if not isinstance(hits, list):
        raise BadResponseError(f"{_LABEL} gave an answer without hits")
    stories = [as_mapping(hit) for hit in hits]
    if stories and not any(_ID.fullmatch(as_text(s.get("objectID"))) for s in stories):
        raise BadResponseError(f"{_LABEL} gave hits without ids")
    items = (_item(story) for story in stories)
    return {
        item.id: item
        for item in items
        if item and (not item.created_at or window.contains(item.created_at))
    }


def _params(query: _Formulation, window: Window, limit: int) -> _Params:
    start, end = (int(t.timestamp()) for t in (window.start, window.end))
    params: _Params = {
        "query": query.text,
        "tags": "story",
        "numericFilters": f"created_at_i>{start - 1},created_at_i<{end}",
        "hitsPerPage": limit,
    }
    if query.exact:
        params |= {"advancedSyntax": "true", "typoTolerance": "false"}
    return params


def _request(path: str, params: _Params, io: IO) -> Request:
    url = io.settings.base_url(INFO.name, _URL) + path
    return Request(_LABEL, url, params, refine=_refined)


def _refined(status: int, text: str) -> SourceError | None:
    if status == 403:
        return RateLimitError(
            f"{_LABEL} refuses this address (HTTP 403), as after too many requests"
        )
    if status == 404:
        return _GoneError(f"{_LABEL} has nothing at this address (HTTP 404)")
    return None


def _item(hit: Mapping[str, object]) -> Item | None:
    """A story; None if the hit is none, or one that was deleted."""
    story, title = as_text(hit.get("objectID")), as_text(hit.get("title"))
    if not (_ID.fullmatch(story) and title.strip()):
        return None
    html = as_text(hit.get("story_text"))
    counts = {"points": hit.get("points"), "comments": hit.get("num_comments")}
    created = (as_text(hit.get(name)) for name in ("created_at_i", "created_at"))
    urls = filter(is_web_address, (hit.get("url"), *links(html)))
    return Item(
        id=story,
        source=INFO.name,
        text=drop_surrogates(plain_text(html)),
        url=_page_of(story),
        author_handle=drop_surrogates(as_text(hit.get("author"))),
        title=drop_surrogates(" ".join(unescape(title).split())),
        created_at=next(filter(None, map(parse_time, created)), None),
        engagement=parse_counts(counts),
        urls=tuple(dict.fromkeys(urls)),
    )


def _page_of(number: str) -> str:
    return f"https://news.ycombinator.com/item?id={number}"


def _comments(io: IO, item: Item) -> tuple[Comment, ...]:
    """The comments on the story itself that drew most answers."""
    wait_turn(io, _LABEL, _SPACING_SECONDS)
    try:
        story = io.fetch.json(_request(f"/items/{item.id}", {}, io), io.deadline)
    except _GoneError:
        return ()
    answers = map(as_mapping, as_sequence(as_mapping(story).get("children")))
    rated = sorted(
        ((-_answers(one), i, one) for i, one in enumerate(answers)), key=lambda r: r[:2]
    )
    found = (_comment(one) for *_, one in rated)
    return tuple(comment for comment in found if comment)[:COMMENTS]


def _answers(comment: Mapping[str, object]) -> int:
    """How many comments stand below one."""
    count = 0
    waiting = list(as_sequence(comment.get("children")))
    while waiting:
        count += 1
        waiting += as_sequence(as_mapping(waiting.pop()).get("children"))
    return count


def _comment(raw: Mapping[str, object]) -> Comment | None:
    """None if it was deleted."""
    author = drop_surrogates(as_text(raw.get("author")))
    text = drop_surrogates(plain_text(as_text(raw.get("text"))))
    if not (author and text):
        return None
    number = as_text(raw.get("id"))
    url = _page_of(number) if _ID.fullmatch(number) else ""
    return Comment(author, text[:COMMENT_CHARS], url=url)
