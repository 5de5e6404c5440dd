"""Hacker News Search, played over a small table of stories."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from fakes.server import Answer, Asked, Server, answer_json

__all__ = ["HackerNews", "Said", "Story"]

_MAX_HITS = 1000
_TERM = re.compile(r'(-?)"([^"]*)"|(-?)(\S+)')
_FILTER = re.compile(r"(\w+)(<=|>=|<|>|=)(\d+)")


@dataclass(frozen=True)
class Said:
    """A comment; author and text of one that was deleted are None."""

    id: int
    author: str | None
    text: str | None
    answers: tuple[Said, ...] = ()


@dataclass(frozen=True)
class Story:
    """A story; `url` is None for one that is only text."""

    id: int
    title: str
    at: datetime
    author: str = "ann"
    url: str | None = None
    text: str | None = None
    points: int | None = 1
    comments: tuple[Said, ...] = ()
    front: bool = False


@dataclass
class HackerNews:
    """The service, on the paths of `server`; a `leaky` one ignores the time asked for."""

    server: Server
    stories: list[Story] = field(default_factory=list)
    leaky: bool = False

    def __post_init__(self) -> None:
        self.server.route("/search", self._search)
        self.server.route("/items/", self._item)

    @property
    def searches(self) -> list[Mapping[str, str]]:
        """The parameters of the searches, in their order."""
        return [a.params for a in self.server.requests if a.path == "/search"]

    @property
    def items(self) -> list[int]:
        """The stories whose comments were asked for."""
        paths = [asked.path for asked in self.server.requests]
        return [int(path[7:]) for path in paths if path.startswith("/items/")]

    def _search(self, asked: Asked) -> Answer:
        params = asked.params
        wanted = [story for story in self.stories if _matches(story, params)]
        for name, sign, raw in _FILTER.findall(params.get("numericFilters", "")):
            if name != "created_at_i":
                return _bad(
                    f"invalid numeric attribute({name}), attribute not specified in "
                    "numericAttributesForFiltering setting"
                )
            if not self.leaky:
                wanted = [s for s in wanted if _keeps(s.at.timestamp(), sign, int(raw))]
        wanted.sort(key=lambda s: (-(s.points or 0), -_count(s.comments)))
        size = min(int(params.get("hitsPerPage", "20")), _MAX_HITS)
        hits = wanted[:_MAX_HITS][:size]
        return answer_json(
            {
                "hits": [_hit(story) for story in hits],
                "nbHits": len(wanted),
                "page": 0,
                "nbPages": 1,
                "hitsPerPage": size,
                "exhaustiveNbHits": True,
                "processingTimeMS": 4,
                "query": params["query"],
            }
        )

    def _item(self, asked: Asked) -> Answer:
        number = int(asked.path.removeprefix("/items/"))
        for story in self.stories:
            if story.id == number:
                return answer_json(_tree(story))
        return answer_json({"status": 404, "error": "Not Found"}, 404)


def _bad(message: str) -> Answer:
    return answer_json({"message": message, "status": 400}, 400)


def _matches(story: Story, params: Mapping[str, str]) -> bool:
    assert params["tags"] in ("story", "front_page"), "only stories are played"
    if params["tags"] == "front_page" and not story.front:
        return False
    advanced = params.get("advancedSyntax") == "true"
    said = _words(f"{story.title} {story.url or ''} {story.text or ''}")
    for minus, phrase, word_minus, word in _TERM.findall(params["query"]):
        wanted = _words(phrase or word)
        if advanced and phrase:
            found = _in_a_row(wanted, said)
        else:
            # Torn apart; every word is looked for, and a quote is part of none.
            found = all(w in said for w in wanted)
        excludes = advanced and (minus or word_minus)
        if found is bool(excludes):
            return False
    return True


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _in_a_row(wanted: list[str], said: list[str]) -> bool:
    size = len(wanted)
    return any(said[i : i + size] == wanted for i in range(len(said) - size + 1))


def _keeps(moment: float, sign: str, bound: int) -> bool:
    return {
        "<": moment < bound,
        ">": moment > bound,
        "<=": moment <= bound,
        ">=": moment >= bound,
        "=": moment == bound,
    }[sign]


def _count(comments: tuple[Said, ...]) -> int:
    return sum(1 + _count(one.answers) for one in comments)


def _hit(story: Story) -> dict[str, Any]:
    hit: dict[str, Any] = {
        "objectID": str(story.id),
        "title": story.title,
        "author": story.author,
        "points": story.points,
        "num_comments": _count(story.comments),
        "story_text": story.text,
        "story_id": story.id,
        "created_at": f"{story.at:%Y-%m-%dT%H:%M:%SZ}",
        "created_at_i": int(story.at.timestamp()),
        "children": [one.id for one in story.comments],
        "_tags": ["story", f"author_{story.author}", f"story_{story.id}"],
        "_highlightResult": {"title": {"value": f"<em>{story.title}</em>"}},
    }
    if story.url is not None:
        hit["url"] = story.url
    return hit


def _tree(story: Story) -> dict[str, Any]:
    return {
        "id": story.id,
        "type": "story",
        "author": story.author,
        "title": story.title,
        "url": story.url,
        "text": story.text,
        "points": story.points,
        "parent_id": None,
        "created_at_i": int(story.at.timestamp()),
        "children": [_branch(one) for one in story.comments],
        "options": [],
    }


def _branch(said: Said) -> dict[str, Any]:
    return {
        "id": said.id,
        "type": "comment",
        "author": said.author,
        "text": said.text,
        "points": None,
        "children": [_branch(one) for one in said.answers],
    }
