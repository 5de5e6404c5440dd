"""The accounts of a corpus: authors and mentions, the most frequent first."""

from __future__ import annotations

import pytest

from engine.x.handles import extract_handles
from fakes.xposts import post


def test_authors_and_mentions_in_lower_case() -> None:
    """Both count, by how often they occur; ties by name."""
    corpus = [
        post("1", "lunch with @Bo_1 and @cy", "Ada"),
        post("2", "@bo_1: yes", "ADA"),
        post("3", "no, @ada", "dee"),
    ]
    assert extract_handles(corpus) == ["ada", "bo_1", "cy", "dee"]


def test_a_post_counts_an_account_once() -> None:
    """Saying a name five times is not being frequent."""
    corpus = [
        post("1", "@bo @bo @bo", "bo"),
        post("2", "a", "ada"),
        post("3", "b", "ada"),
    ]
    assert extract_handles(corpus) == ["ada", "bo"]


def test_accounts_that_everybody_mentions_are_left_out() -> None:
    """They say nothing about the topic."""
    corpus = [post("1", "@OpenAI @grok is this true? @realexpert", "elonmusk")]
    assert extract_handles(corpus) == ["realexpert"]


def test_reposts_count_once_for_their_author() -> None:
    """However often a post is repeated, and wherever the original stands."""
    corpus = [
        *(post(str(i), "RT @bo: see @cy", f"fan{i}", repost_of="bo") for i in range(9)),
        post("20", "see @cy", "bo"),
        post("21", "one", "ada"),
        post("22", "two", "ada"),
    ]
    assert extract_handles(corpus) == ["ada", "bo", "cy"]


def test_a_repost_without_its_original_counts_once() -> None:
    """The text alone tells that two are copies."""
    corpus = [
        post("1", "RT @bo: big news", "fan1", repost_of="Bo"),
        post("2", "big news", "fan2", repost_of="Bo"),
    ]
    assert extract_handles(corpus) == ["bo"]


@pytest.mark.parametrize(
    "author", ["", " ", "@", "Peter Steinberger", "a OR from:b", "x" * 16, 'a"b']
)
def test_what_is_no_handle_is_left_out(author: str) -> None:
    """It would be sent to X as part of a query."""
    assert extract_handles([post("1", "mail me@example.com", author)]) == []
