"""Text from outside, shown."""

from __future__ import annotations

import pytest

from engine.text.redact import excerpt, redact

KEY = "AAAA%2Fb7Qz9%3DkLm"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        pytest.param(f"key {KEY}!", "key ***!", id="whole"),
        pytest.param(f"{KEY[:6]}…", "***…", id="beginning"),
        pytest.param(f"ends in {KEY[-6:]}", "ends in ***", id="end"),
        pytest.param(f"x{KEY[4:12]}x", "x***x", id="middle"),
        pytest.param(f"{KEY[:5]} and {KEY[-5:]}", None, id="five"),
        pytest.param("AAAA/b7Qz9=kLm", "***", id="decoded"),
        pytest.param("AAAA%252Fb7Qz9%253DkLm", "***", id="encoded-again"),
        pytest.param("nothing of it", "nothing of it", id="none"),
    ],
)
def test_pieces_of_a_secret_are_hidden(text: str, shown: str | None) -> None:
    """Six characters in a row are enough to hide, five are not."""
    assert redact(text, [KEY]) == (text if shown is None else shown)


def test_a_short_secret_is_hidden_whole() -> None:
    """A secret under six characters is hidden where all of it stands."""
    assert redact("pin 1234, not 123", ["1234"]) == "pin ***, not 123"


def test_an_empty_secret_hides_nothing() -> None:
    """A setting without a value is no secret."""
    assert redact("all of it", ["", KEY]) == "all of it"


def test_an_excerpt_is_one_clean_line() -> None:
    """Control, bidi and zero-width characters go, before a secret is looked for."""
    text = f"a\r\n\tb\x1b[31m \u202ec\u2028{KEY[:4]}\u200b{KEY[4:]}\ud800"
    assert excerpt(text, [KEY]) == "a b [31m c ***"


def test_an_excerpt_is_short() -> None:
    """At most so many characters, the last one a sign that there was more."""
    assert excerpt("x" * 500) == "x" * 199 + "…"
    assert excerpt("x" * 200) == "x" * 200
