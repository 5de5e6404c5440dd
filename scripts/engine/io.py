"""What a source may touch of the world, the same for all its calls of a run."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

from engine.deadline import Deadline
from engine.model import Item, Warning
from engine.settings import Settings

if TYPE_CHECKING:
    from engine.fetch import Fetch

__all__ = ["IO", "Memory"]

T = TypeVar("T")


class Memory:
    """What the calls of a run have learnt of a service, shared by all of them.

    One that lies inside an `outer` one has only its `own` classes for itself.
    """

    def __init__(self, outer: Memory | None = None, own: Collection[type] = ()) -> None:
        self._outer = outer
        self._own = own
        self._lock = Lock()
        self._known: dict[type, Any] = {}

    def of(self, kind: type[T]) -> T:
        """The run's one object of a class, which is made at the first call."""
        if self._outer is not None and kind not in self._own:
            return self._outer.of(kind)
        with self._lock:
            if kind not in self._known:
                self._known[kind] = kind()
            found: T = self._known[kind]
            return found


def _forget(item: Item, reason: str) -> None:
    """Where nobody asks what was dropped."""


@dataclass(frozen=True, slots=True)
class IO:
    """What a source or a backend may touch.

    `warn` takes what the reader must know, `drop` an item that is not to be believed,
    with the reason. `fetch` is the HTTP session of the run, `memory` what is known of
    the services by now.
    """

    settings: Settings
    deadline: Deadline
    fetch: Fetch
    warn: Callable[[Warning], None]
    drop: Callable[[Item, str], None] = _forget
    memory: Memory = field(default_factory=Memory)
