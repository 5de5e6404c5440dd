"""Events of Polymarket: read from its answers, and dated by what really moved."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from html import unescape

from engine.model import Item
from engine.sources.polymarket_odds import LEAST_CHANGE, Market, odds
from engine.values import (
    as_line,
    as_mapping,
    as_sequence,
    as_text,
    parse_time,
)
from engine.window import Window

__all__ = ["Event", "as_item", "read_event"]

_SLUG = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.~-]{0,299}")
_NUMBER = re.compile(r"-?[0-9]{1,15}(?:\.[0-9]{1,30})?(?:[eE]-?[0-9]{1,2})?")
_MAX_TITLE = 400
_MAX_DOLLARS = 10**12

# The spans over which the service tells what moved, the shortest first.
_SPANS = (
    ("day", timedelta(days=1), "volume24hr", "oneDayPriceChange"),
    ("week", timedelta(days=7), "volume1wk", "oneWeekPriceChange"),
    ("month", timedelta(days=30), "volume1mo", "oneMonthPriceChange"),
)


@dataclass(frozen=True, slots=True)
class Event:
    """A question with its open markets; none of them if it is closed.

    `volumes` are US$ by span, `volume` that of all time. What is None is unknown.
    """

    id: str
    slug: str
    title: str
    markets: tuple[Market, ...]
    volume: int | None
    liquidity: int | None
    volumes: Mapping[str, float]
    created_at: datetime | None
    ends_at: datetime | None

    @property
    def names(self) -> str:
        """Everything by which the event can be asked for."""
        said = (f"{market.question}\n{market.label}" for market in self.markets)
        return "\n".join((self.title, *said))


def read_event(raw: Mapping[str, object]) -> Event | None:
    """An event; None if it is none, or nothing of its open markets can be read."""
    identity, slug = as_text(raw.get("id")), as_text(raw.get("slug"))
    if not (identity and _SLUG.fullmatch(slug)):
        return None
    listed = [as_mapping(one) for one in as_sequence(raw.get("markets"))]
    listed = [one for one in listed if _is_open(one)] if _is_open(raw) else []
    markets = tuple(filter(None, map(_market, listed)))
    title = _line(raw.get("title")) or (markets[0].question if markets else "")
    if not title or (listed and not markets):
        return None
    return Event(
        identity,
        slug,
        title,
        markets,
        _dollars(raw.get("volume"), listed, ("volumeNum", "volume")),
        _dollars(raw.get("liquidity"), listed, ("liquidityNum", "liquidity")),
        _volumes(raw, listed),
        _first_time(raw, ("createdAt", "startDate")),
        _first_time(raw, ("endDate",)),
    )


def as_item(event: Event, window: Window, now: datetime) -> Item | None:
    """An event as an item; None if it is closed, or nothing moved inside the window."""
    if not event.markets:
        return None
    moved, known = _moved(event, window, now)
    if known and moved is None:
        return None
    counts = {"volume": event.volume, "liquidity": event.liquidity}
    single = event.markets[0] if len(event.markets) == 1 else None
    return Item(
        id=event.id,
        source="polymarket",
        text=f"{odds(event.markets)}\n{_money(event, now)}".strip(),
        url=f"https://polymarket.com/event/{event.slug}",
        title=(single.question if single else "") or event.title,
        created_at=moved,
        engagement={name: n for name, n in counts.items() if n is not None},
    )


def _is_open(raw: Mapping[str, object]) -> bool:
    shut = raw.get("closed") is True or raw.get("archived") is True
    return not shut and raw.get("active") is not False


def _market(raw: Mapping[str, object]) -> Market | None:
    names = [_line(name) for name in _decoded(raw.get("outcomes"))]
    prices = [_number(price) for price in _decoded(raw.get("outcomePrices"))]
    chances = [price for price in prices if price is not None and 0 <= price <= 1]
    if len(names) < 2 or not all(names):
        return None
    if not len(names) == len(prices) == len(chances):
        return None
    changes = ((span, _number(raw.get(field))) for span, _, _, field in _SPANS)
    return Market(
        _line(raw.get("question")),
        _line(raw.get("groupItemTitle")),
        tuple(zip(names, chances, strict=True)),
        {span: change for span, change in changes if change is not None},
    )


def _decoded(value: object) -> Sequence[object]:
    """An array, which the service writes into a string."""
    if isinstance(value, str):
        try:
            value = json.loads(value)
        except (ValueError, RecursionError):
            return ()
    return as_sequence(value)


def _line(value: object) -> str:
    return as_line(unescape(as_text(value)), _MAX_TITLE)


def _number(value: object) -> float | None:
    """A finite number, also in a string."""
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        return float(value)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if -_MAX_DOLLARS <= value <= _MAX_DOLLARS else None


def _dollars(
    value: object, markets: Sequence[Mapping[str, object]], fields: tuple[str, ...]
) -> int | None:
    """Whole US$ of an event, or else of its markets together."""
    total = _number(value)
    if total is None:
        parts = [_first(_number(one.get(name)) for name in fields) for one in markets]
        known = [part for part in parts if part is not None]
        total = math.fsum(known) if known else None
    return round(total) if total is not None and total >= 0 else None


def _volumes(
    raw: Mapping[str, object], markets: Sequence[Mapping[str, object]]
) -> dict[str, float]:
    found = {}
    for span, _, field, _ in _SPANS:
        values = [_number(one.get(field)) for one in (raw, *markets)]
        known = [value for value in values if value is not None]
        if known:
            found[span] = max(known)
    return found


def _first(values: Iterable[float | None]) -> float | None:
    return next((value for value in values if value is not None), None)


def _first_time(raw: Mapping[str, object], fields: Iterable[str]) -> datetime | None:
    moments = (parse_time(as_text(raw.get(field))) for field in fields)
    return next(filter(None, moments), None)


def _moved(event: Event, window: Window, now: datetime) -> tuple[datetime | None, bool]:
    """When the event last moved inside the window, and whether that can be known.

    The service's own time of change is that of any bookkeeping. What shows a move is
    trade, or a change of odds, in the last day, week or month; the date is the earliest
    that it can have been, so that nothing is shown as fresher than it is.
    """
    latest = now
    known = False
    for span, length, _, _ in _SPANS:
        changes = [one.changes[span] for one in event.markets if span in one.changes]
        known = known or bool(changes) or span in event.volumes
        traded = event.volumes.get(span, 0.0) > 0
        if traded or any(abs(change) >= LEAST_CHANGE for change in changes):
            if latest < window.start:
                return None, True
            bounds = (now - length, window.start, event.created_at or window.start)
            earliest = max(bounds)
            return (earliest if window.contains(earliest) else None), True
        latest = now - length
    return None, known


def _money(event: Event, now: datetime) -> str:
    said = []
    if event.volume is not None:
        week = event.volumes.get("week")
        of_it = f", ${week:,.0f} of it in a week" if week is not None else ""
        said.append(f"Volume ${event.volume:,}{of_it}")
    if event.liquidity is not None:
        said.append(f"liquidity ${event.liquidity:,}")
    if event.ends_at is not None:
        verb = "closes" if event.ends_at > now else "not settled since it ended on"
        said.append(f"{verb} {event.ends_at:%Y-%m-%d}")
    text = "; ".join(said)
    return f"{text[:1].upper()}{text[1:]}." if text else ""
