"""Tokens: what a text says, in a form in which equal things are equal.

A token is a whole word, folded: NFKC, case and accents (Arabic alef, ya and ta
marbuta, Hebrew points, the Turkish dotless i with them). Runs in scripts that write
no spaces, and Hangul, whose particles stick to the word, become pairs of neighbouring
characters and the last character alone, so that any piece of a run is found in it.
Hashtags are split at their capitals, digits and underscores and kept whole as well.
URLs and @handles are no words; zero-width and bidi characters do not exist.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from operator import add
from typing import NamedTuple

from engine import data
from engine.text.invisible import FILLERS, FORMATS

__all__ = [
    "Text",
    "acronyms",
    "fold",
    "is_paired",
    "read",
    "runs",
    "sought",
    "tokenize",
]


class Text(NamedTuple):
    """A text that was read.

    `words` are its tokens in reading order. `tags` are its hashtags and cashtags,
    folded, with their sign. `caps` are the tokens that are acronyms by their capitals
    although the same letters are an everyday word ("US", not "us"). `mentions` are
    the accounts named with @, in lower case, without it.
    """

    words: tuple[str, ...]
    tags: frozenset[str]
    caps: frozenset[str]
    mentions: tuple[str, ...]


_URL = re.compile(r"(?:https?://|www\.)[!-~]+", re.IGNORECASE)
_INVISIBLE = re.compile(f"[{FILLERS}{FORMATS}\u200c\u200d\ufe0f]")
# Marks that writers leave out at will. The breve of й is no such mark, nor are the
# vowel signs of Indic scripts and Thai or the voicing marks of kana.
_ACCENT = re.compile(
    "(?<![\u0438\u0418])\u0306|[\u0300-\u0305\u0307-\u036f\u0591-\u05bd\u05bf\u05c1"
    "\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc"
    "\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed]"
)
_ALIKE = str.maketrans(
    {
        "ı": "i", "ł": "l", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "æ": "ae",
        "œ": "oe", "ى": "ي", "ة": "ه", "ٱ": "ا", "ی": "ي", "ک": "ك", "ς": "σ",
        "’": "'", "‘": "'", "ʼ": "'", "`": "'", "״": '"', "׳": "'",
    }
)  # fmt: skip

# Combining signs that belong to the words of their script.
_SIGNS = (
    "\u0483-\u0487\u0711\u0730-\u074a\u07a6-\u07b0\u07eb-\u07f3\u0816-\u082d"
    "\u0859-\u085b\u08d3-\u08ff\u0900-\u0963\u0966-\u0df3\u0f18-\u0f19\u0f35-\u0f39"
    "\u0f3e-\u0fbc\u135d-\u135f\u1712-\u1734\u18a9\u1920-\u193b\u1a17-\u1a7f"
    "\u1ab0-\u1c37\u1cd0-\u1cf9\u1dc0-\u1dff\u302a-\u302f\u3099\u309a\ua66f-\ua67d"
    "\ua802-\ua827\ua880-\ua8f1\ua926-\ua953\ua980-\ua9c0\uaa29-\uaa36\uaaeb-\uaaf6"
    "\uabe3-\uabed"
)
_PAIRED = (
    "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ecd\u0edc-\u0edf\u1000-\u103f\u1050-\u109d"
    "\u1100-\u11ff\u1780-\u17d3\u3005-\u3007\u3041-\u309a\u309d-\u309f\u30a1-\u30fa"
    "\u30fc-\u30ff\u3131-\u318e\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97c"
    "\uac00-\ud7fb\uf900-\ufaff\U00020000-\U0003ffff"
)
_PAIRED_RUN = re.compile(f"([{_PAIRED}]+)")

# A letter with signs behind it (C++, C#), .NET, AT&T, numbers with their decimals,
# letters before digits (GPT5 is GPT 5), anything else of letters and digits.
_SPECIAL = (
    r"(?<!\w)[a-z](?:\+\+|#(?!\w))|(?<![\w.])\.net(?!\w)"
    r"|(?<!\w)\w{1,3}&\w{1,3}(?!\w)|\d+(?:\.\d+)+(?!\w)|"
)
_HAS_SPECIAL = re.compile(r"[+#&]|\.[\dn]")
_PLAIN_WORD = re.compile(r"[a-z]{2,}(?=\d)|[a-z0-9]+")
_ASCII_WORD = re.compile(_SPECIAL + _PLAIN_WORD.pattern)
_WORD = re.compile(_SPECIAL + rf"[^\W\d_]{{2,}}(?=\d)|(?:[^\W_]|[{_SIGNS}])+")

_TAG = re.compile(r"(?<![A-Za-z0-9_&/])#(\w*[^\W\d_]\w*)")
_CASHTAG = re.compile(r"(?<![\w$])\$([A-Za-z]{1,6}(?:[._][A-Za-z]{1,2})?)(?!\w)")
_HANDLE = re.compile(r"(?<![A-Za-z0-9_/])@([A-Za-z0-9_]{1,15})(?![A-Za-z0-9_])")
_TAG_PART = re.compile(r"[^\W\d_a-z]{2,}(?![a-z])|[^\W\d_]?[^\W\d_A-Z]+|\d+|[^\W\d_]+")
_HAS_DOTTED = re.compile(r"\.[^\W\d_]\.")
_DOTTED = re.compile(r"(?<![\w.])((?:[^\W\d_]\.){2,})([^\W\d_](?!\w))?")
_CONTRACTION = re.compile(r"(?<=\w)'(?:s|d|m|ll|re|ve)(?!\w)")
_JOINED = re.compile(r"(?<=\bo)'(?=\w)|(?<=n)'(?=t\b)|(?<=[א-ת])[\"'](?=[א-ת])")


def acronyms() -> frozenset[str]:
    """The acronyms that are also words, in capitals."""
    return data.words("acronyms.txt")


@lru_cache(maxsize=1)
def _acronym_pattern() -> re.Pattern[str]:
    # A capital before the alternatives lets the matcher skip lower-case text.
    longest_first = sorted(acronyms(), key=lambda word: (-len(word), word))
    return re.compile(rf"(?<![\w@])(?:{'|'.join(longest_first)})(?![\w'])")


def is_paired(token: str) -> bool:
    """True for a token of a script that is read in pairs of characters."""
    return _PAIRED_RUN.match(token) is not None


def runs(text: str) -> list[str]:
    """The parts of a text that are read in pairs, and those between, by turns.

    The first, third, … are between and may be empty.
    """
    return [text] if text.isascii() else _PAIRED_RUN.split(text)


def fold(text: str) -> str:
    """Fold case, width, accents and letter variants; words stay where they are."""
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFKD", text).casefold()
    text = _ACCENT.sub("", text).translate(_ALIKE)
    return unicodedata.normalize("NFC", text)


def tokenize(text: str) -> Text:
    """Read a text. Pure and total: any string gives a `Text`."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", _INVISIBLE.sub("", text))
    if "://" in text or "www." in text or "WWW." in text:
        text = _URL.sub(" ", text)
    mentions: tuple[str, ...] = ()
    if "@" in text:
        mentions = tuple(name.lower() for name in _HANDLE.findall(text))
        text = _HANDLE.sub(" ", text)
    if "&" in text:
        text = text.replace("&amp;", "&")
    tags: set[str] = set()
    if "#" in text:
        tags.update("#" + fold(tag) for tag in _TAG.findall(text))
        text = _TAG.sub(_open_tag, text)
    if "$" in text:
        tags.update("$" + tag.lower() for tag in _CASHTAG.findall(text))
    if _HAS_DOTTED.search(text):
        text = _DOTTED.sub(_close_dots, text)
    return Text(_words(fold(text)), frozenset(tags), _caps(text), mentions)


