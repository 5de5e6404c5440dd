"""The traveller's profile: which phrases of query_templates.yaml it calls for.

No word of it goes into a query: it is another program's file, and only keys that stand
in our own table count.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from engine.contracts import check, read_json
from engine.places.paths import at_path

__all__ = ["EMPTY", "Profile", "load_profile", "read_profile"]

_FLAGS = (
    "physical.no_long_walk",
    "physical.fear_of_heights",
    "constraints.must_have_starbucks_or_equivalent",
)
_LISTS = ("tastes.scene_likes", "tastes.scene_dislikes")


class Profile(NamedTuple):
    """What is known: `tier` of the budget, empty if unknown, and `flags`, keys of the
    table, in its order."""

    tier: str = ""
    flags: tuple[str, ...] = ()


EMPTY = Profile()


def load_profile(path: str) -> Profile | None:
    """The profile in a file; None if there is no such file.

    Raises:
        UsageError: it cannot be read, or is no profile.
    """
    import os

    if path != "-" and not os.path.exists(path):
        return None
    raw = read_json(path, what="profile")
    check(raw, "profile", name=path)
    return read_profile(raw)


def read_profile(raw: Mapping[str, Any]) -> Profile:
    """A profile that keeps its contract, as a value."""
    flags = [flag for flag in _FLAGS if at_path(raw, flag) is True]
    for field in _LISTS:
        flags += [f"{field}.{word}" for word in at_path(raw, field) or ()]
    tier = at_path(raw, "basic.budget_tier")
    return Profile(tier or "", tuple(dict.fromkeys(flags)))
