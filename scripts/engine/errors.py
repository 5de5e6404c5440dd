"""Every error that the engine raises on purpose.

EngineError
├── UsageError              exit 2: a flag, a topic or a setting is unusable
│   └── ContractError       exit 2: a file breaks its contract
└── SourceError             becomes the outcome `error` of its source
    ├── NotConfiguredError  skipped-unconfigured
    ├── AuthError           auth-failed
    ├── RateLimitError      rate-limited
    ├── BlockedError        blocked
    ├── UnreachableError    unreachable
    ├── DeadlineError       timeout
    └── BadResponseError    bad-response
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.model import Item, Outcome, State

__all__ = [
    "AuthError",
    "BadResponseError",
    "BlockedError",
    "ContractError",
    "DeadlineError",
    "EngineError",
    "NotConfiguredError",
    "RateLimitError",
    "SourceError",
    "UnreachableError",
    "UsageError",
    "most_telling",
]


class EngineError(Exception):
    """Base of all errors raised on purpose; its text is shown to the user."""

    exit_code = 1


class UsageError(EngineError):
    """The caller asked for something impossible; the text says what to do."""

    exit_code = 2


class ContractError(UsageError):
    """A file does not keep its contract; the text names file and field."""


class SourceError(EngineError):
    """A source could not answer.

    Args:
        detail: what happened, in a few words, without secrets.
        fix: what the user can do about it; empty if nothing.
        items: what had arrived before the failure.
    """

    state = State.ERROR

    def __init__(
        self, detail: str, *, fix: str = "", items: Sequence[Item] = ()
    ) -> None:
        super().__init__(detail)
        self.detail = detail
        self.fix = fix
        self.items = tuple(items)

    def outcome(self, *, found: bool = False) -> Outcome:
        """How its source ended: in part, if something was found all the same."""
        return Outcome(State.PARTIAL if found else self.state, self.detail, self.fix)


class NotConfiguredError(SourceError):
    """No key, no login, or the tool it needs is not installed."""

    state = State.SKIPPED_UNCONFIGURED


class AuthError(SourceError):
    """Credentials were refused, or the account is out of credit."""

    state = State.AUTH_FAILED


class RateLimitError(SourceError):
    """Too many requests (HTTP 429 and its kin).

    Args:
        retry_after: seconds until the service accepts requests again, if it said so.
    """

    state = State.RATE_LIMITED

    def __init__(
        self,
        detail: str,
        *,
        fix: str = "",
        items: Sequence[Item] = (),
        retry_after: float | None = None,
    ) -> None:
        super().__init__(detail, fix=fix, items=items)
        self.retry_after = retry_after


class BlockedError(SourceError):
    """A challenge or login page, an anti-bot 403, a sandbox without network."""

    state = State.BLOCKED


class UnreachableError(SourceError):
    """No connection, or the service is down."""

    state = State.UNREACHABLE


class DeadlineError(SourceError):
    """No answer inside the time that was left."""

    state = State.TIMEOUT


class BadResponseError(SourceError):
    """Not what the service documents, cut short, or invented."""

    state = State.BAD_RESPONSE


# Of several failures the one that says most about what to do comes first.
_TELLING = (
    State.AUTH_FAILED,
    State.RATE_LIMITED,
    State.BLOCKED,
    State.TIMEOUT,
    State.UNREACHABLE,
    State.BAD_RESPONSE,
    State.SKIPPED_UNCONFIGURED,
    State.ERROR,
)


def most_telling(errors: Iterable[SourceError]) -> SourceError:
    """Of failures, at least one, the first that says most about what to do."""
    return min(errors, key=lambda error: _TELLING.index(error.state))
