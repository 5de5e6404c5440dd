"""Posts of X: ids, times, links, and the API's JSON in both generations."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest

from engine.model import Item
from engine.values import parse_time
from engine.x.posts import (
    items_from_v2,
    make_post,
    permalink,
    post_from_v2,
    snowflake_time,
)


def _utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=timezone.utc)  # type: ignore[arg-type, misc]


@pytest.mark.parametrize(
    ("post_id", "moment"),
    [
        ("1157939227653046272", _utc(2019, 8, 4, 9)),
        ("2116681624581046272", _utc(2026, 11, 1)),
        (str((2116681624581046272 >> 22) + 1 << 22), _utc(2026, 11, 1, 0, 0, 0, 1000)),
    ],
    ids=["2019", "2026", "a-millisecond-later"],
)
def test_an_id_tells_its_time(post_id: str, moment: datetime) -> None:
    """The upper bits of an id count milliseconds from X's epoch."""
    assert snowflake_time(post_id) == moment


@pytest.mark.parametrize(
    "post_id",
    ["", "trec_mb-024788ee29", "-5", "1.5", "20", "29700859247", "9" * 19, "1" * 20]
    + ["１１５７９３９２２７６５３０４６２７２", "1157939227653046272\n"],
)
def test_an_id_without_time_tells_none(post_id: str) -> None:
    """Words, sequential ids, line numbers and numbers beyond 63 bits hold no time."""
    assert snowflake_time(post_id) is None


@pytest.mark.parametrize(
    ("raw", "moment"),
    [
        ("2026-11-01T01:13:01.000Z", _utc(2026, 11, 1, 1, 13, 1)),
        ("2026-11-01T01:13:01Z", _utc(2026, 11, 1, 1, 13, 1)),
        ("2026-11-01 01:13:01", _utc(2026, 11, 1, 1, 13, 1)),
        ("2026-11-01 01:13:01 UTC", _utc(2026, 11, 1, 1, 13, 1)),
        ("2026-11-01T01:13", _utc(2026, 11, 1, 1, 13)),
        ("2026-11-01T01:13:01.1234567Z", _utc(2026, 11, 1, 1, 13, 1, 123456)),
        ("2026-11-01T01:13:01.5+05:30", _utc(2026, 10, 31, 19, 43, 1, 500000)),
        ("2026-10-31T20:13:01-0500", _utc(2026, 11, 1, 1, 13, 1)),
        ("2026-11-01", _utc(2026, 11, 1)),
        ("Wed Oct 10 20:19:24 +0000 2018", _utc(2018, 10, 10, 20, 19, 24)),
        ("Wed Oct 10 20:19:24 -0300 2018", _utc(2018, 10, 10, 23, 19, 24)),
        (str(20_000 * 86_400), _utc(2024, 10, 4)),
        (str(20_000 * 86_400_000), _utc(2024, 10, 4)),
    ],
)
def test_a_time_is_read_in_utc(raw: str, moment: datetime) -> None:
    """ISO forms, Twitter's own and Unix times give the same kind of moment."""
    found = parse_time(raw)
    assert found == moment
    assert found is not None
    assert found.tzinfo is timezone.utc


@pytest.mark.parametrize(
    "raw",
    ["", "yesterday", "2026-13-01", "2026-02-30T00:00:00Z", "2026-11-01T25:00:00Z"]
    + ["Wed Foo 10 20:19:24 +0000 2018", "Wed anF 10 20:19:24 +0000 2018", "12"]
    + ["0001-01-01T00:00:00+23:00", "2026-11-01T", "9999-12-31T23:59:59-01:00"],
)
def test_what_is_no_time_is_none(raw: str) -> None:
    """No guess is made, and nothing raises."""
    assert parse_time(raw) is None


def test_a_permalink_does_without_a_handle() -> None:
    """X finds a post by its id alone under /i/."""
    assert permalink("ann", "12") == "https://x.com/ann/status/12"
    assert permalink("", "12") == "https://x.com/i/status/12"


POST = {
    "id": "2116700000000000000",
    "text": "@foo_hq Foo &amp; bar &lt;3 https://t.co/abc",
    "author_id": "4242",
    "created_at": "2026-11-01T01:13:01.000Z",
    "lang": "en",
    "public_metrics": {
        "retweet_count": 3,
        "reply_count": 1,
        "like_count": 25,
        "quote_count": 0,
        "impression_count": 910,
    },
    "in_reply_to_user_id": "77",
    "referenced_tweets": [{"type": "replied_to", "id": "2116690000000000000"}],
    "entities": {
        "urls": [
            {"url": "https://t.co/abc", "expanded_url": "https://example.com/foo2"},
            {"expanded_url": "javascript:alert(1)"},
            {"expanded_url": None},
            "odd",
        ]
    },
}
USERS = [
    {"id": "4242", "name": "Ann", "username": "ann_dev"},
    {"id": "77", "name": "Foo", "username": "foo_hq"},
]


