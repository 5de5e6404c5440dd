"""The names that programs and models give to the fields of a post."""

from __future__ import annotations

__all__ = ["COUNTS", "named"]

COUNTS = ("likes", "reposts", "replies", "quotes", "views")
"""The fields that count something."""

_USUAL = {
    "id": "id id_str post_id tweet_id status_id",
    "text": "text full_text content tweet_text body",
    "handle": "handle author_handle username screen_name author user",
    "name": "name author_name display_name",
    "created": "created_at date datetime timestamp time posted_at",
    "url": "url link permalink tweet_url",
    "likes": "likes like_count favorite_count favorites",
    "reposts": "reposts repost_count retweets retweet_count",
    "replies": "replies reply_count",
    "quotes": "quotes quote_count",
    "views": "views view_count impression_count",
    "in_reply_to": "in_reply_to in_reply_to_screen_name",
}


def named(**more: str) -> dict[str, str]:
    """The field that each name means.

    Args:
        more: by field, the names that it has in one kind of record alone, parted by
            blanks: elsewhere they may mean something else.
    """
    fields = dict.fromkeys((*_USUAL, *more))
    return {
        name: field
        for field in fields
        for name in f"{_USUAL.get(field, '')} {more.get(field, '')}".split()
    }
