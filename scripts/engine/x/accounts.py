"""Ask one backend about accounts and names, apart from a run of the loop.

These are the queries of the loop's lanes, for tools that know whom they look for.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from engine.model import Item, Lane
from engine.text.topic import parse_topic
from engine.window import Window
from engine.x.backends import BACKENDS
from engine.x.backends.base import IO
from engine.x.calls import Call, Calls
from engine.x.compile import compile_query
from engine.x.lanes import from_query, name_query
from engine.x.query import Query, clean_handle

__all__ = ["handle_queries", "search_handles", "search_name"]

# What a search may take if it belongs to no run.
_SECONDS = 240.0


def handle_queries(
    handles: Sequence[str], topic: str, window: Window, *, and_topic: bool = False
) -> list[Query]:
    """A query for the posts of each handle; what is no handle is left out.

    Args:
        handles: with or without @.
        topic: asked for too with `and_topic`, by its significant terms, and else not:
            people do not write their own name.

    Raises:
        UsageError: the topic is asked for and holds no letter and no digit.
    """
    terms: tuple[str, ...] = ()
    if and_topic:
        terms = compile_query(parse_topic(topic), window, core=True).terms
    names = {name.lower(): name for name in map(clean_handle, handles) if name}
    return [from_query(name, window, terms) for name in names.values()]


def search_handles(
    backend: str,
    handles: Sequence[str],
    topic: str,
    from_date: str,
    to_date: str,
    *,
    and_topic: bool = False,
    io: IO | None = None,
    count: int = 8,
) -> list[Item]:
    """What accounts wrote, at most `count` posts each.

    Args:
        backend: the registry name of the backend to ask.
        handles, topic, and_topic: see `handle_queries`.
        from_date, to_date: the first and the last day, YYYY-MM-DD, both inside.
        io: the run that this belongs to; without it a run of its own, of 240 s at most.

    Raises:
        SourceError: a call failed; what the others found is on it.
        UsageError: the topic is asked for and holds no letter and no digit.
        ValueError: a date is none.
    """
    window = _window(from_date, to_date)
    queries = handle_queries(handles, topic, window, and_topic=and_topic)
    lane = Lane.FROM_TOPIC if and_topic else Lane.FROM
    return _send(backend, [Call(lane, query, count) for query in queries], window, io)


def search_name(
    backend: str,
    name: str,
    from_date: str,
    to_date: str,
    *,
    exclude: Sequence[str] = (),
    io: IO | None = None,
    count: int = 5,
) -> list[Item]:
    """What others wrote about somebody by name, with some echo, at most `count` posts.

    Args:
        name: asked for as one phrase.
        exclude: the handles of the subject, whose own posts are left out.

    The other arguments and the errors are those of `search_handles`.
    """
    window = _window(from_date, to_date)
    words = " ".join(term.surface.lstrip("#$@") for term in parse_topic(name).terms)
    own = [handle for handle in map(clean_handle, exclude) if handle]
    call = Call(Lane.NAME, name_query(words, window, own), count)
    return _send(backend, [call], window, io)


def _window(from_date: str, to_date: str) -> Window:
    return Window(date.fromisoformat(from_date), date.fromisoformat(to_date))


def _send(
    backend: str, calls: Sequence[Call], window: Window, io: IO | None
) -> list[Item]:
    io = io or _own_io()
    sender = Calls(BACKENDS[backend], io, window)
    items = sender.send(calls)
    for dropped in sender.dropped.values():
        io.drop(dropped.item, dropped.reason)
    if sender.errors:
        error = sender.errors[0]
        error.items = tuple(items)
        raise error
    return items


def _own_io() -> IO:
    from engine.deadline import Deadline
    from engine.fetch import Fetch
    from engine.settings import load_settings

    settings = load_settings()
    return IO(
        settings,
        Deadline(_SECONDS),
        fetch=Fetch(settings),
        warn=lambda warning: None,
    )
