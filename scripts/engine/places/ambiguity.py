"""Which of several places of one name is meant, and when only the user can say."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

from engine.places.lookup.china import divisions, full_name, inside, short_name
from engine.places.lookup.find import Mention
from engine.places.lookup.own import place_names
from engine.places.lookup.senses import Rank, Sense, home_of
from engine.places.lookup.text import fold, has_han
from engine.places.model import Center, Clarify
from engine.places.roles import Roles

__all__ = ["Where", "resolve"]

# A world city is the obvious one of its name if it is as large as this, or has twice as
# many people as the next.
_OBVIOUS = 500_000
_SCORES = {"exact": 1.0, "alias": 0.95, "pinyin": 0.85, "fuzzy": 0.75}
_MOST_CENTERS = 6
_MOST_OPTIONS = 8


class Where(NamedTuple):
    """The places that are certain, and the questions about the others."""

    centers: tuple[Center, ...] = ()
    origin: Center | None = None
    clarify: tuple[Clarify, ...] = ()
    warnings: tuple[str, ...] = ()


def resolve(places: Roles, *, assume: bool) -> Where:
    """The centres and the origin of an intent.

    Args:
        places: what each named place is.
        assume: take the first meaning where the user would have to be asked.
    """
    centers: list[Center] = []
    questions: list[Clarify] = []
    warnings: list[str] = []
    origin: Center | None = None
    for mention in (*places.centers[:_MOST_CENTERS], places.origin):
        if mention is None:
            continue
        options = _options(mention)
        if mention.match == "fuzzy" or _sounds_alike(mention):
            warnings.append("fuzzy_center")
        if options and not assume:
            why = f"{mention.text} is the name of several places"
            questions.append(Clarify("center", why, options))
            continue
        if options:
            warnings.append("assumed_center")
        if mention is places.origin:
            origin = _center(mention)
        else:
            centers.append(_center(mention))
    if not centers and origin is None and not questions:
        questions.append(Clarify("center", "no place is named that is known"))
    return Where(
        tuple(centers), origin, tuple(questions), tuple(dict.fromkeys(warnings))
    )


def _sounds_alike(mention: Mention) -> bool:
    """Whether a Chinese name was found by its sound alone, as a typo is."""
    return mention.match == "pinyin" and has_han(mention.text)


def _options(mention: Mention) -> tuple[str, ...]:
    """What the user has to choose from; empty if one meaning is the obvious one."""
    asked = place_names()["ask"].get(fold(mention.text))
    best, *others = mention.senses
    if asked is not None and not mention.parent:
        return (*(sense.label for sense in mention.senses), *asked)
    if mention.match == "fuzzy" or _sounds_alike(mention):
        return ()
    rivals = [sense for sense in others if sense.rank == best.rank]
    if best.rank in (Rank.COUNTY, Rank.QUARTER) and rivals:
        return tuple(s.label for s in (best, *rivals))[:_MOST_OPTIONS]
    if best.rank == Rank.WORLD and any(
        best.people < _OBVIOUS and 2 * rival.people >= best.people for rival in rivals
    ):
        return tuple(s.label for s in (best, *rivals))[:_MOST_OPTIONS]
    return ()


def _center(mention: Mention) -> Center:
    best = mention.best
    center = best.center
    match = mention.match
    if match == "exact" and fold(mention.text) not in map(
        fold, (center.name, *center.aliases)
    ):
        match = "alias"
    aliases = dict.fromkeys((mention.text, *center.aliases, center.name))
    return replace(
        center,
        match=match,
        score=_SCORES[match],
        admin=center.admin or _admin(center),
        aliases=tuple(aliases) if not mention.parent else tuple(aliases)[1:],
        alternatives=_alternatives(mention),
    )


def _admin(center: Center) -> str:
    """The division that a place to see in China lies in."""
    if center.adcode or center.country != "CN":
        return ""
    unit = divisions().get(home_of(center))
    return f"{full_name(unit)} {unit.adcode}" if unit else ""


def _alternatives(mention: Mention) -> tuple[str, ...]:
    """What else the name may mean, without places inside the first meaning."""
    best, *others = mention.senses
    by_sound = _sounds_alike(mention)
    found = []
    for sense in others:
        within = inside(home_of(sense.center), best.center.adcode)
        near = sense.rank <= best.rank + 1 or best.rank in (Rank.REGION, Rank.WORLD)
        same = sense.center.name == best.center.name and not sense.center.admin
        if (near or by_sound) and not within and not same:
            found.append(_with_province(sense) if by_sound else sense.label)
    return tuple(dict.fromkeys(found))[:_MOST_OPTIONS]


def _with_province(sense: Sense) -> str:
    if not sense.center.adcode:
        return f"{sense.center.name}({sense.center.region})"
    province = divisions().get(f"{sense.center.adcode[:2]}0000")
    place = short_name(province.name) if province else sense.center.country
    return f"{sense.center.name}({place})"
