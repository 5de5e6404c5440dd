"""Posts of Reddit: ids, names, addresses, and two copies of one post made into one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime

from engine.model import Item
from engine.text.markup import MAX_TEXT
from engine.values import drop_surrogates, is_web_address

__all__ = [
    "author_name",
    "comment_link",
    "make_post",
    "merge",
    "permalink",
    "short_id",
    "subreddit_name",
    "visible",
]

_ID = re.compile(r"(?:t([1-6])_)?([0-9a-z]{1,13})")
_SUBREDDIT = re.compile(r"(?:/?r/)?([A-Za-z0-9_]{2,24})/?")
_AUTHOR = re.compile(r"(?:/?u/)?([A-Za-z0-9_-]{1,24})")
# A post whose author or text is gone says so in place of it.
_GONE = ("[deleted]", "[removed]", "[deleted by user]", "[ removed by reddit ]")
_OWN = re.compile(
    r"https?://(?:[\w-]+\.)*(?:reddit\.com|redd\.it)(?::\d+)?(?:[/?#]|$)", re.IGNORECASE
)
_MAX_TITLE = 400
_MAX_URLS = 20


def short_id(raw: str, kind: int) -> str:
    """An id without its prefix, "" if it is no id of this kind (1 comment, 3 post)."""
    match = _ID.fullmatch(raw)
    return match[2] if match and match[1] in (None, str(kind)) else ""


def subreddit_name(raw: str) -> str:
    """A subreddit without r/; empty if none can be called so."""
    match = _SUBREDDIT.fullmatch(raw.strip())
    return match[1] if match else ""


def author_name(raw: str) -> str:
    """An account without u/; empty if it was deleted."""
    match = _AUTHOR.fullmatch(raw.strip())
    return match[1] if match else ""


def visible(text: str) -> str:
    """A text, or nothing if what stands there is that it was removed."""
    text = drop_surrogates(text).strip()
    return "" if text.lower() in _GONE else text


def permalink(subreddit: str, post: str) -> str:
    """The address of a post, by its id without prefix; `subreddit` may be empty."""
    place = f"r/{subreddit}/" if subreddit else ""
    return f"https://www.reddit.com/{place}comments/{post}/"


def comment_link(post_url: str, raw_id: str) -> str:
    """The address of a comment on a post; the post's own if `raw_id` is no id."""
    comment = short_id(raw_id, 1)
    return f"{post_url}comment/{comment}/" if comment else post_url


def make_post(
    post: str,
    title: str,
    text: str,
    *,
    subreddit: str,
    author: str,
    created: datetime | None,
    backend: str,
    counts: Mapping[str, int | None] | None = None,
    urls: Iterable[object] = (),
) -> Item | None:
    """An item from the fields of a post; None if it is no post, or nothing is left.

    Args:
        post: the id, with or without t3_.
        title, text: as shown, without markup.
        counts: score and comments; None is unknown.
        urls: where it links to; Reddit's own addresses are left out.
    """
    post, subreddit = short_id(post, 3), subreddit_name(subreddit)
    title, text = visible(" ".join(title.split())), visible(text)
    if not post or not (title or text):
        return None
    outward = (url for url in urls if is_web_address(url) and not _OWN.match(url))
    return Item(
        id=f"t3_{post}",
        source="reddit",
        text=text[:MAX_TEXT],
        url=permalink(subreddit, post),
        author_handle=author_name(author),
        title=title[:_MAX_TITLE],
        created_at=created,
        engagement={name: n for name, n in (counts or {}).items() if n is not None},
        urls=tuple(dict.fromkeys(outward))[:_MAX_URLS],
        container=f"r/{subreddit}" if subreddit else "",
        backend=backend,
    )


def merge(one: Item, other: Item) -> Item:
    """One post out of two copies: the richer copy, with what only the other knows."""
    if len(other.engagement) > len(one.engagement):
        one, other = other, one
    known = one if one.container else other
    return replace(
        one,
        text=max(one.text, other.text, key=len),
        title=one.title or other.title,
        author_handle=one.author_handle or other.author_handle,
        created_at=one.created_at or other.created_at,
        url=known.url,
        container=known.container,
        engagement={**other.engagement, **one.engagement},
        urls=tuple(dict.fromkeys((*one.urls, *other.urls)))[:_MAX_URLS],
    )
