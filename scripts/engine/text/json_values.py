"""JSON that stands somewhere in prose: what can be read of it, and what is left."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

__all__ = ["Scan", "scan_json"]

# Arrays of objects or arrays, and objects; words in brackets are prose.
_START = re.compile(r'\{\s*["}]|\[\s*(?:[\[{\]]|\Z)')
_TRAILING_COMMA = re.compile(r"[,\s]*\]")
# Models leave line ends in strings as they are.
_DECODER = json.JSONDecoder(strict=False)

# Each failed attempt may read all that follows, so attempts are few, and what they
# read together is bounded by a multiple of the text.
_ATTEMPTS = 1_000
_READ_TIMES = 8
_TOO_DEEP = 50_000


@dataclass(frozen=True, slots=True)
class Scan:
    """The arrays and objects of a text in their order, and the words around them.

    `cut` says that something began like JSON and could not be read to its end; of an
    array that broke off its whole elements stand in `values` one by one.
    """

    values: tuple[object, ...]
    prose: str
    cut: bool


def scan_json(text: str) -> Scan:
    """Find the JSON arrays of objects and the JSON objects in a text.

    The work is linear in the length of the text, whatever it holds.
    """
    text = text.strip().removesuffix("```").rstrip()
    values: list[object] = []
    prose: list[str] = []
    cut = False
    position = passed = 0
    attempts, budget = _ATTEMPTS, _READ_TIMES * len(text) + _TOO_DEEP
    while match := _START.search(text, position):
        if passed >= 0:
            prose.append(text[passed : match.start()])
        if attempts <= 0 or budget <= 0:
            return Scan(tuple(values), " ".join(prose), True)
        value, end, cost = _decode(text, match.start())
        if value is not None:
            values.append(value)
            position = passed = end
            continue
        attempts, budget = attempts - 1, budget - cost
        cut = cut or not _TRAILING_COMMA.match(text, end)
        # What follows belongs to the broken value, up to the next whole one.
        position, passed = match.start() + 1, -1
    if passed >= 0:
        prose.append(text[passed:])
    return Scan(tuple(values), " ".join(prose), cut)


def _decode(text: str, start: int) -> tuple[object, int, int]:
    """The value at `start`, or None; where it ends or breaks; characters read."""
    rest = len(text) - start
    try:
        value, end = _DECODER.raw_decode(text, start)
    except json.JSONDecodeError as error:
        unterminated = error.msg.startswith("Unterminated string")
        return None, error.pos, rest if unterminated else error.pos - start
    except RecursionError:
        return None, start, _TOO_DEEP
    except ValueError:  # A number of thousands of digits.
        return None, start, rest
    return value, end, 0
