"""The words of a query, without what a service takes for an operator."""

from __future__ import annotations

import pytest

from engine.sources.wording import plain_words


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
