"""One HTTP exchange as values: what is asked, what came back, and what that means."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, NamedTuple

from engine.errors import (
    AuthError,
    BadResponseError,
    BlockedError,
    DeadlineError,
    RateLimitError,
    SourceError,
    UnreachableError,
)
from engine.text.redact import clean, excerpt, redact

if TYPE_CHECKING:
    from urllib.parse import SplitResult

__all__ = [
    "Reply",
    "Request",
    "check_headers",
    "messages",
    "redirected",
    "sentences",
    "status_error",
    "wait_asked",
]


def _no_opinion(status: int, text: str) -> SourceError | None:
    return None


@dataclass(frozen=True, slots=True)
class Request:
    """What a service is asked: a GET, or with a `body` a POST of it as JSON.

    `service` is the name that messages show. `secrets` are the credentials that the
    headers or parameters hold. `limit` is the most bytes that the decoded answer may
    have. `refine` is called with the status and the text, free of secrets, of an answer
    that is no success; an error that it gives replaces the usual one and is final.
    """

    service: str
    url: str
    params: Mapping[str, str | int] = field(default_factory=dict, repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    body: object = field(default=None, repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)
    limit: int = 8 * 1024 * 1024
    refine: Callable[[int, str], SourceError | None] = _no_opinion


class Reply(NamedTuple):
    """What came back: `headers` have lower-case names, `body` is decoded."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    url: str

    def text(self, service: str) -> str:
        """The body as text, without a byte order mark.

        Raises:
            BlockedError: a web page, such as a login or a challenge.
            BadResponseError: nothing, or not UTF-8.
        """
        if not self.body.strip():
            raise BadResponseError(f"{service} gave an empty answer")
        if _is_page(self.body):
            raise BlockedError(f"{service} gave a web page instead of data")
        try:
            return self.body.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise BadResponseError(f"{service} gave text that is not UTF-8") from None

    def json(self, service: str) -> Any:
        """The body as JSON. Raises what `text` raises, the same if it is no JSON."""
        text = self.text(service)
        try:
            return json.loads(text, parse_constant=_no_constant)
        except (ValueError, RecursionError):
            raise BadResponseError(f"{service} gave broken JSON") from None


_PAGE = re.compile(
    rb"(?:\xef\xbb\xbf)?\s*(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html|head|body|title)\b",
    re.IGNORECASE | re.DOTALL,
)


def _is_page(body: bytes) -> bool:
    return _PAGE.match(body[:4096]) is not None


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


def check_headers(request: Request) -> None:
    """Raise AuthError if a header holds what HTTP cannot carry: a mistyped key."""
    for name, value in request.headers.items():
        if not (value.isascii() and value.isprintable()):
            raise AuthError(
                f"{request.service}: the value for {name} holds characters that no "
                "key has; copy it again"
            )


_MEANING: Mapping[int, tuple[type[SourceError], str]] = {
    400: (BadResponseError, "refused the request"),
    401: (AuthError, "refused the credentials"),
    402: (AuthError, "says that the account is out of credit"),
    403: (AuthError, "does not allow this to the account"),
    404: (BadResponseError, "has nothing at this address"),
    408: (DeadlineError, "did not get the request in time"),
    410: (BadResponseError, "has retired this address"),
    429: (RateLimitError, "had too many requests"),
    504: (DeadlineError, "did not answer its own gateway in time"),
}
# Where services tell in Unix seconds when a limit ends.
_RESETS = ("x-rate-limit-reset", "x-ratelimit-reset", "ratelimit-reset")
# Those that go away by themselves, often within seconds.
_PASSING = (429, 502, 503, 504)


def status_error(
    request: Request, reply: Reply
) -> tuple[SourceError, float | None] | None:
    """What a status means: an error, and the seconds after which to ask again.

    No seconds where asking again is of no use, 0 where the service names none; nothing
    at all for a success. The error's text holds what the service said, short, clean and
    without the request's secrets.
    """
    if 200 <= reply.status < 300:
        return None
    text = reply.body.decode("utf-8", "replace")
    refined = request.refine(reply.status, redact(clean(text), request.secrets))
    if refined is not None:
        return refined, None
    other = UnreachableError if reply.status >= 500 else BadResponseError
    kind, what = _MEANING.get(reply.status, (other, "failed"))
    page = _is_page(reply.body)
    if not page and _is_limit(reply, text):
        kind, what = _MEANING[429]
    elif reply.headers.get("cf-mitigated") == "challenge" or (
        reply.status == 403 and (page or not request.secrets)
    ):
        kind, what = BlockedError, "does not let this program in"
    said = "" if page else excerpt("; ".join(messages(text)), request.secrets)
    detail = f"{request.service} {what} (HTTP {reply.status})"
    wait = wait_asked(reply)
    if kind is RateLimitError:
        if wait is not None:
            detail += f", again in {wait:.0f} s"
        # A limit that names no end is not tried out: each call would do so.
        return RateLimitError(_joined(detail, said), retry_after=wait), wait
    passing = reply.status in _PASSING and kind is not BlockedError
    return kind(_joined(detail, said)), (wait or 0.0) if passing else None


