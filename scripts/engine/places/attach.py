"""Attach: which evidence is about which candidate, by this project's judge.

Evidence belongs to a place if it names it, by any of its names, and the judge, who sees
all that was found, takes it for that place and no other of the name. What is about a
centre and no candidate is kept apart; the rest is counted and left.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from engine.places.evidence import Answer, Evidence
from engine.places.model import Candidate, Center, Note, Page
from engine.places.rank import merge_notes, scored
from engine.places.wording import short
from engine.text.relevance import RELEVANCE_FLOOR, Verdict, prepare, weigh

__all__ = ["Attached", "Place", "attach", "place_of"]

_MOST_NAMES = 5
_MOST_TEXTS = 1_500
_ANSWER_LINES = 12
_PAGE, _SURE_PAGE, _ANSWER = 0.25, 0.5, 0.5
# What a candidate earns by its second best piece of evidence is half, and so on.
_PIECES = 6


@dataclass(frozen=True, slots=True)
class Place:
    """A candidate or a centre as evidence is held against it: all its names, and the
    question that says which sense of them is meant."""

    key: str
    names: tuple[str, ...]
    question: str


@dataclass
class Attached:
    """The evidence by candidate, the best first; what is about a centre alone; how many
    pieces were about neither; and those notes of them, the most popular first, that
    name no place at all, so that only their text can tell."""

    notes: dict[str, list[Note]] = field(default_factory=dict)
    pages: dict[str, list[Page]] = field(default_factory=dict)
    answers: dict[str, list[Answer]] = field(default_factory=dict)
    scores: dict[str, float] = field(default_factory=dict)
    loose_notes: list[Note] = field(default_factory=list)
    loose_pages: list[Page] = field(default_factory=list)
    loose_answers: list[Answer] = field(default_factory=list)
    nameless: list[Note] = field(default_factory=list)
    off_topic: int = 0


def place_of(one: Candidate | Center, question: str) -> Place:
    """A candidate or centre as a place; `question` is what is asked about it."""
    names = (short(one.name), one.name, *one.aliases)
    told = tuple(dict.fromkeys(name for name in names if len(name) > 1))
    key = one.id if isinstance(one, Candidate) else one.name
    return Place(key, told[:_MOST_NAMES], question)


def attach(
    evidence: Evidence,
    candidates: Sequence[Place],
    centers: Sequence[Place],
    now: datetime,
) -> Attached:
    """Judge all that was found and give it to the places that it is about."""
    notes = merge_notes(evidence.notes)[:_MOST_TEXTS]
    pages = _once(page for _, page in evidence.pages)[:_MOST_TEXTS]
    texts = [_note_text(note) for note in notes]
    texts += [f"{page.title}\n{page.snippet}" for page in pages]
    found = Attached()
    used: set[int] = set()
    naming: set[int] = set()
    for place in candidates:
        verdicts = _verdicts(place, texts, naming)
        used |= verdicts.keys()
        found.notes[place.key] = _notes(notes, verdicts, now)
        found.pages[place.key] = _pages(pages, verdicts, len(notes))
        found.answers[place.key] = _answers(place, evidence.answers)
        found.scores[place.key] = _score(found, place.key, verdicts, len(notes))
    around: dict[int, Verdict] = {}
    for place in centers:
        around |= _verdicts(place, texts, naming)
    loose = {i: verdict for i, verdict in around.items() if i not in used}
    found.loose_notes = _notes(notes, loose, now)
    found.loose_pages = _pages(pages, loose, len(notes))
    told = {answer.text for answers in found.answers.values() for answer in answers}
    found.loose_answers = [
        answer
        for answer in evidence.answers
        if not any(line in answer.text for text in told for line in text.split("\n"))
    ]
    found.nameless = _popular(n for i, n in enumerate(notes) if i not in naming)
    found.off_topic = len(texts) - len(used) - len(loose)
    return found


def _once(pages: Iterable[Page]) -> list[Page]:
    found: dict[str, Page] = {}
    for page in pages:
        found.setdefault(page.url, page)
    return list(found.values())


def _note_text(note: Note) -> str:
    return f"{note.title}\n{note.full_text or note.text}".strip()


def _popular(notes: Iterable[Note]) -> list[Note]:
    def order(note: Note) -> tuple[int, str]:
        product = (1 + (note.likes or 0)) * (1 + (note.comments or 0))
        return -product, note.note_id

    return sorted(notes, key=order)


def _verdicts(place: Place, texts: Sequence[str], seen: set[int]) -> dict[int, Verdict]:
    """The verdicts on those texts that are about a place, by their number.

    The numbers of all that name it are added to `seen`.
    """
    named = _named(place.names)
    naming = [i for i, text in enumerate(texts) if named.search(_folded(text))]
    seen |= set(naming)
    if not naming:
        return {}
    # The question has to name what it is about, or its other words alone would count.
    asked = [(name, f"{name} {place.question}") for name in place.names]
    questions = [q for name, told in asked for q in prepare(name, [told])]
    verdicts = weigh(texts, questions)
    return {i: verdicts[i] for i in naming if verdicts[i].relevance >= RELEVANCE_FLOOR}


def _named(names: Iterable[str]) -> re.Pattern[str]:
    """Any of some names: whole words where a script has words."""
    forms = []
    for name in names:
        form = re.escape(_folded(name))
        forms.append(rf"\b{form}\b" if name.isascii() else form)
    return re.compile("|".join(forms))


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


def _notes(
    notes: Sequence[Note], verdicts: Mapping[int, Verdict], now: datetime
) -> list[Note]:
    found = [
        scored(note, verdicts[i].relevance, verdicts[i].likely, now)
        for i, note in enumerate(notes)
        if i in verdicts
    ]
    return sorted(found, key=lambda note: (-note.score, note.note_id))


def _pages(
    pages: Sequence[Page], verdicts: Mapping[int, Verdict], start: int
) -> list[Page]:
    found = [
        (-verdicts[start + i].relevance, i, page)
        for i, page in enumerate(pages)
        if start + i in verdicts
    ]
    return [page for _, _, page in sorted(found)]


def _answers(place: Place, answers: Iterable[Answer]) -> list[Answer]:
    """Of each answer the lines that name a place."""
    named = _named(place.names)
    found = []
    for answer in answers:
        lines = [x for x in answer.text.split("\n") if named.search(_folded(x))]
        if lines:
            found.append(answer._replace(text="\n".join(lines[:_ANSWER_LINES])))
    return found


def _score(
    found: Attached, key: str, verdicts: Mapping[int, Verdict], start: int
) -> float:
    """What a place earns by its evidence, 0…1: the best counts most."""
    earned = [note.score for note in found.notes[key]]
    earned += [
        _SURE_PAGE if verdict.likely else _PAGE
        for i, verdict in verdicts.items()
        if i >= start
    ]
    earned += [_ANSWER] * len(found.answers[key])
    best = sorted(earned, reverse=True)[:_PIECES]
    return round(sum(one * 0.5 ** (i + 1) for i, one in enumerate(best)), 4)
