"""Proof: which of the posts that a language model reports can exist.

A post's id holds the moment at which X gave it out (`snowflake_time`), which whoever
invents an id hardly ever gets right.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, time, timedelta

from engine.errors import BadResponseError
from engine.model import Item
from engine.values import parse_time
from engine.window import Window
from engine.x.backends.base import IO, Ask
from engine.x.claims import Claim
from engine.x.posts import snowflake_time
from engine.x.reported import Reported

__all__ = ["InventedError", "admits_no_search", "prove", "proven"]

_ID = re.compile("[0-9]{15,20}")
_PLACEHOLDERS = frozenset(
    (
        *("example", "example_user", "handle", "n_a", "none", "null", "placeholder"),
        *("undefined", "unknown", "unknown_user", "user", "user_name", "username"),
    )
)
_DAY = timedelta(days=1)
# Four or more ids whose gaps are all within 5 % of their mean were counted out.
_EVEN_IDS = 4
_EVEN_SHARE = 0.05

_NO_SEARCH = re.compile(
    r"\b(?:was|were|is|has been|have been|had been)(?: not|n't)(?: been)? "
    r"(?:actually |successfully )?(?:executed|performed)\b"
    r"|\b(?:has|have|had)(?: not|n't) been (?:executed|performed)\b"
    r"|\b(?:unable to|cannot|(?:can|could|did|do)(?: not|n't)|can't) "
    r"(?:actually |currently |directly )?"
    r"(?:search|(?:execute|perform|run) (?:a|the|any|this|that) (?:\w+ )?search"
    r"|access (?:x|twitter|live|real-time)\b)"
    r"|\bno (?:\w+ )?(?:tool|search) calls?\b"
    r"|\btools? (?:(?:is|are|was|were)(?: not|n't)|not|(?:is|are|was|were)) "
    r"(?:available|unavailable)\b"
    r"|\b(?:no|n't have|not have|without) access to (?:x|twitter|live|real-time)\b",
    re.IGNORECASE,
)


class InventedError(BadResponseError):
    """The model made its answer up, which another call may not do."""


def proven(
    reported: Reported, ask: Ask, io: IO, *, service: str, searched: bool
) -> list[Item]:
    """The posts of an answer that can exist, in their order; the others are dropped.

    Args:
        reported: what the answer says.
        ask, io: of the call.
        service: its name in messages.
        searched: whether the answer shows, beside its words, that a search ran.

    Raises:
        InventedError: nothing was searched, or there are posts and none can exist.
    """
    if not searched or admits_no_search(reported.prose):
        for claim in reported.claims:
            io.drop(claim.item, "unproven")
        raise InventedError(f"{service}: no proof that a search ran")
    items = prove(reported.claims, ask.window or ask.query.window, io.drop)
    if reported.claims and not items:
        count = len(reported.claims)
        raise InventedError(f"{service}: none of the {count} posts it told can exist")
    return items


def admits_no_search(prose: str) -> bool:
    """Whether an answer says that nothing was searched.

    Args:
        prose: the words of the answer beside the posts, whose texts prove nothing.
    """
    return _NO_SEARCH.search(prose.replace("’", "'")) is not None


def prove(
    claims: Iterable[Claim], window: Window, drop: Callable[[Item, str], None]
) -> list[Item]:
    """The posts that can exist, in their order.

    Each has an id of 15 to 20 digits whose time lies in the window and within a day of
    the claimed date (a date that cannot be read disproves nothing), and a handle that
    is one; the ids are no even sequence.

    Args:
        claims: no two with the same id.
        window: the whole days, UTC, that were asked for.
        drop: told of every other post, with "out-of-window" if it fails for its time
            alone and else with "unproven".
    """
    claims = list(claims)
    reasons = [_objection(claim, window) for claim in claims]
    inside = [c.item for c, reason in zip(claims, reasons, strict=True) if not reason]
    numbered = [c.item for c in claims if snowflake_time(c.item.id) is not None]
    even = _is_even(inside) or _is_even(numbered)
    for claim, reason in zip(claims, reasons, strict=True):
        if even or reason:
            drop(claim.item, "unproven" if even else reason)
    return [] if even else inside


def _objection(claim: Claim, window: Window) -> str:
    item = claim.item
    moment = snowflake_time(item.id)
    if moment is None or not _ID.fullmatch(item.id):
        return "unproven"
    handle = item.author_handle.lower()
    if not handle or handle in _PLACEHOLDERS or not _agrees(claim.created, moment):
        return "unproven"
    return "" if window.contains(moment) else "out-of-window"


def _agrees(created: str, moment: datetime) -> bool:
    claimed = parse_time(created)
    if claimed is None:
        return True
    try:
        # A date without a time, or at midnight, means any moment of its day.
        last = claimed + _DAY if claimed.time() == time.min else claimed
        return claimed - _DAY <= moment <= last + _DAY
    except OverflowError:
        return False


def _is_even(items: Sequence[Item]) -> bool:
    ids = sorted(int(item.id) for item in items)
    if len(ids) < _EVEN_IDS:
        return False
    mean = (ids[-1] - ids[0]) / (len(ids) - 1)
    gaps = (b - a for a, b in zip(ids, ids[1:], strict=False))
    return all(abs(gap - mean) <= _EVEN_SHARE * mean for gap in gaps)
