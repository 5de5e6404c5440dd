"""Names that are misspelt: Chinese ones by their sound, others by a letter or two."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from engine import data
from engine.places.lookup.find import Mention, is_expected
from engine.places.lookup.pinyin import by_letters, by_sound, sounds
from engine.places.lookup.senses import Rank, Sense, known
from engine.places.lookup.text import HAN, fold_latin, has_han

__all__ = ["find_misspelt"]

_HAN_RUN = re.compile(f"[{HAN}]{{2,}}")
_WORD = re.compile(r"[A-Za-z]{5,15}")
# Words looked at: in a long text everything resembles something.
_MOST_WORDS = 12


def find_misspelt(text: str) -> list[Mention]:
    """The places that a text without a known name may mean, at most one."""
    found = next(_by_sound(text), None) or next(_by_spelling(text), None)
    return [found] if found else []


def _by_sound(text: str) -> Iterator[Mention]:
    """Names that sound alike and share a character: 务源 for 婺源."""
    for run in _HAN_RUN.finditer(text):
        for start in range(run.start(), min(run.end() - 1, run.start() + 40)):
            for end in range(min(run.end(), start + 5), start + 1, -1):
                written = text[start:end]
                # A long name is enough by itself, a short one sounds like many words.
                if len(written) > 2 or is_expected(text, start, end):
                    senses = _alike(written)
                    if senses:
                        yield Mention(start, end, written, senses, match="pinyin")


def _alike(written: str) -> tuple[Sense, ...]:
    names = {name for sound in sounds(written) for name in by_sound().get(sound, ())}
    shared = {name: sum(map(str.__eq__, name, written)) for name in names}
    if max(shared.values(), default=0) < len(written) // 2:
        return ()
    order = sorted(names, key=lambda n: (-shared[n], known()[n][0].rank, n))
    return tuple(known()[name][0] for name in order)


@cache
def _spellings() -> dict[str, list[tuple[str, tuple[Sense, ...]]]]:
    """Names in Latin letters by their first letter: of divisions, sights and cities."""
    found: dict[str, list[tuple[str, tuple[Sense, ...]]]] = {}
    for name, senses in known().items():
        if not has_han(name) and len(name) > 4:
            found.setdefault(name[0], []).append((name, senses))
    for letters, names in by_letters().items():
        senses = tuple(known()[name][0] for name in names)
        if len(letters) > 4 and senses[0].rank <= Rank.COUNTY:
            found.setdefault(letters[0], []).append((letters, senses))
    return found


def _by_spelling(text: str) -> Iterator[Mention]:
    everyday = data.words("everyday_words.txt")
    words = list(_WORD.finditer(text))[:_MOST_WORDS]
    for word in words:
        name = fold_latin(word[0])
        alone = len(words) == 1 or word.start() == 0 or word[0][0].isupper()
        if name in everyday or not alone:
            continue
        near = [
            senses
            for known_name, senses in _spellings().get(name[0], ())
            if _one_apart(name, known_name)
        ]
        near.sort(key=lambda senses: (senses[0].rank, senses[0].center.adcode))
        if near:
            found = tuple(sense for senses in near for sense in senses)
            yield Mention(word.start(), word.end(), word[0], found, match="fuzzy")


def _one_apart(a: str, b: str) -> bool:
    """Whether one letter is missing, added, changed or swapped with its neighbour."""
    if a == b or abs(len(a) - len(b)) > 1:
        return False
    i = 0
    while i < min(len(a), len(b)) and a[i] == b[i]:
        i += 1
    if len(a) == len(b):
        swapped = a[i : i + 2] == b[i : i + 2][::-1] and a[i + 2 :] == b[i + 2 :]
        return a[i + 1 :] == b[i + 1 :] or swapped
    longer, shorter = (a, b) if len(a) > len(b) else (b, a)
    return longer[i + 1 :] == shorter[i:]
