"""Polymarket's Gamma API, played over a small table of events."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from fakes.server import Answer, Asked, Server, answer_json

__all__ = ["Polymarket", "event", "market"]


def market(question: str = "", yes: float = 0.5, **more: Any) -> dict[str, Any]:
    """An open market of Yes and No, its arrays and sums written as strings."""
    return {
        "id": "512345",
        "question": question,
        "conditionId": "0xabc",
        "slug": "m",
        "outcomes": json.dumps(["Yes", "No"]),
        "outcomePrices": json.dumps([f"{yes:.4g}", f"{1 - yes:.4g}"]),
        "clobTokenIds": json.dumps(["111", "222"]),
        "volume": "80211.9",
        "liquidity": "15230.5",
        "groupItemTitle": "",
        "active": True,
        "closed": False,
        "enableOrderBook": True,
        **more,
    }


def event(
    number: int, title: str, *markets: dict[str, Any], **more: Any
) -> dict[str, Any]:
    """An open event that was traded today; without a market it gets one of its title."""
    return {
        "id": str(number),
        "ticker": f"event-{number}",
        "slug": f"event-{number}",
        "title": title,
        "description": "Resolves Yes if it happens.",
        "createdAt": "2026-06-01T00:00:00Z",
        "startDate": "2026-06-01T00:00:00Z",
        "updatedAt": "2026-11-30T11:59:00Z",
        "endDate": "2026-12-31T12:00:00Z",
        "active": True,
        "closed": False,
        "archived": False,
        "liquidity": 15230.5,
        "volume": 80211.9,
        "volume24hr": 910.2,
        "volume1wk": 5100.0,
        "volume1mo": 20110.0,
        "tags": [{"id": "21", "label": "Tech", "slug": "tech"}],
        "markets": list(markets) or [market(title)],
        **more,
    }


@dataclass
class Polymarket:
    """The service: a search is fuzzy and gives five events a page, whatever is asked."""

    server: Server
    events: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.server.route("/public-search", self._search)
        self.server.route("/events", self._listed)

    @property
    def searches(self) -> list[Mapping[str, str]]:
        """The parameters of the searches, in their order."""
        return [asked.params for asked in self.server.requests]

    def _listed(self, asked: Asked) -> Answer:
        params = asked.params
        assert params["order"] == "volume24hr" and params["ascending"] == "false"
        shown = [
            one
            for one in sorted(self.events, key=lambda one: -one["volume24hr"])
            if params.get("closed") != "false" or one["closed"] is not True
        ]
        return answer_json(shown[: int(params["limit"])])

    def _search(self, asked: Asked) -> Answer:
        params = asked.params
        if not params.get("q"):
            return answer_json(
                {"type": "validation error", "error": "q is required"}, 422
            )
        wanted = [one for one in self.events if _is_like(params["q"], one)]
        if params.get("events_status") == "active":
            wanted = [one for one in wanted if one.get("closed") is not True]
        start = 5 * (int(params.get("page", "1")) - 1)
        shown = wanted[start : start + 5]
        return answer_json(
            {
                "events": shown or None,
                "tags": [],
                "profiles": [],
                "pagination": {
                    "hasMore": len(wanted) > start + 5,
                    "totalResults": len(wanted),
                },
            }
        )


def _is_like(query: str, one: Mapping[str, Any]) -> bool:
    """Three letters in common are enough."""
    said = json.dumps(one, ensure_ascii=False).lower()
    return any(word[:3] in said for word in query.lower().split())
