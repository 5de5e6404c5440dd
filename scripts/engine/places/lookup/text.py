"""Names in the form in which they are looked up."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

from engine.places.lookup.packages import data_file

__all__ = ["HAN", "fold", "fold_latin", "has_han", "simplify"]

HAN = "\u3400-\u4dbf\u4e00-\u9fff"
"""Chinese characters, for the brackets of a regular expression."""

_HAN = re.compile(f"[{HAN}]")
_SIGNS = str.maketrans({**dict.fromkeys("'’`."), "-": " ", "_": " "})
_LETTERS = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ß": "ss", "æ": "ae"})


def has_han(text: str) -> bool:
    """Whether a Chinese character is in the text."""
    return _HAN.search(text) is not None


@cache
def _simple() -> dict[int, str]:
    """Traditional characters with their simplified ones, from OpenCC (Apache-2.0)."""
    path = data_file("opencc", "dictionary/TSCharacters.txt")
    pairs = (line.split("\t") for line in path.read_text("utf-8").splitlines() if line)
    return {ord(char): simple.split()[0] for char, simple in pairs if len(char) == 1}


def simplify(text: str) -> str:
    """Traditional characters as simplified ones; the length stays the same."""
    return text.translate(_simple()) if has_han(text) else text


@lru_cache(maxsize=4096)
def fold(name: str) -> str:
    """A name in the form of the index: simplified, lower case, without accents."""
    if has_han(name):
        return simplify(unicodedata.normalize("NFKC", name)).replace(" ", "").lower()
    return fold_latin(name)


def fold_latin(name: str) -> str:
    """The same for a name that is known to hold no Chinese character."""
    text = name.lower()
    if not text.isascii():
        text = unicodedata.normalize("NFKD", text.translate(_LETTERS))
        text = "".join(char for char in text if not unicodedata.combining(char))
    return " ".join(text.translate(_SIGNS).split())
