"""Text from outside is made harmless."""

from __future__ import annotations

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.report.clean import clean_line, clip, escape_hidden

# Signs that are drawn, although Unicode files them under format characters, and the
# joiners that Persian, Indic scripts and emoji need.
_KEPT = "\u200c\u200d\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2"
_KEPT += "\U000110bd\U000110cd" + "".join(map(chr, range(0x13430, 0x13439)))
# U+13439 to U+1343F belong to the same block and are newer than some Pythons.
_KEPT += "".join(map(chr, range(0x13439, 0x13440)))


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        pytest.param("a\n# Heading\n\nb", "a # Heading b", id="line-ends"),
        pytest.param(
            "a\u2028[2] @x\u2029b\x85c\x0bd\x0ce",
            "a [2] @x b c d e",
            id="rare-line-ends",
        ),
        pytest.param("a\x00b\x07c\x7f", "abc", id="controls"),
        pytest.param("a\x1b[31mred\x1b[0m b", "a red b", id="ansi-colour"),
        pytest.param("a \x1b]0;title\x07 b", "a b", id="terminal-title"),
        pytest.param("a\x9b31mb", "a31mb", id="c1-control"),
        pytest.param("ab\u202edc\u2066x\u2069", "abdcx", id="bidi"),
        pytest.param("hi\U000e0041\U000e0042", "hi", id="tags"),
        pytest.param("half \ud83d gone", "half gone", id="surrogate"),
        pytest.param("--> <!-- x -->", "--› ‹!-- x --›", id="comment"),
        pytest.param("<script>x</script>", "‹script›x‹/script›", id="html"),
        pytest.param("[click](javascript:x)", "[click］(javascript:x)", id="link"),
        pytest.param(
            "![a](b) [a] [b] [a]: c", "![a］(b) [a］ [b］ [a］: c", id="other-links"
        ),
        pytest.param("```sh\nrm\n```", "'''sh rm '''", id="fence"),
        pytest.param("~~~~", "'''", id="tilde-fence"),
        pytest.param(
            "1 < 2 and 3 > 2 [sic] `ls` ~x~",
            "1 < 2 and 3 > 2 [sic] `ls` ~x~",
            id="plain-signs",
        ),
        pytest.param(
            "می\u200cخواهم 👩\u200d🚀 ❤️", "می\u200cخواهم 👩\u200d🚀 ❤️", id="joiners"
        ),
        pytest.param("罗马 São Paulo กรุงเทพ", "罗马 São Paulo กรุงเทพ", id="scripts"),
        pytest.param(" \t\n", "", id="blank"),
    ],
)
def test_what_a_text_says_is_kept_and_what_it_could_do_is_not(
    raw: str, clean: str
) -> None:
    """Controls and markup go, words in every script stay."""
    assert clean_line(raw) == clean


@given(st.text())
def test_any_text_becomes_one_harmless_line(raw: str) -> None:
    """Whatever comes in, one line without controls comes out."""
    line = clean_line(raw)
    assert line.splitlines() in ([], [line])
    assert line.strip() == line
    for char in line:
        category = unicodedata.category(char)
        assert (
            category[0] not in "CZ" or category in ("Zs", "Cn", "Co") or char in _KEPT
        ), hex(ord(char))
    assert not any(sign in line for sign in ("<!--", "```", "~~~", "]("))


@given(st.text())
def test_cleaning_twice_changes_nothing(raw: str) -> None:
    """A clean line is its own clean form."""
    assert clean_line(clean_line(raw)) == clean_line(raw)


@given(st.text(), st.integers(1, 50))
def test_a_clipped_text_fits(text: str, length: int) -> None:
    """A text that is cut says so and has at most the length that was asked."""
    short = clip(text, length)
    assert len(short) <= length
    assert short == text or short.endswith("…")


@given(st.text())
def test_json_with_hidden_characters_escaped_means_the_same(text: str) -> None:
    """A terminal sees no control, a JSON reader every character."""
    document = escape_hidden(json.dumps([text], ensure_ascii=False))
    assert json.loads(document) == [text]
    assert not any(unicodedata.category(c) in ("Cc", "Cs") for c in document)
