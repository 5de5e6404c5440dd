"""URLs: one address for one page."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine.text.urls import canonical_url, linked_pages, site

SAME = {
    "scheme": ["http://example.org/a", "https://example.org/a", "HTTPS://example.org/a"],
    "host": ["https://www.Example.ORG/a", "https://m.example.org./a"],
    "mirror": ["https://old.example.org/a", "https://amp.example.org/a"],
    "inner-mirror": ["https://en.m.example.org/a", "https://en.example.org/a"],
    "port": ["http://example.org:80/a", "https://example.org:443/a"],
    "user": ["https://me:secret@example.org/a", "https://example.org/a"],
    "slash": ["https://example.org/a/", "https://example.org/a", "https://example.org/a#"],
    "fragment": ["https://example.org/a#part", "https://example.org/a"],
    "escapes": ["https://example.org/%7ea%2f%c3%a4", "https://example.org/~a%2F\u00e4"],
    "tracking": [
        "https://example.org/a?utm_source=x&UTM_Medium=y&fbclid=1&GCLID=2&id=7",
        "https://example.org/a?id=7&si=k&igshid=3&mc_cid=4&ref=z",
    ],
    "sorted": ["https://example.org/a?b=2&a=1", "https://example.org/a?a=1&b=2"],
    "blanks": ["https://example.org/?q=a+b", "https://example.org/?q=a%20b"],
    "control": ["https://exam\u0000ple.org/\na", " https://example.org/a\t"],
    "idn": ["https://M\u00fcnchen.example/a", "https://xn--mnchen-3ya.example/a"],
    "x": [
        "https://twitter.com/Ada/status/20?s=20&t=abc",
        "https://mobile.twitter.com/ada/status/20/photo/1",
        "https://x.com/i/web/status/20",
        "https://x.com/ada/status/20#m",
    ],
    "youtube": [
        "https://youtu.be/dQw4w9WgXcQ?si=abc&t=12",
        "https://www.youtube.com/watch?list=PL1&v=dQw4w9WgXcQ&feature=share",
        "https://m.youtube.com/watch?v=dQw4w9WgXcQ",
        "https://youtube.com/shorts/dQw4w9WgXcQ",
    ],
    "reddit": [
        "https://www.reddit.com/r/ClaudeAI/comments/1AbC2d/a_title/",
        "https://old.reddit.com/r/claudeai/comments/1abc2d/a_title/k9/?context=3",
        "https://reddit.com/comments/1abc2d",
        "https://np.reddit.com/u/ada/comments/1abc2d/a_title",
        "https://redd.it/1abc2d",
    ],
}  # fmt: skip


@pytest.mark.parametrize("urls", SAME.values(), ids=SAME)
def test_addresses_of_one_page_are_one(urls: list[str]) -> None:
    """However it was copied, a page has one address."""
    assert len({canonical_url(url) for url in urls}) == 1
    assert all(map(canonical_url, urls))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("https://example.org/Page", "https://example.org/page"),
        ("https://example.org/?v=ABC", "https://example.org/?v=abc"),
        ("https://example.org/?a=1&a=2", "https://example.org/?a=2&a=1"),
        ("https://example.org/#!/a", "https://example.org/#!/b"),
        ("https://example.org:8080/", "https://example.org/"),
        ("https://docs.example.org/", "https://example.org/"),
        ("https://m.org/", "https://www.org/"),
        ("https://youtu.be/dQw4w9WgXcQ", "https://youtu.be/DQw4w9WgXcQ"),
        ("https://x.com/ada/status/20", "https://x.com/ada/status/201"),
        ("https://redd.it/1abc2d", "https://redd.it/1abc2e"),
        ("https://notreddit.com/comments/1a", "https://reddit.com/comments/1a"),
        ("https://example.org/a%2Fb", "https://example.org/a/b"),
        ("https://example.org/a?q=", "https://example.org/a"),
        ("https://example.org/?utmost=1", "https://example.org/"),
    ],
)
def test_other_pages_stay_apart(one: str, other: str) -> None:
    """Case, order, ports and ids may tell pages apart."""
    assert canonical_url(one) != canonical_url(other)


def test_what_it_looks_like() -> None:
    """It is an address that still works."""
    given_url = "HTTP://WWW.Example.org:80/Some/Page/?B=2&utm_source=x&a=One+two#top"
    assert canonical_url(given_url) == "https://example.org/Some/Page?B=2&a=One+two"


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.org/a",
        "//example.org/a",
        "javascript:alert(1)",
        "data:text/html,a",
        "mailto:ada@example.org",
        "https://",
        "https:///a",
        "http://[::1",
        "http://[::1]/a",
        "https://localhost/a",
        "https://example.org:port/",
        "https://example.org:99999/",
        "https://<script>.org/",
        "https://" + "\u00fc" * 70 + ".example/",
        "https://example.org/" + "a" * 9_000,
    ],
)
def test_what_is_no_web_address_has_none(url: str) -> None:
    """It is not kept under another name."""
    assert canonical_url(url) == ""
    assert site(url) == ""
    assert not linked_pages(url)


@example("https://example.org/%%37%35")
@given(
    st.one_of(
        st.text(),
        st.text().map("https://example.org/".__add__),
        st.text().map("https://example.org/?".__add__),
        st.text(alphabet="%aA1f/?&=#!+ ").map("https://example.org/".__add__),
        st.text().map("https://{}.example/a".format),
    )
)
def test_it_takes_any_string_and_changes_nothing_twice(url: str) -> None:
    """A canonical URL is its own canonical URL."""
    found = canonical_url(url)
    assert canonical_url(found) == found


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://www.example.org", "example.org"),
        ("https://mobile.twitter.com/ada", "x.com"),
        ("https://example.org?a=1", "example.org"),
        ("https://example.org/#!/a", "example.org"),
        ("https://redd.it/1abc", "reddit.com"),
    ],
)
def test_the_site(url: str, expected: str) -> None:
    """The host is folded as in the address."""
    assert site(url) == expected


def test_a_front_page_is_no_page_in_common() -> None:
    """Two posts that link to a company's front page need not tell of one thing."""
    found = linked_pages("https://www.example.org/", "http://example.org/a", "no url")
    assert found == {"https://example.org/a"}
