"""Videos and captions as yt-dlp prints them, read as items."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from engine.model import Item
from engine.sources.youtube_tool import page_of
from engine.values import (
    as_line,
    as_mapping,
    as_sequence,
    as_text,
    drop_surrogates,
    parse_counts,
    parse_time,
)

__all__ = ["caption_language", "caption_text", "read_video", "with_captions"]

# Together they fit into what the judge reads of an item. Further down a description
# lists shops, channels and chapters.
_DESCRIPTION_CHARS = 450
_TRANSCRIPT_CHARS = 1_500
_LINE_CHARS = 300

_ID = re.compile(r"[A-Za-z0-9_-]{11}")
_DAY = re.compile(r"(\d{4})(\d\d)(\d\d)", re.ASCII)
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,12})*")
_COUNTS = {"views": "view_count", "likes": "like_count", "comments": "comment_count"}
_ORIGINAL = "-orig"


def read_video(raw: Mapping[str, object]) -> Item | None:
    """A video; None if it has no id or no title, or has yet to be shown.

    What a list tells of a time is coarse, what the details tell is exact.
    """
    video, title = as_text(raw.get("id")), _line(raw.get("title"))
    if not (_ID.fullmatch(video) and title) or raw.get("live_status") == "is_upcoming":
        return None
    counts = {name: raw.get(key) for name, key in _COUNTS.items()}
    channel = _line(raw.get("channel")) or _line(raw.get("uploader"))
    language = as_text(raw.get("language"))
    return Item(
        id=video,
        source="youtube",
        text=_clipped(as_text(raw.get("description")), _DESCRIPTION_CHARS),
        url=page_of(video),
        author_handle=_line(raw.get("uploader_id")).removeprefix("@"),
        author_name=channel,
        title=title,
        created_at=_moment(raw),
        lang=language if _LANGUAGE.fullmatch(language) else "",
        engagement=parse_counts(counts),
        container=channel,
    )


def _moment(raw: Mapping[str, object]) -> datetime | None:
    seconds = raw.get("timestamp")
    if isinstance(seconds, (int, float)) and (found := parse_time(str(seconds))):
        return found
    match = _DAY.fullmatch(as_text(raw.get("upload_date")))
    return parse_time("-".join(match.groups())) if match else None


def caption_language(raw: Mapping[str, object]) -> str:
    """The language in which captions are best asked for; empty if there are none.

    What people wrote comes before what a machine heard, and the language that is spoken
    (English, if that is unknown) before others. Captions that a machine translated are
    not taken.
    """
    spoken = as_text(raw.get("language")).split("-")[0] or "en"
    written, heard = (
        [code for code in as_mapping(raw.get(name)) if _LANGUAGE.fullmatch(code)]
        for name in ("subtitles", "automatic_captions")
    )
    originals = [code for code in heard if code.endswith(_ORIGINAL)]
    spoken_heard = [code for code in heard if code == spoken]
    ranked = [
        *(code for code in written if code.split("-")[0] == spoken),
        *(code for code in originals if code.split("-")[0] == spoken),
        *(spoken_heard if as_text(raw.get("language")) or not originals else ()),
        *written,
        *originals,
    ]
    return ranked[0] if ranked else ""


def caption_text(captions: str) -> str:
    """What is said, from YouTube's JSON of captions; empty if it cannot be read."""
    try:
        events = as_sequence(as_mapping(json.loads(captions)).get("events"))
    except (ValueError, RecursionError):
        return ""
    parts = (
        as_text(as_mapping(segment).get("utf8"))
        for event in events
        for segment in as_sequence(as_mapping(event).get("segs"))
    )
    return _clipped("".join(parts).replace("\n", " "), _TRANSCRIPT_CHARS)


def with_captions(item: Item, said: str) -> Item:
    """The item with the beginning of what is said in it."""
    if not said:
        return item
    return replace(item, text=f"{item.text}\nTranscript: {said}".lstrip())


def _line(value: object) -> str:
    return as_line(value, _LINE_CHARS)


def _clipped(text: str, characters: int) -> str:
    """The text without empty lines and repeated blanks, cut at a word."""
    lines = (" ".join(line.split()) for line in drop_surrogates(text).splitlines())
    text = "\n".join(filter(None, lines))
    if len(text) <= characters:
        return text
    head, blank, _ = text[:characters].rpartition(" ")
    return f"{head if blank else text[: characters - 1]}…"
