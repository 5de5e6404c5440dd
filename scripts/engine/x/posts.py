"""Posts of X: their ids, times and links, and the JSON in which the API gives them.

Every backend makes its items here. The API's answers are described at
https://docs.x.com/x-api/posts/search-recent-posts; a field that is missing, null or of
a wrong type counts as unknown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta, timezone

from engine.model import Item
from engine.text.reposts import reposted
from engine.values import (
    as_mapping,
    as_sequence,
    as_text,
    drop_surrogates,
    is_web_address,
    parse_counts,
    parse_time,
    unescape,
)
from engine.x.query import clean_handle

__all__ = [
    "items_from_v2",
    "made_up_id",
    "make_post",
    "permalink",
    "post_from_v2",
    "snowflake_time",
]

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)
# Milliseconds from the Unix epoch to the one that ids count from (2010-11-04).
_SNOWFLAKE_EPOCH = 1288834974657
# Posts from before that moment have ids under 2^35, which would decode to its first
# seconds; so would the line numbers that some files use as ids.
_FIRST_SNOWFLAKE = 24 * 60 * 60 * 1000 << 22
_MAX_ID = (1 << 63) - 1

# The longest post that X takes has 25,000 characters, an article 100,000.
_MAX_TEXT = 100_000
_MAX_NAME = 100
_MAX_OPAQUE_ID = 100
_MAX_URLS = 50

# The names of counts here, and the API's.
_METRICS = {
    "likes": "like_count",
    "reposts": "retweet_count",
    "replies": "reply_count",
    "quotes": "quote_count",
    "views": "impression_count",
}

_DIGITS = re.compile("[0-9]{1,19}")
_REPLY = re.compile(r"\s*@([A-Za-z0-9_]{1,15})(?![A-Za-z0-9_])")


def snowflake_time(post_id: str) -> datetime | None:
    """The moment (UTC) at which X gave out an id; None if the id holds none."""
    if _DIGITS.fullmatch(post_id) is None:
        return None
    number = int(post_id)
    if not _FIRST_SNOWFLAKE <= number <= _MAX_ID:
        return None
    return _EPOCH + timedelta(milliseconds=(number >> 22) + _SNOWFLAKE_EPOCH)


def made_up_id(kind: str, *content: str) -> str:
    """A name for a post without an id, by what it holds; no id of X looks like it."""
    # Few runs need it, and loading it takes longer than reading many posts.
    from hashlib import blake2b

    octets = "\0".join(content).encode("utf-8", "surrogatepass")
    return f"{kind}-{blake2b(octets, digest_size=8).hexdigest()}"


def permalink(handle: str, post_id: str) -> str:
    """The address of a post; `handle` may be empty."""
    return f"https://x.com/{handle or 'i'}/status/{post_id}"


def make_post(
    post_id: str,
    text: str,
    *,
    handle: str = "",
    name: str = "",
    created: str = "",
    lang: str = "",
    counts: Mapping[str, object] | None = None,
    in_reply_to: str = "",
    repost_of: str = "",
    urls: Iterable[object] = (),
    url: str = "",
) -> Item | None:
    """An item from the raw fields of a post; None if it cannot be a post of X.

    Args:
        post_id: digits as X gives them, or any other name that the post has.
        text: as shown on X; over 100,000 characters it is no post.
        handle: taken if it fits X's grammar.
        created: see `parse_time`; without it the id tells the time.
        counts: likes, reposts, replies, quotes, views; whole numbers from 0 up, also
            in a string; all else is unknown.
        urls: the links with their targets; what is no web address is left out.
        url: where the post is found if its id is not numeric.
    """
    post_id = drop_surrogates(post_id.strip())
    if not post_id or len(post_id) > _MAX_OPAQUE_ID or len(text) > _MAX_TEXT:
        return None
    handle = clean_handle(handle)
    text = drop_surrogates(text)
    if _DIGITS.fullmatch(post_id):
        url = permalink(handle, post_id)
    return Item(
        id=post_id,
        source="x",
        text=text,
        url=url if is_web_address(url) else "",
        author_handle=handle,
        author_name=drop_surrogates(name[:_MAX_NAME]),
        created_at=parse_time(created) or snowflake_time(post_id),
        lang=drop_surrogates(lang),
        engagement=parse_counts(counts or {}),
        in_reply_to=drop_surrogates(in_reply_to),
        repost_of=repost_of or reposted(text),
        urls=tuple(dict.fromkeys(filter(is_web_address, urls)))[:_MAX_URLS],
    )


def items_from_v2(page: Mapping[str, object]) -> list[Item]:
    """The posts of one answer of the API, authors joined; what is no post is left out.

    Both generations of field names are read.
    """
    includes = as_mapping(page.get("includes"))
    users = _by_id(includes.get("users"))
    posts = {**_by_id(includes.get("tweets")), **_by_id(includes.get("posts"))}
    data = page.get("data")
    found = [
        post_from_v2(as_mapping(post), users, posts)
        for post in (as_sequence(data) or [data])
    ]
    return [item for item in found if item is not None]


def post_from_v2(
    post: Mapping[str, object],
    users_by_id: Mapping[str, Mapping[str, object]],
    posts_by_id: Mapping[str, Mapping[str, object]],
) -> Item | None:
    """One post of the API as an item; None if it has no numeric id.

    A repost has the text and links of the original, if `posts_by_id` has it, and its
    own counts. `in_reply_to` is the handle that is answered, or else the id of the
    post.
    """
    post_id = as_text(post.get("id"))
    if _DIGITS.fullmatch(post_id) is None:
        return None
    user = users_by_id.get(as_text(post.get("author_id")), {})
    metrics = as_mapping(post.get("public_metrics"))
    references = _references(post)
    original = posts_by_id.get(references.get("retweeted", ""), {})
    shown = original or post
    return make_post(
        post_id,
        _full_text(shown),
        handle=as_text(user.get("username")),
        name=as_text(user.get("name")),
        created=as_text(post.get("created_at")),
        lang=as_text(shown.get("lang")),
        counts={name: metrics.get(given) for name, given in _METRICS.items()},
        in_reply_to=_answered(post, references, users_by_id),
        repost_of=_author_of(original, post, users_by_id) if original else "",
        urls=[
            as_mapping(link).get("expanded_url")
            for link in as_sequence(as_mapping(shown.get("entities")).get("urls"))
        ],
    )


def _author_of(
    original: Mapping[str, object],
    repost: Mapping[str, object],
    users_by_id: Mapping[str, Mapping[str, object]],
) -> str:
    user = users_by_id.get(as_text(original.get("author_id")), {})
    named = reposted(as_text(repost.get("text")))
    return clean_handle(as_text(user.get("username"))) or named


def _full_text(post: Mapping[str, object]) -> str:
    note = as_mapping(post.get("note_tweet")) or as_mapping(post.get("note_post"))
    return unescape(as_text(note.get("text")) or as_text(post.get("text")))


def _references(post: Mapping[str, object]) -> dict[str, str]:
    listed = post.get("referenced_tweets") or post.get("referenced_posts")
    references = map(as_mapping, as_sequence(listed))
    kinds = {as_text(r.get("type")): as_text(r.get("id")) for r in references}
    if "reposted" in kinds:
        kinds.setdefault("retweeted", kinds["reposted"])
    return kinds


def _answered(
    post: Mapping[str, object],
    references: Mapping[str, str],
    users_by_id: Mapping[str, Mapping[str, object]],
) -> str:
    user_id = as_text(post.get("in_reply_to_user_id"))
    parent = references.get("replied_to", "")
    if not user_id and not parent:
        return ""
    user = users_by_id.get(user_id, {})
    named = _REPLY.match(as_text(post.get("text")))
    by_text = named[1] if named else ""
    return clean_handle(as_text(user.get("username"))) or by_text or parent or user_id


def _by_id(listed: object) -> dict[str, Mapping[str, object]]:
    return {as_text(m.get("id")): m for m in map(as_mapping, as_sequence(listed))}
