"""Names by their sound: typos that sound alike, and Chinese names in Latin letters.

Readings are from the package pypinyin (MIT).
"""

from __future__ import annotations

import json
import unicodedata
from functools import cache
from itertools import islice, product

from engine.places.lookup.packages import data_file
from engine.places.lookup.senses import Rank, Sense, known
from engine.places.lookup.text import has_han

__all__ = ["by_letters", "by_sound", "sounds"]

# A name with characters of many readings has no more sounds than this.
_MOST = 8


@cache
def _readings() -> dict[str, str]:
    raw: dict[str, str] = json.loads(
        data_file("pypinyin", "pinyin_dict.json").read_text("utf-8")
    )
    return {chr(int(code)): marked for code, marked in raw.items()}


@cache
def _syllables(char: str) -> tuple[str, ...]:
    """The readings of a character, without tones."""
    plain = unicodedata.normalize("NFD", _readings().get(char, ""))
    # The dots of ü stay, as the letter v; all other marks are tones.
    plain = plain.replace("u\u0308", "v")
    kept = "".join(c for c in plain if not unicodedata.combining(c))
    return tuple(dict.fromkeys(kept.split(","))) if kept else ()


def sounds(name: str) -> list[tuple[str, ...]]:
    """The ways to say a name, a syllable a character; none if it cannot be said."""
    return list(islice(product(*map(_syllables, name)), _MOST))


@cache
def by_sound() -> dict[tuple[str, ...], tuple[str, ...]]:
    """The names of divisions and places to see in China by their sound."""
    found: dict[tuple[str, ...], list[str]] = {}
    for name, senses in known().items():
        if _is_chinese(name, senses):
            for sound in sounds(name):
                found.setdefault(sound, []).append(name)
    return {sound: tuple(dict.fromkeys(names)) for sound, names in found.items()}


@cache
def by_letters() -> dict[str, tuple[str, ...]]:
    """The same names by their sound in one word: xian is 西安 and 息县."""
    found: dict[str, list[str]] = {}
    for sound, names in by_sound().items():
        found.setdefault("".join(sound), []).extend(names)
    return {
        letters: tuple(sorted(dict.fromkeys(names), key=lambda n: known()[n][0].rank))
        for letters, names in found.items()
    }


def _is_chinese(name: str, senses: tuple[Sense, ...]) -> bool:
    return (
        has_han(name)
        and 2 <= len(name) <= 6
        and not name[0].isascii()
        and any(
            sense.center.country == "CN"
            and sense.rank in (Rank.PROVINCE, Rank.CITY, Rank.COUNTY, Rank.SIGHT)
            and not sense.weak
            for sense in senses
        )
    )
