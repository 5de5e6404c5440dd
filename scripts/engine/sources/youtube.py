"""YouTube through the yt-dlp tool, if it is installed: videos, counts, transcripts.

https://github.com/yt-dlp/yt-dlp. Its search knows no dates but those of "3 weeks ago",
and cannot be narrowed to a window; so many videos are listed, the most promising are
looked at one by one for their times and counts, and the best of them for what is said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import NamedTuple

from engine.errors import (
    BadResponseError,
    NotConfiguredError,
    RateLimitError,
    SourceError,
    most_telling,
)
from engine.io import IO
from engine.model import Depth, Item, SourceInfo
from engine.sources.base import Ask, tier_refused
from engine.sources.once import Once
from engine.sources.threads import by_promise
from engine.sources.wording import plain_words
from engine.sources.youtube_tool import (
    GoneError,
    captions,
    details,
    executable,
    list_videos,
)
from engine.sources.youtube_videos import (
    caption_language,
    caption_text,
    read_video,
    with_captions,
)
from engine.together import together

__all__ = ["INFO", "missing", "search"]

# So many videos are looked at, of so many times the wanted number that are listed.
_DETAILS = {Depth.QUICK: 5, Depth.DEFAULT: 10, Depth.DEEP: 20}
_TRANSCRIPTS = {Depth.QUICK: 1, Depth.DEFAULT: 2, Depth.DEEP: 3}
_LISTED_PER_WANTED = 3
# A call takes seconds, and more of them at once look like a machine.
_PARALLEL = 3
# The parts of the time that are left when listing, and when looking, has to be over.
_AFTER_LIST = 0.5
_AFTER_DETAILS = 0.25
_MARGIN_SECONDS = 1.0
# "3 weeks ago" is rounded down to whole days, hours before that or after.
_COARSE = timedelta(days=1)

INFO = SourceInfo(
    name="youtube",
    label="YouTube",
    emoji="🔴",
    site="youtube.com",
    api_page="https://github.com/yt-dlp/yt-dlp",
    # The share of the best comment is left out: comments are too slow to be had.
    weights={"views": 0.45, "likes": 0.32, "comments": 0.13},
    # About two million views, 60,000 likes and 5,000 comments: everybody saw it.
    reference=11.2,
    quality=0.85,
    asked_with="topic",
    requests=1 + _DETAILS[Depth.DEFAULT] + _TRANSCRIPTS[Depth.DEFAULT],
    noun="videos",
)


class _Video(NamedTuple):
    """A video that was looked at."""

    item: Item
    language: str


class _Videos(Once[Mapping[str, object]]):
    """The videos that were looked at in this run."""


class _Refusals:
    """That YouTube refuses this address, once it has."""

    def __init__(self) -> None:
        self.errors: list[RateLimitError] = []


def missing(io: IO) -> str:
    """How to install the tool; empty if it is there."""
    if executable(io.settings):
        return ""
    return (
        "install yt-dlp (https://github.com/yt-dlp/yt-dlp), for example with: "
        "pipx install yt-dlp"
    )


def search(ask: Ask, io: IO) -> list[Item]:
    """The videos of the window among the most promising, the best with what is said.

    Raises:
        SourceError: the subclass says what happened; `items` holds what had arrived.
    """
    if problem := missing(io):
        raise NotConfiguredError("yt-dlp is not installed", fix=problem)
    query = " ".join(plain_words(ask.query))
    if not query:
        return []
    listing = list_videos(
        query, ask.limit * _LISTED_PER_WANTED, _earlier(io, _AFTER_LIST)
    )
    candidates = _candidates(listing.videos, ask)
    videos, failures = _looked_at(candidates, ask, _earlier(io, _AFTER_DETAILS))
    items = [video.item for video in videos]
    if listing.failure:
        failures.append(listing.failure)
    if failures:
        error = most_telling(failures)
        error.items = tuple(items)
        raise error
    return _with_transcripts(videos, ask, io)


def _earlier(io: IO, share: float) -> IO:
    return replace(io, deadline=io.deadline.before(io.deadline.left * share))


def _candidates(listed: Sequence[Mapping[str, object]], ask: Ask) -> list[Item]:
    """The videos to look at. Those that are surely older than the window are none."""
    read = [item for raw in listed if (item := read_video(raw))]
    if listed and not read:
        raise BadResponseError("yt-dlp listed videos without ids or titles")
    oldest = ask.window.start - _COARSE
    fresh = {
        item.id: item
        for item in read
        if item.created_at is None or item.created_at >= oldest
    }
    return by_promise(list(fresh.values()), ask, INFO)[: _DETAILS[ask.depth]]


def _looked_at(
    candidates: Iterable[Item], ask: Ask, io: IO
) -> tuple[list[_Video], list[SourceError]]:
    """The candidates of the window with all that is known, and what failed."""
    jobs = [partial(_details, item.id, io) for item in candidates]
    answers = together(jobs, parallel=_PARALLEL, deadline=io.deadline)
    failures = [
        answer
        for answer in answers
        if isinstance(answer, SourceError) and not isinstance(answer, GoneError)
    ]
    found = [
        _Video(item, caption_language(answer))
        for answer in answers
        if not isinstance(answer, SourceError) and (item := read_video(answer))
    ]
    inside = [
        video
        for video in found
        if not video.item.created_at or ask.window.contains(video.item.created_at)
    ]
    return inside, failures


def _details(video: str, io: IO) -> Mapping[str, object]:
    refusals = io.memory.of(_Refusals).errors
    if refusals:
        raise copy(refusals[0])
    try:
        return io.memory.of(_Videos).get(video, partial(details, video, io))
    except RateLimitError as error:
        # Each further call would make it worse.
        refusals.append(copy(error))
        raise


def _with_transcripts(videos: Sequence[_Video], ask: Ask, io: IO) -> list[Item]:
    """The items, the best of them with what is said; a warning tells of a failure."""
    io = replace(io, deadline=io.deadline.before(_MARGIN_SECONDS))
    languages = {video.item.id: video.language for video in videos if video.language}
    speaking = [video.item for video in videos if video.language]
    best = by_promise(speaking, ask, INFO)[: _TRANSCRIPTS[ask.depth]]
    jobs = [partial(captions, item.id, languages[item.id], io) for item in best]
    answers = together(jobs, parallel=_PARALLEL, deadline=io.deadline)
    failures = [answer for answer in answers if isinstance(answer, SourceError)]
    if failures:
        io.warn(tier_refused(INFO, "transcripts", failures[0]))
    said = {
        item.id: caption_text(answer)
        for item, answer in zip(best, answers, strict=True)
        if not isinstance(answer, SourceError)
    }
    return [with_captions(item, said.get(item.id, "")) for item, _ in videos]
