"""Notes: what the reader of a run has to know that is no outcome."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from engine.model import Item, Warning
from engine.text.question import Question
from engine.text.senses import senses
from engine.text.topic import Topic
from engine.x.judge import Judgment
from engine.x.query import Query

__all__ = ["ambiguous_topic", "dropped_posts", "flood", "topic_shortened"]

_SENSES = 4


def topic_shortened(topic: Topic, query: Query) -> Warning | None:
    """The topic was too long for X."""
    terms = tuple(term.surface for term in topic.terms)
    asked = len(query.terms)
    if query.terms == terms:
        return None
    return Warning(
        "topic-shortened",
        "x",
        f"X: the topic is too long for X; asked with {asked} of its terms",
        {"asked": asked, "left_out": len(terms) - asked},
    )


def flood(judgment: Judgment[Item]) -> Warning | None:
    """What the run went on with is off topic for the most part."""
    ratio = judgment.on_topic_ratio
    if not judgment.is_off_topic_flood:
        return None
    return Warning(
        "flood",
        "x",
        f"X: about {ratio:.0%} of what came back is on topic; "
        "a question that names the sense you mean helps",
        {"on_topic_ratio": ratio},
    )


def ambiguous_topic(
    texts: Sequence[str], questions: Sequence[Question]
) -> Warning | None:
    """The topic means several things in these posts, and no question tells which."""
    found = [senses(texts, question) for question in questions]
    if not found or not all(found):
        return None
    meanings = [" ".join(sense.words) for sense in found[0][:_SENSES]]
    return Warning(
        "ambiguous-topic",
        "x",
        f"X: the topic means several things here: {'; '.join(meanings)}. All were "
        "kept; a ranking query that says which one is meant tells them apart",
        {"senses": meanings},
    )


def dropped_posts(reasons: Iterable[str]) -> Warning | None:
    """Posts came that were not as asked, or could not be believed."""
    counts = dict(sorted(Counter(reasons).items()))
    if not counts:
        return None
    counted = ", ".join(f"{number} {reason}" for reason, number in counts.items())
    return Warning(
        "dropped-posts",
        "x",
        f"X: dropped posts that were not as asked: {counted}",
        {"reasons": counts},
    )
