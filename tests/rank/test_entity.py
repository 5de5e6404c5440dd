"""Entity: what a topic is about, and who names it."""

from __future__ import annotations

from typing import Any

import pytest

from engine.model import Comment, Item
from engine.rank.entity import names_entity, primary_entity
from engine.text.topic import parse_topic


@pytest.mark.parametrize(
    ("topic", "names"),
    [
        ("Claude Code skills", ["claude"]),
        ("claude code skills", ["claude"]),
        ("Hermes Agent use cases", ["hermes"]),
        ("DSPy tutorial", ["dspy"]),
        ("Stripe payments", ["stripe"]),
        ("Go", ["go"]),
        ("Go programming language", ["go"]),
        ("X", ["x"]),
        ("GPT-5 review", ["gpt 5"]),
        ("C++ vs Rust", ["c++", "rust"]),
        ("what do people think about OpenAI pricing", ["openai"]),
        ("how remote work changes OpenAI", ["openai"]),
        ("Kanye West", ["kanye"]),
        ("Peter Steinberger", ["steinberger"]),
        ("Jean-Luc Picard", ["jean luc", "picard"]),
        ("Rome Italy", ["rome", "italy"]),
        ("running shoes", ["running", "shoes"]),
        ("New York Times", ["new york times", "nyt"]),
        ("New York Times review", ["new york times", "nyt"]),
        ("The Who", ["the who"]),
        ("code review", ["code review"]),
        ("agent skills", ["agent skills"]),
        ("@steipete", ["steipete"]),
        ("大模型 评测", ["大模 模型"]),
        ("大模型评测", ["大模 模型"]),
        ("ChatGPT使い方", ["chatgpt"]),
        ("갤럭시 후기", ["갤럭 럭시"]),
        ("обзор Яндекс", ["яндекс"]),
    ],
)
def test_the_entity_of_a_topic(topic: str, names: list[str]) -> None:
    """Without what is wanted of it, without kinds of things; the telling words."""
    found = primary_entity(parse_topic(topic)).names
    assert [" ".join(name) for name in found] == names


NAMED = [
    ("Go", {"text": "Why Go is fast"}, True),
    ("Go", {"text": "Google is fast"}, False),
    ("X", {"text": "I left X today"}, True),
    ("X", {"text": "Xavier left"}, False),
    ("Rome", {"text": "A promoter"}, False),
    ("New York Times", {"text": "Something new in town"}, False),
    ("New York Times", {"text": "New York in hard times"}, False),
    ("New York Times", {"text": "So says the New York Times"}, True),
    ("New York Times", {"text": "The NYT says so"}, True),
    ("US", {"text": "Tell us more"}, False),
    ("US", {"text": "What the US does"}, True),
    ("The Who", {"text": "The people who know"}, False),
    ("The Who", {"text": "I saw The Who live"}, True),
    ("agent skills", {"text": "I wrote an agent skill"}, True),
    ("Claude Code skills", {"title": "A Claude skill", "text": "It finds jobs"}, True),
    ("Claude Code skills", {"title": "Write better code", "text": "Skills"}, False),
    ("Claude Code skills", {"text": "#ClaudeCode rocks"}, True),
    ("Claude Code skills", {"text": "Look", "container": "r/ClaudeAI"}, True),
    ("Claude Code skills", {"text": "Look", "container": "r/clouds"}, False),
    ("Claude Code skills", {"comments": (Comment("a", "Try Claude"),)}, True),
    ("Claude Code skills", {"comments": (Comment("a", "Try it"),)}, False),
    ("Rome", {"text": "We open", "author_handle": "turismoromeweb"}, True),
    ("Go", {"text": "We open", "author_handle": "django"}, False),
    ("Go", {"text": "We open", "container": "r/go"}, True),
    ("@steipete", {"text": "as @Steipete says"}, True),
    ("@steipete", {"author_handle": "steipete"}, True),
    ("大模型 评测", {"text": "国产大模型谁最强"}, True),
    ("大模型 评测", {"text": "新模型评测"}, False),
    ("Rome", {"text": "El viaje a rome\u0301"}, True),
    ("القدس", {"text": "زيارة للقدس"}, False),
    ("قدس", {"text": "زيارة القدس"}, True),
    ("Rome", {}, False),
]


@pytest.mark.parametrize(
    ("topic", "fields", "expected"),
    NAMED,
    ids=[f"{topic}-{i}" for i, (topic, _, _) in enumerate(NAMED)],
)
def test_who_names_it(topic: str, fields: dict[str, Any], expected: bool) -> None:
    """As whole words in title, text, comments, place or author."""
    found = Item("1", "s", **{"text": "", **fields})
    assert names_entity(found, primary_entity(parse_topic(topic))) is expected
