"""The evidence of an artifact as a brief may cite it: who said what, and where."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from engine import data
from engine.report.brief.saying import plain
from engine.report.seen import not_seen
from engine.report.telling import GONE

__all__ = ["Evidence", "Voice", "find_name"]

_URL = re.compile(r"https?://[^\s<>()\[\]\"'`;,]+")
_LEAST_NAME = 4
_LONGEST_AS_WRITTEN = 3


@dataclass(frozen=True, slots=True)
class Voice:
    """An item, or a comment on it, with the words of its author.

    `said` is plain; that of an item holds its title and its comments too. `people` are
    the names, in lower case, under which it may be cited.
    """

    handle: str
    name: str
    said: str
    item: Mapping[str, Any]
    people: frozenset[str]


@dataclass(frozen=True)
class Evidence:
    """What a brief may cite of an artifact."""

    record: Mapping[str, Any]

    @cached_property
    def voices(self) -> tuple[Voice, ...]:
        """All items, and behind each its comments."""
        return tuple(v for item in self.record["items"] for v in _voices(item))

    @cached_property
    def by_url(self) -> Mapping[str, list[Voice]]:
        """Whom an address leads to: that of an item or comment, or one in an item."""
        found: dict[str, list[Voice]] = defaultdict(list)
        for item in self.record["items"]:
            own, *answers = _voices(item)
            for url in {item["url"], *item["urls"]} - {""}:
                found[url].append(own)
            kept = (c for c in item["comments"] if c["author"] not in GONE)
            for comment, voice in zip(kept, answers, strict=True):
                if comment["url"]:
                    found[comment["url"]].append(voice)
        return found

    @cached_property
    def fixes(self) -> frozenset[str]:
        """Addresses that the engine itself names, in what mends a source."""
        statuses = self.record["source_status"].values()
        found = (url for s in statuses for url in _URL.findall(s["fix"]))
        return frozenset(url.rstrip(".") for url in found)

    @cached_property
    def urls(self) -> frozenset[str]:
        """Every address that a brief may link to."""
        return frozenset(self.by_url) | self.fixes

    @cached_property
    def topic(self) -> str:
        """The plain words of the topic and of the sides of a comparison."""
        return plain(" ".join([self.record["topic"], *self.record["sides"]]))

    @cached_property
    def authors(self) -> Mapping[str, list[Voice]]:
        """The voices of each author, by handle, or by name where there is none."""
        found: dict[str, list[Voice]] = defaultdict(list)
        for voice in self.voices:
            if key := (voice.handle or voice.name).lower():
                found[key].append(voice)
        return found

    @cached_property
    def unseen(self) -> frozenset[str]:
        """The sources that nobody looked at, or that could not be looked at."""
        states = {
            name: status["state"]
            for name, status in self.record["source_status"].items()
        }
        unseen = {name for name, state in states.items() if not_seen(state)}
        unseen -= {name for name, state in states.items() if state == "partial"}
        looked = {name for name, state in states.items() if state != "not-asked"}
        return frozenset(unseen | (self.known_sources - looked))

    @property
    def known_sources(self) -> set[str]:
        """Every source that people may name."""
        return set(data.sections("source_names.txt")) | set(
            self.record["source_status"]
        )

    def names_of_source(self, source: str) -> list[str]:
        """How people call a source."""
        known = data.sections("source_names.txt").get(source, frozenset())
        label = self.record["sources"].get(source, {}).get("label", source)
        return sorted({label, *(name.replace("_", " ") for name in known)})

    def knows(self, name: str) -> bool:
        """Whether an account, in lower case, wrote, is named or was asked for."""
        if any(p == name or p.startswith(f"{name}.") for p in self._people):
            return True
        return bool(re.search(rf"(?:@|u/|/){re.escape(name)}(?!\w)", self._texts))

    @cached_property
    def _people(self) -> frozenset[str]:
        x = self.record["x"]
        asked = [*x["handles"]["explicit"], *x["handles"]["related"]] if x else []
        said = (voice.people for voice in self.voices)
        return frozenset(map(str.lower, asked)).union(*said)

    @cached_property
    def _texts(self) -> str:
        """All that was written, with the addresses, in lower case."""
        found = [self.record["topic"], *self.record["sides"], *self.urls]
        for item in self.record["items"]:
            found += [item["title"], item["text"], item["container"]]
            found += (comment["text"] for comment in item["comments"])
        return "\n".join(found).lower()

    def named_in(self, text: str) -> set[str]:
        """The authors, as in `authors`, whom a text names."""
        folded = text.lower()
        return {key for key, pattern in self._names.items() if pattern.search(folded)}

    @cached_property
    def _names(self) -> Mapping[str, re.Pattern[str]]:
        return {key: _pattern_of(said[0]) for key, said in self.authors.items()}

    @cached_property
    def explicit(self) -> frozenset[str]:
        """The handles that are the topic's subject, in lower case."""
        handles = self.record["x"]["handles"]["explicit"] if self.record["x"] else ()
        return frozenset(handle.lower() for handle in handles)


def find_name(name: str, text: str) -> bool:
    """Whether a name stands by itself in a text, whatever script goes on beside it."""
    # In lower case X is a letter of formulas, and web a word of everyday.
    flags = re.IGNORECASE if len(name) > _LONGEST_AS_WRITTEN else 0
    end = "" if name.endswith("/") else "(?![A-Za-z0-9_])"
    return bool(re.search(rf"(?<![A-Za-z0-9_@/]){re.escape(name)}{end}", text, flags))


def _pattern_of(voice: Voice) -> re.Pattern[str]:
    """How an author is named, in lower case; a handle that is a word needs its sign."""
    handle, name = voice.handle.lower(), voice.name.lower()
    sure = len(handle) >= _LEAST_NAME and not handle.isalpha()
    sign = "(?:@|/?u/)" + ("?" if sure else "")
    ways = [rf"(?<![\w@/.-]){sign}{re.escape(handle)}(?![\w-])"] if handle else []
    if len(name) >= _LEAST_NAME:
        ways.append(rf"(?<![a-z0-9_@/]){re.escape(name)}(?![a-z0-9_])")
    return re.compile("|".join(ways) or r"(?!)")


def _voices(item: Mapping[str, Any]) -> Iterator[Voice]:
    comments = [c for c in item["comments"] if c["author"] not in GONE]
    said = [item["title"], item["text"], *(c["text"] for c in item["comments"])]
    people = {item["author_handle"], item["author_name"], item["in_reply_to"]}
    people |= {item["repost_of"], *(c["author"] for c in comments)}
    yield Voice(
        item["author_handle"].lstrip("@"),
        item["author_name"],
        plain(" / ".join(said)),
        item,
        _names(people),
    )
    for comment in comments:
        who = comment["author"].lstrip("@")
        yield Voice(who, "", plain(comment["text"]), item, _names({who}))


def _names(people: set[str]) -> frozenset[str]:
    return frozenset(one.lower().lstrip("@") for one in people) - {""}
