"""What Reddit's feeds and its archive say, read whatever they say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from html import escape
from typing import Any

import pytest

from engine.errors import BadResponseError
from engine.model import Item
from engine.sources import reddit
from engine.text.markup import MAX_TEXT
from fakes.asking import NOW, World, question
from fakes.reddit import ATOM, feed_of
from fakes.server import Answer, Server, answer_json

AT = "2026-11-20T10:00:00+00:00"
EPOCH = 1795168800


@pytest.fixture
def archive() -> Iterator[Server]:
    """An archive that knows nothing."""
    with Server() as running:
        running.route("/", answer_json({"data": []}))
        yield running


@pytest.fixture
def world(server: Server, archive: Server) -> World:
    """A run that reaches both services under their own addresses."""
    return World(
        {
            "LAST30DAYS_REDDIT_URL": server.url,
            "LAST30DAYS_ARCTIC_SHIFT_URL": archive.url,
        }
    )


def entry(body: str = "", *, number: str = "t3_1pa", title: str = "Foo") -> str:
    """An entry of a feed with what is given and a time."""
    return (
        f"<entry><id>{number}</id><title>{title}</title>{body}"
        f"<published>{AT}</published></entry>"
    )


def read(server: Server, world: World, *entries: str) -> list[Item]:
    """The posts of a feed with these entries."""
    server.route("/search.rss", feed_of(entries))
    return reddit.search(question("foo"), world.io)


def content(html: str) -> str:
    return f'<content type="html">{escape(html)}</content>'


def test_an_entry_that_says_hardly_anything(server: Server, world: World) -> None:
    """What is missing is unknown, and its address needs no subreddit."""
    (item,) = read(server, world, entry())
    assert item == Item(
        id="t3_1pa",
        source="reddit",
        text="",
        url="https://www.reddit.com/comments/1pa/",
        title="Foo",
        created_at=datetime(2026, 11, 20, 10, tzinfo=timezone.utc),
        engagement={},
        backend="feeds",
    )


def test_entries_that_are_no_posts_are_skipped(server: Server, world: World) -> None:
    """Subreddits among the results, comments, ids that are none, posts that are gone."""
    items = read(
        server,
        world,
        entry(number="t5_2qh"),
        entry(number="t1_abc"),
        entry(number=""),
        entry(number="1pb"),
        entry(number="t3_../x"),
        entry(number="t3_1pc", title="[deleted by user]"),
        entry(number="t3_1pd", title="[removed]"),
        entry(number="t3_1pa"),
        entry(number="t3_1pa", title="Foo again"),
    )
    assert [(item.id, item.title) for item in items] == [("t3_1pa", "Foo")]


@pytest.mark.parametrize(
    ("html", "text", "urls"),
    [
        ("<p>One</p><p>Two &amp; three</p>", "One\nTwo & three", ()),
        (
            'Mine. submitted by <a href="https://www.reddit.com/user/ann">/u/ann</a> '
            '<a href="https://e.example/x?a=1&amp;b=2">[link]</a> '
            '<a href="https://www.reddit.com/r/a/comments/1pa/">[comments]</a>',
            "Mine.",
            ("https://e.example/x?a=1&b=2",),
        ),
        (
            "It was submitted by hand. submitted by /u/ann "
            '<a href="https://redd.it/1pa">[link]</a>',
            "It was submitted by hand.",
            (),
        ),
        ("It was submitted by hand.", "It was submitted by hand.", ()),
        (
            '<a href="https://i.redd.it/x.png">p</a><a href="https://reddit.company/a">q'
            '</a><a href="javascript:alert(1)">r</a><a href="https://OLD.Reddit.com">s</a>',
            "pqrs",
            ("https://reddit.company/a",),
        ),
        ("<p>[removed]</p>", "", ()),
        ("x" * (MAX_TEXT + 9), "x" * MAX_TEXT, ()),
    ],
    ids=["blocks", "trailer", "twice", "no-trailer", "own-links", "removed", "long"],
)
def test_the_text_of_a_feed(
    server: Server, world: World, html: str, text: str, urls: tuple[str, ...]
) -> None:
    """A post's own words and links, without what Reddit puts behind them."""
    (item,) = read(server, world, entry(content(html)))
    assert (item.text, item.urls) == (text, urls)


