"""Likeness: how strongly one word says what another says.

Endings, compounds and one-letter prefixes are met by rule, not by stemming: a rule that
compares beginnings serves English, Turkish, Finnish, Russian and German alike.
"""

from __future__ import annotations

from engine.text.tokens import is_paired

__all__ = ["IN_TAG", "MIN_IN_TAG", "ends", "likeness"]

# Strengths of a match that is not equality. None is critical: 0.1 more or less moves
# the balanced accuracy by less than 0.002 (make judge-eval).
_PLURAL = 0.95
_STEM = 0.9
_PREFIXED = 0.9
IN_TAG = 0.85
"""Strength of a word found inside a hashtag that is written as one."""
_COMPOUND = 0.7

MIN_IN_TAG = 4
"""A shorter word is found inside too many tags that mean something else."""
_MIN_STEM = 5

# Arabic and Hebrew write article, conjunctions and prepositions as one with the word.
_ARABIC = "ال وال بال كال فال لل ولل و ف ب ل ك"
_HEBREW = "ה ו ב ל מ ש כ וה שה בה לה מה כש"
_JOINED = frozenset(f"{_ARABIC} {_HEBREW}".split())


def likeness(wanted: str, word: str) -> float:
    """How strongly `word` says what `wanted` says, 0…1; both are folded tokens."""
    if word == wanted:
        return 1.0
    if is_paired(wanted):
        # A single character begins a pair wherever it stands in a run.
        return 1.0 if len(wanted) == 1 and word.startswith(wanted) else 0.0
    if len(wanted) < 3 or wanted[-1].isdigit():
        return 0.0
    if word == wanted + "s" or wanted == word + "s":
        return _PLURAL
    if _same_stem(wanted, word):
        return _STEM
    begins, ends = word.startswith(wanted), word.endswith(wanted)
    if ends and word[: -len(wanted)] in _JOINED:
        return _PREFIXED
    return _COMPOUND if (begins or ends) and len(wanted) >= _MIN_STEM else 0.0


def ends(word: str) -> tuple[str, ...]:
    """Keys of which two words share one at least if they are alike at all."""
    return (word[:3], "-" + word[-3:], word[:1] if is_paired(word) else "")


def _same_stem(one: str, other: str) -> bool:
    """Whether two words begin alike for long enough to be forms of one.

    That is at least 5 letters and all but 2 of the shorter, and of the longer 60 %, or
    half if that is 6 or more.
    """
    shorter, longer = sorted((len(one), len(other)))
    most = min(-(-longer * 3 // 5), max(6, -(-longer // 2)))
    needed = max(_MIN_STEM, shorter - 2, most)
    return needed <= shorter and one[:needed] == other[:needed]
