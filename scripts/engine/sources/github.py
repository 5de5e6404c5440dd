"""GitHub: issues, pull requests and repositories that match, by its search.

https://docs.github.com/en/rest/search/search. It works without a token; one from the
settings or the `gh` tool allows more requests. What bots open is left out: nobody said
it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from engine.errors import BadResponseError, DeadlineError, SourceError
from engine.io import IO
from engine.model import Item, SourceInfo
from engine.sources.base import Ask, RiverAsk, tier_refused
from engine.sources.gather import gather
from engine.sources.github_items import read_repository, read_thread, repository_name
from engine.sources.github_run import REQUESTS, SpentError, UnknownNameError, send
from engine.sources.once import Once
from engine.sources.wording import fitting, plain_words
from engine.text.tokens import read
from engine.together import together
from engine.values import as_mapping
from engine.window import Window

__all__ = ["INFO", "missing", "river", "search"]

INFO = SourceInfo(
    name="github",
    label="GitHub",
    emoji="🐙",
    site="github.com",
    api_page="https://docs.github.com/en/rest/search/search",
    # A repository has stars where an issue has reactions, and no comments of its own.
    weights={"reactions": 0.55, "comments": 0.45, "stars": 0.55},
    # Stars are given easily and gathered over years: ten are one reaction.
    units={"stars": 10},
    # About ln 200: an issue with so many reactions and comments is one of the hottest.
    reference=5.3,
    quality=0.60,
    credentials=("GITHUB_TOKEN", "GH_TOKEN"),
    requests=REQUESTS,
    noun="issues",
)

_MAX_CHARS = 256
# The service gives no more at once.
_MAX_PAGE = 100
_MAX_REPOSITORIES = 5
_ISSUES, _PULLS = "is:issue", "is:pull-request"


@dataclass(frozen=True, slots=True)
class _Search:
    """One search; `tier` is its name in warnings.

    `sort` is empty for the best match.
    """

    tier: str
    path: str
    query: str
    sort: str = ""

    @property
    def read(self) -> Callable[[Mapping[str, object], Window], Item | None]:
        """How one result is read."""
        return read_thread if self.path == "/search/issues" else read_repository


class _Searches(Once[tuple[Item, ...]]):
    """The searches of a run: those for what the user named are sent once."""


class _Told(Once[bool]):
    """What was said to the reader once."""


def missing(io: IO) -> str:
    """Nothing is ever missing: a token only allows more requests."""
    return ""


def search(ask: Ask, io: IO) -> list[Item]:
    """What matches and was opened or active inside the window, at most `ask.limit`.

    Whatever the query, the user and the repositories that were named are searched too.
    Searches go one after the other, as the service asks for.

    Raises:
        SourceError: the subclass says what happened; `items` holds what had arrived.
    """
    return _gathered(_searches(ask, io), ask.window, ask.limit, io)


def river(hot: RiverAsk, io: IO) -> list[Item]:
    """The repositories of the window with most stars, and the issues of the week with
    most reactions; of a domain those with its words.

    Raises:
        SourceError: the subclass says what happened; `items` holds what had arrived.
    """
    words = fitting(plain_words(hot.domain.core), _MAX_CHARS) if hot.domain else ""
    new, week = (f"created:{w.first}..{w.last}" for w in (hot.window, hot.week))
    repositories, issues = f"{words} {new}".strip(), f"{words} {_ISSUES} {week}".strip()
    searches = [
        _Search("new repositories", "/search/repositories", repositories, "stars"),
        _Search("hot issues", "/search/issues", issues, "reactions"),
    ]
    return _gathered(searches, hot.window, min(hot.limit, _MAX_PAGE), io)


def _gathered(
    searches: Sequence[_Search], window: Window, limit: int, io: IO
) -> list[Item]:
    jobs = [partial(_once, one, window, limit, io) for one in searches]
    answers = together(jobs, parallel=1, deadline=io.deadline)
    unsent = [
        (one, answer)
        for one, answer in zip(searches, answers, strict=True)
        if isinstance(answer, SpentError)
    ]
    if unsent and len(unsent) < len(answers):
        one, spent = unsent[0]
        _tell(one.tier, SpentError(f"{spent.detail}; {spent.fix}".rstrip("; ")), io)
        answers = [() if isinstance(a, SpentError) else a for a in answers]
    return gather(answers, limit)


def _searches(ask: Ask, io: IO) -> list[_Search]:
    """The searches for an ask, the most telling first."""
    active, pushed = (
        _active(ask.window, io, "updated"),
        _active(ask.window, io, "pushed"),
    )
    words = fitting(plain_words(ask.query), _MAX_CHARS)
    return [
        _Search("issues", "/search/issues", f"{words} {_ISSUES} {active}"),
        *_of_user(ask.hints.github_user, active, pushed),
        *_in_repositories(ask, active, io),
        _Search("repositories", "/search/repositories", f"{words} {pushed}", "stars"),
        _Search("pull requests", "/search/issues", f"{words} {_PULLS} {active}"),
    ]


def _active(window: Window, io: IO, field: str) -> str:
    """The qualifier for the window.

    What was active since its first day was active inside it only if it is not over; in
    an older one the time of the last activity hides those before.
    """
    field = field if io.settings.now < window.end else "created"
    return f"{field}:{window.first}..{window.last}"


def _of_user(raw: str, active: str, pushed: str) -> list[_Search]:
    name = repository_name(f"{raw.lstrip('@')}/x").removesuffix("/x")
    if not name:
        return []
    return [
        _Search(
            "issues of the user", "/search/issues", f"author:{name} {_ISSUES} {active}"
        ),
        _Search(
            "pull requests of the user",
            "/search/issues",
            f"author:{name} {_PULLS} {active}",
        ),
        _Search(
            "repositories of the user",
            "/search/repositories",
            f"user:{name} {pushed}",
            "stars",
        ),
    ]


def _in_repositories(ask: Ask, active: str, io: IO) -> list[_Search]:
    """Searches in the repositories that were named.

    They are for the topic without the words of their names: an issue of o/foo need not
    say that it is about foo.
    """
    for raw in ask.hints.github_repos:
        if not repository_name(raw):
            _tell("named", SourceError(f"{raw[:80]!r} is no owner/name"), io)
    named = filter(None, map(repository_name, ask.hints.github_repos))
    names = list(dict.fromkeys(named))[:_MAX_REPOSITORIES]
    if not names:
        return []
    known = {word for name in names for word in read(name).words}
    words = (term.surface for term in ask.topic.significant)
    rest = [
        word
        for word in plain_words(" ".join(words))
        if not known.issuperset(read(word).words)
    ]
    where = " ".join(f"repo:{name}" for name in names)
    query = f"{fitting(rest, _MAX_CHARS)} {where}".strip()
    sort = "" if rest else "reactions"
    return [
        _Search(
            f"{tier} of {names[0]}", "/search/issues", f"{query} {kind} {active}", sort
        )
        for tier, kind in (("issues", _ISSUES), ("pull requests", _PULLS))
    ]


def _once(one: _Search, window: Window, limit: int, io: IO) -> tuple[Item, ...]:
    return io.memory.of(_Searches).get(one, partial(_found, one, window, limit, io))


def _found(one: _Search, window: Window, limit: int, io: IO) -> tuple[Item, ...]:
    params: dict[str, str | int] = {"q": one.query, "per_page": limit}
    if one.sort:
        params |= {"sort": one.sort, "order": "desc"}
    try:
        answer, refused = send(one.path, params, io)
    except UnknownNameError as error:
        _tell(one.tier, error, io)
        return ()
    if refused is not None:
        _tell("token", refused, io)
    page = as_mapping(answer)
    results = page.get("items")
    if not isinstance(results, list):
        raise BadResponseError("GitHub gave an answer without results")
    if page.get("incomplete_results") is True:
        _tell(one.tier, DeadlineError("it searched a part in the time it has"), io)
    if results and not any(as_mapping(result).get("html_url") for result in results):
        raise BadResponseError("GitHub gave results that cannot be read")
    items = (one.read(as_mapping(result), window) for result in results)
    return tuple(item for item in items if item)


def _tell(tier: str, error: SourceError, io: IO) -> None:
    """Warn of a failure that others make up for, each once a run."""

    def tell() -> bool:
        io.warn(tier_refused(INFO, tier, error))
        return True

    io.memory.of(_Told).get((tier, error.state), tell)
