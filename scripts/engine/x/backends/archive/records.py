"""One record of a file as posts: plain, of the X API v2, or from an account's archive.

A record is a JSON object or a row of CSV under its header. Plain fields are known
under the names that the common tools give them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from engine.model import Item
from engine.values import as_mapping, as_sequence, as_text, unescape
from engine.x.fields import COUNTS, named
from engine.x.posts import items_from_v2, made_up_id, make_post, post_from_v2

__all__ = ["header_fields", "posts_in"]

# Beside the usual names those that tools for export write.
_FIELDS = named(
    text="tweet",
    handle="user_screen_name",
    name="displayname user_name",
    lang="lang language",
    likes="likes_count",
    reposts="reposts_count retweets_count",
    replies="replies_count",
    quotes="quotes_count",
    views="views_count",
    in_reply_to="in_reply_to_status_id_str in_reply_to_status_id",
)
_POST_KEYS = frozenset(n for n, field in _FIELDS.items() if field in ("id", "text"))
_V2_KEYS = frozenset(
    ("author_id", "public_metrics", "edit_history_tweet_ids", "edit_history_post_ids")
)
_PAGE_KEYS = frozenset(("includes", "meta"))
_PAGE_LISTS = frozenset(("data", "errors"))
_LINK = re.compile(r"https?://[^\s,;|'\"\]]+")


def header_fields(header: list[str]) -> list[str]:
    """The names of a CSV header as they are known here; empty if it is no header."""
    fields = [name.strip().lower().replace(" ", "_") for name in header]
    return [] if _POST_KEYS.isdisjoint(fields) else fields


def posts_in(value: object) -> Iterable[Item | None]:
    """The posts that a JSON value or a CSV row holds; None for each that is unusable.

    A value is a post, an answer of the X API with its `data` and `includes`, or an
    object with a list of posts under any name.
    """
    record = as_mapping(value)
    if not _POST_KEYS.isdisjoint(record):
        return (_post(record),)
    if _is_page(record):
        found = items_from_v2(record)
        unusable = len(as_sequence(record.get("data"))) - len(found)
        return [*found, *[None] * unusable]
    lists = map(as_sequence, record.values())
    return [_post(entry) for entries in lists for entry in entries] or (None,)


def _is_page(record: Mapping[str, object]) -> bool:
    """Whether an object is an answer of the API, and not a list of plain posts."""
    if _PAGE_KEYS.isdisjoint(record):
        return False
    lists = {name for name, value in record.items() if isinstance(value, list)}
    posts = map(as_mapping, as_sequence(record.get("data")))
    return lists <= _PAGE_LISTS and not any("author_handle" in post for post in posts)


def _post(value: object) -> Item | None:
    record = as_mapping(value)
    # An account's own archive wraps each post.
    record = as_mapping(record.get("tweet")) or record
    if _POST_KEYS.isdisjoint(record):
        return None
    if "author_handle" not in record and not _V2_KEYS.isdisjoint(record):
        return post_from_v2(record, {}, {})
    return _plain(record)


def _plain(record: Mapping[str, object]) -> Item | None:
    found = _known(record)
    user = _known(as_mapping(record.get("user")) or as_mapping(record.get("author")))
    handle = as_text(found.get("handle") or user.get("handle"))
    text = as_text(found.get("text"))
    if "full_text" in record:
        text = unescape(text)
    # Next to it the numeric id has often lost its last digits.
    post_id = as_text(record.get("id_str") or found.get("id")).strip()
    created = as_text(found.get("created"))
    if not post_id and text.strip():
        post_id = made_up_id("line", handle, text, created)
    return make_post(
        post_id,
        text,
        handle=handle,
        name=as_text(found.get("name") or user.get("name")),
        created=created,
        lang=as_text(found.get("lang")),
        counts={name: found.get(name) for name in COUNTS},
        in_reply_to=as_text(found.get("in_reply_to")),
        urls=_links(record),
        url=as_text(found.get("url")),
    )


def _known(record: Mapping[str, object]) -> dict[str, object]:
    """The single values of a record by the names that fields have here, the first."""
    found: dict[str, object] = {}
    for name, value in record.items():
        field = _FIELDS.get(name)
        if field and value != "" and isinstance(value, (str, int)):
            found.setdefault(field, value)
    return found


def _links(record: Mapping[str, object]) -> list[object]:
    listed = record.get("urls") or as_mapping(record.get("entities")).get("urls")
    if isinstance(listed, str):
        return [*_LINK.findall(listed)]
    return [
        as_mapping(link).get("expanded_url") or link for link in as_sequence(listed)
    ]
