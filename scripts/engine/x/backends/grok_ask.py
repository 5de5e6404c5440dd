"""Ask the grok tool one query, and believe of its answer what can be true.

The model may cut its answer, make posts up, or not search at all; each of these is
told apart from finding nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from engine.errors import BadResponseError, SourceError
from engine.model import Item, Warning
from engine.x.backends.base import IO, Ask
from engine.x.backends.grok_answer import Answer, failure_in_words, read_answer
from engine.x.backends.grok_call import executable, run_grok
from engine.x.backends.grok_login import read_login
from engine.x.prompt import search_prompt
from engine.x.provenance import InventedError, proven
from engine.x.reported import read_reported

if TYPE_CHECKING:
    from engine.child import Result

__all__ = ["ask_grok"]

_STOPPED = ("cancelled", "canceled", "refusal")


class _Noted:
    """The exit statuses that the run has told of."""

    def __init__(self) -> None:
        self.statuses: set[int] = set()


def ask_grok(ask: Ask, io: IO, *, retry_seconds: float) -> list[Item]:
    """The posts to believe, at most `ask.limit`.

    An answer that is made up is asked for once more if `retry_seconds` are left.

    Raises:
        SourceError: there is no whole answer to believe; the subclass says why, and
            the posts that could be read and believed are on it.
    """
    try:
        return _attempt(ask, io)
    except InventedError:
        if io.deadline.left < retry_seconds:
            raise
    return _attempt(ask, io)


def _attempt(ask: Ask, io: IO) -> list[Item]:
    answer = _call(ask, io)
    reported = read_reported(answer.text)
    nothing = not reported.claims and not reported.says_none
    if nothing and (failure := failure_in_words(answer.text)):
        raise failure
    stopped = answer.stop in _STOPPED
    if stopped and not reported.claims:
        raise BadResponseError(f"Grok CLI ended early ({answer.stop})")
    one_turn = answer.turns is not None and answer.turns <= 1
    found = proven(reported, ask, io, service="Grok CLI", searched=not one_turn)
    items = found[: ask.limit]
    if stopped:
        raise BadResponseError(f"Grok CLI ended early ({answer.stop})", items=items)
    if reported.partial or answer.stop.startswith("max"):
        raise BadResponseError("the answer of the Grok CLI was cut", items=items)
    if nothing:
        raise BadResponseError("Grok CLI answered, but with no list of posts")
    return items


def _call(ask: Ask, io: IO) -> Answer:
    from engine.child import ChildTimeoutError

    login = read_login(io.settings)
    program = executable(io.settings)
    secrets = (*login.secrets, *io.settings.secrets)
    prompt = search_prompt(ask.query, ask.limit)
    try:
        result = run_grok(prompt, program, login, io.settings, io.deadline)
        answer = read_answer(result, secrets)
    except ChildTimeoutError as error:
        # A tool that has answered and does not end has answered.
        result = error.result
        try:
            answer = read_answer(result, secrets)
        except SourceError:
            raise error from None
    _note_status(result, io)
    return replace(answer, text=_without(answer.text, secrets))


def _without(text: str, secrets: Iterable[str]) -> str:
    """The text without whole secrets: pieces of one could be part of a post's id."""
    for secret in secrets:
        text = text.replace(secret, "***")
    return text


def _note_status(result: Result, io: IO) -> None:
    told = io.memory.of(_Noted).statuses
    if result.status == 0 or result.status in told:
        return
    told.add(result.status)
    io.warn(
        Warning(
            "grok-status",
            "x",
            f"X: Grok CLI answered and ended with status {result.status}",
            {"status": result.status},
        )
    )
