"""Markdown, read as plain text and as links."""

from __future__ import annotations

import time

import pytest

from engine.text.markdown import markdown_links, plain_markdown
from engine.text.markup import MAX_TEXT


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("plain", "plain"),
        ("a\r\n\r\n\r\nb", "a\nb"),
        ("## What\n#5 is # not", "What\n#5 is # not"),
        ("a <!-- hidden\nlines --> b", "a b"),
        ("a <!-- never closed", "a"),
        ("see [the *page*](https://a.example/x) now", "see the *page* now"),
        ("![shot](https://a.example/x.png)", "shot"),
        ("a<br>b <details><summary>More</summary>", "a b More"),
        ("Vec<String> and a < b > c", "Vec<String> and a < b > c"),
        ("&lt;b&gt; &amp; co", "<b> & co"),
        ("```rust\nlet x;\n```", "let x;"),
        ("- [x] I searched\n- [ ] Tests\n_No response_", "- [ ] Tests"),
        ("", ""),
    ],
)
def test_markup_is_taken_out(markdown: str, text: str) -> None:
    """What people wrote stays, code in angle brackets with it."""
    assert plain_markdown(markdown) == text


def test_links_are_found_once_in_order() -> None:
    """In brackets or bare, without the sign that ends a sentence."""
    text = (
        "[a](https://a.example/x?y=1) https://b.example/z. <https://c.example> "
        "https://b.example/z <!-- https://d.example -->"
    )
    assert markdown_links(text) == (
        "https://a.example/x?y=1",
        "https://b.example/z",
        "https://c.example",
    )
    many = " ".join(f"https://a.example/{i}" for i in range(99))
    assert len(markdown_links(many)) == 20


@pytest.mark.parametrize(
    "piece", ["<!--", "[", "[a](", "![](x", "<a ", "<br", "&lt", "#", "https://", "```"]
)
def test_hostile_markdown_takes_no_time(piece: str) -> None:
    """The work is linear in what is kept."""
    start = time.process_time()
    text = plain_markdown(piece * 200_000)
    markdown_links(piece * 200_000)
    assert time.process_time() - start < 1
    assert len(text) <= MAX_TEXT
