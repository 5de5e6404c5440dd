"""A query in the language of the X API, read back into the parts of a `Query`."""

from __future__ import annotations

import re
from typing import Any

__all__ = ["PROBLEMS", "Refused", "read_v2"]

PROBLEMS = "https://api.x.com/2/problems"

_PART = re.compile(r'-?(?:\([^()]*\)|"[^"]*"|[^\s()"]+)')
_BARE = re.compile(r"[#$@]?\w+")
_GROUP = re.compile(r"(from:\w+)(?: OR from:\w+)*|@(\w+) OR from:\2")


class Refused(Exception):
    """A request that the API answers with 400."""

    def __init__(self, message: str, parameter: str = "query", value: str = "") -> None:
        super().__init__(message)
        self.body = {
            "errors": [{"parameters": {parameter: [value]}, "message": message}],
            "title": "Invalid Request",
            "detail": "One or more parameters to your request was invalid.",
            "type": f"{PROBLEMS}/invalid-request",
        }


def read_v2(text: str, *, floors: bool) -> dict[str, Any]:
    """The fields of the `Query` that a text stands for, without its days.

    Raises:
        Refused: the API does not take it; without `floors` it knows no `min_likes:`.
    """
    if _PART.sub("", text).strip():
        raise Refused(f"no viable alternative at {text!r}")
    found = _Reading(floors)
    for part in _PART.findall(text):
        found.take(part)
    if not found.standalone:
        raise Refused("Rule must contain at least one positive, non-stopword clause")
    return found.parts


class _Reading:
    """A query as it is read, part by part."""

    def __init__(self, floors: bool) -> None:
        self.parts: dict[str, Any] = {}
        self.standalone = False
        self._floors = floors

    def take(self, part: str) -> None:
        negated, body = part.startswith("-"), part.removeprefix("-")
        if body.startswith("("):
            self._take_group(body[1:-1], negated)
        elif body.startswith('"'):
            self._add("exclude" if negated else "phrases", body[1:-1], not negated)
        elif ":" in body:
            self._take_operator(body, negated)
        elif body.lower() in ("and", "or", "not"):
            raise Refused(f"Ambiguous use of {body} as a keyword")
        elif not _BARE.fullmatch(body):
            raise Refused(f"no viable alternative at {body!r}")
        elif body.startswith("@") and not negated:
            self._set("mention", body[1:])
            self.standalone = True
        else:
            self._add("exclude" if negated else "terms", body, not negated)

    def _take_group(self, inside: str, negated: bool) -> None:
        match = _GROUP.fullmatch(inside)
        if match is None or negated:
            raise Refused(f"no viable alternative at ({inside})")
        if match[2]:
            self._add("terms", f"@{match[2]}", True)
        else:
            for author in inside.split(" OR "):
                self._add("from_handles", author.removeprefix("from:"), True)

    def _take_operator(self, body: str, negated: bool) -> None:
        name, value = body.split(":", 1)
        if name == "from":
            self._add("not_from" if negated else "from_handles", value, not negated)
        elif name == "min_likes" and self._floors and not negated:
            self._set("min_likes", int(value))
            self.standalone = True
        elif (body, negated) == ("has:links", False):
            self._set("links_only", True)
        elif (body, negated) == ("is:reply", True):
            self._set("no_replies", True)
        elif (body, negated) != ("is:retweet", True):
            raise Refused(
                f"Reference to invalid operator '{name}'. Operator is not ..."
            )

    def _add(self, name: str, value: str, standalone: bool) -> None:
        self.parts[name] = (*self.parts.get(name, ()), value)
        self.standalone |= standalone

    def _set(self, name: str, value: object) -> None:
        if name in self.parts:
            raise Refused(f"this fake takes {name} once")
        self.parts[name] = value
