"""Reddit's Atom feeds: searches, listings and comments, without counts.

https://www.reddit.com/wiki/rss. The feeds are what Reddit leaves open to those without
a key.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

from engine import __version__
from engine.errors import BadResponseError, SourceError
from engine.exchange import Request
from engine.io import IO
from engine.model import Comment, Depth, Item, State
from engine.sources.base import COMMENT_CHARS, COMMENTS
from engine.sources.reddit_hosts import FeedHost
from engine.sources.reddit_posts import (
    author_name,
    comment_link,
    make_post,
    short_id,
    subreddit_name,
    visible,
)
from engine.sources.wording import fitting
from engine.text.markup import links, plain_text
from engine.values import as_mapping, as_text, parse_time
from engine.window import Window

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

__all__ = [
    "Feed",
    "NoSubredditError",
    "feed_comments",
    "feed_posts",
    "listing",
    "search_feed",
]

_URL = "https://www.reddit.com"
# The form that Reddit asks for, but for an account, since there is none.
_USER_AGENT = (
    f"python:last30days:{__version__} (agent skill that reads public posts; no account)"
)
_BYTES = 4 * 1024 * 1024
_ENTRIES = 100
_MAX_QUERY = 512

_ATOM = "{http://www.w3.org/2005/Atom}"
# What follows a post's own text: who submitted it, and two links.
_TRAILER = "submitted by"
_TRAILER_LINK = re.compile(
    r"<a\s[^<>]*?href=[\"']([^\"'<>]*)[\"'][^<>]*>\s*\[(link|comments)\]"
)


class NoSubredditError(SourceError):
    """A subreddit is private, banned, or does not exist: it has nothing to give."""

    state = State.NO_RESULTS


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed's path and parameters; `subreddit` is empty for one of the whole site."""

    path: str
    params: Mapping[str, str | int]
    subreddit: str = ""


def search_feed(
    words: list[str], window: Window, now: datetime, subreddit: str = ""
) -> Feed:
    """The posts that match words, free of operators, everywhere or in a subreddit."""
    params: dict[str, str | int] = {
        "q": fitting(words, _MAX_QUERY),
        "sort": "new" if subreddit else "relevance",
        "t": _period(window, now),
        "limit": _ENTRIES,
    }
    if not subreddit:
        return Feed("/search.rss", params)
    return Feed(
        f"/r/{subreddit}/search.rss", {**params, "restrict_sr": "on"}, subreddit
    )


def listing(subreddit: str, sort: str, window: Window, now: datetime) -> Feed:
    """The newest or rising posts of a subreddit, or the top ones since the window.

    Args:
        sort: new, rising or top.
    """
    params: dict[str, str | int] = {"limit": _ENTRIES}
    if sort == "top":
        params["t"] = _period(window, now)
    return Feed(f"/r/{subreddit}/{sort}/.rss", params, subreddit)


def _period(window: Window, now: datetime) -> str:
    """The shortest of Reddit's periods that reaches back to the window's first day."""
    back = now - window.start
    for name, days in (("day", 1), ("week", 7), ("month", 30), ("year", 365)):
        if back <= timedelta(days=days):
            return name
    return "all"


def feed_posts(feed: Feed, depth: Depth, io: IO) -> list[Item]:
    """The posts of a feed, in its order.

    Raises:
        NoSubredditError: there is no such subreddit for the public.
        SourceError: the feed could not be had, or is none.
    """
    return [item for entry in _entries(feed, depth, io) if (item := _post(entry))]


def feed_comments(item: Item, depth: Depth, io: IO) -> tuple[Comment, ...]:
    """The first comments on a post, in the order of the site.

    Raises:
        SourceError: the feed could not be had, or is none.
    """
    subreddit, post = subreddit_name(item.container), short_id(item.id, 3)
    place = f"/r/{subreddit}" if subreddit else ""
    feed = Feed(f"{place}/comments/{post}/.rss", {"limit": _ENTRIES}, subreddit)
    found = (_comment(entry, item) for entry in _entries(feed, depth, io))
    return tuple(comment for comment in found if comment)[:COMMENTS]


