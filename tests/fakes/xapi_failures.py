"""What the X API answers when something is wrong: each failure by its name."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from fakes.server import Answer, Failure, answer_json, status
from fakes.xapi_query import PROBLEMS

__all__ = ["FAILURES", "FORBIDDEN", "UNAUTHORIZED", "edited", "limited"]

UNAUTHORIZED = {
    "title": "Unauthorized",
    "type": "about:blank",
    "status": 401,
    "detail": "Unauthorized",
}
FORBIDDEN = {
    "title": "Client Forbidden",
    "detail": "This client is not enrolled for what was asked.",
    "reason": "client-not-enrolled",
    "type": f"{PROBLEMS}/client-forbidden",
}
_LIMITED = {
    "title": "Too Many Requests",
    "type": "about:blank",
    "status": 429,
    "detail": "Too Many Requests",
}


def limited(seconds: int) -> Failure:
    """Too many requests, until so many seconds from now."""
    return lambda _: answer_json(
        _LIMITED, 429, x_rate_limit_reset=str(int(time.time()) + seconds)
    )


def edited(edit: Callable[[dict[str, Any]], object]) -> Failure:
    """The answer, after a function has changed what its JSON holds."""

    def change(answer: Answer) -> Answer:
        body = json.loads(answer.body)
        edit(body)
        return replace(answer, body=json.dumps(body).encode())

    return change


def _no_posts(page: dict[str, Any]) -> None:
    del page["data"], page["meta"]


# What only this service answers, by name; the other failures are those of any server.
FAILURES: Mapping[str, Failure] = {
    "credits": status(
        402,
        {
            "title": "Payment Required",
            "status": 402,
            "detail": "credits depleted",
            "type": f"{PROBLEMS}/credits-depleted",
        },
    ),
    "no-credits": status(
        402,
        {
            "title": "CreditsDepleted",
            "detail": "Your enrolled account [7] does not have any credits left.",
            "type": f"{PROBLEMS}/credits",
        },
    ),
    "unauthorized": status(401, UNAUTHORIZED),
    "forbidden": status(403, FORBIDDEN),
    "limited": status(429, _LIMITED),
    "limited-until": limited(900),
    "code-88": status(
        429, {"errors": [{"code": 88, "message": "Rate limit exceeded"}]}
    ),
    "code-88-in-200": status(
        200, {"errors": [{"code": 88, "message": "Rate limit exceeded"}]}
    ),
    "capped": status(
        429,
        {
            "title": "UsageCapExceeded",
            "detail": "Usage cap exceeded: Monthly product cap",
            "type": f"{PROBLEMS}/usage-capped",
        },
    ),
    "error-in-200": status(200, {**UNAUTHORIZED, "detail": "Something is amiss"}),
    "neither": edited(_no_posts),
    "null": status(200, [None]),
    "null-entries": edited(lambda page: page["data"].insert(0, None)),
    "only-nulls": edited(lambda page: page.update(data=[None, None])),
    "rounded-ids": edited(
        lambda page: [p.update(id=float(p["id"])) for p in page["data"]]
    ),
    "partial-errors": edited(
        lambda page: page.update(
            errors=[{"title": "Not Found Error", "detail": "a referenced post is gone"}]
        )
    ),
    "out-of-window": edited(
        lambda page: [
            p.update(created_at="2020-01-01T00:00:00.000Z") for p in page["data"]
        ]
    ),
}
