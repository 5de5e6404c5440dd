"""What connectors answered, read by their records into the nouns of a places run.

Whatever shape a tool prints, it is read here and nowhere else. A success that lacks
what was asked for is no empty answer: the page behind it may not have loaded.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from engine.errors import BadResponseError
from engine.places.connectors import Connector
from engine.places.model import Found, Note, Page
from engine.places.paths import entries, first, lenient_count
from engine.report.clean import clean_line
from engine.sources.web_pages import page
from engine.values import as_mapping, as_text, parse_time

__all__ = [
    "Comment",
    "Detail",
    "answer",
    "comments",
    "detail",
    "notes",
    "pages",
    "places",
]

_TITLE_CHARS = 200
_TEXT_CHARS = 4_000
_COMMENT_CHARS = 300
_NAME_CHARS = 60
_ANSWER_CHARS = 20_000
_NOTE_ID_CHARS = 64
_TOKEN_CHARS = 500
_MOST_ITEMS = 200
# No id and no measure of a place is; neither is what is no number.
_TOO_LARGE = 2**63
_LINK = re.compile(r"\[([^\[\]]*)\]\((https?://[^\s()<>]+)\)")


class Comment(NamedTuple):
    """What somebody answered to a note."""

    text: str
    likes: int | None


class Detail(NamedTuple):
    """A note as its own page shows it; empty or None is what that does not say."""

    title: str
    text: str
    author: str
    published_at: str | None
    likes: int | None
    comments: int | None
    collected: int | None


def notes(connector: Connector, document: Any, query: str, at: str) -> list[Note]:
    """The notes of a search; suggestions, live rooms and advertisements are none.

    Args:
        document: what the call gave; None is an empty answer.
        query: the words that were searched for.
        at: the moment of the search, ISO 8601.

    Raises:
        BadResponseError: there is no list of notes, or nothing in it can be read.
    """
    paths = connector.read["notes"]
    listed = _list(connector, document, paths, "notes")
    found = [
        note
        for raw in listed[:_MOST_ITEMS]
        if (note := _note(connector, raw, paths, query, at)) is not None
    ]
    odd = [raw for raw in listed if not _is_other(raw, paths)]
    if odd and not found:
        raise BadResponseError(f"{connector.label} gave notes that cannot be read")
    return found


def _is_other(raw: Any, paths: Mapping[str, Any]) -> bool:
    return as_text(first(raw, paths["kind"])) not in ("", "note")


def _note(
    connector: Connector, raw: Any, paths: Mapping[str, Any], query: str, at: str
) -> Note | None:
    number = clean_line(as_text(first(raw, paths["id"])))
    title = _said(first(raw, paths["title"]), _TITLE_CHARS)
    text = _said(first(raw, paths["text"]), _TEXT_CHARS)
    is_id = number.isascii() and number.isalnum() and len(number) <= _NOTE_ID_CHARS
    if _is_other(raw, paths) or not is_id or not (title or text):
        return None
    return Note(
        note_id=number,
        source=connector.name,
        title=title,
        text=text,
        # Without the token of this session, which no output may hold.
        url=f"https://www.xiaohongshu.com/explore/{number}",
        author=_said(first(raw, paths["author"]), _NAME_CHARS),
        likes=lenient_count(first(raw, paths["likes"])),
        comments=lenient_count(first(raw, paths["comments"])),
        collected=lenient_count(first(raw, paths["collected"])),
        matched_queries=(query,),
        queried_at=at,
        token=as_text(first(raw, paths["token"]))[:_TOKEN_CHARS],
    )


def detail(connector: Connector, document: Any) -> Detail | None:
    """What a note's own page says; None if the note is gone.

    Raises:
        BadResponseError: there is no note in the document.
    """
    if document is None:
        return None
    paths = connector.read["detail"]
    raw = first(document, paths["note"])
    text = _said(first(raw, paths["text"]), _TEXT_CHARS)
    title = _said(first(raw, paths["title"]), _TITLE_CHARS)
    if not (text or title):
        raise BadResponseError(f"{connector.label} gave a note without a text")
    moment = parse_time(as_text(first(raw, paths["published"])))
    return Detail(
        title=title,
        text=text,
        author=_said(first(raw, paths["author"]), _NAME_CHARS),
        published_at=moment.isoformat() if moment else None,
        likes=lenient_count(first(raw, paths["likes"])),
        comments=lenient_count(first(raw, paths["comments"])),
        collected=lenient_count(first(raw, paths["collected"])),
    )


def comments(connector: Connector, document: Any) -> list[Comment]:
    """The comments of a note, those with most likes first.

    Raises:
        BadResponseError: there is no list of comments.
    """
    paths = connector.read["comments"]
    found = [
        Comment(text, lenient_count(first(raw, paths["likes"])))
        for raw in _list(connector, document, paths, "comments")[:_MOST_ITEMS]
        if (text := _said(first(raw, paths["text"]), _COMMENT_CHARS))
    ]
    return sorted(found, key=lambda one: -(one.likes or 0))


def places(connector: Connector, document: Any) -> list[Found]:
    """The places of a geographic search, in its order.

    Raises:
        BadResponseError: there is no list of places.
    """
    paths = connector.read["places"]
    found = []
    for raw in _list(connector, document, paths, "places")[:_MOST_ITEMS]:
        name = _said(first(raw, paths["name"]), _NAME_CHARS)
        lat, lon = (_degrees(first(raw, paths[axis])) for axis in ("lat", "lon"))
        if not name:
            continue
        # Also for what is no number at all.
        if lat is None or lon is None or not (abs(lat) <= 90 and abs(lon) <= 180):
            lat = lon = None
        aliases = entries(raw, paths["aliases"]) or ()
        found.append(
            Found(
                name=name,
                lat=lat,
                lon=lon,
                aliases=tuple(filter(None, (_said(a, _NAME_CHARS) for a in aliases))),
                kind=_said(first(raw, paths["kind"]), _NAME_CHARS),
                data=_facts(raw),
            )
        )
    return found


def _degrees(value: Any) -> float | None:
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return None


def _facts(raw: Any) -> dict[str, object]:
    """The plain values of a place, as strangers wrote them, cut and cleaned."""
    found: dict[str, object] = {}
    for key, value in list(as_mapping(raw).items())[:20]:
        if isinstance(value, str):
            found[_said(key, _NAME_CHARS)] = _said(value, _TITLE_CHARS)
        elif isinstance(value, int | float) and abs(value) < _TOO_LARGE:
            found[_said(key, _NAME_CHARS)] = value
    return found


def answer(connector: Connector, document: Any) -> str:
    """The prose of an assistant; empty if it found nothing.

    Raises:
        BadResponseError: there is no text in the document.
    """
    if document is None:
        return ""
    found = first(document, connector.read["answer"])
    if not isinstance(found, str):
        raise BadResponseError(f"{connector.label} gave no answer in its answer")
    plain = _LINK.sub(r"\1 \2", found[:_ANSWER_CHARS].replace("</answer>", ""))
    lines = (clean_line(line) for line in plain.splitlines())
    return "\n".join(filter(None, lines))


def pages(connector: Connector, document: Any, now: datetime) -> list[Page]:
    """The web pages that a tool of the host found.

    Raises:
        BadResponseError: there is no list of pages.
    """
    paths = connector.read["pages"]
    listed = _list(connector, document, paths, "pages")[:_MOST_ITEMS]
    items = (
        page(
            connector.name,
            now,
            url=first(raw, paths["url"]),
            title=first(raw, paths["title"]),
            text=first(raw, paths["text"]),
            date=first(raw, paths["date"]),
        )
        for raw in listed
    )
    at = now.isoformat()
    return [
        Page(
            url=item.url,
            title=item.title,
            snippet=item.text,
            published_at=item.created_at.isoformat() if item.created_at else None,
            queried_at=at,
        )
        for item in items
        if item is not None
    ]


def _list(
    connector: Connector, document: Any, paths: Mapping[str, Any], what: str
) -> list[Any]:
    if document is None:
        return []
    found = entries(document, paths["list"])
    if found is None:
        raise BadResponseError(
            f"{connector.label} says that it succeeded and gave no list of {what}"
        )
    return list(found)


def _said(value: Any, limit: int) -> str:
    return clean_line(as_text(value)[: 4 * limit])[:limit]
