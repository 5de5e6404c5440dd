"""The words of a query, without what a service takes for an operator."""

from __future__ import annotations

import pytest

from engine.sources.wording import fitting, plain_words


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("Claude Code skills", ["Claude", "Code", "skills"]),
        ('"Claude Code" -free +new', ["Claude", "Code", "free", "new"]),
        ("is:issue OR repo:o/n", ["is", "issue", "or", "repo", "o", "n"]),
        ("#rust $TSLA @ann", ["rust", "TSLA", "ann"]),
        ("C++ .NET gpt-5 node.js AT&T", ["C++", ".NET", "gpt-5", "node.js", "AT&T"]),
        ("大模型 评测", ["大模型", "评测"]),
        ("(a) [b] {c}\u202e <d>", ["a", "b", "c", "d"]),
        ("…!", []),
        ("", []),
    ],
)
def test_words_are_free_of_operators(query: str, words: list[str]) -> None:
    """Names keep the signs that belong to them."""
    assert plain_words(query) == words


@pytest.mark.parametrize(
    ("most", "text"),
    [(10, "a bbb cc d"), (9, "a bbb cc"), (5, "a bbb"), (4, "a cc"), (0, "")],
)
def test_as_many_words_as_fit(most: int, text: str) -> None:
    """One that is too long is left out; those behind it may still fit."""
    assert fitting(["a", "bbb", "cc", "d"], most) == text