def _is_limit(reply: Reply, text: str) -> bool:
    """Whether a 403 means too many requests, as it may at GitHub."""
    return reply.status == 403 and (
        "retry-after" in reply.headers
        or reply.headers.get("x-ratelimit-remaining") == "0"
        or "rate limit" in text.lower()
    )


def _joined(detail: str, said: str) -> str:
    return f"{detail}: {said}" if said else detail


def messages(text: str) -> list[str]:
    """The sentences of an error body, the whole text if it is no JSON."""
    try:
        return list(dict.fromkeys(sentences(json.loads(text)))) or [text]
    except (ValueError, RecursionError):
        return [text]


def sentences(value: object) -> Iterator[str]:
    """What the JSON of an error says, under the names that services use for it."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for part in value:
            yield from sentences(part)
    elif isinstance(value, dict):
        for key in ("detail", "message", "error", "errors", "title"):
            yield from sentences(value.get(key))


def wait_asked(reply: Reply) -> float | None:
    """Seconds after which a service wants to be asked again; None if it does not say.

    Moments are measured against the reply's own Date, so that a wrong clock on this
    side moves no wait.
    """
    asked = reply.headers.get("retry-after", "").strip()
    if re.fullmatch(r"\d{1,9}(?:\.\d{1,9})?", asked):
        return float(asked)
    sent = _moment(reply.headers.get("date", ""))
    if sent is None:
        return None
    until = _moment(asked)
    if until is not None:
        return max(0.0, (until - sent).total_seconds())
    for reset in (reply.headers.get(name, "").strip() for name in _RESETS):
        # Fewer digits are no moment: some services count the seconds that are left.
        if re.fullmatch(r"\d{10,11}", reset):
            # Both are whole seconds, so the limit may end up to a second later.
            return max(0.0, int(reset) - sent.timestamp() + 1)
    return None


def _moment(http_date: str) -> datetime | None:
    from email.utils import parsedate_to_datetime

    try:
        moment = parsedate_to_datetime(http_date)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return moment if moment.tzinfo is not None else None


_LOGIN = re.compile(
    r"log-?_?in|sign-?_?in|auth|sso|consent|captcha|challenge|sorry|account", re.I
)


def redirected(request: Request, reply: Reply) -> Request:
    """The request that follows a redirect to the same resource.

    The same are https instead of http, and a slash more or less at the end. Everything
    else is an answer to another question, and may be another's host, which must not see
    the credentials.

    Raises:
        BlockedError: the new address looks like a login or a challenge.
        BadResponseError: it is any other resource.
    """
    from urllib.parse import urljoin, urlsplit

    try:
        target = urljoin(reply.url, reply.headers.get("location", ""))
        old, new = urlsplit(reply.url), urlsplit(target)
        same = _is_same(old, new)
    except ValueError:
        raise BadResponseError(f"{request.service} sent a broken redirect") from None
    keeps_method = request.body is None or reply.status in (307, 308)
    if same and keeps_method and target != reply.url:
        return replace(request, url=target, params={})
    where = excerpt(new.hostname or "nowhere", request.secrets, limit=80)
    detail = f"{request.service} did not answer and pointed to {where}"
    if _LOGIN.search(f"{new.hostname}{new.path}"):
        raise BlockedError(f"{detail}, to a login or challenge page")
    raise BadResponseError(f"{detail}, to another address than was asked")


def _is_same(old: SplitResult, new: SplitResult) -> bool:
    from urllib.parse import parse_qsl

    origin = (old.scheme, old.port) == (new.scheme, new.port)
    upgrade = (old.scheme, new.scheme) == ("http", "https") and (
        old.port in (None, 80) and new.port in (None, 443)
    )
    return (
        old.hostname == new.hostname
        and (origin or upgrade)
        and old.path.rstrip("/") == new.path.rstrip("/")
        and sorted(parse_qsl(old.query)) == sorted(parse_qsl(new.query))
    )
