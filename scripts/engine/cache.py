"""A cache of answers on disk: successes alone, and nothing that holds a credential."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from engine.deadline import Deadline
from engine.exchange import Request
from engine.fetch import Fetch
from engine.files import replace_file
from engine.settings import Settings

__all__ = ["CachingFetch", "cache_folder"]


class CachingFetch(Fetch):
    """A `Fetch` that takes an answer from disk if it is young enough.

    Args:
        settings: of the run.
        folder: where answers are kept; made if it is not there, for its owner alone.
        hours: the greatest age of an answer that is taken.

    `oldest` is the age in hours of the oldest answer that was taken, 0 if none was. A
    failure is never kept, nor an answer to a request whose body holds a credential. The
    key of an answer is the request without its headers.
    """

    def __init__(self, settings: Settings, folder: Path, hours: float) -> None:
        super().__init__(settings)
        self.oldest = 0.0
        self._now = settings.now
        self._folder = folder
        self._hours = hours

    def json(self, request: Request, deadline: Deadline) -> Any:
        """The same as `Fetch.json`."""
        ask = partial(super().json, request, deadline)
        return self._cached("json", request, ask)

    def text(self, request: Request, deadline: Deadline) -> str:
        """The same as `Fetch.text`."""
        ask = partial(super().text, request, deadline)
        found: str = self._cached("text", request, ask)
        return found

    def _cached(self, kind: str, request: Request, ask: Callable[[], Any]) -> Any:
        asked = json.dumps(
            [kind, request.url, sorted(request.params.items()), request.body],
            sort_keys=True,
        )
        # As they stand in JSON, where some characters are escaped.
        if any(json.dumps(secret)[1:-1] in asked for secret in request.secrets):
            return ask()
        path = self._folder / f"{sha256(asked.encode()).hexdigest()}.json"
        kept = self._read(path)
        if kept is not None:
            return kept["answer"]
        answer = ask()
        # Some services tell of a failure inside a success.
        if not (isinstance(answer, dict) and answer.get("error")):
            self._write(path, {"at": self._now.isoformat(), "answer": answer})
        return answer

    def _read(self, path: Path) -> dict[str, Any] | None:
        """An answer that is young enough; a file that is none of ours is no answer."""
        try:
            kept: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            age = (self._now - datetime.fromisoformat(kept["at"])) / timedelta(hours=1)
            if not 0 <= age <= self._hours or "answer" not in kept:
                return None
        except (OSError, ValueError, TypeError, KeyError, RecursionError):
            return None
        self.oldest = max(self.oldest, age)
        return kept

    def _write(self, path: Path, kept: dict[str, Any]) -> None:
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            replace_file(path, json.dumps(kept))
        except OSError:
            # A cache that cannot be written is no reason to lose an answer.
            return


def cache_folder(settings: Settings) -> Path:
    """Where answers are kept: the user's cache folder, by the usual variable."""
    home = settings.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return Path(home) / "last30days" / "answers"