def _entries(feed: Feed, depth: Depth, io: IO) -> Iterator[Element]:
    request = Request(
        FeedHost.label,
        io.settings.base_url("reddit", _URL) + feed.path,
        feed.params,
        {"User-Agent": _USER_AGENT},
        limit=_BYTES,
        refine=partial(_refined, feed.subreddit),
    )
    text = io.memory.of(FeedHost).ask(io.fetch.text, request, depth, io)
    root = _parsed(text)
    if root.tag != f"{_ATOM}feed":
        raise BadResponseError("Reddit gave XML that is no feed")
    return root.iter(f"{_ATOM}entry")


def _refined(subreddit: str, status: int, text: str) -> SourceError | None:
    if not subreddit:
        return None
    if status == 404:
        return NoSubredditError(f"r/{subreddit} is missing or banned")
    if status == 403 and text.startswith("{"):
        try:
            told = as_mapping(json.loads(text))
        except (ValueError, RecursionError):
            return None
        reason = as_text(told.get("reason"))
        if reason or told.get("message") == "Forbidden":
            shown = reason if reason.isalpha() else "closed to the public"
            return NoSubredditError(f"r/{subreddit} is {shown[:40]}")
    return None


def _parsed(text: str) -> Element:
    """XML as a tree.

    A document type is refused, and entities can be defined nowhere else: none is
    expanded and nothing is loaded.
    """
    from xml.etree.ElementTree import TreeBuilder
    from xml.parsers.expat import ExpatError, ParserCreate

    tree = TreeBuilder()
    parser = ParserCreate("utf-8", "}")
    parser.StartDoctypeDeclHandler = _refuse_doctype
    parser.StartElementHandler = lambda tag, attributes: tree.start(
        f"{{{tag}" if "}" in tag else tag, attributes
    )
    parser.EndElementHandler = lambda tag: tree.end(f"{{{tag}" if "}" in tag else tag)
    parser.CharacterDataHandler = tree.data
    try:
        parser.Parse(text.encode(), True)
    except ExpatError:
        raise BadResponseError("Reddit gave broken XML") from None
    return tree.close()


def _refuse_doctype(*_: object) -> None:
    raise BadResponseError("Reddit gave XML with a document type, which no feed has")


def _text(entry: Element, name: str) -> str:
    return (entry.findtext(f"{_ATOM}{name}") or "").strip()


def _post(entry: Element) -> Item | None:
    html, link = _own_text(_text(entry, "content"))
    category = entry.find(f"{_ATOM}category")
    moments = (_text(entry, name) for name in ("published", "updated"))
    raw_id = _text(entry, "id")
    return make_post(
        raw_id if raw_id.startswith("t3_") else "",
        _text(entry, "title"),
        plain_text(html),
        subreddit="" if category is None else category.get("term", ""),
        author=_text(entry, f"author/{_ATOM}name"),
        created=next(filter(None, map(parse_time, moments)), None),
        backend="feeds",
        urls=(link, *links(html)),
    )


def _own_text(html: str) -> tuple[str, str]:
    """A post's own HTML, and where the link behind it leads."""
    place = html.rfind(_TRAILER)
    trailer = html[place:] if place >= 0 else ""
    found = {kind: url for url, kind in _TRAILER_LINK.findall(trailer[:10_000])}
    if not found:
        return html, ""
    return html[:place], "".join(links(f'<a href="{found.get("link", "")}">'))


def _comment(entry: Element, item: Item) -> Comment | None:
    raw_id = _text(entry, "id")
    author = author_name(_text(entry, f"author/{_ATOM}name"))
    text = visible(plain_text(_text(entry, "content")))
    if not (raw_id.startswith("t1_") and author and text):
        return None
    url = comment_link(item.url, raw_id)
    return Comment(author, text[:COMMENT_CHARS], url=url)
