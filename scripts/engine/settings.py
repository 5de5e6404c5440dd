"""Settings: the only reader of the environment, the clock and configuration files.

A value of the environment wins over config.yaml, and that over the .env beside it. A
variable that is set and empty counts: it switches a file's value off.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import NamedTuple

from engine.configfiles import read_config
from engine.errors import UsageError
from engine.model import Warning

__all__ = ["KNOWN", "Setting", "Settings", "load_settings"]

_PREFIX = "LAST30DAYS_"
_NO_TIME = datetime.min


class Setting(NamedTuple):
    """The name of a setting, what it is for, and whether its value is a secret."""

    name: str
    meaning: str
    secret: bool = False


# What the program reads; references/configuration.md lists the same names.
KNOWN = (
    Setting("XAI_API_KEY", "key of the xAI API", secret=True),
    Setting("X_BEARER_TOKEN", "bearer token of the official X API", secret=True),
    Setting("GITHUB_TOKEN", "token of GitHub, for more requests", secret=True),
    Setting("GH_TOKEN", "the same, by the name that the gh tool uses", secret=True),
    Setting("BSKY_HANDLE", "handle of a Bluesky account"),
    Setting("BSKY_APP_PASSWORD", "app password of that account", secret=True),
    Setting("BRAVE_API_KEY", "key of Brave Search", secret=True),
    Setting("EXA_API_KEY", "key of Exa", secret=True),
    Setting("SERPER_API_KEY", "key of Serper", secret=True),
    Setting("PARALLEL_API_KEY", "key of Parallel", secret=True),
    Setting("MEITUAN_HT_TOKEN", "token of Meituan's ht-ai tool", secret=True),
    Setting("GROK_HOME", "folder of the grok tool's login"),
    Setting("LAST30DAYS_XAI_URL", "base URL of the xAI API"),
    Setting("LAST30DAYS_XAPI_URL", "base URL of the official X API"),
    Setting("LAST30DAYS_REDDIT_URL", "base URL of Reddit"),
    Setting(
        "LAST30DAYS_ARCTIC_SHIFT_URL", "base URL of Arctic Shift, Reddit's archive"
    ),
    Setting("LAST30DAYS_HACKERNEWS_URL", "base URL of Hacker News Search"),
    Setting("LAST30DAYS_POLYMARKET_URL", "base URL of Polymarket's Gamma API"),
    Setting("LAST30DAYS_GITHUB_URL", "base URL of the GitHub API"),
    Setting("LAST30DAYS_BLUESKY_URL", "base URL of a Bluesky server"),
    Setting("LAST30DAYS_SEARXNG_URL", "base URL of a SearXNG server of your own"),
    Setting("LAST30DAYS_BRAVE_URL", "base URL of the Brave Search API"),
    Setting("LAST30DAYS_EXA_URL", "base URL of the Exa API"),
    Setting("LAST30DAYS_SERPER_URL", "base URL of the Serper API"),
    Setting("LAST30DAYS_PARALLEL_URL", "base URL of the Parallel API"),
    Setting("LAST30DAYS_OVERPASS_URL", "base URL of an Overpass API"),
    Setting("LAST30DAYS_WIKIVOYAGE_URL", "base URL of the API of a Wikivoyage"),
    Setting("LAST30DAYS_XHS_MCP_URL", "base URL of a xiaohongshu-mcp server"),
    Setting("LAST30DAYS_XHS_MCP_TOKEN", "token of that server", secret=True),
    Setting("LAST30DAYS_ONLINE_SEARCH_COMMAND", "command of a geographic search"),
    Setting("LAST30DAYS_FLYAI_COMMAND", "command of the flyai tool"),
    Setting("LAST30DAYS_XHS_COMMAND", "command of the xhs tool"),
    Setting("LAST30DAYS_XHS_SKILLS_COMMAND", "command of the xhs-explore skill"),
    Setting("LAST30DAYS_HT_AI_COMMAND", "command of Meituan's ht-ai tool"),
    Setting("LAST30DAYS_MTTRAVEL_COMMAND", "command of Meituan's mttravel tool"),
    Setting("LAST30DAYS_XHS_PAUSE", "seconds between calls to Xiaohongshu, as 3-8"),
    Setting("LAST30DAYS_XAI_MODEL", "model that the xAI API is asked with"),
    Setting("LAST30DAYS_PACING", "0: no pauses between requests to one service"),
    Setting(
        "LAST30DAYS_DISCOVER_TTL_MINUTES",
        "how long discover.py takes the file of an earlier leg",
    ),
    Setting("LAST30DAYS_STRICT_EXIT", "1: exit with 3 on partial coverage"),
    Setting("LAST30DAYS_NOW", "ISO 8601 time that replaces the clock"),
    Setting("LAST30DAYS_CONFIG_DIR", "folder of config.yaml and .env"),
)


@dataclass(frozen=True, slots=True)
class Settings:
    """What the user configured, and the moment at which the run began (UTC).

    `warnings` are about the settings themselves: unknown names, files that others can
    read.
    """

    values: Mapping[str, str] = field(repr=False)
    now: datetime
    warnings: tuple[Warning, ...] = ()

    def get(self, name: str) -> str:
        """The value of a setting, without blanks around it; empty if it is not set."""
        return self.values.get(name, "").strip()

    def base_url(self, service: str, default: str) -> str:
        """The address of a service, without a slash at its end.

        Args:
            service: the registry name; LAST30DAYS_<SERVICE>_URL replaces `default`.
            default: the service's own address.

        Raises:
            UsageError: the replacement is no http(s) address, or holds more than host,
                port and path.
        """
        name = f"{_PREFIX}{service.upper()}_URL"
        url = self.get(name)
        if url and not _is_base_url(url):
            raise UsageError(
                f"{name}: write http:// or https://, a host, and at most a port and "
                "a path, for example https://mirror.example/v1"
            )
        return (url or default).rstrip("/")

    @property
    def secrets(self) -> tuple[str, ...]:
        """The values of all credentials, which no output may hold."""
        found = (self.get(setting.name) for setting in KNOWN if setting.secret)
        return tuple(value for value in found if value)

    @property
    def offline(self) -> bool:
        """Whether the host says that its sandbox lets no connection out."""
        return self.get("CODEX_SANDBOX_NETWORK_DISABLED") == "1"


def load_settings() -> Settings:
    """Read the settings and the clock, once a run.

    Raises:
        UsageError: LAST30DAYS_NOW is no ISO 8601 time, or a configuration file cannot
            be read.
    """
    environ = dict(os.environ)
    configured, warnings = read_config(environ)
    own = (name for name in environ if name.startswith(_PREFIX))
    warnings += _unknown((*own, *configured))
    values = {**configured, **environ}
    now = _now(values.get("LAST30DAYS_NOW", "").strip())
    return Settings(values, now, tuple(warnings))


def _unknown(names: Iterable[str]) -> list[Warning]:
    known = [setting.name for setting in KNOWN]
    odd = [name for name in dict.fromkeys(names) if name not in known]
    if not odd:
        return []
    from difflib import get_close_matches

    warnings = []
    for name in odd:
        near = "".join(get_close_matches(name.upper(), known, 1, 0.8))
        # A file may hold other programs' names, which are none of ours.
        if not near and not name.startswith(_PREFIX):
            continue
        hint = f"did you mean {near}?" if near else "see references/configuration.md"
        warnings.append(
            Warning(
                code="unknown-setting",
                source="",
                message=f"there is no setting {name}; {hint}",
                data={"name": name, "suggestion": near},
            )
        )
    return warnings


def _is_base_url(url: str) -> bool:
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return False
    return (
        parts.scheme in ("http", "https")
        and bool(parts.hostname)
        and port != 0
        and not (parts.query or parts.fragment or "@" in parts.netloc)
        and url.isprintable()
        and " " not in url
    )


def _now(replacement: str) -> datetime:
    if not replacement:
        return datetime.now(timezone.utc)
    try:
        moment = datetime.fromisoformat(replacement.replace("Z", "+00:00"))
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=timezone.utc)
        moment = moment.astimezone(timezone.utc)
    except (ValueError, OverflowError):
        moment = _NO_TIME
    # From other years a window could run out of the calendar.
    if not 2000 <= moment.year <= 2999:
        raise UsageError(
            f"LAST30DAYS_NOW: {replacement!r} is no ISO 8601 time from 2000 to 2999; "
            "write for example 2026-11-30T12:00:00Z"
        )
    return moment
