"""From a parsed intent to the places that may be recommended.

Three ways, in this order: the geographic search that is configured, services that want
no key, and the static list. What belongs to the centre comes first, then what is near;
how many people live somewhere ranks nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engine.errors import SourceError
from engine.io import IO
from engine.model import Outcome
from engine.places import live
from engine.places.gray import is_city, rank_of, seats, sights_as_candidates
from engine.places.lookup.china import inside
from engine.places.lookup.senses import home_of, known
from engine.places.lookup.text import fold, has_han
from engine.places.model import Candidate, Center, Found, Parsed
from engine.places.same import candidate_of, joined, same_place
from engine.places.scope import Scope, scopes
from engine.places.spans.wishes import kinds_of

__all__ = ["LEAST", "MOST", "GeoSearch", "Geography", "candidates"]

LEAST, MOST = 6, 10
"""How many candidates a run has, if there are so many."""

GeoSearch = Callable[[Center], "tuple[str, Sequence[Found]]"]
"""The configured search: its name, and what it gives for a centre; an empty name if
there is none."""

# Beyond its own reach a centre's list is filled up from here.
_NEXT_KM, _ENOUGH = 150.0, 8
# Of places found by services that rank nothing no more than this.
_UNKNOWN_LIVE = 4
# Places outside its borders that a trip around a province has room for.
_OUTSIDE = 2
_IN_ORIGIN = 2
_CLOSE_RANKS = 3


class Geography(NamedTuple):
    """The candidates, how each service ended, and what the reader must know (codes)."""

    candidates: list[Candidate]
    outcomes: dict[str, Outcome]
    warnings: list[str]


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What makes one place better than another; `barred` are names and codes."""

    kinds: frozenset[str]
    months: frozenset[int]
    names: frozenset[str]
    codes: tuple[str, ...]

    def bars(self, candidate: Candidate) -> bool:
        """Whether the intent wants to go elsewhere."""
        if not (self.names or self.codes):
            return False
        names = {fold(name) for name in (candidate.name, *candidate.aliases)}
        # 丽江古城 is a part of 丽江, wherever it is said to lie.
        held = any(has_han(out) and out in fold(candidate.name) for out in self.names)
        return (
            held
            or bool(names & self.names)
            or any(inside(candidate.adcode, code) for code in self.codes)
        )

    def order(self, candidate: Candidate) -> tuple[bool, bool]:
        """Places in season first, then those that suit the wishes."""
        season = set(candidate.season)
        out = bool(season and self.months and not season & self.months)
        return out, bool(self.kinds) and candidate.kind not in self.kinds


