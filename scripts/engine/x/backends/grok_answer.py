"""What the grok tool printed, as an answer or as the failure that it means.

With --output-format json it prints one object; its `text` is what the model says. A
failure is an object of type "error", or words on standard error.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.errors import (
    AuthError,
    BadResponseError,
    RateLimitError,
    SourceError,
    UnreachableError,
)
from engine.text.json_values import scan_json
from engine.text.redact import excerpt
from engine.values import as_mapping, as_text
from engine.x.backends.grok_login import SIGN_IN

if TYPE_CHECKING:
    from engine.child import Result

__all__ = ["Answer", "failure_in_words", "read_answer"]

_MEANINGS: Sequence[tuple[re.Pattern[str], type[SourceError], str, str]] = (
    (
        re.compile(
            r"not (?:signed|logged) in|(?:sign|log) in (?:again|first|with)|"
            r"invalid_grant|refresh token|session (?:has )?expired|\b401\b|"
            r"authentication (?:failed|required)|unauthori[sz]ed|invalid api key",
            re.IGNORECASE,
        ),
        AuthError,
        "Grok CLI is not signed in or its login was refused",
        SIGN_IN,
    ),
    (
        re.compile(
            r"\b429\b|rate.?limit|\bquota\b|out of credits|spending limit|"
            r"too many requests",
            re.IGNORECASE,
        ),
        RateLimitError,
        "Grok CLI reached a limit of its account",
        "",
    ),
    (
        re.compile(
            r"\bdns\b|resolv(?:e|ing) host|name resolution|getaddrinfo|\bENOTFOUND\b|"
            r"\bEAI_AGAIN\b|\bECONN[A-Z]+\b|connection (?:refused|reset|closed|timed)|"
            r"(?:could not|cannot|can't|couldn't|failed to|unable to) connect|"
            r"connect(?:ion)? error|error sending request|network (?:is )?unreachable|"
            r"\b50[234]\b|service unavailable",
            re.IGNORECASE,
        ),
        UnreachableError,
        "Grok CLI could not reach its service",
        "",
    ),
    (
        re.compile(
            r"(?:unexpected|unknown|unrecogni[sz]ed|invalid) "
            r"(?:argument|option|flag)|unknown tool",
            re.IGNORECASE,
        ),
        BadResponseError,
        "this release of the Grok CLI does not take the options that it is called with",
        "install the current one from https://x.ai/cli",
    ),
)
# Longer text of a model is no error message, whatever words are in it.
_MAX_MESSAGE = 400
_TAIL = 4_000
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@dataclass(frozen=True, slots=True)
class Answer:
    """What the model said, in how many turns if that is told, and why it stopped.

    `stop` is in lower case and without underscores, since releases differ in that.
    """

    text: str
    turns: int | None
    stop: str


def read_answer(result: Result, secrets: Iterable[str]) -> Answer:
    """The answer that a run of the tool printed, whatever its exit status.

    Raises:
        SourceError: there is none; the subclass and the text, in which no secret
            stands, say why.
    """
    objects = [as_mapping(value) for value in scan_json(result.stdout).values]
    answers = [o for o in objects if _has_text(o) and not _is_error(o)]
    if answers:
        return _answer(answers[-1])
    told = "\n".join(_message(o) for o in objects if _is_error(o))
    said = _ESCAPES.sub("", told or result.stderr[-_TAIL:])
    line = next((line for line in reversed(said.splitlines()) if line.strip()), "")
    shown = excerpt(line, secrets)
    failure = _named(said, shown) or failure_in_words(result.stdout)
    if failure is not None:
        raise failure
    if result.truncated:
        raise BadResponseError("Grok CLI printed more than any answer has")
    if result.status:
        raise BadResponseError(
            _with(f"Grok CLI ended with status {result.status}", shown)
        )
    blank = not result.stdout.strip()
    raise BadResponseError(f"Grok CLI printed {'nothing' if blank else 'no answer'}")


def failure_in_words(text: str) -> SourceError | None:
    """The failure that a short plain text names; None if it names none."""
    text = _ESCAPES.sub("", text[: 2 * _MAX_MESSAGE]).strip()
    if len(text) > _MAX_MESSAGE or text[:1] in ("{", "["):
        return None
    return _named(text, "")


def _named(message: str, shown: str) -> SourceError | None:
    for pattern, kind, detail, fix in _MEANINGS:
        if pattern.search(message):
            return kind(_with(detail, shown), fix=fix)
    return None


def _with(detail: str, shown: str) -> str:
    return f"{detail}: {shown}" if shown else detail


def _answer(value: object) -> Answer:
    fields = as_mapping(value)
    turns = fields.get("num_turns")
    if not isinstance(turns, int) or isinstance(turns, bool):
        turns = None
    stop = as_text(fields.get("stopReason")).lower().replace("_", "")
    return Answer(as_text(fields.get("text")), turns, stop)


def _has_text(value: object) -> bool:
    text = as_mapping(value).get("text")
    return isinstance(text, str) and bool(text.strip())


def _is_error(value: object) -> bool:
    return as_mapping(value).get("type") == "error"


def _message(value: object) -> str:
    fields = as_mapping(value)
    message = fields.get("message") or fields.get("error")
    return as_text(as_mapping(message).get("message") or message)[-_TAIL:]
