"""Rank: copies merged, and notes in order of the product of likes and comments.

The product counts inside relevance: a note that is surely about its place comes before
one that may be, however often that was liked. On a log scale the product is a sum,
    ln((1 + likes) (1 + comments)),
so that a note which nobody commented on keeps what its likes earned.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import chain, zip_longest

from engine.places.model import Note
from engine.places.reading import Comment, Detail
from engine.places.sentiment import sentiment
from engine.rank.engagement import engagement_score

__all__ = [
    "merge_notes",
    "scored",
    "spread",
    "with_comments",
    "with_detail",
]

_WEIGHTS = {"likes": 1.0, "comments": 1.0}
# A hundred thousand likes and five thousand comments are very many there.
_REFERENCE = math.log1p(100_000) + math.log1p(5_000)
_POPULARITY, _AGREEMENT, _BASE = 0.7, 0.2, 0.1
# Three further queries that found the same note agree as much as counts.
_AGREEING = 3
_YEARLY = 0.9
_YEAR_DAYS = 365.25

_REPOST_CHARS = 60
_MIN_REPOST = 10
_COMMENTS = 10


def merge_notes(notes: Iterable[Note]) -> list[Note]:
    """Each note once, in the order of its first find, with all queries that found it.

    The same id is the same note; so are the same first words by the same author.
    """
    found: dict[str, Note] = {}
    first: dict[tuple[str, str], str] = {}
    for note in notes:
        opening = f"{note.title} {note.text}".strip()[:_REPOST_CHARS]
        number = note.note_id
        if note.author and len(opening) >= _MIN_REPOST:
            number = first.setdefault((note.author, opening), number)
        number = number if number in found else note.note_id
        known = found.get(number)
        found[number] = note if known is None else _joined(known, note)
    return list(found.values())


def _joined(one: Note, other: Note) -> Note:
    def most(a: int | None, b: int | None) -> int | None:
        return max((n for n in (a, b) if n is not None), default=None)

    return replace(
        one,
        text=max(one.text, other.text, key=len),
        author=one.author or other.author,
        likes=most(one.likes, other.likes),
        comments=most(one.comments, other.comments),
        collected=most(one.collected, other.collected),
        published_at=one.published_at or other.published_at,
        full_text=one.full_text or other.full_text,
        top_comments=one.top_comments or other.top_comments,
        matched_queries=tuple(
            dict.fromkeys(
                query
                for query in (*one.matched_queries, *other.matched_queries)
                if query
            )
        ),
        # A token opens the note that it came with, and no other.
        token=one.token or (other.token if one.note_id == other.note_id else ""),
    )


def with_detail(note: Note, told: Detail) -> Note:
    """A note with what its own page says, which is newer and more exact."""
    full = told.text or note.text
    return replace(
        note,
        title=told.title or note.title,
        text=note.text or told.text,
        full_text=full,
        author=told.author or note.author,
        published_at=told.published_at or note.published_at,
        likes=note.likes if told.likes is None else told.likes,
        comments=note.comments if told.comments is None else told.comments,
        collected=note.collected if told.collected is None else told.collected,
    )


def with_comments(note: Note, told: Sequence[Comment]) -> Note:
    """A note with its best comments."""
    return replace(note, top_comments=tuple(one.text for one in told[:_COMMENTS]))


def scored(note: Note, relevance: float, likely: bool, now: datetime) -> Note:
    """A note with its sentiment, its score 0…1 and the parts of that.

    Args:
        relevance: the judge's, 0…1.
        likely: whether the judge is sure enough; those come before all others.
        now: the moment from which the age of a dated note counts.
    """
    counts = {"likes": note.likes or 0, "comments": note.comments or 0}
    popularity = (engagement_score(counts, _WEIGHTS, _REFERENCE) or 0.0) / 100
    agreement = min(1.0, max(0, len(note.matched_queries) - 1) / _AGREEING)
    inside = _BASE + _POPULARITY * popularity + _AGREEMENT * agreement
    age = _YEARLY ** _years(note.published_at, now)
    parts = {
        "relevance": relevance,
        "band": 0.5 if likely else 0.0,
        "popularity": round(popularity, 4),
        "agreement": round(agreement, 4),
        "age": round(age, 4),
    }
    mood, words = sentiment(f"{note.title}\n{note.full_text or note.text}")
    return replace(
        note,
        sentiment=mood,
        sentiment_words=words,
        score=round(parts["band"] + 0.5 * inside * age, 4),
        score_parts=parts,
    )


def _years(published_at: str | None, now: datetime) -> float:
    if published_at is None:
        return 0.0
    days = (now - datetime.fromisoformat(published_at)).days
    return max(0.0, days / _YEAR_DAYS)


def spread(by_place: Iterable[Sequence[Note]]) -> list[Note]:
    """Notes by turns of their places, each once: no place eats up what may be read."""
    found: dict[str, Note] = {}
    for note in chain.from_iterable(zip_longest(*by_place)):
        if note is not None:
            found.setdefault(note.note_id, note)
    return list(found.values())
