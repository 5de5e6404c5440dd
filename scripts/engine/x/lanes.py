"""Lanes: the queries that follow handles once the topic's corpus has been judged."""

from __future__ import annotations

from collections.abc import Sequence

from engine.model import BackendInfo, Lane
from engine.text.topic import Topic
from engine.window import Window
from engine.x.calls import Call
from engine.x.compile import compile_query
from engine.x.fanout import is_proper_name
from engine.x.query import Query

__all__ = [
    "FROM_POSTS",
    "OTHERS_POSTS",
    "RELATED_POSTS",
    "from_query",
    "lane_calls",
    "name_query",
    "reserve",
]

FROM_POSTS = 8
OTHERS_POSTS = 5
RELATED_POSTS = 3

_NAME_LIKES = 2
# A lane of an explicit handle must be able to finish even if it is slow.
_RESERVE_CALLS = 2


def lane_calls(
    topic: Topic,
    window: Window,
    *,
    explicit: Sequence[str],
    related: Sequence[str],
    promoted: Sequence[str],
) -> list[Call]:
    """The lanes of a run, those of explicit handles first.

    A handle that the user named is asked without the topic: people do not write their
    own name. A promoted one has to prove that it writes about the topic.
    """
    terms = compile_query(topic, window, core=True).terms
    subject = " ".join(terms)
    mentions = (Query(window, mention=h, not_from=(h,)) for h in explicit)
    calls = [Call(Lane.FROM, from_query(h, window), FROM_POSTS) for h in explicit]
    calls += [Call(Lane.MENTION, query, OTHERS_POSTS) for query in mentions]
    if explicit and (len(terms) == 1 or is_proper_name(subject)):
        query = name_query(subject.lstrip("#$@"), window, explicit)
        calls.append(Call(Lane.NAME, query, OTHERS_POSTS))
    named = {handle.lower() for handle in explicit}
    others = (from_query(h, window) for h in related if h.lower() not in named)
    calls += [Call(Lane.RELATED, query, RELATED_POSTS) for query in others]
    calls += [
        Call(Lane.FROM_TOPIC, from_query(h, window, terms), FROM_POSTS)
        for h in promoted
    ]
    return calls


def from_query(handle: str, window: Window, terms: tuple[str, ...] = ()) -> Query:
    """What a handle wrote; with terms, what it wrote about them."""
    return Query(window, terms=terms, from_handles=(handle,))


def name_query(name: str, window: Window, not_from: Sequence[str] = ()) -> Query:
    """What others wrote about somebody by name, with some echo."""
    return Query(
        window, phrases=(name,), not_from=tuple(not_from), min_likes=_NAME_LIKES
    )


def reserve(explicit: Sequence[str], info: BackendInfo, left: float) -> float:
    """Seconds to keep for the lanes of explicit handles.

    Args:
        explicit: the handles.
        info: the backend's.
        left: seconds that the whole run has; where they are few, the topic comes first.
    """
    room = _RESERVE_CALLS * info.min_seconds
    return max(0.0, min(room, left - room)) if explicit else 0.0
