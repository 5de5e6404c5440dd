"""Posts in what a language model answers: JSON of any arrangement, or lines of fields.

A model is asked for one JSON array and gives that, or the same in a code fence, in an
object, after a story, cut in the middle, one object after the other, or as blocks of
"id: … / handle: … / text: …" lines, plain or decorated with Markdown.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from engine.text.json_values import scan_json
from engine.x.claims import FIELDS, Claim, read_claim

__all__ = ["Reported", "read_reported"]

# No answer that is asked for ten posts is longer.
_MAX_TEXT = 1 << 20
_MAX_KEY = 40
_KEY_DECORATION = " \t-*•>#`_0123456789.)("
_VALUE_DECORATION = " \t*`"
_QUOTES = "\"'“”"
_RULE = re.compile(r"\s*(?:[-*_=]{3,}|[`~]{3,}\w*)\s*")

_NONE_FOUND = re.compile(
    r"\b(?:no|zero|0) (?:[\w-]+ ){0,4}(?:posts?|tweets?|results?|matches)\b"
    r"(?: [\w-]+){0,8}? (?:found|match\w*|returned|exist\w*|turned up)\b"
    r"|\b(?:found|returned|gave|yielded|were|was|are) (?:no|zero|0) (?:[\w-]+ ){0,4}"
    r"(?:posts?|tweets?|results?|matches)\b"
    r"|\bfound nothing\b|\bnothing (?:was |has been )?found\b"
    r"|\b(?:did not|didn['’]t) (?:find|return|yield) any\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Reported:
    """What an answer reports: each post once, in its order.

    `partial` says that a piece of the answer could not be read, mostly since it was
    cut. `says_none` is true for an answer without posts that says so, by an empty list
    or in words. `prose` is what the answer says beside the posts.
    """

    claims: tuple[Claim, ...]
    partial: bool
    says_none: bool
    prose: str


def read_reported(text: str) -> Reported:
    """Read the posts in a model's answer. Bounded work, whatever the text; no error."""
    scan = scan_json(text[:_MAX_TEXT])
    found = _Walk()
    for value in scan.values:
        found.visit(value)
    claims, cut, prose = found.claims, scan.cut, [scan.prose, *found.words]
    if not claims:
        blocks = _Blocks()
        for line in text[:_MAX_TEXT].splitlines():
            blocks.take(line)
        blocks.close()
        if blocks.claims:
            claims, cut, prose = blocks.claims, False, blocks.prose
    words = "\n".join(prose)
    partial = cut or len(text) > _MAX_TEXT
    none = found.empty or _NONE_FOUND.search(words) is not None
    return Reported(
        _distinct(claims), partial, none and not claims and not partial, words
    )


def _distinct(claims: Iterable[Claim]) -> tuple[Claim, ...]:
    first: dict[str, Claim] = {}
    for claim in claims:
        first.setdefault(claim.item.id, claim)
    return tuple(first.values())


@dataclass(slots=True)
class _Walk:
    """What stands in JSON values: posts, other words, and whether a list was empty."""

    claims: list[Claim] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    empty: bool = False

    def visit(self, root: object) -> None:
        """Take everything in `root`, in its order."""
        waiting = [root]
        while waiting:
            value = waiting.pop()
            if isinstance(value, str):
                self.words.append(value)
            elif isinstance(value, list):
                self.empty = self.empty or not value
                waiting += reversed(value)
            elif isinstance(value, dict):
                claim = read_claim(value)
                if claim is not None:
                    self.claims.append(claim)
                else:
                    waiting += reversed(value.values())


@dataclass(slots=True)
class _Blocks:
    """Posts in blocks of lines, and the lines outside of them.

    A block ends at a rule, and where its first field or an id comes again. A text goes
    on over lines, and over blank ones if another field of the same block follows.
    """

    claims: list[Claim] = field(default_factory=list)
    prose: list[str] = field(default_factory=list)
    _block: dict[str, str] = field(default_factory=dict)
    _after: list[str] = field(default_factory=list)

    def take(self, line: str) -> None:
        """Read the next line."""
        key, value = _field(line)
        if key in self._block and (self._begins(key) or self._after[-1:] == [""]):
            self.close()
        if key and key not in self._block:
            self._settle(len(self._after))
            self._block[key] = value
        elif _RULE.fullmatch(line):
            self.close()
        else:
            self._after.append(line.strip())

    def close(self) -> None:
        """End the block."""
        blank = self._after.index("") if "" in self._after else len(self._after)
        self._settle(blank)
        claim = read_claim(self._block)
        if claim is not None:
            self.claims.append(claim)
        else:
            self.prose += self._block.values()
        self._block = {}

    def _begins(self, key: str) -> bool:
        return key == "id" or key == next(iter(self._block))

    def _settle(self, own: int) -> None:
        """Give the lines since the last field, `own` of them, to a text before them."""
        if next(reversed(self._block), "") == "text":
            self._block["text"] = "\n".join([self._block["text"], *self._after[:own]])
        else:
            own = 0
        self.prose += self._after[own:]
        self._after = []


def _field(line: str) -> tuple[str, str]:
    """The field that a line gives and its value; "" if it gives none."""
    head, colon, value = line.replace("：", ":", 1).partition(":")
    if not colon or len(head) > _MAX_KEY:
        return "", ""
    name = head.strip(_KEY_DECORATION).lower().replace(" ", "_")
    key = FIELDS.get(name, "")
    value = value.strip(_VALUE_DECORATION)
    return key, value if key == "text" else value.strip(_QUOTES)
