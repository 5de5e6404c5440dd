"""Fan out: one query becomes variants, the widest first: a call gives few posts."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from engine import data
from engine.model import Depth
from engine.text.tokens import fold
from engine.text.topic import parse_topic
from engine.window import Window
from engine.x.compile import compile_query
from engine.x.query import Query, web_syntax

__all__ = [
    "CALLS",
    "POSTS",
    "POSTS_PER_CALL",
    "fanout_queries",
    "is_proper_name",
    "variants",
]

# A call gives at most 10 posts on every backend, so depth comes from variants; at deep
# twice as many calls as posts would need, since variants overlap.
POSTS_PER_CALL = 10
CALLS = {Depth.QUICK: 1, Depth.DEFAULT: 3, Depth.DEEP: 12}
POSTS = {Depth.QUICK: 10, Depth.DEFAULT: 30, Depth.DEEP: 60}

_FAVES_FLOOR = 5
_PARTS = 8
_NAME = re.compile(r"[^\W\d_]+(?:['’.\-][^\W\d_]+)*\.?")
_PARTICLES = frozenset(
    ("al", "bin", "da", "de", "del", "della", "der", "di", "du", "el", "la", "le",
     "van", "von")
)  # fmt: skip


def variants(query: Query, calls: int) -> list[Query]:
    """At most `calls` different formulations of `query`, the widest first.

    Args:
        query: what `compile_query` gave, perhaps narrowed by a retry.
        calls: how many calls the depth allows, 1 or more.
    """
    top, whole = replace(query, latest=False), query.window
    name = " ".join(query.terms)
    if is_proper_name(name):
        third = replace(top, terms=(), phrases=(*query.phrases, name))
    else:
        third = replace(top, links_only=True)
    found = [
        query,
        replace(top, min_likes=_FAVES_FLOOR),
        third,
        replace(top, no_replies=True),
        *(replace(top, window=p) for p in query.window.parts(_PARTS) if p != whole),
    ]
    return list(dict.fromkeys(found))[:calls]


def fanout_queries(topic: str, from_date: str, to_date: str, calls: int) -> list[str]:
    """The variants for a topic in X's web syntax.

    Args:
        topic: what the user typed.
        from_date: the first day, YYYY-MM-DD.
        to_date: the last day, YYYY-MM-DD, inside the window.
        calls: the most variants wanted.

    Raises:
        UsageError: the topic holds no letter and no digit.
        ValueError: a date is none.
    """
    window = Window(date.fromisoformat(from_date), date.fromisoformat(to_date))
    query = compile_query(parse_topic(topic), window)
    return [web_syntax(variant) for variant in variants(query, calls)]


def is_proper_name(topic: str) -> bool:
    """True if the words look like the name of a person, a product or a work.

    At least two words, each with a capital first and not in capitals throughout, no
    digit, none of them a place or a point of the compass. Particles such as "van" may
    stand between them.
    """
    words = topic.split()
    outer = (words[:1] + words[-1:]) if len(words) > 1 else []
    names = [word for word in words if word not in _PARTICLES or word in outer]
    return len(names) > 1 and all(map(_is_name_word, names))


def _is_name_word(word: str) -> bool:
    parts = [part for part in re.split(r"['’.\-]", word) if part]
    return (
        _NAME.fullmatch(word) is not None
        and word[0].isupper()
        and not (word.isupper() and len(word.strip(".")) > 1)
        and not any(fold(part) in data.words("places.txt") for part in [word, *parts])
    )
