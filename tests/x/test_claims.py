"""One reported post: names of fields, links, counts and handles."""

from __future__ import annotations

import pytest

from engine.x.claims import read_claim, read_count
from engine.x.posts import snowflake_time

ID = "2116700000000000001"


@pytest.mark.parametrize(
    ("value", "count"),
    [
        (1462, 1462),
        ("1462", 1462),
        ("1,462", 1462),
        ("1.462", 1462),
        ("12 345 678", 12345678),
        ("39K", 39_000),
        ("39 k", 39_000),
        ("1.2M", 1_200_000),
        ("1,5K", 1_500),
        ("1.462K", 1_462),
        ("~10K+", 10_000),
        ("2B", 2 * 10**9),
        ("１，４６２", 1462),
        ("１.２万", 12_000),
        ("3.4億", 340_000_000),
        ("٣٤", 34),
        (12.0, 12),
        ("0", 0),
        ("N/A", None),
        ("", None),
        ("1.5", None),
        ("-3", None),
        ("12 likes", None),
        (True, None),
        (None, None),
        ([3], None),
        ("9" * 10_000, None),
        (2.5, None),
    ],
)
def test_counts(value: object, count: int | None) -> None:
    """Counts are read as people write them; all else is unknown."""
    assert read_count(value) == count


def test_a_whole_post() -> None:
    """Every field that is asked for finds its place, and the link is rebuilt."""
    claim = read_claim(
        {
            "id": ID,
            "handle": "@foo_hq",
            "name": "Foo",
            "text": " Foo 2 is out ",
            "created_at": "2026-11-01T01:13:01Z",
            "likes": "1,462",
            "reposts": 3,
            "replies": None,
            "quotes": "N/A",
            "views": "39K",
            "in_reply_to": "@bar",
            "urls": ["https://foo.example/2", "javascript:alert(1)"],
            "url": "https://evil.example/",
        }
    )
    assert claim is not None
    item = claim.item
    assert (item.id, item.author_handle, item.author_name) == (ID, "foo_hq", "Foo")
    assert (item.text, item.in_reply_to) == ("Foo 2 is out", "bar")
    assert item.engagement == {"likes": 1462, "reposts": 3, "views": 39_000}
    assert item.urls == ("https://foo.example/2",)
    assert item.url == f"https://x.com/foo_hq/status/{ID}"
    assert item.created_at == snowflake_time(ID)
    assert claim.created == "2026-11-01T01:13:01Z"


@pytest.mark.parametrize(
    ("url", "handle", "post_id"),
    [
        (f"https://x.com/foo/status/{ID}", "foo", ID),
        (f"https://twitter.com/foo/status/{ID}?s=20", "foo", ID),
        (f"https://mobile.twitter.com/foo/statuses/{ID}#m", "foo", ID),
        (f"x.com/foo/status/{ID}/photo/1", "foo", ID),
        (f"[post](https://x.com/foo/status/{ID})", "foo", ID),
        (f"https://x.com/i/status/{ID}", "", ID),
        (f"https://x.com/i/web/status/{ID}", "", ID),
    ],
)
def test_a_link_alone_tells_id_and_handle(url: str, handle: str, post_id: str) -> None:
    """Posts that have nothing but a link are posts."""
    claim = read_claim({"url": url, "text": "t"})
    assert claim is not None
    assert (claim.item.author_handle, claim.item.id) == (handle, post_id)


@pytest.mark.parametrize(
    "url",
    [
        f"https://notx.com/foo/status/{ID}",
        f"https://x.com.evil.example/foo/status/{ID}",
        "https://x.com/foo/status/12",
        f"https://x.com/foo/status/{ID}{ID}",
    ],
)
def test_another_link_tells_nothing(url: str) -> None:
    """Only X's own links to posts count."""
    assert read_claim({"url": url, "text": "t"}) is None


@pytest.mark.parametrize(
    "raw",
    [2.1167e18, "2.1167e18", None, "", "abc", True, [ID], "id"],
)
def test_an_id_that_is_none_is_replaced_by_one_that_proves_nothing(raw: object) -> None:
    """Rounded ids and words are no ids; the post stays countable."""
    claim = read_claim({"id": raw, "handle": "foo", "text": "t"})
    assert claim is not None
    assert not claim.item.id.isdigit()
    assert claim.item.created_at is None


def test_a_number_keeps_its_digits() -> None:
    """Whole numbers of JSON are exact in Python."""
    claim = read_claim({"id": int(ID), "handle": "foo", "text": "t"})
    assert claim is not None and claim.item.id == ID


@pytest.mark.parametrize(
    ("raw", "handle"),
    [
        ("foo", "foo"),
        ("@foo", "foo"),
        ("Foo Bar (@foo)", "foo"),
        ("a_sixteen_chars_", ""),
        ("bad'; drop", ""),
        ("@one and @two", ""),
        ("n/a", ""),
        ("me@foo.example", ""),
    ],
)
def test_handles(raw: str, handle: str) -> None:
    """Only what fits X's grammar is a handle."""
    claim = read_claim({"id": ID, "handle": raw, "text": "t"})
    assert claim is not None and claim.item.author_handle == handle


def test_nested_author_and_metrics() -> None:
    """The API's arrangement is read too; an author's id is not the post's."""
    claim = read_claim(
        {
            "post_id": ID,
            "full_text": "t",
            "author": {"id": "99", "username": "foo", "name": "Foo"},
            "public_metrics": {"like_count": 4, "retweet_count": "1.5K", "id": "9"},
        }
    )
    assert claim is not None
    assert (claim.item.id, claim.item.author_handle) == (ID, "foo")
    assert claim.item.author_name == "Foo"
    assert claim.item.engagement == {"likes": 4, "reposts": 1500}


@pytest.mark.parametrize(
    "record",
    [
        {},
        {"text": "No posts found"},
        {"id": ID},
        {"id": "99", "username": "foo"},
        {"likes": 3, "text": ""},
        {"query": "rome", "limit": 10},
    ],
    ids=["empty", "words", "id", "author", "numbers", "call"],
)
def test_what_is_no_post(record: dict[str, object]) -> None:
    """An object that speaks of no post is none."""
    assert read_claim(record) is None