@pytest.mark.parametrize(
    ("name", "handle"),
    [("/u/ann", "ann"), ("ann-b_2", "ann-b_2"), ("[deleted]", ""), ("", ""), ("é", "")],
)
def test_authors(server: Server, world: World, name: str, handle: str) -> None:
    """Without u/, and none where the account is gone."""
    (item,) = read(server, world, entry(f"<author><name>{name}</name></author>"))
    assert item.author_handle == handle


_BOMB = "".join(f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 9))


@pytest.mark.parametrize(
    "document",
    [
        f'<!DOCTYPE feed [<!ENTITY a0 "ha">{_BOMB}]><feed>&a8;</feed>',
        '<!DOCTYPE feed [<!ENTITY x SYSTEM "file:///etc/passwd">]><feed>&x;</feed>',
        '<!DOCTYPE feed SYSTEM "http://127.0.0.1/x.dtd"><feed/>',
        '<?xml version="1.0"?>\n<!DOCTYPE feed><feed xmlns="http://www.w3.org/2005/Atom"/>',
        '<feed xmlns="http://www.w3.org/2005/Atom">&undefined;</feed>',
        '<feed xmlns="http://www.w3.org/2005/Atom"><entry></feed>',
        '<feed xmlns="urn:other"><entry/></feed>',
        "<feed>\x00</feed>",
        "plain text",
    ],
    ids=[
        "bomb",
        "file",
        "dtd",
        "doctype",
        "entity",
        "unclosed",
        "other",
        "nul",
        "text",
    ],
)
def test_xml_that_is_no_feed_is_refused(
    server: Server, world: World, document: str
) -> None:
    """Nothing is expanded, and nothing is loaded."""
    server.route("/search.rss", Answer(200, document.encode(), ATOM))
    with pytest.raises(BadResponseError):
        reddit.search(question("foo"), world.io)
    assert len(server.requests) == 1


def test_xml_may_speak_of_document_types(server: Server, world: World) -> None:
    """In a text they are text."""
    cdata = (
        "<content type='html'><![CDATA[<p>use &lt;!DOCTYPE html&gt;</p>]]></content>"
    )
    (item,) = read(server, world, entry(cdata))
    assert item.text == "use <!DOCTYPE html>"


def test_a_very_deep_feed_is_no_trouble(server: Server, world: World) -> None:
    """Elements in elements are read without recursion."""
    deep = "<x>" * 100_000 + "</x>" * 100_000
    (item,) = read(server, world, entry(deep))
    assert item.title == "Foo"


def test_a_feed_that_is_too_long_is_refused(server: Server, world: World) -> None:
    """Four megabytes are more than a hundred posts."""
    with pytest.raises(BadResponseError, match="bytes"):
        read(server, world, entry(content("x" * (4 << 20))))


ROW = {"id": "1pa", "title": "Foo", "subreddit": "gadgets", "created_utc": EPOCH}


def archived(
    server: Server, archive: Server, world: World, *rows: object
) -> list[Item]:
    """The posts of an archive with these rows."""
    body = json.dumps({"data": rows}).encode()
    archive.route("/api/posts/search", Answer(200, body))
    server.route("/search.rss", feed_of([]))
    server.route("/r/", feed_of([]))
    return reddit.search(question("foo", subreddits=("gadgets",)), world.io)


def test_a_row_of_the_archive(server: Server, archive: Server, world: World) -> None:
    """Markdown with its entities decoded, links found in it, counts kept."""
    (item,) = archived(
        server,
        archive,
        world,
        {
            **ROW,
            "selftext": "A &amp; B &lt;3 [x](https://x.example/a_(b)) https://y.example/.",
            "author": "ann",
            "score": 41,
            "num_comments": 12,
            "url": "https://example.com/foo",
        },
    )
    assert item.text.startswith("A & B <3 [x]")
    assert item.url == "https://www.reddit.com/r/gadgets/comments/1pa/"
    assert item.engagement == {"score": 41, "comments": 12}
    assert item.urls[0] == "https://example.com/foo"
    assert item.created_at == datetime.fromtimestamp(EPOCH, timezone.utc)