def test_a_post_of_the_api_is_an_item() -> None:
    """Author, text, counts and links are joined into one item."""
    [item] = items_from_v2({"data": [POST], "includes": {"users": USERS}})
    assert item == Item(
        id="2116700000000000000",
        source="x",
        text="@foo_hq Foo & bar <3 https://t.co/abc",
        url="https://x.com/ann_dev/status/2116700000000000000",
        author_handle="ann_dev",
        author_name="Ann",
        created_at=_utc(2026, 11, 1, 1, 13, 1),
        lang="en",
        engagement={"likes": 25, "reposts": 3, "replies": 1, "quotes": 0, "views": 910},
        in_reply_to="foo_hq",
        urls=("https://example.com/foo2",),
    )


@pytest.mark.parametrize(
    ("references", "posts", "note"),
    [
        ("referenced_tweets", "tweets", "note_tweet"),
        ("referenced_posts", "posts", "note_post"),
    ],
    ids=["old-names", "new-names"],
)
def test_a_repost_has_the_text_of_the_original(
    references: str, posts: str, note: str
) -> None:
    """Its author, id and counts stay its own, the whole long text is the original's."""
    original = {
        "id": "2116690000000000000",
        "author_id": "77",
        "text": "Cut off…",
        note: {"text": "The whole long text &gt; 280"},
    }
    repost = {
        "id": "2116700000000000000",
        "author_id": "4242",
        "text": "RT @foo_hq: Cut off…",
        references: [{"type": "retweeted", "id": "2116690000000000000"}],
    }
    page = {"data": [repost], "includes": {"users": USERS, posts: [original]}}
    [item] = items_from_v2(page)
    assert item.text == "The whole long text > 280"
    assert (item.author_handle, item.repost_of) == ("ann_dev", "foo_hq")


def test_a_repost_without_its_original_is_known_by_its_text() -> None:
    """What begins with RT @handle: repeats that account."""
    item = post_from_v2({"id": "12", "text": "RT @foo_hq: hello"}, {}, {})
    assert item is not None
    assert item.repost_of == "foo_hq"


def test_a_reply_is_one_even_if_nobody_knows_to_whom() -> None:
    """Without the account's name the id of the post that is answered stands."""
    references = [{"type": "replied_to", "id": "99"}]
    item = post_from_v2(
        {"id": "12", "text": "yes", "referenced_posts": references}, {}, {}
    )
    assert item is not None
    assert item.in_reply_to == "99"


@pytest.mark.parametrize(
    "page",
    [
        {"meta": {"result_count": 0}},
        {"data": None},
        {"data": 5, "includes": []},
        {"data": [None, 3, "x", {}, {"id": None}, {"id": "abc", "text": "a"}]},
        {"data": [{"id": True, "text": "a"}], "includes": {"users": {"a": 1}}},
    ],
)
def test_odd_answers_hold_no_posts(page: dict[str, object]) -> None:
    """Missing, null and wrongly typed parts never raise."""
    assert items_from_v2(page) == []


def test_odd_fields_are_unknown() -> None:
    """A post whose fields have wrong types keeps what is usable."""
    odd = {
        "id": 2116700000000000001,
        "text": ["a"],
        "author_id": {},
        "created_at": 5,
        "public_metrics": {"like_count": -1, "reply_count": True, "quote_count": 1.5},
        "entities": {"urls": {"a": 1}},
        "referenced_tweets": "x",
        "note_tweet": "x",
    }
    [item] = items_from_v2({"data": odd, "includes": None})
    assert (item.id, item.text, item.author_handle) == ("2116700000000000001", "", "")
    assert item.engagement == {}
    assert item.created_at == snowflake_time("2116700000000000001")


def test_names_are_no_handles_and_halves_of_characters_no_text() -> None:
    """A display name is never an account; lone surrogates could not be printed."""
    item = make_post("12", "a\ud83db", handle="Ann Dev", name="Ann\udc00")
    assert item is not None
    assert (item.text, item.author_handle, item.author_name) == ("ab", "", "Ann")
    assert item.url == "https://x.com/i/status/12"


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("https://example.com/1", "https://example.com/1"),
        ("javascript:alert(1)", ""),
        ("https://example.com/\x1b[2J", ""),
        ("https://example.com/a b", ""),
    ],
)
def test_a_given_address_serves_only_where_there_is_no_id(url: str, kept: str) -> None:
    """With a numeric id the address is rebuilt, and it has to be safe to print."""
    opaque, numeric = make_post("line-1", "a", url=url), make_post("12", "a", url=url)
    assert opaque is not None and numeric is not None
    assert opaque.url == kept
    assert numeric.url == "https://x.com/i/status/12"


def test_a_text_longer_than_any_post_is_none() -> None:
    """An article on X has at most 100,000 characters."""
    assert make_post("12", "a" * 100_000) is not None
    assert make_post("12", "a" * 100_001) is None