def candidates(
    parsed: Parsed, io: IO, *, search: GeoSearch | None = None, offline: bool = False
) -> Geography:
    """The places that an intent may be about, six to ten where there are so many.

    Args:
        parsed: the intent; nothing is asked while it needs clarification.
        io: what the run may touch.
        search: the configured geographic search.
        offline: ask no service; the static list alone answers.
    """
    if parsed.needs_clarification:
        return Geography([], {}, [])
    areas = scopes(parsed)
    quota = -(-MOST // len(areas)) if areas else 0
    wanted = _wanted(parsed)
    chosen: list[Candidate] = []
    outcomes: dict[str, Outcome] = {}
    dropped: set[str] = set()
    for scope in areas:
        found, outside = _chosen(scope, parsed, io, search, offline, wanted, outcomes)
        fresh = [c for c in found if not any(same_place(c, other) for other in chosen)]
        chosen += fresh[:quota]
        dropped |= outside
    warnings = [f"outside_radius:{len(dropped)}"] if dropped else []
    if 0 < len(chosen) < LEAST:
        warnings.append("few_candidates")
    return Geography(chosen[: max(MOST, len(areas))], outcomes, warnings)


def _wanted(parsed: Parsed) -> _Wanted:
    months: set[int] = set()
    if parsed.dates is not None:
        first, last = parsed.dates.start, parsed.dates.end
        count = (last.year - first.year) * 12 + last.month - first.month + 1
        months = {(first.month - 1 + i) % 12 + 1 for i in range(min(count, 12))}
    names = frozenset(fold(name) for name in parsed.exclude)
    senses = [sense for name in names for sense in known().get(name, ())[:1]]
    codes = {
        sense.center.adcode or home_of(sense.center)
        for sense in senses
        if sense.center.level != "poi"
    }
    return _Wanted(kinds_of(parsed.like), frozenset(months), names, tuple(codes - {""}))


def _chosen(
    scope: Scope,
    parsed: Parsed,
    io: IO,
    search: GeoSearch | None,
    offline: bool,
    wanted: _Wanted,
    outcomes: dict[str, Outcome],
) -> tuple[list[Candidate], set[str]]:
    """The candidates of one centre, and the names outside a hard radius."""
    dropped: set[str] = set()
    static = [
        scope.placed(candidate)
        for candidate in sights_as_candidates(parsed.lang)
        if scope.wide or not is_city(candidate)
    ]
    found: list[Candidate] = []
    if search is not None:
        found = _searched(scope, search, static, outcomes)
        found = _kept(scope, found, wanted, dropped)
    if len(found) < LEAST and not offline and scope.center.level in live.LEVELS:
        extra = _live(scope, parsed, io, static, outcomes)
        found = joined(found, _kept(scope, extra, wanted, dropped), MOST)
    if len(found) < LEAST or all(one.source in live.NAMES for one in found):
        free = [one for one in static if not wanted.bars(one)]
        own = _kept(scope, _gray(scope, free, wanted), wanted, set())
        found = joined(found, own, MOST)
    if len(found) < LEAST:
        filling = (c for c in seats(scope) if not wanted.bars(c))
        found = joined(found, filling, LEAST)
    return found[:MOST], dropped


def _searched(
    scope: Scope,
    search: GeoSearch,
    static: Sequence[Candidate],
    outcomes: dict[str, Outcome],
) -> list[Candidate]:
    try:
        name, found = search(scope.center)
    except SourceError as error:
        outcomes["online-search"] = error.outcome()
        return []
    return [
        scope.placed(candidate_of(one, name, "green", scope.center, scope.code, static))
        for one in found
    ]


def _live(
    scope: Scope,
    parsed: Parsed,
    io: IO,
    static: Sequence[Candidate],
    outcomes: dict[str, Outcome],
) -> list[Candidate]:
    """What the services know; of what is on no list of ours only the nearest few."""
    language = "zh" if parsed.lang in ("zh", "mixed") else "en"
    answers, ended = live.around(
        scope.center, io, radius_km=scope.radius_km, language=language
    )
    outcomes.update(ended)
    found = [
        scope.placed(
            candidate_of(one, name, "yellow", scope.center, scope.code, static)
        )
        for name, places in answers.items()
        for one in places
    ]
    found.sort(key=lambda c: (rank_of(c), c.distance_km or 0.0, c.id))
    unknown = [candidate for candidate in found if rank_of(candidate) == 99]
    return [*(c for c in found if c not in unknown), *unknown[:_UNKNOWN_LIVE]]


def _kept(
    scope: Scope, found: Iterable[Candidate], wanted: _Wanted, dropped: set[str]
) -> list[Candidate]:
    """Without what is unwanted, and what lies outside a radius that the intent set."""
    kept: list[Candidate] = []
    for candidate in found:
        if wanted.bars(candidate):
            continue
        if scope.hard and not scope.reaches(candidate):
            dropped.add(candidate.id)
        elif not any(same_place(candidate, other) for other in kept):
            kept.append(candidate)
    return kept


def _gray(
    scope: Scope, static: Sequence[Candidate], wanted: _Wanted
) -> list[Candidate]:
    """Places of the static list: the centre's own, those in reach, those next to it."""
    if scope.path:
        near = [c for c in static if scope.reaches(c)]
        near.sort(key=lambda c: (*wanted.order(c), rank_of(c), c.id))
        return sorted(near[:MOST], key=lambda c: (scope.progress(c), c.id))
    own = [c for c in static if scope.has(c)]
    reach = [c for c in static if scope.reaches(c) and c not in own]
    if scope.wide:
        own.sort(key=lambda c: (*wanted.order(c), rank_of(c)))
        reach.sort(key=lambda c: (*wanted.order(c), c.distance_km or 0.0))
        room = MOST - (_OUTSIDE if reach else 0)
        return [*own[:room], *reach[:_OUTSIDE], *own[room:], *reach[_OUTSIDE:]]
    both = sorted(
        (*own, *reach),
        key=lambda c: (
            *wanted.order(c),
            rank_of(c) // _CLOSE_RANKS,
            c.distance_km or 0.0,
            c.id,
        ),
    )
    if scope.is_origin:
        home = [c for c in both if scope.code and inside(c.adcode, scope.code)]
        away = [c for c in both if c not in home]
        return [*away[: MOST - _IN_ORIGIN], *home]
    following = sorted(
        (c for c in static if c not in both and (c.distance_km or 0.0) <= _NEXT_KM),
        key=lambda c: (c.distance_km or 0.0, c.id),
    )
    return [*both, *following[: max(0, _ENOUGH - len(both))]]
