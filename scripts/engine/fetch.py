"""Fetch: the one way to a service over HTTP, with one deadline for all of it."""

from __future__ import annotations

import contextlib
import random
import threading
import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from engine import __version__
from engine.background import in_background
from engine.deadline import Deadline
from engine.errors import (
    BadResponseError,
    BlockedError,
    DeadlineError,
    SourceError,
    UnreachableError,
)
from engine.exchange import (
    Reply,
    Request,
    check_headers,
    redirected,
    status_error,
)
from engine.settings import Settings

if TYPE_CHECKING:
    import requests

__all__ = ["RETRIES", "USER_AGENT", "Fetch"]

USER_AGENT = f"last30days/{__version__} (agent skill that reads public posts)"
RETRIES = 2
_FIRST_PAUSE_SECONDS = 0.25
_JITTER_SECONDS = 0.25
_CONNECT_SECONDS = 10.0
_PARALLEL = 16
_REDIRECTS = 3
_CHUNK_BYTES = 16 * 1024
_ERROR_BYTES = 64 * 1024


class _NoConnection(UnreachableError):
    """A connection failed or broke: asking again may help."""


class Fetch:
    """The HTTP session of a run; several threads may use it at once.

    Proxies and certificate bundles come from the usual variables, credentials from the
    request alone: never from .netrc, a cookie or an address.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._lock = threading.Lock()
        self._session: requests.Session | None = None

    def json(self, request: Request, deadline: Deadline) -> Any:
        """Send a request and give the JSON of the answer.

        Connection errors and the statuses 429, 502, 503 and 504 are asked again, at
        most `RETRIES` times, after the pause that the service names if it lies inside
        the deadline.

        Raises:
            SourceError: the subclass says what happened. An error object inside a
                success is the caller's to recognise.
        """
        return self._answer(request, deadline).json(request.service)

    def text(self, request: Request, deadline: Deadline) -> str:
        """The same as `json` for an answer that is text and no web page."""
        return self._answer(request, deadline).text(request.service)

    def close(self) -> None:
        """Close the connections that are kept open for further requests."""
        if self._session is not None:
            self._session.close()

    def _answer(self, request: Request, deadline: Deadline) -> Reply:
        check_headers(request)
        attempt = 0
        while True:
            error: SourceError
            try:
                reply = self._in_time(request, deadline)
                failure = status_error(request, reply)
                if failure is None:
                    return _without(reply, request.secrets)
                error, wait = failure
            except _NoConnection as broken:
                error, wait = broken, 0.0
            if wait is None or attempt == RETRIES:
                raise error
            pause = max(wait, _FIRST_PAUSE_SECONDS * 2**attempt)
            pause += random.uniform(0, _JITTER_SECONDS)
            if pause >= deadline.left:
                raise error
            attempt += 1
            deadline.wait_for(threading.Event(), pause)

    def _in_time(self, request: Request, deadline: Deadline) -> Reply:
        """One exchange, on a thread that is left behind when the time is over.

        A socket's timeouts bound no exchange: looking up a name has none, and a server
        that drips resets them with each byte.
        """
        outcome: list[Reply | BaseException] = []
        done = threading.Event()

        def work() -> None:
            try:
                outcome.append(self._exchange(request, deadline))
            except BaseException as error:  # Raised again, by the thread that waits.
                outcome.append(error)

        if deadline.left > 0:
            in_background(work, done)
            deadline.wait_for(done)
        if not outcome:
            why = (
                "was interrupted" if deadline.interrupted else "gave no answer in time"
            )
            raise DeadlineError(f"{request.service} {why}")
        if isinstance(outcome[0], BaseException):
            raise outcome[0]
        return outcome[0]

    def _exchange(self, request: Request, deadline: Deadline) -> Reply:
        for _ in range(_REDIRECTS):
            reply = self._send(request, deadline)
            if reply.status not in (301, 302, 303, 307, 308):
                return reply
            request = redirected(request, reply)
        raise BadResponseError(f"{request.service} redirects in a circle")

    def _send(self, request: Request, deadline: Deadline) -> Reply:
        session = self._opened()
        import requests
        from urllib3.exceptions import HTTPError, ReadTimeoutError

        left = deadline.left or 0.01
        try:
            with session.request(
                "GET" if request.body is None else "POST",
                request.url,
                params=dict(request.params),
                headers=dict(request.headers),
                json=request.body,
                timeout=(min(left, _CONNECT_SECONDS), left),
                allow_redirects=False,
                stream=True,
            ) as response:
                return _read(response, request, deadline)
        except (requests.ReadTimeout, ReadTimeoutError):
            raise DeadlineError(f"{request.service} gave no answer in time") from None
        except requests.exceptions.SSLError:
            raise UnreachableError(
                f"{request.service}: its certificate is not trusted here",
                fix="behind a proxy that reads along, name its certificates in "
                "REQUESTS_CA_BUNDLE",
            ) from None
        except requests.exceptions.ProxyError as error:
            raise self._broken(
                request, "cannot be reached by the proxy", error
            ) from None
        except requests.ConnectionError as error:
            raise self._broken(request, "cannot be reached", error) from None
        except HTTPError as error:
            raise self._broken(request, "broke its answer off", error) from None
        except (OSError, UnicodeError) as error:
            kind = type(error).__name__
            raise UnreachableError(
                f"{request.service} cannot be asked ({kind}); check its address, the "
                "proxy and the certificate bundle"
            ) from None

    def _broken(self, request: Request, what: str, error: Exception) -> SourceError:
        if self._settings.offline:
            return BlockedError(
                f"{request.service}: the sandbox of this host lets no connection out",
                fix="allow network access for this command, or search posts on disk "
                "with --archive",
            )
        if request.body is not None and not _never_connected(error):
            # The service may have done the work, and may ask money for it twice.
            return UnreachableError(f"{request.service} {what}{_reason(error)}")
        return _NoConnection(f"{request.service} {what}{_reason(error)}")

    def _opened(self) -> requests.Session:
        with self._lock:
            if self._session is None:
                self._session = _new_session(self._settings)
            return self._session


def _new_session(settings: Settings) -> requests.Session:
    from http.cookiejar import DefaultCookiePolicy

    import requests
    from requests.adapters import HTTPAdapter

    class Session(requests.Session):
        def get_redirect_target(self, resp: requests.Response) -> None:
            # Where to go is decided here. Even if it is told to follow none, requests
            # reads the whole body of a redirect and fails at an odd address.
            return None

    session = Session()
    session.headers.update({"User-Agent": USER_AGENT, "Accept-Encoding": "gzip"})
    session.verify = settings.get("SSL_CERT_FILE") or True
    # With an authentication of its own, even an empty one, requests reads no .netrc.
    session.auth = lambda prepared: prepared
    session.cookies.set_policy(DefaultCookiePolicy(allowed_domains=()))
    adapter = HTTPAdapter(pool_maxsize=_PARALLEL)
    session.mount("https://", adapter)
    session.mount("http://", adapter)
    return session


def _without(reply: Reply, secrets: Sequence[str]) -> Reply:
    """The reply without whole secrets: pieces of one could be part of an id."""
    body = reply.body
    for secret in filter(None, secrets):
        body = body.replace(secret.encode(), b"***")
    return reply._replace(body=body)


def _read(response: requests.Response, request: Request, deadline: Deadline) -> Reply:
    headers = {name.lower(): value for name, value in response.headers.items()}
    body = b""
    if response.status_code < 300:
        body = _body(response, request.service, request.limit, deadline)
        if len(body) > request.limit:
            raise BadResponseError(
                f"{request.service} gave more than {request.limit:,} bytes"
            )
    else:
        # What an error says is a help and not worth a second failure.
        with contextlib.suppress(BadResponseError):
            body = _body(response, request.service, _ERROR_BYTES, deadline)
    return Reply(response.status_code, headers, body, response.url)


def _body(
    response: requests.Response, service: str, limit: int, deadline: Deadline
) -> bytes:
    """The decoded body, cut after `limit` + 1 bytes: a bomb is never unpacked whole."""
    encoding = response.headers.get("Content-Encoding", "identity").strip().lower()
    if encoding not in ("", "identity", "gzip", "x-gzip", "deflate"):
        raise BadResponseError(f"{service} gave a compression nobody asked for")
    # 32 has zlib recognise gzip and deflate by their first bytes.
    unpack = zlib.decompressobj(32 + zlib.MAX_WBITS) if encoding[-1:] in "pe" else None
    body = bytearray()
    for chunk in response.raw.stream(_CHUNK_BYTES, decode_content=False):
        try:
            body += unpack.decompress(chunk, limit + 1 - len(body)) if unpack else chunk
        except zlib.error:
            raise BadResponseError(f"{service} gave a broken compression") from None
        if len(body) > limit or deadline.left <= 0:
            return bytes(body[: limit + 1])
    if unpack and body and not unpack.eof:
        raise BadResponseError(f"{service} gave an answer that was cut")
    return bytes(body)


def _never_connected(error: BaseException) -> bool:
    """Whether nothing can have been sent."""
    from requests import ConnectTimeout
    from urllib3.exceptions import NewConnectionError

    inner = getattr(error, "args", ())[:1]
    reason = getattr(inner[0], "reason", None) if inner else None
    return isinstance(error, ConnectTimeout) or isinstance(reason, NewConnectionError)


def _reason(error: BaseException) -> str:
    """What the operating system said, from the innermost error that it gave."""
    said = ""
    inner: BaseException | None = error
    while inner is not None:
        if isinstance(inner, OSError) and inner.strerror:
            said = f": {inner.strerror}"
        inner = inner.__cause__ or inner.__context__
    return said