@lru_cache(maxsize=20_000)
def read(text: str) -> Text:
    """`tokenize`, each text once a run."""
    return tokenize(text)


def sought(phrase: str) -> tuple[tuple[str, ...], bool]:
    """The tokens that stand side by side in a text that says `phrase`.

    Of a script that is read in pairs, the last character alone only says that a run
    ended there: a phrase that is longer does not ask for it. For a phrase that is no
    longer the second value is true: any token that begins with it will do.
    """
    words = read(phrase).words
    if not words or len(words[-1]) > 1 or not is_paired(words[-1]):
        return words, False
    if len(words) > 1 and len(words[-2]) == 2 and is_paired(words[-2]):
        return words[:-1], False
    return words, True


def _open_tag(match: re.Match[str]) -> str:
    tag = match[1]
    parts = _TAG_PART.findall(tag)
    return f" {tag} {' '.join(parts)} " if len(parts) > 1 else f" {tag} "


def _close_dots(match: re.Match[str]) -> str:
    return match[0].replace(".", "") + " "


def _caps(text: str) -> frozenset[str]:
    found = _acronym_pattern().findall(text)
    if not found:
        return frozenset()
    rest = _acronym_pattern().sub("", text)
    lower = sum(map(str.islower, rest))
    # Capitals say nothing in a text that shouts.
    if sum(map(str.isupper, rest)) > 2 * lower:
        return frozenset()
    return frozenset(found)


def _words(folded: str) -> tuple[str, ...]:
    if "'" in folded or '"' in folded:
        folded = _JOINED.sub("", folded)
        folded = _CONTRACTION.sub("", folded)
    if folded.isascii():
        pattern = _ASCII_WORD if _HAS_SPECIAL.search(folded) else _PLAIN_WORD
        return tuple(pattern.findall(folded))
    words: list[str] = []
    for i, run in enumerate(_PAIRED_RUN.split(folded)):
        if i % 2 == 0:
            words += _WORD.findall(run)
        else:
            words += map(add, run, run[1:])
            words.append(run[-1])
    return tuple(words)
