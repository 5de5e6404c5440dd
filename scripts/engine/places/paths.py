"""Values inside a JSON document, by paths such as data.items.0.title."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from engine.values import as_sequence

__all__ = ["at_path", "entries", "first", "lenient_count"]

_COUNT = re.compile(r"(\d{1,12}(?:\.\d{1,6})?)([万w千k亿]?)\+?", re.IGNORECASE)
_SIZES = {"": 1, "千": 1e3, "k": 1e3, "万": 1e4, "w": 1e4, "亿": 1e8}
# What a counter shows where nobody has counted yet.
_ZERO = frozenset(("", "赞", "点赞", "收藏", "评论", "分享"))
_MOST = 10**12


def at_path(document: Any, path: str) -> Any:
    """What stands at a path; None if nothing does."""
    for part in path.split("."):
        if isinstance(document, dict):
            document = document.get(part)
        elif (
            isinstance(document, list) and part.isdigit() and int(part) < len(document)
        ):
            document = document[int(part)]
        else:
            return None
    return document


def first(document: Any, paths: Iterable[str]) -> Any:
    """What stands at the first of some paths at which something stands."""
    return next(
        (v for path in paths if (v := at_path(document, path)) is not None), None
    )


def entries(document: Any, paths: Iterable[str]) -> Sequence[Any] | None:
    """The list at the first of some paths that has one; None if there is none."""
    found = (at_path(document, path) for path in paths)
    return next((as_sequence(v) for v in found if isinstance(v, list)), None)


def lenient_count(value: object) -> int | None:
    """A count as an app shows it: 12, "1.2万", "10万+", "1,234", "赞".

    None is unknown; a counter that shows its own name shows that it is at zero.
    """
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return int(value) if 0 <= value <= _MOST else None
    if not isinstance(value, str):
        return None
    text = value.strip().replace(",", "").replace("\N{FULLWIDTH COMMA}", "")
    if text in _ZERO:
        return 0
    match = _COUNT.fullmatch(text)
    if match is None:
        return None
    found = round(float(match[1]) * _SIZES[match[2].lower()])
    return found if found <= _MOST else None
