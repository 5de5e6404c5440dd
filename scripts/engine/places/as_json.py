"""The one place where the nouns of a places run become JSON."""

from __future__ import annotations

from typing import Any

from engine.places.model import Candidate, Center, Note, Page, Parsed, Query

__all__ = ["candidate_json", "note_json", "page_json", "parsed_json", "query_json"]


def _center_json(center: Center) -> dict[str, Any]:
    return {
        "name": center.name,
        "level": center.level,
        "country": center.country,
        "adcode": center.adcode or None,
        "admin": center.admin or None,
        "lat": center.lat,
        "lon": center.lon,
        "match": center.match,
        "score": center.score,
        "alternatives": list(center.alternatives),
    }


def parsed_json(parsed: Parsed) -> dict[str, Any]:
    """The `parsed` of the output document."""
    days = parsed.days
    dates = parsed.dates
    party = parsed.party
    budget = parsed.budget
    return {
        "raw_excerpt": parsed.raw_excerpt,
        "lang": parsed.lang,
        "centers": [_center_json(center) for center in parsed.centers],
        "relation": parsed.relation,
        "origin": _center_json(parsed.origin) if parsed.origin else None,
        "exclude": list(parsed.exclude),
        "radius_km": parsed.radius_km,
        "radius_source": parsed.radius_source,
        "days": list(days) if isinstance(days, tuple) else days,
        "nights": parsed.nights,
        "dates": dates
        and {
            **dates._asdict(),
            "start": dates.start.isoformat(),
            "end": dates.end.isoformat(),
        },
        "season": parsed.season,
        "season_source": parsed.season_source,
        "party": party and {**party._asdict(), "child_ages": list(party.child_ages)},
        "budget": budget and {**budget._asdict(), "currency": budget.currency or None},
        "like": list(parsed.like),
        "avoid": list(parsed.avoid),
        "mode": list(parsed.mode),
        "pace": parsed.pace,
        "clarify": [
            {**ask._asdict(), "options": list(ask.options)} for ask in parsed.clarify
        ],
        "warnings": list(parsed.warnings),
    }


def candidate_json(candidate: Candidate) -> dict[str, Any]:
    """What is known of a candidate before any evidence is attached to it."""
    return {
        "id": candidate.id,
        "name": candidate.name,
        "aliases": list(candidate.aliases),
        "kind": candidate.kind,
        "country": candidate.country,
        "admin": candidate.admin,
        "lat": candidate.lat,
        "lon": candidate.lon,
        "coord_source": candidate.coord_source,
        "distance_km": candidate.distance_km,
        "within_radius": candidate.within_radius,
        "center": candidate.center,
        "source": candidate.source,
        "season": list(candidate.season),
        "search_data": dict(candidate.search_data),
    }


def query_json(query: Query) -> dict[str, Any]:
    """One entry of the output's `queries`."""
    return query._asdict()


def note_json(note: Note) -> dict[str, Any]:
    """One entry of `xhs_evidence`, without the token."""
    return {
        "note_id": note.note_id,
        "source": note.source,
        "url": note.url,
        "title": note.title,
        "snippet": note.text[:200],
        "sentiment": note.sentiment,
        "sentiment_words": list(note.sentiment_words),
        "likes": note.likes,
        "comments": note.comments,
        "collected": note.collected,
        "published_at": note.published_at,
        "matched_queries": list(note.matched_queries),
        "full_text": note.full_text,
        "top_comments": list(note.top_comments),
        "score": note.score,
        "score_parts": dict(note.score_parts),
        "from_cache": note.from_cache,
        "queried_at": note.queried_at,
    }


def page_json(page: Page) -> dict[str, Any]:
    """One entry of `web_evidence`."""
    return {**page._asdict(), "snippet": page.snippet[:200]}
