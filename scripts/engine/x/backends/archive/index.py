"""Posts in memory, and a full-text index of them for each of X's two orders.

The index holds the project's own tokens, so that a word is found in every script. What
a post is apart from its words stands in it as signs, spelt as X's operators are:
`#tag`, `$tag`, `@mentioned`, `from:author`, `filter:links`, `filter:replies`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from functools import lru_cache
from itertools import islice
from threading import Lock
from typing import TYPE_CHECKING
from weakref import finalize

from engine.errors import UsageError
from engine.model import Item, Warning
from engine.text.tokens import tokenize
from engine.x.backends.archive.formats import FORMATS, read_posts
from engine.x.query import clean_handle

if TYPE_CHECKING:
    import sqlite3
    from pathlib import Path

__all__ = ["EVERY", "LINKS", "REPLIES", "Archive", "open_archive"]

EVERY = "is:post"
LINKS = "filter:links"
REPLIES = "filter:replies"

# A post takes about 1.5 KB with its index.
_MAX_POSTS = 1_000_000
# A file with more bad lines is something else, and they take time.
_MAX_SKIPPED = 100_000

_COLUMNS = "words, name, handle, links, signs"
# What tokens and signs hold beside letters and digits.
_TOKEN_SIGNS = "+#.&_$@:|"
_LINK = re.compile(r"(?:https?://|www\.)[!-~]+", re.IGNORECASE)
_LINK_HEAD = re.compile(r"(?:https?://)?(?:www\.)?", re.IGNORECASE)
_LINK_SIGNS = re.compile(r"[!-/:-@\[-`{-~]+")
_SHORT_LINK = re.compile(r"https?://t\.co(?![!-.0-~])", re.IGNORECASE)


class Archive:
    """Posts that can be searched, also by several threads.

    Top order is by engagement (likes, reposts, replies and quotes summed), then the
    newest first; Latest is by time, then by engagement. Ties go by id. Posts without a
    time come last in both.

    Args:
        posts: no two with the same id.

    Raises:
        UsageError: this Python's SQLite has no full-text search.
    """

    def __init__(self, posts: Iterable[Item]) -> None:
        latest = sorted(posts, key=_latest_key)
        top = sorted(
            range(len(latest)), key=[_top_key(item) for item in latest].__getitem__
        )
        rows = [_row(item) for item in latest]
        self._latest = latest
        self._top = [latest[i] for i in top]
        self._database = _open_database()
        finalize(self, self._database.close)
        self._fill("latest", rows)
        self._fill("top", (rows[i] for i in top))
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._latest)

    def find(
        self, expression: str, keep: Callable[[Item], bool], limit: int, *, latest: bool
    ) -> list[Item]:
        """The first `limit` posts that match and that `keep` lets pass.

        Args:
            expression: in the language of FTS5.
            latest: in Latest order instead of Top.
        """
        table, posts = ("latest", self._latest) if latest else ("top", self._top)
        select = f"SELECT rowid FROM {table} WHERE {table} MATCH ? ORDER BY rowid"
        with (
            self._lock,
            closing(self._database.execute(select, (expression,))) as rows,
        ):
            return list(islice(filter(keep, (posts[row] for (row,) in rows)), limit))

    def _fill(self, table: str, rows: Iterable[tuple[str, ...]]) -> None:
        self._database.executemany(
            f"INSERT INTO {table} (rowid, {_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)",
            ((number, *row) for number, row in enumerate(rows)),
        )
        self._database.commit()


def open_archive(
    paths: Sequence[str | Path], warn: Callable[[Warning], None]
) -> Archive:
    """Read posts from files and index them; of equal ids the first stays.

    Args:
        paths: files in any of the formats; "-" is standard input.
        warn: told what was skipped in a file and how many posts have no time.

    Raises:
        UsageError: a file cannot be read, has no usable post or over 100,000 bad
            lines, or they have over 1,000,000 posts.
    """
    posts: dict[str, Item] = {}
    for path in paths:
        for item in _read(str(path), warn):
            posts.setdefault(item.id, item)
            if len(posts) > _MAX_POSTS:
                raise UsageError(f"{path}: more than {_MAX_POSTS:,} posts; search less")
    undated = sum(item.created_at is None for item in posts.values())
    if undated:
        message = f"posts without a time: {undated}; they are kept and come last"
        warn(Warning("archive-undated", "x", message, {"posts": undated}))
    return Archive(posts.values())


def _read(path: str, warn: Callable[[Warning], None]) -> Iterator[Item]:
    usable = skipped = first_line = 0

    def count_bad(line: int) -> None:
        nonlocal skipped, first_line
        skipped += 1
        first_line = first_line or line
        if skipped > _MAX_SKIPPED:
            raise UsageError(f"{path}: {skipped} bad lines; readable are {FORMATS}")

    for item in read_posts(path, count_bad):
        usable += 1
        yield item
    if not usable:
        raise UsageError(f"{path}: no usable post in it; readable are {FORMATS}")
    if skipped:
        message = (
            f"{path}: bad lines skipped: {skipped}, the first is line {first_line}"
        )
        found = {"file": path, "skipped": skipped, "first_line": first_line}
        warn(Warning("archive-bad-lines", "x", message, found))


def _open_database() -> sqlite3.Connection:
    import sqlite3

    database = sqlite3.connect(":memory:", check_same_thread=False)
    try:
        for table in ("latest", "top"):
            database.execute(
                f"CREATE VIRTUAL TABLE {table} USING fts5({_COLUMNS}, content='', "
                f"columnsize=0, tokenize=\"ascii tokenchars '{_TOKEN_SIGNS}'\")"
            )
            # Bytes that are gathered before they are written: fewer, larger pieces.
            database.execute(
                f"INSERT INTO {table} ({table}, rank) VALUES ('hashsize', {8 << 20})"
            )
    except sqlite3.OperationalError as error:
        database.close()
        raise UsageError(
            f"posts on disk cannot be searched: SQLite of this Python says {error}"
        ) from None
    return database


def _latest_key(item: Item) -> tuple[float, int, str]:
    at = item.created_at
    return -at.timestamp() if at else float("inf"), -_engagement(item), item.id


def _top_key(item: Item) -> tuple[bool, int]:
    return item.created_at is None, -_engagement(item)


def _engagement(item: Item) -> int:
    count = item.engagement.get
    return (
        count("likes", 0)
        + count("reposts", 0)
        + count("replies", 0)
        + count("quotes", 0)
    )


def _row(item: Item) -> tuple[str, ...]:
    """What is indexed of a post, column by column."""
    text = tokenize(item.text)
    links = [*item.urls, *_LINK.findall(item.text)] if "." in item.text else item.urls
    signs = [EVERY, *text.tags, *(f"@{name}" for name in text.mentions)]
    if item.author_handle:
        signs.append(f"from:{item.author_handle.lower()}")
    if answered := clean_handle(item.in_reply_to):
        signs.append(f"@{answered.lower()}")
    if links:
        signs.append(LINKS)
    if item.in_reply_to or item.text.lstrip().startswith("@"):
        signs.append(REPLIES)
    return (
        " ".join(text.words),
        _words(item.author_name),
        _words(item.author_handle),
        # The bar keeps a phrase from running on into the next link.
        " | ".join(_link_words(link) for link in dict.fromkeys(links)),
        " ".join(signs),
    )


@lru_cache(maxsize=100_000)
def _words(name: str) -> str:
    return " ".join(tokenize(name).words)


def _link_words(link: str) -> str:
    if _SHORT_LINK.match(link):
        return ""
    address = _LINK_HEAD.sub("", link, count=1)
    if "%" in address:
        from urllib.parse import unquote

        address = unquote(address)
    return " ".join(tokenize(_LINK_SIGNS.sub(" ", address)).words)
