"""X through the `grok` tool, which searches with the user's own login; no X key.

A language model reports the posts, so each is held against its id, and an answer
against signs that nothing was searched. The tool is that of https://x.ai/cli; Grok can
invent, but hardly an id that holds the right moment.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields

from engine.errors import BlockedError, NotConfiguredError
from engine.model import BackendInfo, Item
from engine.x.backends.base import IO, Ask
from engine.x.backends.grok_call import executable
from engine.x.backends.grok_login import SIGN_IN, login_state
from engine.x.query import Query

__all__ = [
    "INFO",
    "expired",
    "login_state",
    "missing",
    "search",
    "search_handles",
    "search_name",
]

INFO = BackendInfo(
    name="grok",
    label="Grok CLI",
    site="x.com",
    api_page="https://x.ai/cli",
    operators=frozenset(field.name for field in fields(Query)),
    # A call takes 15 to 45 seconds.
    min_seconds=15.0,
    model_reported=True,
)

_LOGIN_PROBLEMS = {
    "missing": f"sign in to the grok tool; {SIGN_IN}",
    "unreadable": f"the grok tool's login cannot be read; {SIGN_IN}",
}


def missing(io: IO) -> str:
    """What has to be done before Grok can be asked; empty if nothing.

    A login that looks expired counts: the tool or the service may renew it.
    """
    if not executable(io.settings):
        return f"install the grok tool (https://x.ai/cli) and {SIGN_IN}"
    return _LOGIN_PROBLEMS.get(login_state(io.settings), "")


def expired(io: IO) -> str:
    """What to do about a login whose time has passed; empty if it has not."""
    over = login_state(io.settings) == "expired"
    return f"the grok tool's login has expired; {SIGN_IN}" if over else ""


def search(ask: Ask, io: IO) -> list[Item]:
    """The posts that Grok reports for a query and that can exist, at most `ask.limit`.

    Raises:
        SourceError: there is no answer to believe; the subclass says why.
    """
    # Every run imports this module, and few need what a call needs.
    from engine.x.backends.grok_ask import ask_grok

    if problem := missing(io):
        raise NotConfiguredError(f"{INFO.label} is not set up", fix=problem)
    if io.settings.offline:
        # The tool may try for as long as it is let.
        raise BlockedError(
            f"{INFO.label}: the sandbox of this host lets no connection out",
            fix="allow network access for this command, or search posts on disk "
            "with --archive",
        )
    return ask_grok(ask, io, retry_seconds=INFO.min_seconds)


def search_handles(
    handles: Sequence[str],
    topic: str,
    from_date: str,
    to_date: str,
    *,
    and_topic: bool = False,
    io: IO | None = None,
    count: int = 8,
) -> list[Item]:
    """What accounts wrote, asked of Grok; see `engine.x.accounts.search_handles`."""
    from engine.x import accounts  # It imports the backends.

    return accounts.search_handles(
        INFO.name,
        handles,
        topic,
        from_date,
        to_date,
        and_topic=and_topic,
        io=io,
        count=count,
    )


def search_name(
    name: str,
    from_date: str,
    to_date: str,
    *,
    exclude: Sequence[str] = (),
    io: IO | None = None,
    count: int = 5,
) -> list[Item]:
    """What others wrote, asked of Grok; see `engine.x.accounts.search_name`."""
    from engine.x import accounts  # It imports the backends.

    return accounts.search_name(
        INFO.name, name, from_date, to_date, exclude=exclude, io=io, count=count
    )
