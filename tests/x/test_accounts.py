"""Queries for accounts and names, apart from a run of the loop."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timezone

import pytest

from engine.deadline import Deadline
from engine.errors import NotConfiguredError
from engine.fetch import Fetch
from engine.model import Item
from engine.settings import Settings
from engine.window import Window
from engine.x.accounts import handle_queries, search_handles, search_name
from engine.x.backends.archive.index import Archive
from engine.x.backends.base import IO
from engine.x.posts import make_post
from engine.x.query import web_syntax

DAYS = ("2026-11-01", "2026-11-30")
WINDOW = Window(date(2026, 11, 1), date(2026, 11, 30))
SPAN = "since:2026-11-01 until:2026-12-01"


def _item(number: int, handle: str, text: str, likes: int = 9) -> Item:
    created = f"2026-11-{number:02}T12:00:00Z"
    item = make_post(
        f"p{number}", text, handle=handle, created=created, counts={"likes": likes}
    )
    assert item is not None
    return item


POSTS = [
    _item(1, "steipete", "Shipping a thing"),
    _item(2, "steipete", "Quantum widgets are here"),
    _item(3, "other", "I met Peter Steinberger, steipete himself"),
    _item(4, "steipete", "Peter Steinberger is my name"),
    _item(5, "quiet", "Peter Steinberger again", likes=1),
]


@pytest.fixture
def io() -> IO:
    """A run over five posts."""
    settings = Settings({}, datetime(2026, 11, 30, tzinfo=timezone.utc))
    return IO(
        settings,
        Deadline(10),
        fetch=Fetch(settings),
        warn=lambda warning: None,
        drop=lambda item, reason: None,
        archive=Archive(POSTS),
    )


def test_an_account_is_asked_without_the_topic() -> None:
    """People do not write their own name."""
    (query,) = handle_queries(["steipete"], "quantum widgets", WINDOW)
    assert web_syntax(query) == f"from:steipete {SPAN}"


def test_the_topic_is_asked_for_on_demand() -> None:
    """By its significant terms."""
    (query,) = handle_queries(["visegrad24"], "news about Rome", WINDOW, and_topic=True)
    assert web_syntax(query) == f"from:visegrad24 Rome {SPAN}"


@pytest.mark.parametrize(
    ("handles", "asked"),
    [
        (["@a", "A ", "b"], ["A", "b"]),
        (["", "  ", "a b", "bad'; drop", "x" * 16], []),
        ([], []),
    ],
    ids=["twice", "none", "empty"],
)
def test_only_handles_are_asked(handles: list[str], asked: list[str]) -> None:
    """Each once; what X's grammar does not allow never reaches a query."""
    found = [query.from_handles for query in handle_queries(handles, "", WINDOW)]
    assert found == [(handle,) for handle in asked]


def test_posts_of_accounts_come_back(io: IO) -> None:
    """All of them, or those about the topic, and no more than wanted."""
    found = search_handles("archive", ["@Steipete"], "quantum widgets", *DAYS, io=io)
    assert {item.id for item in found} == {"p1", "p2", "p4"}
    about = search_handles(
        "archive", ["steipete"], "quantum widgets", *DAYS, and_topic=True, io=io
    )
    assert [item.id for item in about] == ["p2"]
    assert len(search_handles("archive", ["steipete"], "", *DAYS, io=io, count=2)) == 2


def test_a_name_is_a_phrase_with_some_echo(io: IO) -> None:
    """Quoted, at least two likes, and without the subject's own posts if it is known."""
    found = search_name("archive", 'Peter "Steinberger"', *DAYS, io=io)
    assert {item.id for item in found} == {"p3", "p4"}
    others = search_name(
        "archive", "Peter Steinberger", *DAYS, exclude=["@steipete"], io=io
    )
    assert [item.id for item in others] == ["p3"]


def test_a_failure_is_raised_with_what_was_found(io: IO) -> None:
    """As a backend does."""
    with pytest.raises(NotConfiguredError) as caught:
        search_handles("archive", ["a"], "", *DAYS, io=replace(io, archive=None))
    assert caught.value.items == ()


def test_a_date_that_is_none_is_an_error(io: IO) -> None:
    """Nothing is guessed."""
    with pytest.raises(ValueError, match="isoformat"):
        search_handles("archive", ["a"], "", "yesterday", "2026-11-30", io=io)
