"""Which places a text names: the longest known names, from left to right."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice

from engine import data
from engine.places.lookup import world
from engine.places.lookup.china import inside as is_inside
from engine.places.lookup.own import place_names
from engine.places.lookup.pinyin import by_letters
from engine.places.lookup.senses import Rank, Sense, home_of, known, of_world
from engine.places.lookup.text import HAN, fold, fold_latin, has_han
from engine.places.spans.text import GAP

__all__ = ["Mention", "find_mentions", "is_expected", "numbered"]


@dataclass(frozen=True, slots=True)
class Mention:
    """A name in a text, and what it may mean, the likeliest first.

    `parent` is the name of the larger place beside it that settled its meaning.
    `match` says how the name was found: exact, alias, pinyin or fuzzy.
    """

    start: int
    end: int
    text: str
    senses: tuple[Sense, ...]
    match: str = "exact"
    parent: str = ""

    @property
    def best(self) -> Sense:
        """The first meaning."""
        return self.senses[0]


_LONGEST = 15
# Names read of a text: nobody asks for more, and long texts stay cheap.
_MOST = 40
_HAN_RUN = re.compile(f"[{HAN}0-9·]{{2,}}")
_WORD = re.compile(r"[A-Za-z\u00c0-\u024f][A-Za-z\u00c0-\u024f'’.-]*")
_MOST_WORDS = 5
# A city whose name is an everyday word, or is written without a capital, needs as many
# people as this, or a word such as "in" before it.
_LARGE = 100_000
_EXPECTED = re.compile(
    r"\b(?:in|to|near|around|from|visit(?:ing)?|at|of|between|and|or|via|through|"
    "explore|"
    r"exploring|outside|nearby|love|see|not|except|avoid|skip)(?: the)? $",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    "(?:去|到|在|从|自|往|赴|逛|游|玩|来|想|和|或|或者|还是|与|、|,|-|回|离|避开|"
    "除了|不去|别去|以|"
    rf"去过|想看|[{GAP}。!?:;\s]|^)$"
)
_AFTER = re.compile(
    "^(?:附近|周边|周围|玩|游|旅|区|市|县|站|古城|古镇|一带|景区|自由行|攻略|出发|"
    "和|或|还是|与|、|,|-|"
    rf"去|到|往|看|吃|住|度假|爬|拍|自驾|有|哪|怎|的|[{GAP}。!?:;\s\d]|$)"
)


def find_mentions(text: str) -> list[Mention]:
    """The places that a text names, each with what it may mean.

    Cities of the world are looked up where nothing nearer is named: it takes half a
    second the first time.
    """
    nearer = islice(_in_han(text, known()), _MOST)
    found = [*nearer, *islice(_in_latin(text), _MOST)]
    found = _settle(text, sorted(found, key=lambda mention: mention.start))
    if not found and has_han(text):
        found = _settle(text, list(islice(_in_han(text, None), _MOST)))
    return found


def numbered(text: str) -> list[tuple[int, int]]:
    """Where names with numbers in them stand, so that nobody counts them: 五台山."""
    return [
        (start, end) for start, end, name in _longest(text, _numbered_names()) if name
    ]


@cache
def _numbered_names() -> dict[str, tuple[Sense, ...]]:
    numbers = re.compile("[零一二两三四五六七八九十百千万半双年月日周]")
    return {
        name: senses
        for name, senses in known().items()
        if has_han(name) and numbers.search(name) and not senses[0].weak
    }


def _longest(
    text: str, names: dict[str, tuple[Sense, ...]] | None
) -> Iterator[tuple[int, int, str]]:
    """The longest names of Chinese characters, from left to right."""
    table: object = world.cities() if names is None else names
    for run in _HAN_RUN.finditer(text):
        i = run.start()
        while i < run.end() - 1:
            for end in range(min(run.end(), i + _LONGEST), i + 1, -1):
                if text[i:end] in table and has_han(text[i]):  # type: ignore[operator]
                    yield i, end, text[i:end]
                    i = end - 1
                    break
            i += 1


def _in_han(text: str, names: dict[str, tuple[Sense, ...]] | None) -> Iterator[Mention]:
    for start, end, name in _longest(text, names):
        senses = of_world(name) if names is None else names[name]
        if names is None and len(name) < 3:
            senses = tuple(sense._replace(weak=True) for sense in senses)
        # Of cities that share a Chinese name it means the one that everybody knows.
        yield Mention(start, end, name, senses[:1] if names is None else senses)


@cache
def _everyday() -> frozenset[str]:
    return data.words("everyday_words.txt")


def _in_latin(text: str) -> Iterator[Mention]:
    words = list(_WORD.finditer(text))
    i = 0
    while i < len(words):
        for count in range(min(_MOST_WORDS, len(words) - i), 0, -1):
            start, end = words[i].start(), words[i + count - 1].end()
            if GAP in text[start:end] or has_han(text[start:end]):
                continue
            mention = _latin(text, start, end)
            if mention is not None:
                yield mention
                i += count - 1
                break
        i += 1


def _latin(text: str, start: int, end: int) -> Mention | None:
    written = text[start:end].rstrip(".'’-")
    name = fold_latin(written.removesuffix("'s").removesuffix("’s"))
    if len(name) < 2 or (len(name) < 4 and written.islower()):
        return None
    everyday = " " not in name and name in _everyday()
    expected = _EXPECTED.search(text[max(0, start - 20) : start]) is not None
    if everyday and (written.islower() or not (expected or text[end : end + 1] == ",")):
        return None
    end = start + len(written)
    own = known().get(name, ())
    if own and not (len(name) < 4 and not written.isupper()):
        alike = () if own[0].rank > Rank.REGION else of_world(name)
        return Mention(start, end, written, (*own, *_elsewhere(own[0], alike)))
    chinese = by_letters().get(name.replace(" ", ""), ())
    if chinese and len(name) > 3:
        senses = tuple(sense for key in chinese for sense in known()[key])
        usual = senses[0].rank <= Rank.CITY or senses[0].rank == Rank.SIGHT
        if usual or expected or written[0].isupper():
            return Mention(start, end, written, senses, match="pinyin")
    cities = of_world(name)
    large = bool(cities) and world.cities()[name][0].people >= _LARGE
    if cities and (
        large or (expected and not written.islower()) or text[end : end + 1] == ","
    ):
        return Mention(start, end, written, cities)
    return None


def _elsewhere(sense: Sense, others: tuple[Sense, ...]) -> Iterator[Sense]:
    """Those of the others that are not the same place."""
    for other in others:
        near = abs(other.center.lat - sense.center.lat) < 1.5
        if other.center.country != sense.center.country or not near:
            yield other


def _settle(text: str, found: list[Mention]) -> list[Mention]:
    """Join a place with the larger one beside it, and drop words that are no places."""
    joined: list[Mention] = []
    for mention in found:
        last = joined[-1] if joined else None
        if last is not None and _beside(text[last.end : mention.start]):
            inner = _inside(mention.senses, last)
            outer = _inside(last.senses, mention) if not has_han(mention.text) else ()
            if inner:
                joined[-1] = replace(
                    mention, senses=inner, parent=last.text, start=last.start
                )
                continue
            if outer:
                joined[-1] = replace(
                    last, senses=outer, parent=mention.text, end=mention.end
                )
                continue
        state = _state(text, mention)
        joined.append(state or mention)
    strong = any(not mention.best.weak or mention.parent for mention in joined)
    return [
        mention
        for mention in joined
        if not mention.best.weak
        or mention.parent
        or (is_expected(text, mention.start, mention.end) and not strong)
        or mention.text in place_names()["ask"]
        and is_expected(text, mention.start, mention.end)
    ]


def _beside(between: str) -> bool:
    return len(between) <= 3 and between.strip("市省的,· ") == ""


def is_expected(text: str, start: int, end: int) -> bool:
    """Whether the words around a span make it a place: 去…玩, …附近, or nothing."""
    before, after = text[max(0, start - 4) : start], text[end : end + 4]
    return (
        bool(_BEFORE.search(before))
        and bool(_AFTER.search(after))
        or bool(re.search("(?:去|到|在|从|往|逛|避开|除了)$", before))
    )


def _inside(senses: tuple[Sense, ...], larger: Mention) -> tuple[Sense, ...]:
    """The meanings that lie in a meaning of the larger place."""
    return tuple(
        sense
        for sense in senses
        if any(_lies_in(sense, outer) for outer in larger.senses)
    )


def _lies_in(sense: Sense, outer: Sense) -> bool:
    inner, around = sense.center, outer.center
    if around.level == "country":
        return inner.country == around.country and inner.level != "country"
    if around.country != "CN":
        # 罗马斗兽场: a place to see and the city that it is listed under.
        return inner.level == "poi" and inner.region == around.region != ""
    code = home_of(inner)
    return is_inside(code, around.adcode) and inner.adcode != around.adcode


_STATE = re.compile(r"^,? ?([A-Z]{2}|[A-Z][a-z]+(?: [A-Z][a-z]+)?)\b")


def _state(text: str, mention: Mention) -> Mention | None:
    """Rome, GA: a state behind a city's name settles which one it is."""
    match = _STATE.match(text[mention.end : mention.end + 40])
    if match is None or has_han(mention.text):
        return None
    states = world.states()
    code = match[1] if match[1] in states else ""
    code = code or next((key for key, name in states.items() if name == match[1]), "")
    if not code:
        return None
    senses = tuple(
        sense
        for sense in of_world(fold(mention.text))
        if sense.center.country == "US" and sense.center.admin == states[code]
    )
    if not senses:
        return None
    return replace(
        mention, senses=senses, end=mention.end + match.end(), parent=match[1]
    )
