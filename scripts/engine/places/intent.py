"""From the words of a traveller to what is known of the trip."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

from engine.errors import UsageError
from engine.places import roles
from engine.places.ambiguity import resolve
from engine.places.lookup.find import find_mentions, numbered
from engine.places.lookup.fuzzy import find_misspelt
from engine.places.lookup.packages import demand
from engine.places.model import Center, Clarify, Dates, Parsed, Party
from engine.places.spans.budget import read_budget
from engine.places.spans.dates import When, read_dates, read_season, season_of
from engine.places.spans.days import read_stay
from engine.places.spans.holidays import HOLIDAYS, next_holiday
from engine.places.spans.party import read_party
from engine.places.spans.radius import DEFAULT_KM, read_reach
from engine.places.spans.text import Cut, language, normalize, without_orders
from engine.places.spans.wishes import Wishes, read_wishes
from engine.text.redact import excerpt

__all__ = ["load", "parse_intent"]

_EXCERPT = 500
# Longer texts hold other things than the wishes for one trip.
_MOST_CHARACTERS = 4_000
# A trip without dates is about the weeks to come, not about today.
_AHEAD = timedelta(days=15)


def load() -> None:
    """Read the tables of names, which the first intent would else wait for.

    Raises:
        UsageError: a package that places need is not installed.
    """
    demand()
    find_mentions("Rome")
    find_misspelt("北亰 Bejing")
    next_holiday(HOLIDAYS[0], date(2026, 1, 1))
    read_wishes("")


def parse_intent(text: str, today: date, *, assume: bool = False) -> Parsed:
    """What an intent says; what it does not say stays None or empty.

    Args:
        text: the words of a traveller, Chinese, English or both. They are data: an
            order to a program in them is left out and never followed.
        today: the day, where the traveller is, from which "next weekend" counts.
        assume: take the likeliest place where several are meant, instead of asking.

    Raises:
        UsageError: the text says nothing, or a package is not installed.
    """
    demand()
    plain = normalize(text[:_MOST_CHARACTERS])
    if not any(char.isalnum() for char in plain):
        raise UsageError("--intent: say where the trip goes, such as 江西附近游玩 4 天")
    safe, ordered = without_orders(plain)
    parsed = _read(safe, today, assume=assume)
    warnings = ("suspicious_text_ignored",) if ordered else ()
    if len(text) > _MOST_CHARACTERS:
        warnings = (*warnings, "text_cut")
    return replace(
        parsed,
        raw_excerpt=excerpt(text, limit=_EXCERPT),
        warnings=tuple(dict.fromkeys((*warnings, *parsed.warnings))),
    )


def _read(text: str, today: date, *, assume: bool) -> Parsed:
    """Each part in its turn: what is read is cut out before the next one looks."""
    cut = Cut(text)
    cut.cover(numbered(cut.text))
    chinese = language(text) != "en"
    reach = read_reach(cut)
    budget = read_budget(cut, chinese=chinese)
    when = read_dates(cut, today)
    days, nights = read_stay(cut)
    party = read_party(cut)
    cut.uncover()
    found = find_mentions(cut.text) or find_misspelt(cut.text)
    places = roles.assign(cut.text, found, has_radius=reach.km is not None)
    for mention in found:
        cut.remove(mention.start, mention.end)
    wishes = read_wishes(cut.text)
    where = resolve(places, assume=assume)
    unpriced = ("currency_unknown",) if budget and not budget.currency else ()
    problem = (when.problem,) if when.problem else ()
    parsed = Parsed(
        raw_excerpt="",
        lang=language(text),
        centers=where.centers,
        relation=places.relation,
        origin=where.origin,
        exclude=tuple(mention.text for mention in places.excluded),
        days=days or when.days,
        nights=nights,
        party=party,
        budget=budget,
        like=_with_family(wishes, party, chinese=chinese),
        avoid=wishes.avoid,
        mode=wishes.mode,
        pace=wishes.pace,
        clarify=(*where.clarify, *_about_dates(when)),
        warnings=(*reach.warnings, *problem, *unpriced, *where.warnings),
    )
    return _with_radius(_with_season(parsed, cut, when.dates, today), reach.km)


def _about_dates(when: When) -> tuple[Clarify, ...]:
    if when.problem != "invalid_date":
        return ()
    return (Clarify("dates", "no calendar has this date"),)


def _with_family(
    wishes: Wishes, party: Party | None, *, chinese: bool
) -> tuple[str, ...]:
    """Who brings children wants a trip that suits them, said or not."""
    label = "亲子" if chinese else "family"
    with_children = party is not None and (party.children or party.infants)
    if not with_children or label in wishes.like:
        return wishes.like
    return (*wishes.like, label)


def _with_radius(parsed: Parsed, km: float | None) -> Parsed:
    if km is not None:
        return replace(parsed, radius_km=km, radius_source="explicit")
    if parsed.relation == "around":
        return replace(parsed, radius_km=DEFAULT_KM, radius_source="default")
    return parsed


def _with_season(parsed: Parsed, cut: Cut, dates: Dates | None, today: date) -> Parsed:
    """The season by the intent's own word, else its dates, else the weeks to come."""
    at: Center | None = parsed.centers[0] if parsed.centers else parsed.origin
    south = at is not None and at.lat < 0
    named = read_season(cut, today, south=south)
    if dates is None and named is not None:
        season, span = named
        return replace(parsed, dates=span, season=season, season_source="explicit")
    if dates is not None:
        middle = dates.start + (dates.end - dates.start) / 2
        season = season_of(middle, south=south)
        return replace(parsed, dates=dates, season=season, season_source="dates")
    season = season_of(today + _AHEAD, south=south)
    return replace(parsed, season=season, season_source="today")