@pytest.mark.parametrize(
    ("odd", "counts"),
    [
        ({"score": None, "num_comments": None}, {}),
        ({"score": "12", "num_comments": 1.5}, {"score": 12}),
        ({"score": -3, "num_comments": True}, {}),
        ({"score": 0, "num_comments": 0}, {"score": 0, "comments": 0}),
        ({"score": 5, "created_utc": float(EPOCH)}, {"score": 5}),
        ({"score": 5, "created_utc": str(EPOCH)}, {"score": 5}),
        ({"score": 5, "created_utc": None}, {}),
    ],
)
def test_counts_of_the_archive(
    server: Server,
    archive: Server,
    world: World,
    odd: dict[str, object],
    counts: dict[str, int],
) -> None:
    """Unknown is not zero, and without a date nobody knows whether it was counted."""
    (item,) = archived(server, archive, world, {**ROW, **odd})
    assert item.engagement == counts


def test_odd_rows_are_read_as_far_as_they_go(
    server: Server, archive: Server, world: World
) -> None:
    """What is no post is skipped, what was deleted is empty."""
    items = archived(
        server,
        archive,
        world,
        None,
        7,
        {},
        {**ROW, "id": "t1_1pz"},
        {**ROW, "id": 12},
        {**ROW, "id": "t3_1pb", "title": ["x"], "selftext": None},
        {**ROW, "id": "t3_1pc", "author": "[deleted]", "selftext": "[removed]"},
        {**ROW, "id": "1pd", "subreddit": "../x", "url": 5, "title": "\ud800Foo"},
    )
    assert [(i.id, i.title, i.text, i.author_handle, i.container) for i in items] == [
        ("t3_12", "Foo", "", "", "r/gadgets"),
        ("t3_1pc", "Foo", "", "", "r/gadgets"),
        ("t3_1pd", "Foo", "", "", ""),
    ]


def test_comments_that_say_something(
    server: Server, archive: Server, world: World
) -> None:
    """The most votes first; no bots, and none that are gone."""
    said: list[dict[str, Any]] = [
        {"id": "c1", "author": "AutoModerator", "body": "Rules", "score": 900},
        {"id": "c2", "author": "[deleted]", "body": "[deleted]", "score": 800},
        {"id": "c3", "author": "bob", "body": "[removed]", "score": 700},
        {"id": "c4", "author": "eve", "body": "yes &amp; no", "score": 7},
        {"id": "c5", "author": "fay", "body": "x" * 5_000, "score": 70},
        {"id": "c6", "author": "gil", "body": "?", "score": None},
        {"id": "c/7", "author": "hal", "body": ":", "score": -4},
    ]
    rows = [{**row, "created_utc": EPOCH} for row in said]
    archive.route("/api/comments/search", answer_json({"data": rows}))
    (item,) = archived(server, archive, world, {**ROW, "num_comments": 7})
    assert [(c.author, c.votes, len(c.text)) for c in item.comments] == [
        ("fay", 70, 2_000),
        ("eve", 7, 8),
        ("gil", None, 1),
        ("hal", None, 1),
    ]
    assert item.comments[3].url == item.url
    asked = archive.requests[-1].params
    assert (asked["link_id"], asked["parent_id"]) == ("t3_1pa", "")
    assert item.engagement["best_comment"] == 70


def test_two_copies_make_one_post(
    server: Server, archive: Server, world: World
) -> None:
    """Counts from the archive, links from both, the longer text."""
    row = {**ROW, "selftext": "short", "score": 9, "author": "ann", "num_comments": 0}
    body = json.dumps({"data": [row]}).encode()
    archive.route("/api/posts/search", Answer(200, body))
    html = 'a longer text <a href="https://x.example">x</a>'
    server.route("/search.rss", feed_of([entry(content(html))]))
    server.route("/r/", feed_of([]))
    (item,) = reddit.search(question("foo", subreddits=("gadgets",)), world.io)
    assert item.text == "a longer text x"
    assert item.engagement == {"score": 9, "comments": 0}
    assert (item.author_handle, item.container) == ("ann", "r/gadgets")
    assert item.url == "https://www.reddit.com/r/gadgets/comments/1pa/"
    assert item.urls == ("https://x.example",)


def test_young_posts_are_not_asked_for_their_votes(
    server: Server, archive: Server, world: World
) -> None:
    """The archive has not counted them yet."""
    young = (NOW - timedelta(hours=3)).isoformat()
    read(server, world, entry().replace(AT, young))
    assert [a.path for a in archive.requests] == ["/api/comments/search"]
