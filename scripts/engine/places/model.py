"""The nouns of a places run: frozen values that its stages hand to each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from types import MappingProxyType
from typing import NamedTuple

__all__ = [
    "Budget",
    "Candidate",
    "Center",
    "Clarify",
    "Dates",
    "Found",
    "Note",
    "Page",
    "Parsed",
    "Party",
    "Query",
]

_NO_PARTS: Mapping[str, float] = MappingProxyType({})
_NO_DATA: Mapping[str, object] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Center:
    """A place that the intent names.

    `level` is country, region, province, city, district or poi; `country` two letters;
    `adcode` the Chinese division code of six digits, empty elsewhere; `lat` and `lon`
    are degrees. `region` is the key of a country or region of the alias list that holds
    places of the gray list, empty for all else. `match` is exact, alias, pinyin or
    fuzzy, `score` 0…1; `alternatives` are the other places that the words may mean,
    as a reader would write them. `aliases` are other names of the same place.
    """

    name: str
    level: str
    country: str
    lat: float
    lon: float
    adcode: str = ""
    admin: str = ""
    region: str = ""
    match: str = "exact"
    score: float = 1.0
    aliases: tuple[str, ...] = ()
    alternatives: tuple[str, ...] = ()


class Dates(NamedTuple):
    """A span of days, both ends inside.

    `precision` is day, holiday, month or season; `label` what the intent called it;
    `provisional` says that no calendar for that year has been decided yet.
    """

    start: date
    end: date
    precision: str
    label: str
    provisional: bool = False


class Party(NamedTuple):
    """Who travels; None is unknown, ages are in years."""

    adults: int | None = None
    children: int | None = None
    child_ages: tuple[int, ...] = ()
    seniors: int | None = None
    infants: int | None = None
    pets: int | None = None


class Budget(NamedTuple):
    """What it may cost.

    `currency` has three letters, or is empty where the intent names none outside China;
    `scope` is total, per_person, per_day, per_person_day or per_night, with _assumed
    behind it where the intent does not say; `op` is max, about or min.
    """

    amount: float
    currency: str
    scope: str
    op: str


class Clarify(NamedTuple):
    """A question that only the user can answer: `field` is center or dates."""

    field: str
    why: str
    options: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Parsed:
    """What an intent says; None or empty is what it does not say.

    `relation` is in, around, from, route, choose or unknown. `radius_km` is kilometres,
    `radius_source` explicit, default or none. `days` is a number or (least, most).
    `season_source` is explicit, dates, today or none. `lang` is zh, en, mixed or other.
    `warnings` are codes.
    """

    raw_excerpt: str
    lang: str = "other"
    centers: tuple[Center, ...] = ()
    relation: str = "unknown"
    origin: Center | None = None
    exclude: tuple[str, ...] = ()
    radius_km: float | None = None
    radius_source: str = "none"
    days: int | tuple[int, int] | None = None
    nights: int | None = None
    dates: Dates | None = None
    season: str | None = None
    season_source: str = "none"
    party: Party | None = None
    budget: Budget | None = None
    like: tuple[str, ...] = ()
    avoid: tuple[str, ...] = ()
    mode: tuple[str, ...] = ()
    pace: str | None = None
    clarify: tuple[Clarify, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def needs_clarification(self) -> bool:
        """Whether no source may be asked before the user has answered."""
        return bool(self.clarify)


class Found(NamedTuple):
    """A place as a geographic search gave it; without a coordinate lat is None."""

    name: str
    lat: float | None = None
    lon: float | None = None
    aliases: tuple[str, ...] = ()
    kind: str = ""
    data: Mapping[str, object] = _NO_DATA


@dataclass(frozen=True, slots=True)
class Candidate:
    """A place that may be recommended.

    `id` is stable between runs. `admin` is the division it lies in; `coord_source`
    says whose coordinate it is; `distance_km` is that from `center`, the name of the
    nearest centre. `within_radius` is None if no radius was asked for. `source` is the
    name of what proposed it, `grade` green (first-hand tool), yellow (keyless service)
    or gray (static list). `season` are the months 1…12 in which it is at its best.
    `search_data` is what the geographic search said of it beyond that.
    """

    id: str
    name: str
    kind: str
    country: str
    source: str
    grade: str
    aliases: tuple[str, ...] = ()
    admin: str = ""
    adcode: str = ""
    lat: float | None = None
    lon: float | None = None
    coord_source: str = ""
    distance_km: float | None = None
    within_radius: bool | None = None
    center: str = ""
    season: tuple[int, ...] = ()
    search_data: Mapping[str, object] = field(default_factory=lambda: _NO_DATA)


class Query(NamedTuple):
    """One search: `text` for the platform, `ranking_question` for the judge.

    `location` is the name of the candidate or centre that it asks about, `origin` core,
    template, addon or creative; the lowest `priority` is the first to be sent.
    """

    text: str
    template_id: str
    location: str
    origin: str
    priority: int
    ranking_question: str


@dataclass(frozen=True, slots=True)
class Note:
    """One first-hand note about a place; counts are None if unknown.

    `token` opens the note in this session alone and never leaves the program.
    `published_at` and `queried_at` are ISO 8601. `sentiment` is positive, mixed,
    negative or unknown, `sentiment_words` what decided that.
    """

    note_id: str
    source: str
    title: str
    text: str = ""
    url: str = ""
    author: str = ""
    likes: int | None = None
    comments: int | None = None
    collected: int | None = None
    published_at: str | None = None
    sentiment: str = "unknown"
    sentiment_words: tuple[str, ...] = ()
    matched_queries: tuple[str, ...] = ()
    full_text: str | None = None
    top_comments: tuple[str, ...] = ()
    from_cache: bool = False
    queried_at: str = ""
    score: float = 0.0
    score_parts: Mapping[str, float] = field(default_factory=lambda: _NO_PARTS)
    token: str = field(default="", repr=False)


class Page(NamedTuple):
    """One web page about a place; times are ISO 8601."""

    url: str
    title: str
    snippet: str = ""
    published_at: str | None = None
    from_cache: bool = False
    queried_at: str = ""
