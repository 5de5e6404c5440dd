"""Issues, pull requests and repositories of GitHub, read as items."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime

from engine.model import Item
from engine.text.markdown import markdown_links, plain_markdown
from engine.values import (
    as_line,
    as_mapping,
    as_sequence,
    as_text,
    drop_surrogates,
    parse_counts,
    parse_time,
)
from engine.window import Window

__all__ = ["read_repository", "read_thread", "repository_name"]

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]{0,38}/[A-Za-z0-9._-]{1,100}")
_THREAD = re.compile(rf"https://github\.com/({_NAME.pattern})/(issues|pull)/([0-9]+)")
_OWN = re.compile(r"https?://(?:[\w-]+\.)*github(?:usercontent)?\.com(?:[/:?#]|$)")
_MAX_TITLE = 400
_MAX_TOPICS = 10


def repository_name(raw: str) -> str:
    """owner/name; empty if `raw` is none."""
    return raw.strip() if _NAME.fullmatch(raw.strip()) else ""


def read_thread(raw: Mapping[str, object], window: Window) -> Item | None:
    """An issue or a pull request; None if it is none, a bot's, or out of the window."""
    match = _THREAD.fullmatch(as_text(raw.get("html_url")))
    title = as_line(raw.get("title"), _MAX_TITLE)
    user = as_mapping(raw.get("user"))
    author = as_text(user.get("login"))
    created, since = _dated(raw, "updated_at", window)
    if not (match and title) or _outside(created, window):
        return None
    if user.get("type") == "Bot" or author.endswith("[bot]"):
        return None
    repository, kind, number = match[1], match[2], match[3]
    body = drop_surrogates(as_text(raw.get("body")))
    counts = {
        "reactions": as_mapping(raw.get("reactions")).get("total_count"),
        "comments": raw.get("comments"),
    }
    return Item(
        id=f"{repository}#{number}",
        source="github",
        text=f"{since}{plain_markdown(body)}".strip(),
        url=f"https://github.com/{repository}/{kind}/{number}",
        author_handle=drop_surrogates(author),
        title=title,
        created_at=created,
        engagement=parse_counts(counts),
        urls=tuple(url for url in markdown_links(body) if not _OWN.match(url)),
        container=repository,
    )


def read_repository(raw: Mapping[str, object], window: Window) -> Item | None:
    """A repository; None if it is none, or out of the window."""
    name = repository_name(as_text(raw.get("full_name")))
    created, since = _dated(raw, "pushed_at", window)
    if not name or _outside(created, window):
        return None
    listed = as_sequence(raw.get("topics"))[:_MAX_TOPICS]
    topics = [as_line(topic, _MAX_TITLE) for topic in listed]
    about = plain_markdown(drop_surrogates(as_text(raw.get("description"))))
    told = f"Topics: {', '.join(filter(None, topics))}" if any(topics) else ""
    counts = {"stars": raw.get("stargazers_count"), "forks": raw.get("forks_count")}
    return Item(
        id=name,
        source="github",
        text=f"{since}{about}\n{told}".strip(),
        url=f"https://github.com/{name}",
        author_handle=name.partition("/")[0],
        title=name,
        created_at=created,
        engagement=parse_counts(counts),
        container=name,
    )


def _dated(
    raw: Mapping[str, object], active: str, window: Window
) -> tuple[datetime | None, str]:
    """When it was opened, or else was last active inside the window.

    Args:
        active: the field with the time of the last activity.

    Returns:
        The time, and for something older a sentence that says since when it exists.
    """
    created = parse_time(as_text(raw.get("created_at")))
    last = parse_time(as_text(raw.get(active)))
    if created is None:
        return last, ""
    if created < window.start and last is not None and window.contains(last):
        return last, f"Opened {created:%Y-%m-%d}. "
    return created, ""


def _outside(moment: datetime | None, window: Window) -> bool:
    return moment is not None and not window.contains(moment)
