"""A real HTTP server on the loopback interface that plays a service, and its failures.

Routes are functions from what was `Asked` to an `Answer`. A failure is a function from
the answer that a route gave to the one that is sent, switched on with `Server.fail`.
"""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit

__all__ = [
    "FAILURES",
    "Answer",
    "Asked",
    "Failure",
    "Server",
    "answer_json",
    "bomb",
    "cut",
    "drip",
    "drop",
    "empty",
    "huge",
    "latin",
    "moved",
    "page",
    "slow",
    "status",
]

_PAGE = b"<!DOCTYPE html><html><title>Log in</title><body>Please log in</body></html>"


@dataclass(frozen=True)
class Asked:
    """A request as it arrived: header names are in lower case."""

    method: str
    path: str
    params: Mapping[str, str]
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Answer:
    """What is sent: after `delay` seconds, with a pause of `drip` after each byte.

    After `drop` bytes of the body the connection ends; -1 ends it at once.
    """

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    drip: float = 0.0
    drop: int | None = None


Route = Callable[[Asked], Answer]
Failure = Callable[[Answer], Answer]


def answer_json(value: object, code: int = 200, **headers: str) -> Answer:
    """An answer with a JSON body; underscores in header names become hyphens."""
    named = {name.replace("_", "-"): text for name, text in headers.items()}
    body = json.dumps(value, ensure_ascii=False).encode()
    return Answer(code, body, {"Content-Type": "application/json", **named})


def slow(seconds: float) -> Failure:
    """The first byte comes late."""
    return lambda answer: replace(answer, delay=seconds)


def drip(seconds: float) -> Failure:
    """The bytes of the body come one by one."""
    return lambda answer: replace(answer, drip=seconds)


def drop(after: int = -1) -> Failure:
    """The connection breaks after so many bytes of the body, or before any answer."""
    return lambda answer: replace(answer, drop=after)


def status(code: int, body: object = None, **headers: str) -> Failure:
    """Any status, with a JSON body and headers such as `Retry_After="2"`."""
    return lambda _: answer_json(body or {"error": f"status {code}"}, code, **headers)


def moved(location: str, code: int = 302) -> Failure:
    """A redirect."""
    return lambda _: Answer(code, headers={"Location": location})


def page(code: int = 200) -> Failure:
    """A login page."""
    return lambda _: Answer(code, _PAGE, {"Content-Type": "text/html"})


def empty() -> Failure:
    """A success without a body."""
    return lambda answer: replace(answer, body=b"")


def cut() -> Failure:
    """The first half of the body, as if it were all."""
    return lambda answer: replace(answer, body=answer.body[: len(answer.body) // 2])


def huge(megabytes: int = 50) -> Failure:
    """A very long JSON string."""
    return lambda answer: replace(answer, body=b'"' + b"x" * (megabytes << 20) + b'"')


def bomb(megabytes: int = 50) -> Failure:
    """A very long JSON string, short while compressed."""
    body = gzip.compress(b'"' + b"x" * (megabytes << 20) + b'"', 1)
    return lambda answer: replace(
        answer, body=body, headers={**answer.headers, "Content-Encoding": "gzip"}
    )


def latin() -> Failure:
    """Bytes that are no UTF-8."""
    return lambda answer: replace(answer, body='{"name": "Zoë"}'.encode("latin-1"))


# Each failure by its name, for tests that try all of them.
FAILURES: Mapping[str, Failure] = {
    "slow": slow(30),
    "drip": drip(0.2),
    "drop": drop(),
    "broken-off": drop(5),
    "html": page(),
    "empty": empty(),
    "cut": cut(),
    "huge": huge(),
    "bomb": bomb(),
    "charset": latin(),
    **{str(code): status(code) for code in (400, 401, 402, 403, 410, 422, 429, 500)},
    "503-html": page(503),
}


class Server:
    """Runs while its `with` block does; `requests` holds what it was asked."""

    def __init__(self) -> None:
        self.requests: list[Asked] = []
        self._routes: dict[str, Route] = {}
        self._failure: Failure | None = None
        self._times = 0
        self._lock = threading.Lock()
        self._http = _Http(("127.0.0.1", 0), _Handler)
        self._http.owner = self
        self.url = f"http://127.0.0.1:{self._http.server_address[1]}"

    def route(self, path: str, route: Route | Answer) -> None:
        """Answer a path; the longest path that the request's begins with wins."""
        self._routes[path] = route if callable(route) else lambda _: route

    def fail(self, failure: Failure | None, times: int = 1 << 30) -> None:
        """Spoil the next `times` answers; None ends a failure."""
        with self._lock:
            self._failure, self._times = failure, times

    def answer(self, asked: Asked) -> Answer:
        """Record a request and say what is sent for it."""
        with self._lock:
            self.requests.append(asked)
            failure = self._failure if self._times > 0 else None
            self._times -= 1
        found = [path for path in self._routes if asked.path.startswith(path)]
        if found:
            answer = self._routes[max(found, key=len)](asked)
        else:
            answer = answer_json({"error": f"no route {asked.path}"}, 404)
        return failure(answer) if failure else answer

    def __enter__(self) -> Server:
        threading.Thread(
            target=self._http.serve_forever, args=(0.01,), daemon=True
        ).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._http.stopping.set()
        self._http.shutdown()
        self._http.server_close()


class _Http(ThreadingHTTPServer):
    owner: Server
    daemon_threads = True
    block_on_close = False
    request_queue_size = 64

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self.stopping = threading.Event()

    def handle_error(self, request: object, client_address: object) -> None:
        """Clients that hang up are part of the tests and not worth a traceback."""


class _Handler(BaseHTTPRequestHandler):
    server: _Http
    protocol_version = "HTTP/1.1"
    # Without it a small body waits for the client's acknowledgement of the head.
    disable_nagle_algorithm = True

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        asked = Asked(
            self.command,
            parts.path,
            dict(parse_qsl(parts.query, keep_blank_values=True)),
            {name.lower(): value for name, value in self.headers.items()},
            self.rfile.read(int(self.headers.get("Content-Length", 0))),
        )
        self._send(self.server.owner.answer(asked))

    do_POST = do_GET

    def _send(self, answer: Answer) -> None:
        self.server.stopping.wait(answer.delay)
        if answer.drop == -1:
            self.close_connection = True
            return
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        if answer.drip:
            for i in range(len(answer.body)):
                self.wfile.write(answer.body[i : i + 1])
                if self.server.stopping.wait(answer.drip):
                    break
            return
        self.wfile.write(answer.body[: answer.drop])
        if answer.drop is not None:
            self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Nothing: tests read `requests`."""
