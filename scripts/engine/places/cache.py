"""Answers of connectors on disk: what was found, for 30 days, and never a failure.

Kept are the notes and texts that were read from an answer, not the answer: no token of
a session, no placeholder. Age counts from the moment that stands in the file.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Mapping
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

from engine.files import replace_file

__all__ = ["Answers", "Kept"]

_SCHEMA = 1
# An empty answer may be a page that did not load, or become a full one tomorrow.
_EMPTY_DAYS = 1.0
_MOST_FILES = 5_000
_MOST_BYTES = 1_000_000


class Kept:
    """An answer that was kept: `value` is JSON, `at` its moment in ISO 8601."""

    def __init__(self, value: Any, at: str) -> None:
        self.value = value
        self.at = at


class Answers:
    """The cache of a run.

    Args:
        folder: where answers are kept; made when the first is, for its owner alone.
        now: the moment of the run.
        refresh: take none that is there, and keep new ones.
    """

    def __init__(self, folder: Path, now: datetime, *, refresh: bool = False) -> None:
        self._folder = folder
        self._now = now
        self._refresh = refresh
        self._pruned = False

    def get(
        self, source: str, what: str, asked: Mapping[str, str], days: float
    ) -> Kept | None:
        """An answer that is young enough.

        Args:
            source: the connector.
            what: which of its calls.
            asked: what the call was given, without tokens.
            days: the most that an answer with something in it may be old.
        """
        if self._refresh:
            return None
        try:
            path = self._path(source, what, asked)
            kept = json.loads(path.read_text(encoding="utf-8"))
            if kept.pop("seal") != _seal(path, kept):
                return None
            at = datetime.fromisoformat(kept["fetched_at"])
            most = days if kept["value"] else min(days, _EMPTY_DAYS)
            if kept["schema"] != _SCHEMA or not (
                timedelta(0) <= self._now - at <= timedelta(days=most)
            ):
                return None
            return Kept(kept["value"], kept["fetched_at"])
        except (
            *(OSError, ValueError, TypeError, KeyError),
            *(AttributeError, RecursionError),
        ):
            # What is no answer of ours, or of another version, is no answer.
            return None

    def put(self, source: str, what: str, asked: Mapping[str, str], value: Any) -> None:
        """Keep a success: a list, a text or None, empty where there was nothing."""
        kept = {
            "schema": _SCHEMA,
            "fetched_at": self._now.isoformat(),
            "source": source,
            "what": what,
            "asked": dict(asked),
            "value": value,
        }
        path = self._path(source, what, asked)
        text = json.dumps({**kept, "seal": _seal(path, kept)}, ensure_ascii=False)
        if len(text) > _MOST_BYTES:
            return
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            replace_file(path, text)
            self._prune()
        except OSError:
            # A cache that cannot be written is no reason to lose an answer.
            return

    def _path(self, source: str, what: str, asked: Mapping[str, str]) -> Path:
        plain = {key: _normal(value) for key, value in asked.items()}
        key = json.dumps([_SCHEMA, source, what, plain], sort_keys=True)
        return self._folder / f"{sha256(key.encode()).hexdigest()}.json"

    def _prune(self) -> None:
        """Once a run, drop the oldest of too many."""
        if self._pruned:
            return
        self._pruned = True
        files = sorted(self._folder.glob("*.json"), key=lambda f: f.stat().st_mtime)
        for file in files[:-_MOST_FILES]:
            file.unlink(missing_ok=True)


def _seal(path: Path, kept: Mapping[str, Any]) -> str:
    """Tells what was kept there from what was changed or moved since.

    Readers of a value trust its shape, so nothing else may reach them.
    """
    shown = json.dumps([path.name, kept], sort_keys=True)
    return sha256(shown.encode()).hexdigest()


def _normal(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())
