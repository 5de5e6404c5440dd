"""Videos and captions of yt-dlp, read with all that may be odd about them."""

from __future__ import annotations

import json

import pytest

from engine.sources.youtube_videos import (
    caption_language,
    caption_text,
    read_video,
    with_captions,
)
from fakes.asking import NOW
from fakes.ytstage import video

GOOD = video(7, "Foo 2", NOW)


@pytest.mark.parametrize(
    ("odd", "expected"),
    [
        ({"view_count": None, "like_count": None, "comment_count": None}, {}),
        ({"view_count": "12", "like_count": 3.5, "comment_count": True}, {"views": 12}),
        ({"view_count": -1, "like_count": [1], "comment_count": 0}, {"comments": 0}),
    ],
)
def test_unknown_counts_are_left_out(
    odd: dict[str, object], expected: dict[str, int]
) -> None:
    """Unknown is not zero."""
    item = read_video({**GOOD, **odd})
    assert item and item.engagement == expected


@pytest.mark.parametrize(
    "odd",
    [
        {"id": None},
        {"id": "../../etc/pw"},
        {"id": "--exec=rm x"},
        {"id": "ééééééééééé"[:11]},
        {"title": None},
        {"title": "  "},
    ],
)
def test_what_is_no_video_is_skipped(odd: dict[str, object]) -> None:
    """An id that is none never reaches a command line."""
    assert read_video({**GOOD, **odd}) is None


def test_odd_fields_are_unknown() -> None:
    """Fields of a wrong type cost nothing but themselves."""
    item = read_video(
        {
            **dict.fromkeys(GOOD, ["x"]),
            "id": GOOD["id"],
            "title": "\ud800Foo\n\u202e2",
            "timestamp": 1795168800.0,
            "language": "../x",
        }
    )
    assert item
    assert (item.title, item.text, item.container, item.lang) == (
        "Foo \u202e2",
        "",
        "",
        "",
    )
    assert item.created_at is not None
    assert read_video(
        {**GOOD, "timestamp": True, "upload_date": "20261340"}
    ) == read_video({**GOOD, "timestamp": None, "upload_date": None})


@pytest.mark.parametrize(
    ("written", "heard", "language", "expected"),
    [
        (["de", "en"], ["en-orig"], "en", "en"),
        (["en-GB"], ["en"], "en-US", "en-GB"),
        (["live_chat"], ["en", "en-orig", "de"], "en", "en-orig"),
        ([], ["en", "de"], "en", "en"),
        (["de"], ["en", "ja-orig"], "ja", "ja-orig"),
        (["de"], ["ja", "en"], "ja", "ja"),
        (["zh-Hans"], [], "", "zh-Hans"),
        ([], ["en", "de-orig"], "", "de-orig"),
        ([], ["en", "fr"], "", "en"),
        ([], ["fr"], "en", ""),
        (["live_chat"], [], "en", ""),
        (["x; rm", "en.*,all"], [], "en", ""),
    ],
)
def test_the_language_of_captions(
    written: list[str], heard: list[str], language: str, expected: str
) -> None:
    """Written before heard, spoken before others, and never machine-translated."""
    raw: dict[str, object] = {
        "subtitles": dict.fromkeys(written, []),
        "automatic_captions": dict.fromkeys(heard, []),
        "language": language or None,
    }
    assert caption_language(raw) == expected
    assert caption_language({"subtitles": ["en"], "automatic_captions": None}) == ""


def test_captions_are_read_as_what_is_said() -> None:
    """Events of the layout say nothing; line ends are blanks."""
    events = [
        {"tStartMs": 0, "id": 1},
        {"segs": [{"utf8": "hello "}, {"utf8": "Zoë"}, {"acAsrConf": 0}]},
        {"segs": [{"utf8": "\n"}]},
        {"segs": [{"utf8": "again"}, None]},
        None,
    ]
    assert caption_text(json.dumps({"events": events})) == "hello Zoë again"
    for odd in ("", "[]", "{", '{"events": 3}', '{"events": [{"segs": 3}]}'):
        assert caption_text(odd) == ""


def test_long_texts_are_cut_at_a_word() -> None:
    """Description and transcript together stay within what is judged."""
    item = read_video({**GOOD, "description": "word  \n\n" * 400})
    assert item
    events = [{"segs": [{"utf8": "said "}]}] * 1000
    whole = with_captions(item, caption_text(json.dumps({"events": events})))
    head, _, said = whole.text.partition("\nTranscript: ")
    assert 400 < len(head) <= 451
    assert 1_490 < len(said) <= 1_501
    assert said.endswith("said…")
    assert with_captions(item, "") is item
