"""One item of the evidence as lines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from engine.report.clean import clean_line, clip
from engine.report.counts import amounts, counted
from engine.report.lines import INDENT, link, name
from engine.report.seen import marks
from engine.report.telling import Telling, comments_of

__all__ = ["LEVELS", "Level", "also", "block", "telling_block"]


class Level(NamedTuple):
    """How much is shown: characters of a text and a comment, and comments an item."""

    text: int
    comment: int
    comments: int


LEVELS = (
    Level(4_000, 600, 3),
    Level(1_000, 400, 3),
    Level(500, 280, 2),
    Level(280, 200, 1),
)

_TELLING_LENGTH = 400
_TITLE_LENGTH = 300
_OWN_LANES = ("", "topic", "retry", "thin")


def block(
    rank: int,
    item: Mapping[str, Any],
    record: Mapping[str, Any],
    level: Level,
    *,
    explain: bool,
    without: Sequence[Mapping[str, Any]] = (),
) -> list[str]:
    """The lines of an item.

    Args:
        rank: its number.
        item: of the record.
        record: an artifact.
        level: how much of it is shown.
        explain: say what spoke for and against it.
        without: comments that stand elsewhere.
    """
    lines = [f"[{rank}] {_head(item, record)}"]
    lines += filter(None, [link(item["url"])])
    lines += [_reasons(item)] if explain else []
    title = clip(clean_line(item["title"]), _TITLE_LENGTH)
    text = clip(clean_line(item["text"]), level.text)
    lines += [INDENT + part for part in (title, text) if part] or [f"{INDENT}(no text)"]
    comments = [comment for comment in comments_of(item) if comment not in without]
    for comment in comments[: level.comments]:
        lines.append(f"COMMENT {_by(comment, item, record)}")
        lines.append(INDENT + clip(clean_line(comment["text"]), level.comment))
    return lines


def also(item: Mapping[str, Any], record: Mapping[str, Any]) -> str:
    """An item on one line, without what it says."""
    return " · ".join(filter(None, (f"also {_head(item, record)}", link(item["url"]))))


def telling_block(one: Telling, record: Mapping[str, Any]) -> list[str]:
    """The lines of a comment that stands by itself."""
    comment, item = one
    place = f"{item['source']} {name(item['container'])}".strip()
    address = link(comment["url"]) or link(item["url"])
    text = clip(clean_line(comment["text"]), _TELLING_LENGTH)
    return [
        f"COMMENT {_by(comment, item, record)} · {place}",
        *filter(None, [address]),
        INDENT + text,
    ]


def _by(
    comment: Mapping[str, Any], item: Mapping[str, Any], record: Mapping[str, Any]
) -> str:
    who = record["sources"][item["source"]]["at"] + name(comment["author"])
    votes = comment["votes"]
    return who if votes is None else f"{who} · {votes:,} votes"


def _head(item: Mapping[str, Any], record: Mapping[str, Any]) -> str:
    info = record["sources"][item["source"]]
    many = len(record["source_status"]) > 1
    handle = name(item["author_handle"].lstrip("@"))
    place = f"{item['source']} {name(item['container'])}".strip() if many else ""
    parts = [f"{info['at']}{handle}" if handle else "" if many else "unknown author"]
    parts += [place, item["date"] or "undated"]
    parts += amounts(item["engagement"], info["counts"])
    if item["relevance"] is not None:
        parts.append(f"relevance {item['relevance']:.2f}")
    if item["copies"]:
        parts.append(f"+{counted(item['copies'], 'copies')}")
    if item["repost_of"]:
        parts.append(f"repost of @{name(item['repost_of'])}")
    if item["lane"] not in _OWN_LANES:
        parts.append(name(item["lane"]))
    parts += map(name, marks(item))
    return " · ".join(filter(None, parts))


def _reasons(item: Mapping[str, Any]) -> str:
    if scores := item.get("scores"):
        parts = (
            f"{part} {'unknown' if value is None else f'{value:.4g}'}"
            for part, value in scores.items()
        )
        return f"why: {', '.join(parts)}"
    spoke = ", ".join(map(clean_line, item.get("matched", ()))) or "nothing"
    against = ", ".join(map(clean_line, item.get("against", ()))) or "nothing"
    border = "likely" if item.get("likely") else "kept"
    return f"why: score {item['score']:.2f}, {border}; for: {spoke}; against: {against}"
