"""HTML of others as plain text and links."""

from __future__ import annotations

import time

import pytest

from engine.text.markup import MAX_TEXT, links, plain_text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("I tried <i>it</i>", "I tried it"),
        ("a<p>b<p>c", "a\nb\nc"),
        ("a<br/>b", "a\nb"),
        ("<ul><li>one</li>\n<li>two</li></ul>", "one\ntwo"),
        ("AT&amp;T &#x27;x&#39; &nbsp; y", "AT&T 'x' y"),
        ("&lt;b&gt; stays", "<b> stays"),
        ("&amp;lt; once", "&lt; once"),
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
        ("a<!-- SC_OFF -->b", "a b"),
        ("a<!-- never closed", "a"),
        ("x<script>alert('<p>')</script>y", "x y"),
        ("x<style>p {}", "x"),
        ("<![if foo]>z", "z"),
        ("line\nbroken   here", "line broken here"),
        (
            '<a href="https:&#x2F;&#x2F;example.com&#x2F;a-long-page?b=1&amp;c=2">'
            "https:&#x2F;&#x2F;example.com&#x2F;a-l...</a>",
            "https://example.com/a-long-page?b=1&c=2",
        ),
        ('<a href="https://example.com">and so on...</a>', "and so on..."),
        ("", ""),
        ("日本語<p>Ünï", "日本語\nÜnï"),
    ],
)
def test_html_becomes_the_text_that_a_reader_sees(html: str, text: str) -> None:
    """Blocks are lines, entities characters, everything else of markup is gone."""
    assert plain_text(html) == text


def test_links_are_found_once_and_in_order() -> None:
    """In either kind of quotes, with their entities decoded, hidden ones not."""
    html = (
        "<a href=\"https://b.example/?x=1&amp;y=2\">b</a> <a class='c' href='/a'>a</a>"
        '<a href="https://b.example/?x=1&amp;y=2">again</a> <a name="n">none</a>'
        '<!-- <a href="https://hidden.example">h</a> --> <abbr href="/no">x</abbr>'
    )
    assert links(html) == ("https://b.example/?x=1&y=2", "/a")


def test_a_text_is_cut_at_its_longest() -> None:
    """More than any service takes is not kept."""
    assert len(plain_text("x" * (MAX_TEXT + 5))) == MAX_TEXT


@pytest.mark.parametrize(
    "piece",
    [
        "<a ",
        '<a href="',
        "href=",
        "<!--",
        "<script",
        "</script ",
        "<",
        "&",
        "\n ",
        "<p",
    ],
)
def test_hostile_markup_costs_no_more_than_its_length(piece: str) -> None:
    """Half a megabyte of any unfinished piece is read at once."""
    html = "<a " + piece * (500_000 // len(piece))
    began = time.process_time()
    plain_text(html)
    links(html)
    assert time.process_time() - began < 1
