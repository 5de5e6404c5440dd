"""Candidates with their evidence as the output shows them, and what that is worth.

Confidence is computed from the evidence attached to a candidate, never from what tools
are installed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime, tzinfo
from typing import Any

from engine.places.as_json import candidate_json, note_json, page_json
from engine.places.attach import Attached
from engine.places.evidence import Answer
from engine.places.model import Candidate, Note, Page, Parsed

__all__ = ["candidate_records", "local", "loose_records"]

_MOST_NOTES = 12
_MOST_PAGES = 8
_MOST_LOOSE = 20
_SEASON_MONTHS = {
    "spring": (3, 4, 5),
    "summer": (6, 7, 8),
    "autumn": (9, 10, 11),
    "winter": (12, 1, 2),
}


def candidate_records(
    candidates: Sequence[Candidate],
    attached: Attached,
    parsed: Parsed,
    now: datetime,
    zone: tzinfo,
) -> list[dict[str, Any]]:
    """The document's `candidates`: the best evidence first, else as they came."""
    best = sorted(
        enumerate(candidates),
        key=lambda pair: (-attached.scores.get(pair[1].id, 0.0), pair[0]),
    )
    return [_record(one, attached, parsed, now, zone) for _, one in best]


def _record(
    one: Candidate, attached: Attached, parsed: Parsed, now: datetime, zone: tzinfo
) -> dict[str, Any]:
    notes = attached.notes.get(one.id, [])
    pages = attached.pages.get(one.id, [])
    answers = attached.answers.get(one.id, [])
    confidence, reason, corroborated = _confidence(one, notes, pages, answers)
    moments = [note.queried_at for note in notes]
    moments += [page.queried_at for page in pages]
    moments += [answer.at for answer in answers]
    kept = candidate_json(one)
    asked = {note.source for note in notes} | {answer.source for answer in answers}
    origins = dict.fromkeys((*one.source.split("+"), *sorted(asked)))
    return {
        **kept,
        "source": "+".join((*origins, *(["web"] if pages else []))),
        "confidence": confidence,
        "confidence_reason": reason,
        "corroborated": corroborated,
        "queried_at": local(max(moments, default=now.isoformat()), zone),
        "search_data": {**kept["search_data"], **_said(answers, zone)},
        "xhs_evidence": [_note(note, zone) for note in notes[:_MOST_NOTES]],
        "web_evidence": [_page(page, zone) for page in pages[:_MOST_PAGES]],
        "season_note": _season_note(one, parsed),
        "score": attached.scores.get(one.id, 0.0),
        "score_parts": {
            "notes": len(notes),
            "pages": len(pages),
            "answers": len(answers),
            "best_note": notes[0].score if notes else 0.0,
        },
    }


def _confidence(
    one: Candidate,
    notes: Sequence[Note],
    pages: Sequence[Page],
    answers: Sequence[Answer],
) -> tuple[str, str, bool]:
    """green, yellow or gray; the reason; whether two first-hand tools agree."""
    first_hand = []
    if one.grade == "green":
        first_hand.append(f"named by {one.source.split('+')[0]}")
    by = dict.fromkeys(note.source for note in notes)
    first_hand += [
        f"{_counted(sum(n.source == name for n in notes), 'note')} by {name}"
        for name in by
    ]
    first_hand += [
        f"named in an answer of {name}"
        for name in dict.fromkeys(answer.source for answer in answers)
    ]
    if first_hand:
        return "green", "; ".join(first_hand), len(first_hand) > 1
    if pages:
        return (
            "yellow",
            f"{_counted(len(pages), 'web page')}, nothing first-hand",
            False,
        )
    if one.grade == "yellow":
        return "yellow", f"named by {one.source}, nothing first-hand", False
    return "gray", "from the static list alone", False


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _said(answers: Iterable[Answer], zone: tzinfo) -> dict[str, Any]:
    """What assistants wrote about a place, by their connector."""
    found: dict[str, Any] = {}
    for answer in answers:
        found.setdefault(answer.source, []).append(_answer(answer, zone))
    return found


def _answer(answer: Answer, zone: tzinfo) -> dict[str, Any]:
    return {
        "query": answer.query,
        "text": answer.text,
        "from_cache": answer.from_cache,
        "queried_at": local(answer.at, zone),
    }


def _note(note: Note, zone: tzinfo) -> dict[str, Any]:
    return {**note_json(note), "queried_at": local(note.queried_at, zone)}


def _page(page: Page, zone: tzinfo) -> dict[str, Any]:
    return {**page_json(page), "queried_at": local(page.queried_at, zone)}


def local(moment: str, zone: tzinfo) -> str:
    """A moment in ISO 8601 in a time zone, with its offset."""
    found = datetime.fromisoformat(moment).astimezone(zone)
    return found.isoformat(timespec="seconds")


def _season_note(one: Candidate, parsed: Parsed) -> str | None:
    """How the time of the trip fits the months in which a place is at its best."""
    if not one.season:
        return None
    best = ", ".join(map(str, one.season))
    if parsed.dates:
        start, end = parsed.dates.start, parsed.dates.end
        span = (end.year - start.year) * 12 + end.month - start.month
        months = [(start.month - 1 + i) % 12 + 1 for i in range(min(span, 11) + 1)]
    elif parsed.season and parsed.season_source != "today":
        shift = 6 if (one.lat or 0) < 0 else 0
        known = _SEASON_MONTHS.get(parsed.season, ())
        months = [(month + shift - 1) % 12 + 1 for month in known]
    else:
        return f"at its best in the months {best}"
    fits = "inside" if set(months) & set(one.season) else "outside"
    return f"at its best in the months {best}; the trip is {fits} of them"


def loose_records(attached: Attached, zone: tzinfo) -> list[dict[str, Any]]:
    """The document's `unassigned`: what is about a centre and no candidate."""
    found: list[dict[str, Any]] = []
    for note in attached.loose_notes[:_MOST_LOOSE]:
        found.append({"kind": "note", **_note(note, zone)})
    for page in attached.loose_pages[:_MOST_LOOSE]:
        found.append({"kind": "page", **_page(page, zone)})
    for answer in attached.loose_answers:
        found.append(
            {"kind": "answer", "source": answer.source, **_answer(answer, zone)}
        )
    return found
