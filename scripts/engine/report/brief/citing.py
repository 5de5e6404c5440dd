"""Links: each is in the evidence, and its label names what it leads to."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from engine.report.brief.evidence import Evidence, Voice, find_name
from engine.report.brief.links import Link
from engine.report.brief.page import Brief, Violation
from engine.report.brief.saying import plain
from engine.text.urls import site

__all__ = ["links"]

_NEAR = 0.75
_ACCOUNT = re.compile(r"(?<![\w/@.])(?:@|/?u/)([\w][\w.-]*[\w]|\w)")
_PLACE = re.compile(r"(?<![\w/])/?(r/\w+)")
_HOST = re.compile(r"(?:[a-z0-9-]+\.)+[a-z]{2,}", re.IGNORECASE)
_REPOSITORY = re.compile(r"[\w.-]+/[\w.-]+")
_GENERIC = re.compile(
    r"\b(?:an?|the|on|this|that|one|thread|threads|post|posts|story|stories|market"
    r"|markets|issue|issues|discussion|comment|comments|user|users|link|page)\b"
)


def links(brief: Brief, evidence: Evidence) -> Iterator[Violation]:
    """LAW 8: no link that is not in the evidence, none under a wrong name."""
    for link in brief.links:
        if not link.url.strip():
            fix = "copy the address from the evidence, or take the brackets away"
            yield brief.at("LAW 8", link.start, brief.text[link.start : link.end], fix)
        elif link.url not in evidence.urls:
            yield brief.at("LAW 8", link.start, link.url, _unknown(link, evidence))
        elif link.inline and link.url in evidence.by_url:
            voices = evidence.by_url[link.url]
            if problem := _misnamed(link, voices, evidence):
                shown = brief.text[link.start : link.end]
                yield brief.at("LAW 8", link.start, shown, problem)


def _unknown(link: Link, evidence: Evidence) -> str:
    if any(link.url in item["text"] for item in evidence.record["items"]):
        return "this address is only in a post's text: leave it out, in a quote too"
    known = sorted(evidence.urls)
    near = get_close_matches(link.url, known, n=1, cutoff=_NEAR)
    fix = "this address is no item's in the evidence: copy one that is, or take it away"
    return f"{fix}; did you mean {near[0]} ?" if near else fix


def _misnamed(link: Link, voices: Sequence[Voice], evidence: Evidence) -> str:
    """What is wrong with a label; nothing if it fits one of the items."""
    label = link.label.strip().strip("*_`").strip()
    if not label:
        return "give the link a label: the author or the place of that item"
    if any(not _other(label, voice, link.url, evidence) for voice in voices):
        return ""
    whom = next(_other(label, voice, link.url, evidence) for voice in voices)
    item = voices[0].item
    whose = voices[0].handle or voices[0].name or item["container"] or item["source"]
    return f"the label names {whom}, but this is an item of {whose}: make them fit"


def _other(label: str, voice: Voice, url: str, evidence: Evidence) -> str:
    """Whom or what a label names that is not this item's; nothing if it fits."""
    folded = label.lower()
    said = f"{voice.item['title']} {voice.item['text']}".lower()
    places = {voice.item["container"].lower(), voice.item["title"].lower()} - {""}
    if folded in places | voice.people or folded.lstrip("@") in voice.people:
        return ""
    bare = _ACCOUNT.fullmatch(label)
    for match in _ACCOUNT.finditer(folded):
        known = match[1] in voice.people or f"/{match[1]}/" in url.lower()
        if not known and (bare or f"@{match[1]}" not in said):
            return match[0]
    for match in _PLACE.finditer(folded):
        if match[1] not in places and match[1] not in said:
            return match[1]
    if folded in said:
        return ""
    return _other_name(label, voice, url, evidence)


def _other_name(label: str, voice: Voice, url: str, evidence: Evidence) -> str:
    """Another's name, place, host or source that is the whole label."""
    folded, item = label.lower(), voice.item
    for other in evidence.voices:
        names = {other.handle, other.name, other.item["container"]} - {""}
        if folded in map(str.lower, names):
            return label
    if item["source"] == "github" and _REPOSITORY.fullmatch(folded):
        return label
    if _HOST.fullmatch(folded) and not _is_host(folded, voice, url):
        return label
    sources = {item["source"], *item.get("sources", ())}
    rest = _GENERIC.sub(" ", folded).strip()
    for source in evidence.record["sources"]:
        called = [name.lower() for name in evidence.names_of_source(source)]
        if source not in sources and rest in called and not find_name(rest, site(url)):
            return label
    return ""


def _is_host(name: str, voice: Voice, url: str) -> bool:
    hosts = [site(url), *map(site, voice.item["urls"])]
    name = name.removeprefix("www.")
    fits = any(host == name or host.endswith(f".{name}") for host in hosts if host)
    return fits or f" {plain(name).strip()} " in voice.said
