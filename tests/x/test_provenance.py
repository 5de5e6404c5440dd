"""Which reported posts can exist."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone

import pytest

from engine.model import Item
from engine.window import Window
from engine.x.claims import Claim
from engine.x.posts import make_post
from engine.x.provenance import admits_no_search, prove

WINDOW = Window(date(2026, 11, 1), date(2026, 11, 30))
NOON = datetime(2026, 11, 10, 12, tzinfo=timezone.utc)
HOUR = timedelta(hours=1)
EPOCH_MS = 1288834974657


def _id(moment: datetime, low: int = 12345) -> str:
    return str((int(moment.timestamp() * 1000) - EPOCH_MS << 22) + low)


def _claim(post_id: str = "", *, handle: str = "foo", created: str = "") -> Claim:
    item = make_post(post_id or _id(NOON), "text", handle=handle)
    assert item is not None
    return Claim(item, created)


def _proved(*claims: Claim) -> tuple[list[str], list[str]]:
    """The ids that pass, and the reasons for the others."""
    reasons: list[str] = []

    def drop(item: Item, reason: str) -> None:
        reasons.append(reason)

    return [item.id for item in prove(claims, WINDOW, drop)], reasons


def test_a_post_that_can_exist_passes() -> None:
    """Its id holds a moment of the window, its handle is one."""
    assert _proved(_claim()) == ([_id(NOON)], [])


@pytest.mark.parametrize(
    ("moment", "passes"),
    [
        (WINDOW.start, True),
        (WINDOW.start - timedelta(milliseconds=1), False),
        (WINDOW.end - timedelta(milliseconds=1), True),
        (WINDOW.end, False),
        (NOON - timedelta(days=365), False),
    ],
    ids=["first", "before", "last", "after", "year-before"],
)
def test_the_id_tells_the_time(moment: datetime, passes: bool) -> None:
    """Both ends of the window are inside; whatever date is claimed, the id's wins."""
    found, reasons = _proved(_claim(_id(moment)))
    assert (len(found), reasons) == ((1, []) if passes else (0, ["out-of-window"]))


@pytest.mark.parametrize(
    "post_id",
    [
        "none-00ff",
        "1234",
        "12345678901234",
        "99999999999999999999",
        "abc",
        _id(NOON) + "00",
    ],
)
def test_what_is_no_id_is_dropped(post_id: str) -> None:
    """15 to 20 digits that X can have given out."""
    assert _proved(_claim(post_id)) == ([], ["unproven"])


@pytest.mark.parametrize(
    "handle",
    [
        "",
        "unknown",
        "Unknown",
        "n/a",
        "none",
        "null",
        "example",
        "user",
        "USER",
        "handle",
        "username",
        "a b",
        "a_sixteen_chars_",
    ],
)
def test_a_handle_that_is_none_is_dropped(handle: str) -> None:
    """Placeholders and what X's grammar does not allow."""
    assert _proved(_claim(handle=handle)) == ([], ["unproven"])


@pytest.mark.parametrize(
    ("created", "passes"),
    [
        ("", True),
        ("some day", True),
        ("2 hours ago", True),
        ("2026-11-10", True),
        ("2026-11-10T12:00:00Z", True),
        ("2026-11-09", True),
        ("2026-11-11", True),
        ("2026-11-11T12:00:00Z", True),
        ("2026-11-11T13:00:00Z", False),
        ("2026-11-08T11:00:00Z", False),
        ("2026-11-12", False),
        ("2026-11-08", False),
        ("2025-11-10", False),
        ("0001-01-01", False),
        ("9999-12-31", False),
    ],
)
def test_the_claimed_date_has_to_agree(created: str, passes: bool) -> None:
    """Within a day; a date that cannot be read disproves nothing."""
    found, reasons = _proved(_claim(created=created))
    assert (len(found), reasons) == ((1, []) if passes else (0, ["unproven"]))


def _sequence(*hours: float) -> list[Claim]:
    return [_claim(_id(NOON + hour * HOUR, low=i)) for i, hour in enumerate(hours)]


@pytest.mark.parametrize(
    ("hours", "even"),
    [
        ((0, 10, 20, 30), True),
        ((30, 0, 20, 10), True),
        ((0, 10, 20.4, 30.2), True),
        ((0, 10, 20, 30, 40, 50), True),
        ((0, 10, 20), False),
        ((0, 10, 20, 31.7), False),
        ((0, 1, 20, 30), False),
    ],
    ids=["four", "unsorted", "nearly", "six", "three", "over-5-percent", "uneven"],
)
def test_an_even_sequence_was_counted_out(hours: tuple[float, ...], even: bool) -> None:
    """Gaps that all lie within 5 % of their mean: nobody posts like that."""
    found, reasons = _proved(*_sequence(*hours))
    assert len(found) == (0 if even else len(hours))
    assert reasons == (["unproven"] * len(hours) if even else [])


def test_an_even_sequence_that_leaves_the_window_is_one_too() -> None:
    """It does not become true by its first part alone."""
    found, reasons = _proved(*_sequence(0, 240, 480, 720, 960))
    assert found == []
    assert reasons == ["unproven"] * 5


def test_good_posts_stay_when_others_fail() -> None:
    """Each is judged for itself, and the order is kept."""
    late, early = _claim(_id(NOON + HOUR)), _claim(_id(NOON - HOUR))
    outside, nobody = _claim(_id(WINDOW.end)), _claim(handle="unknown")
    found, reasons = _proved(late, outside, early, nobody)
    assert found == [late.item.id, early.item.id]
    assert reasons == ["out-of-window", "unproven"]


@pytest.mark.parametrize(
    "prose",
    [
        "The search was not executed in this turn.",
        "I am unable to search X right now.",
        "I could not search for that.",
        "There was no tool call.",
        "The tool is not available here.",
        "Tool not available",
        "I can’t search X.",
        "The x_search tool is unavailable",
        "I do not have access to X.",
        "I cannot access real-time posts.",
        "I couldn't perform a live search.",
    ],
)
def test_an_answer_may_admit_that_nothing_was_searched(prose: str) -> None:
    """In many words."""
    assert admits_no_search(prose)


@pytest.mark.parametrize(
    "prose",
    [
        "",
        "Here is what I found.",
        "No posts found.",
        "View counts were not available.",
        "I searched X for it.",
    ],
)
def test_other_words_admit_nothing(prose: str) -> None:
    """An empty search is a search."""
    assert not admits_no_search(prose)
