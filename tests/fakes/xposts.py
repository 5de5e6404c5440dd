"""Posts of X made for a test, and a backend that answers from a table of them."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timedelta, timezone

from engine.deadline import Deadline
from engine.errors import SourceError
from engine.fetch import Fetch
from engine.model import BackendInfo, Item, Warning
from engine.settings import Settings
from engine.window import Window
from engine.x.backends.base import IO, Ask
from engine.x.query import Query

__all__ = ["WINDOW", "Scripted", "io_for", "post", "posts"]

WINDOW = Window(date(2026, 10, 17), date(2026, 11, 15))

Answer = Sequence[Item] | SourceError


def post(
    post_id: str,
    text: str,
    handle: str = "",
    *,
    day: int = 0,
    likes: int = 0,
    in_reply_to: str = "",
    repost_of: str = "",
) -> Item:
    """A post written at noon, `day` days before the last day of the window."""
    noon = datetime.combine(WINDOW.last - timedelta(day), time(12), timezone.utc)
    return Item(
        id=post_id,
        source="x",
        text=text,
        author_handle=handle,
        created_at=noon,
        engagement={"likes": likes} if likes else {},
        in_reply_to=in_reply_to,
        repost_of=repost_of,
    )


def posts(prefix: str, texts: Sequence[str], handle: str = "") -> list[Item]:
    """A post for each text, with the ids prefix1, prefix2, …; no two on one day."""
    return [
        post(f"{prefix}{i}", text, handle, day=i % WINDOW.days)
        for i, text in enumerate(texts, start=1)
    ]


def io_for(warnings: list[Warning] | None = None, *, seconds: float = 60) -> IO:
    """What a backend may touch, with no setting and no file."""
    now = datetime.combine(WINDOW.last, time(18), timezone.utc)
    found = [] if warnings is None else warnings
    settings = Settings({}, now)
    return IO(
        settings,
        Deadline(seconds),
        Fetch(settings),
        warn=found.append,
        drop=lambda item, reason: None,
    )


class Scripted:
    """A backend that answers each kind of query from a table.

    Args:
        table: by kind of query, the posts to answer with or the error to raise; what
            is missing has no posts. The kinds: `from:h`, `from:h Rome` (with topic),
            `mention:h`, `name:Rome`, and else the terms, as in `Rome Italy` or, with
            left-out accounts, `Rome Italy -h`.
        first: what the very first call raises.
        unready: what the user has to do before this backend works.

    The others are fields of its `BackendInfo`.
    """

    def __init__(
        self,
        table: Mapping[str, Answer],
        *,
        name: str = "scripted",
        first: SourceError | None = None,
        unready: str = "",
        parallel: int = 1,
        min_seconds: float = 0.0,
        paid: bool = False,
    ) -> None:
        self.INFO = BackendInfo(
            name=name,
            label=name.title(),
            site="https://x.com",
            api_page="https://docs.x.com",
            operators=frozenset(),
            parallel=parallel,
            min_seconds=min_seconds,
            paid=paid,
        )
        self.asked: list[Ask] = []
        self._table = table
        self._first = first
        self._unready = unready
        self._lock = threading.Lock()

    @property
    def kinds(self) -> list[str]:
        """The kinds of the queries that were asked, each once, in their order."""
        return list(dict.fromkeys(_kind(ask.query) for ask in self.asked))

    def search(self, ask: Ask, io: IO) -> list[Item]:
        """Answer from the table."""
        with self._lock:
            self.asked.append(ask)
            if self._first is not None and len(self.asked) == 1:
                raise self._first
        answer = self._table.get(_kind(ask.query), ())
        if isinstance(answer, SourceError):
            raise answer
        return list(answer)

    def missing(self, io: IO) -> str:
        """What the script says."""
        return self._unready


def _kind(query: Query) -> str:
    words = " ".join(query.terms + query.phrases)
    if query.from_handles:
        return f"from:{','.join(query.from_handles)} {words}".strip()
    if query.mention:
        return f"mention:{query.mention}"
    if query.min_likes == 2:
        return f"name:{words}"
    return " ".join([words, *(f"-{handle}" for handle in query.not_from)])
