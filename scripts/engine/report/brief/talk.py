"""Sentences that a brief must not have: on the engine, and on silence nobody heard."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain

from engine import data
from engine.report.brief.evidence import Evidence, find_name
from engine.report.brief.page import Brief, Span, Violation
from engine.report.brief.saying import plain
from engine.report.brief.shape import dump

__all__ = ["claimed_silence", "engine_talk"]

_CLAUSE_END = re.compile(
    r"[,;:，；、：]|\b(?:but|while|whereas|although|though|aber|während|pero|mientras"
    r"|mais|tandis)\b|但|而|一方|けど|が、",
    re.IGNORECASE,
)


# What a topic may be about as well as a program.
_THING = re.compile(
    " (?:cluster|engine|quer[yi]|tool|skill|script|pipeline|backend|relevan|scor|judge"
    "|lane|motor|moteur|outil|herramienta|maschine|werkzeug|relevanz)"
    "|引擎|工具|脚本|聚类|相关|エンジン|ツール|クラスタ|関連度"
)


@cache
def _pattern(name: str) -> re.Pattern[str]:
    lines = (f"(?:{line})" for line in data.lines(name))
    pattern = "|".join(lines)
    return re.compile(pattern, re.IGNORECASE)


def engine_talk(brief: Brief, evidence: Evidence) -> Iterator[Violation]:
    """LAW 9: not a word about the engine, its scores or its steps.

    Words of the topic, and of what the paragraph cites, may be about such things.
    """
    listed = {violation.line for violation in dump(brief, evidence)}
    for paragraph in brief.paragraphs:
        for sentence in brief.sentences(paragraph):
            own = brief.own[slice(*sentence)]
            match = _pattern("engine_talk.txt").search(own)
            if not match or brief.line_of(sentence.start) in listed:
                continue
            if not _is_of_topic(match[0], brief, paragraph, evidence):
                fix = "say what people say, and leave out how it was found"
                shown = brief.text[slice(*sentence)].strip()
                place = sentence.start + match.start()
                yield brief.at("LAW 9", place, shown, fix)
                break


def _is_of_topic(words: str, brief: Brief, paragraph: Span, evidence: Evidence) -> bool:
    said = [
        voice.said
        for link in brief.links
        if paragraph.holds(link.start)
        for voice in evidence.by_url.get(link.url, ())
    ]
    things = _THING.findall(plain(words)) or [plain(words).strip()]
    return any(thing in one for thing in things for one in [evidence.topic, *said])


def claimed_silence(brief: Brief, evidence: Evidence) -> Iterator[Violation]:
    """coverage: no source is called silent that was not seen."""
    for paragraph in brief.paragraphs:
        for sentence in brief.sentences(paragraph):
            own = brief.own[slice(*sentence)]
            match = _pattern("silence.txt").search(own)
            if match and (named := _called_silent(own, match, evidence)):
                status = evidence.record["source_status"].get(named, {})
                state = status.get("state", "not-asked")
                fix = f"{named} was not seen ({state}): say so, and nothing of silence"
                shown = brief.text[slice(*sentence)].strip()
                place = sentence.start + match.start()
                yield brief.at("coverage", place, shown, fix)


def _called_silent(own: str, match: re.Match[str], evidence: Evidence) -> str:
    """The source that a claim is about and that was not seen; nothing if it was.

    Where no source is named the claim is about all of them: it is made without having
    looked if there is no evidence at all and one could not be seen.
    """
    before = [m.end() for m in _CLAUSE_END.finditer(own, 0, match.start())]
    behind = _CLAUSE_END.search(own, match.end())
    start = before[-1] if before else 0
    end = behind.start() if behind else len(own)
    named = _sources_in(own[start:end], evidence) or _sources_in(own, evidence)
    others = (_CLAUSE_END.split(part) for part in (own[:start], own[end:]))
    clauses = chain([own[start:end]], *others)
    if any(_excuses(clause, named, evidence) for clause in clauses):
        return ""
    if not named and not evidence.record["items"]:
        statuses = evidence.record["source_status"]
        named = [name for name in statuses if statuses[name]["state"] != "not-asked"]
    return next((name for name in named if name in evidence.unseen), "")


def _excuses(clause: str, named: Sequence[str], evidence: Evidence) -> bool:
    """Whether a clause says that the sources named, or no others, were not seen."""
    if not _pattern("not_seen.txt").search(clause):
        return False
    others = _sources_in(clause, evidence)
    return not others or not named or bool(set(others) & set(named))


def _sources_in(text: str, evidence: Evidence) -> list[str]:
    return [
        source
        for source in sorted(evidence.known_sources)
        if any(find_name(name, text) for name in evidence.names_of_source(source))
    ]
