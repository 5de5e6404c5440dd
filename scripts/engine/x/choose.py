"""Choose: which backend answers, and who comes next when it fails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.errors import NotConfiguredError
from engine.model import Warning
from engine.x.backends import BACKENDS
from engine.x.backends.base import IO, Backend
from engine.x.calls import Calls
from engine.x.stream import Request, Stream, run

__all__ = ["AUTO", "search_x", "unready"]

AUTO = "auto"


def search_x(
    request: Request,
    io: IO,
    backend: str = AUTO,
    backends: Mapping[str, Backend] = BACKENDS,
) -> Stream:
    """Run the loop on a backend by name, or on the configured ones in their order.

    With `auto` the next backend is asked only when one fails; an empty answer is an
    answer. A move to the next is said through `io.warn` before it happens.

    Raises:
        NotConfiguredError: no backend that was asked for is ready; it says what to do.
    """
    ready = _ready(io, backend, backends)
    for current, following in zip(ready, [*ready[1:], None], strict=True):
        stream = run(request, Calls(current, io, request.window))
        failed = stream.calls.errors and not (stream.first.items or stream.items)
        if following is None or not failed or io.deadline.left <= 0:
            return stream
        io.warn(_failover(stream, following))
    raise AssertionError("unreachable: there is a last backend")


def unready(io: IO, name: str = AUTO) -> str:
    """What to do before a backend, or any of them, works; empty if one does."""
    missing = {n: b.missing(io) for n, b in BACKENDS.items() if name in (AUTO, n)}
    return _advice(missing) if all(missing.values()) else ""


def _ready(io: IO, name: str, backends: Mapping[str, Backend]) -> Sequence[Backend]:
    wanted = {n: b for n, b in backends.items() if name in (AUTO, n)}
    missing = {n: backend.missing(io) for n, backend in wanted.items()}
    ready = [backend for n, backend in wanted.items() if not missing[n]]
    if not ready:
        raise NotConfiguredError(
            "no way to reach X is set up" if name == AUTO else f"{name} is not set up",
            fix=_advice(missing),
        )
    return ready


def _advice(missing: Mapping[str, str]) -> str:
    """One line a backend."""
    return "\n".join(f"{name}: {what}" for name, what in missing.items())


def _failover(stream: Stream, following: Backend) -> Warning:
    failed, error = stream.calls.backend.INFO, stream.calls.errors[0]
    cost = ", which costs money" if following.INFO.paid else ""
    asking = following.INFO.label + cost
    return Warning(
        "failover",
        "x",
        f"X: {failed.label} failed ({error.detail}); asking {asking}",
        {
            "failed": failed.name,
            "state": error.state.value,
            "detail": error.detail,
            "next": following.INFO.name,
            "paid": following.INFO.paid,
        },
    )
