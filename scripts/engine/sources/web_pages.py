"""A page of the web as an item: found by a provider, or by the host itself."""

from __future__ import annotations

import threading
from datetime import datetime
from html import unescape

from engine.contracts import check, read_json
from engine.errors import ContractError
from engine.io import IO
from engine.model import Item
from engine.text.dates import parse_date
from engine.text.markup import plain_text
from engine.text.urls import canonical_url, site
from engine.values import as_line, as_text, drop_surrogates, is_web_address

__all__ = ["SNIPPET_CHARS", "has_results", "load_results", "page"]

SNIPPET_CHARS = 2_000
"""The most that is kept of what a page says."""

_TITLE_CHARS = 500


def page(
    backend: str,
    now: datetime,
    *,
    url: object,
    title: object,
    text: object,
    date: object = None,
    by: object = None,
) -> Item | None:
    """A page; None if it has no address on the web, or neither title nor text.

    Args:
        backend: who found it.
        now: the moment from which "3 days ago" counts.
        url, title, text, date, by: as they came, of any type, with HTML in the text.
            A date that cannot be read leaves the page undated.
    """
    name = as_line(unescape(as_text(title)), _TITLE_CHARS)
    said = drop_surrogates(plain_text(as_text(text)))[:SNIPPET_CHARS]
    address = canonical_url(url) if is_web_address(url) else ""
    if not is_web_address(url) or not address or not (name or said):
        return None
    return Item(
        id=address,
        source="web",
        text=said,
        url="https://" + url.partition("://")[2],
        author_name=as_line(unescape(as_text(by)), _TITLE_CHARS),
        title=name,
        created_at=parse_date(as_text(date), now),
        container=site(url),
        backend=backend,
    )


class _HostResults:
    """The pages of the files that the host wrote, each read once a run."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.by_path: dict[str, tuple[Item, ...]] = {}


def load_results(path: str, io: IO) -> tuple[Item, ...]:
    """The pages in a file of web results, or on standard input for `-`.

    It is data: nothing in it is fetched. The file is read once a run.

    Raises:
        UsageError: it cannot be read.
        ContractError: it breaks schemas/web_results.schema.json, or an address or a
            date in it is none.
    """
    known = io.memory.of(_HostResults)
    with known.lock:
        if path not in known.by_path:
            known.by_path[path] = _read(path, io.settings.now)
        return known.by_path[path]


def has_results(io: IO) -> bool:
    """Whether the run has loaded a file of web results."""
    return bool(io.memory.of(_HostResults).by_path)


def _read(path: str, now: datetime) -> tuple[Item, ...]:
    name = "standard input" if path == "-" else path
    raw = read_json(path, what="list of web results")
    check(raw, "web_results", name=name)
    found: dict[str, Item] = {}
    for i, result in enumerate(raw):
        item = page(
            "host",
            now,
            url=result["url"],
            title=result["title"],
            text=result.get("snippet"),
            date=result.get("date"),
            by=result.get("source"),
        )
        if item is None:
            raise ContractError(f"{name}: [{i}].url: is no address on the web")
        if item.created_at is None and result.get("date"):
            raise ContractError(
                f"{name}: [{i}].date: cannot be read as a date; write it as "
                "2026-11-20, or leave the field out if it is unknown"
            )
        found.setdefault(item.id, item)
    return tuple(found.values())
