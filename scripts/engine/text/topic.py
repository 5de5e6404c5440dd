"""A topic, read as data: its terms, which of them carry it, its core subject."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from engine import data
from engine.errors import UsageError
from engine.text.tokens import acronyms, is_paired, runs, tokenize

__all__ = ["Term", "Topic", "noise_words", "parse_topic"]


class Term(NamedTuple):
    """One word of a topic, as typed.

    `surface` is what a platform is sent: it may carry #, $ or @ in front and is free
    of anything that a platform would take for an operator. `words` are its tokens.
    `acronym` is true if only its capitals tell it from an everyday word. `noise` is
    true if it carries no topic.
    """

    surface: str
    words: tuple[str, ...]
    acronym: bool
    noise: bool

    @property
    def meaning(self) -> tuple[str, ...]:
        """Its tokens but the last character of a run, which its pair says already."""
        alone = len(self.words) > 1 and is_paired(self.words[-1])
        return self.words[:-1] if alone else self.words


class Topic(NamedTuple):
    """What the user typed: `text` cleaned, and its `terms` in their order."""

    text: str
    terms: tuple[Term, ...]

    @property
    def significant(self) -> tuple[Term, ...]:
        """The terms that carry the topic; all of them if none does."""
        return tuple(term for term in self.terms if not term.noise) or self.terms

    @property
    def core(self) -> str:
        """The core subject: the significant terms in lower case, acronyms kept."""
        return " ".join(
            term.surface if term.acronym else term.surface.lower()
            for term in self.significant
        )


_PERCENT = re.compile(r"%[0-9A-Fa-f]{2}")
_SIGIL = re.compile(
    r"#\w*[^\W\d_]\w*|\$[A-Za-z]{1,6}(?:[._][A-Za-z]{1,2})?|@[A-Za-z0-9_]{1,15}"
)
_PROGRAMMING = re.compile(r"[A-Za-z](?:\+\+|#)|\.net", re.IGNORECASE)
_DOTTED = re.compile(r"(?:[^\W\d_]\.){2,}[^\W\d_]?")
# Signs that may join the parts of one term; they end none and begin none.
_JOINERS = "_-'’&."
_KEPT_SIGNS = _JOINERS + "+#$@"
_KANA_PARTICLE = re.compile(
    "(?<=[\u30a1-\u30ff\u4e00-\u9fff])[のはがをにへとでもや](?![\u3041-\u309f])"
)


def parse_topic(raw: str) -> Topic:
    """Read a topic.

    Args:
        raw: what the user typed: any string, also with invalid characters.

    Raises:
        UsageError: it holds no letter and no digit.
    """
    text = _clean(raw)
    chunks = "".join(c if _is_kept(c) else " " for c in text).split()
    surfaces = [piece for chunk in chunks for piece in _pieces(chunk)]
    seen = [word for piece in surfaces for word in (piece.lower(), *_words(piece))]
    noise = noise_words(seen)
    terms = tuple(_term(piece, noise) for piece in surfaces if _words(piece))
    if not terms:
        raise UsageError(
            "the topic has no letter or digit; name what to look for, "
            'for example "Rome Italy"'
        )
    return Topic(text, terms)


def noise_words(words: Iterable[str]) -> frozenset[str]:
    """Those of a text's tokens that carry no topic, in the languages that it shows."""
    seen = frozenset(words)
    lists = data.sections("noise.txt")
    found = (seen & lists["any"]) | (seen & data.words("noise_phrases.txt"))
    for language, listed in lists.items():
        if language != "any" and len((seen & listed) - lists["any"]) >= 2:
            found |= seen & listed
    return found


def _clean(raw: str) -> str:
    if _PERCENT.search(raw) and len(raw.split()) == 1:
        from urllib.parse import unquote_to_bytes

        octets = unquote_to_bytes(raw.encode("utf-8", "replace"))
        raw = octets.decode("utf-8", "replace")
    kept = "".join(
        " " if category[0] in "CZ" else char
        for char in raw
        if (category := unicodedata.category(char)) != "Cf"
    )
    return " ".join(unicodedata.normalize("NFKC", kept).split())


def _is_kept(char: str) -> bool:
    return char in _KEPT_SIGNS or unicodedata.category(char)[0] in "LMN"


def _pieces(chunk: str) -> list[str]:
    if _SIGIL.fullmatch(chunk) or _PROGRAMMING.fullmatch(chunk):
        return [chunk]
    if _DOTTED.fullmatch(chunk):
        return [chunk.replace(".", "")]
    return [
        piece
        for part in re.split(r"[+#$@]", chunk)
        for i, run in enumerate(runs(part))
        for piece in (_cut(run) if i % 2 else [run.strip(_JOINERS)])
    ]


def _cut(run: str) -> list[str]:
    """Part a run of a script without spaces around the phrases that are noise."""
    return [
        piece
        for part in _KANA_PARTICLE.sub(" ", run).split()
        for piece in _noise_phrase().split(part)
        if piece
    ]


@cache
def _noise_phrase() -> re.Pattern[str]:
    phrases = (p for p in data.words("noise_phrases.txt") if len(p) > 1)
    found = sorted(phrases, key=lambda phrase: (-len(phrase), phrase))
    return re.compile(f"({'|'.join(map(re.escape, found))})")


def _words(surface: str) -> tuple[str, ...]:
    if surface[:1] == "@":
        return (surface[1:].lower(),)
    return tokenize(surface.lstrip("#$")).words


def _term(surface: str, noise: frozenset[str]) -> Term:
    words = _words(surface)
    acronym = surface in acronyms()
    named = acronym or surface[0] in "#$@"
    idle = surface.lower() in noise or noise.issuperset(words)
    return Term(surface, words, acronym, noise=idle and not named)
