"""The query matrix: candidates by templates, preferences and season, 15 to 20 a run.

First what the intent is about, then one query for each candidate, then in turns what
goes wrong there, the season, the duration, what the traveller likes, and the other
templates. The creative ones keep places of their own. The same input gives the same
queries in the same order.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest
from typing import Any, NamedTuple

from engine.places.model import Candidate, Parsed, Query
from engine.places.profile import Profile
from engine.places.wording import MOST_CHARS, fill, named, phrases, plain, short

__all__ = ["DOMAINS", "MOST", "defaults", "queries"]

DOMAINS = ("destination", "poi", "accommodation", "risk")
MOST = 20
"""The most queries of a run, creative ones among them."""

_CREATIVE = 2
_TURNS = ("avoid", "season", "duration", "addon")


class _Draft(NamedTuple):
    text: str | None
    template: str
    location: str
    shown: str
    origin: str


class _Place(NamedTuple):
    """What a query asks about: its own name, and the one that the query shows."""

    name: str
    shown: str


def queries(
    parsed: Parsed,
    candidates: Sequence[Candidate],
    domain: str,
    profile: Profile,
    creative: Sequence[str] = (),
) -> list[Query]:
    """The queries of a run, those that matter most first.

    Args:
        parsed: the intent.
        candidates: the best first.
        domain: one of `DOMAINS`.
        profile: of the traveller.
        creative: queries of the host model, at most two of which are taken.
    """
    table = _Table(parsed, domain, profile)
    about = [_Place(c.name, table.shown(c.name, c.aliases)) for c in candidates]
    centers = parsed.centers or ((parsed.origin,) if parsed.origin else ())
    around = [_Place(c.name, table.shown(c.name, c.aliases)) for c in centers]
    own = list(table.creative(creative, around or about[:1], about))
    lanes = table.lanes(around, about)
    turns = chain.from_iterable(zip_longest(*(lanes[name] for name in lanes)))
    ruled = (*table.core(around), *table.coverage(about), *turns)
    found: dict[str, _Draft] = {}
    for draft in (*_first(ruled, MOST - len(own), parsed), *own):
        found.setdefault(_key(draft), draft)
    return [
        Query(
            text=draft.text or "",
            template_id=f"{domain}.{draft.template}",
            location=draft.location,
            origin=draft.origin,
            priority=number,
            ranking_question=table.question(draft.shown),
        )
        for number, draft in enumerate(found.values())
    ]


def defaults(parsed: Parsed, domain: str, profile: Profile) -> dict[str, str]:
    """What filled templates without being known: it was assumed, and is to be said."""
    table = _Table(parsed, domain, profile)
    found = {}
    if domain == "accommodation" and not profile.tier:
        found["tier"] = table.values["tier"]
    if domain == "poi" and not parsed.like:
        found["category"] = table.values["category"]
    if parsed.season and parsed.season_source == "today" and domain == "destination":
        found["season"] = table.values["season"]
    return found


def _first(
    drafts: Sequence[_Draft | None], most: int, parsed: Parsed
) -> Iterator[_Draft]:
    """The first drafts that differ and name nothing that the user wants to avoid."""
    seen: set[str] = set()
    for draft in drafts:
        if draft is None or draft.text is None or len(seen) == most:
            continue
        if _key(draft) not in seen and not _excluded(draft.text, parsed):
            seen.add(_key(draft))
            yield draft


def _key(draft: _Draft) -> str:
    return unicodedata.normalize("NFKC", draft.text or "").casefold()


def _excluded(text: str, parsed: Parsed) -> bool:
    told = text.casefold()
    return any(name and short(name).casefold() in told for name in parsed.exclude)


class _Table:
    """The templates of a domain, in the language of an intent, with what is known."""

    def __init__(self, parsed: Parsed, domain: str, profile: Profile) -> None:
        self._parsed = parsed
        self._profile = profile
        self._all = phrases()
        self._domain: dict[str, Any] = self._all["domains"][domain]
        self._language = "en" if parsed.lang in ("en", "other") else "zh"
        self.values = self._values()

    def _values(self) -> dict[str, str]:
        days = self._parsed.days
        shortest = days[0] if isinstance(days, tuple) else days
        tiers = self._all["tiers"]
        tier = self._profile.tier
        label = tiers["labels"].get(tier) or tiers["labels"][tiers["default"]]
        likes = [plain(word) for word in self._parsed.like]
        like = self._all["categories"].get(likes[0]) if likes else self._all["category"]
        season = self._all["seasons"].get(self._parsed.season or "")
        return {
            "season": self._say(season) if season else "",
            "duration": str(shortest) if shortest else "",
            "tier": self._say(label),
            "category": self._say(like) if like else likes[0],
        }

    def _say(self, phrase: dict[str, str]) -> str:
        return phrase[self._language]

    def shown(self, name: str, aliases: Sequence[str]) -> str:
        """How a place is called in the language of the queries."""
        return named(name, aliases, self._language)

    def question(self, place: str) -> str:
        """What a note is judged against that was found for a place."""
        template = self._say(self._domain["question"])
        values = {**self.values, "location": place}
        for blank, value in values.items():
            template = template.replace(f"{{{blank}}}", value)
        return template

    def core(self, places: Sequence[_Place]) -> Iterator[_Draft]:
        """What the intent is about, without its own words."""
        near = self._parsed.relation in ("around", "from")
        beside = [self._say(self._all["around"])] if near else []
        wishes = [*beside, *self._wishes()[:1], self._say(self._domain["core"])]
        for place in places:
            text = " ".join(dict.fromkeys((place.shown, *wishes)))
            yield self._draft("core", place, "core", _fitting(text))

    def coverage(self, places: Sequence[_Place]) -> Iterator[_Draft]:
        """The first template for each candidate."""
        template = self._domain["templates"][0]
        return (self._filled(template, place) for place in places)

    def lanes(
        self, centers: Sequence[_Place], places: Sequence[_Place]
    ) -> dict[str, list[_Draft]]:
        """What is asked beside that, by kind; of each kind the best first."""
        templates = self._domain["templates"][1:]
        found: dict[str, list[_Draft]] = {name: [] for name in (*_TURNS, "rest")}
        for template in templates:
            lane = template["id"] if template["id"] in _TURNS else "rest"
            # The whole trip is as long as the intent says, a place in it is not.
            about = centers if lane == "duration" and centers else places
            found[lane] += [self._filled(template, place) for place in about]
        found["addon"] = [
            self._draft("addon", place, "addon", _fitting(f"{place.shown} {wish}"))
            for place in (*centers, *places[:3])
            for wish in self._wishes()
        ]
        return found

    def creative(
        self,
        given: Sequence[str],
        centers: Sequence[_Place],
        places: Sequence[_Place],
    ) -> Iterator[_Draft]:
        """Up to two that no template covers: of the host, or by the profile."""
        texts = [_fitting(plain(text)) for text in given]
        for text in texts[:_CREATIVE]:
            named_in = [p for p in (*places, *centers) if p.shown in (text or "")]
            place = (*named_in, *centers, *places, _Place("", ""))[0]
            if text and not _excluded(text, self._parsed):
                yield self._draft("creative", place, "creative", text)
        if texts or not centers:
            return
        wishes = [self._say(p) for p in self._profile_phrases()]
        said = [" ".join(wishes[:2]), *wishes[2:3]] if wishes else []
        for wish in said or [self._say(self._all["creative"])]:
            text = _fitting(f"{centers[0].shown} {wish}")
            yield self._draft("creative", centers[0], "creative", text)

    def _profile_phrases(self) -> list[dict[str, str]]:
        table = self._all["profile"]
        return [table[flag] for flag in self._profile.flags if flag in table]

    def _wishes(self) -> list[str]:
        """What the traveller wants, in words for a query, the strongest first."""
        parsed, known = self._parsed, self._all
        found = [plain(word) for word in (*parsed.like, *parsed.mode)]
        party = parsed.party
        for kind, phrase in known["party"].items():
            if party and getattr(party, kind):
                found.append(self._say(phrase))
        if parsed.pace in known["paces"]:
            found.append(self._say(known["paces"][parsed.pace]))
        found += map(self._say, self._profile_phrases())
        return list(dict.fromkeys(word for word in found if word))

    def _filled(self, template: dict[str, str], place: _Place) -> _Draft:
        values = {**self.values, "location": place.shown}
        text = fill(self._say(template), values)
        return self._draft(template["id"], place, "template", text)

    def _draft(
        self, template: str, place: _Place, origin: str, text: str | None
    ) -> _Draft:
        return _Draft(text, template, place.name, place.shown, origin)


def _fitting(text: str) -> str | None:
    """A text of whole words that is no longer than a query may be."""
    words = text.split()
    while words and len(" ".join(words)) > MOST_CHARS:
        words.pop()
    return " ".join(words) or None
