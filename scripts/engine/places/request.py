"""What a places run is asked to do."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, tzinfo
from hashlib import sha256

from engine.places.model import Parsed
from engine.places.profile import Profile

__all__ = ["Request"]


@dataclass(frozen=True, slots=True)
class Request:
    """What a run is to do.

    `creative` are queries of the host, `texts` and `comments` the most notes that are
    read, `only` the names of the connectors that may serve (all if empty), `results` a
    file of the host's own results, `zone` the traveller's time zone. `lacks_profile`
    says that the profile that was named is not there.
    """

    intent: str
    parsed: Parsed
    domain: str
    profile: Profile
    zone: tzinfo
    today: date
    requests: int
    creative: tuple[str, ...] = ()
    deep: bool = False
    texts: int = 30
    comments: int = 5
    only: tuple[str, ...] = ()
    offline: bool = False
    refresh: bool = False
    results: str = ""
    lacks_profile: bool = False

    @property
    def run_id(self) -> str:
        """The same for the same intent and domain."""
        return sha256(f"{self.domain}\n{self.intent}".encode()).hexdigest()[:12]
