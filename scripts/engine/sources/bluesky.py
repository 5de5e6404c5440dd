"""Bluesky: posts that match, by the search of the network.

https://docs.bsky.app/docs/api/app-bsky-feed-search-posts. Only somebody who is signed
in may search, so that it needs a handle and an app password.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import partial
from urllib.parse import quote

from engine.errors import (
    AuthError,
    BadResponseError,
    NotConfiguredError,
    SourceError,
    UnreachableError,
)
from engine.exchange import Request
from engine.io import IO
from engine.model import Item, SourceInfo
from engine.settings import Settings
from engine.sources.base import Ask
from engine.sources.gather import gather
from engine.sources.once import Once
from engine.sources.wording import plain_words
from engine.text.markup import MAX_TEXT
from engine.together import together
from engine.values import (
    as_mapping,
    as_sequence,
    as_text,
    drop_surrogates,
    is_web_address,
    parse_counts,
    parse_time,
)

__all__ = ["INFO", "missing", "search"]

_LABEL = "Bluesky"

INFO = SourceInfo(
    name="bluesky",
    label=_LABEL,
    emoji="🦋",
    site="bsky.app",
    api_page="https://docs.bsky.app/docs/api/app-bsky-feed-search-posts",
    weights={"likes": 0.40, "reposts": 0.30, "replies": 0.20, "quotes": 0.10},
    # About ln 10,000, as on X.
    reference=9.2,
    quality=0.66,
    credentials=("BSKY_HANDLE", "BSKY_APP_PASSWORD"),
    # A login and two searches, and the same again should the login have expired.
    requests=6,
)

_URL = "https://bsky.social"
_PASSWORDS = "https://bsky.app/settings/app-passwords"
_FIX = f"check BSKY_HANDLE and BSKY_APP_PASSWORD (an app password: {_PASSWORDS})"
_SORTS = ("top", "latest")
_MOST_POSTS = 100
_MAX_QUERY = 300
_MAX_URLS = 20

_TOKEN = re.compile(r"[A-Za-z0-9._~+/=-]{1,8192}")
_POST = re.compile(
    r"at://(did:[a-z]{1,20}:[A-Za-z0-9._:%-]{1,256})/app\.bsky\.feed\.post/"
    r"([A-Za-z0-9._~:-]{1,512})"
)
_HANDLE = re.compile(r"(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z0-9-]{1,63}")
_INVALID = "handle.invalid"
_COUNTS = {
    "likes": "likeCount",
    "reposts": "repostCount",
    "replies": "replyCount",
    "quotes": "quoteCount",
}
_REFUSALS = (
    "AuthenticationRequired",
    "AuthMissing",
    "InvalidToken",
    "AuthFactorTokenRequired",
    "AccountTakedown",
)


class _ExpiredError(AuthError):
    """The login has run out."""


class _Logins(Once[str]):
    """The tokens of a run, by the number of the login."""


def missing(io: IO) -> str:
    """What the user has to do before Bluesky can be searched; empty if nothing."""
    names = [name for name in INFO.credentials if not io.settings.get(name)]
    return f"set {' and '.join(names)} (an app password: {_PASSWORDS})" if names else ""


def search(ask: Ask, io: IO) -> list[Item]:
    """The best and the newest posts of the window that match, at most `ask.limit`.

    Raises:
        NotConfiguredError: there is no login.
        SourceError: the subclass says what happened; `items` holds what had arrived.
    """
    if needed := missing(io):
        raise NotConfiguredError(f"{_LABEL} is not configured", fix=needed)
    jobs = [partial(_posts, sort, ask, io) for sort in _SORTS]
    answers = together(jobs, parallel=len(jobs), deadline=io.deadline)
    return gather(answers, ask.limit)


def _posts(sort: str, ask: Ask, io: IO) -> list[Item]:
    try:
        page = _page(sort, _login(1, io), ask, io)
    except _ExpiredError:
        page = _page(sort, _login(2, io), ask, io)
    posts = as_mapping(page).get("posts")
    if not isinstance(posts, list):
        raise BadResponseError(f"{_LABEL} gave an answer without posts")
    known = [as_mapping(post) for post in posts]
    if known and not any(_POST.fullmatch(as_text(post.get("uri"))) for post in known):
        raise BadResponseError(f"{_LABEL} gave posts without addresses")
    items = (_item(post) for post in known)
    return [
        item
        for item in items
        if item and (not item.created_at or ask.window.contains(item.created_at))
    ]


def _login(number: int, io: IO) -> str:
    return io.memory.of(_Logins).get(number, partial(_token, io))


def _token(io: IO) -> str:
    """Sign in.

    Raises:
        AuthError: the handle or the password is wrong.
    """
    password = io.settings.get("BSKY_APP_PASSWORD")
    request = Request(
        _LABEL,
        _address(io.settings, "com.atproto.server.createSession"),
        body={
            "identifier": io.settings.get("BSKY_HANDLE").lstrip("@"),
            "password": password,
        },
        secrets=(password,),
        refine=_refined,
    )
    answer = as_mapping(io.fetch.json(request, io.deadline))
    token = as_text(answer.get("accessJwt"))
    if answer.get("active") is False:
        raise AuthError(f"{_LABEL} says that the account is not active", fix=_FIX)
    if not _TOKEN.fullmatch(token):
        raise BadResponseError(f"{_LABEL} gave a login without a token")
    return token


def _page(sort: str, token: str, ask: Ask, io: IO) -> object:
    request = Request(
        _LABEL,
        _address(io.settings, "app.bsky.feed.searchPosts"),
        {
            "q": " ".join(plain_words(ask.query))[:_MAX_QUERY].rstrip(),
            "sort": sort,
            "since": f"{ask.window.start:%Y-%m-%dT%H:%M:%SZ}",
            "until": f"{ask.window.end:%Y-%m-%dT%H:%M:%SZ}",
            "limit": min(ask.limit, _MOST_POSTS),
        },
        {"Authorization": f"Bearer {token}"},
        secrets=(token,),
        refine=_search_refined,
    )
    return io.fetch.json(request, io.deadline)


def _address(settings: Settings, method: str) -> str:
    return f"{settings.base_url(INFO.name, _URL)}/xrpc/{method}"


def _refined(status: int, text: str) -> SourceError | None:
    name = _error_name(text)
    if name == "ExpiredToken":
        return _ExpiredError(f"{_LABEL}: the login has expired", fix=_FIX)
    if name in _REFUSALS or status == 401:
        why = f": {name}" if name in _REFUSALS else ""
        return AuthError(f"{_LABEL} refused the login (HTTP {status}){why}", fix=_FIX)
    return None


def _search_refined(status: int, text: str) -> SourceError | None:
    if status == 403:
        return UnreachableError(f"{_LABEL} refuses the search here (HTTP 403)")
    return _refined(status, text)


def _error_name(text: str) -> str:
    try:
        return as_text(as_mapping(json.loads(text)).get("error"))
    except (ValueError, RecursionError):
        return ""


def _item(post: Mapping[str, object]) -> Item | None:
    """A post; None if it is none, or nothing is said in it."""
    record, author = as_mapping(post.get("record")), as_mapping(post.get("author"))
    match = _POST.fullmatch(as_text(post.get("uri")))
    text = drop_surrogates(as_text(record.get("text"))).strip()[:MAX_TEXT]
    if not (match and text):
        return None
    account, key = match.groups()
    handle = as_text(author.get("handle"))
    if _HANDLE.fullmatch(handle) and handle != _INVALID:
        account = handle
    # The first is what the author's program says and the second when the network saw
    # it: a post cannot be younger than that, and one brought in later is older.
    moments = (record.get("createdAt"), post.get("indexedAt"))
    known = filter(None, (parse_time(as_text(moment)) for moment in moments))
    counts = {name: post.get(field) for name, field in _COUNTS.items()}
    languages = [as_text(one) for one in as_sequence(record.get("langs"))]
    return Item(
        id=match[0],
        source=INFO.name,
        text=text,
        url=f"https://bsky.app/profile/{quote(account, safe=':')}/post/{key}",
        author_handle=account,
        author_name=drop_surrogates(as_text(author.get("displayName"))).strip(),
        created_at=min(known, default=None),
        lang=languages[0][:35] if languages else "",
        engagement=parse_counts(counts),
        urls=tuple(dict.fromkeys(_links(record)))[:_MAX_URLS],
    )


def _links(record: Mapping[str, object]) -> Iterator[str]:
    """Where a post leads to: the links in its text, and the page that it shows."""
    facets = map(as_mapping, as_sequence(record.get("facets")))
    features = (one for facet in facets for one in as_sequence(facet.get("features")))
    shown = as_mapping(as_mapping(record.get("embed")).get("external"))
    for place in (*map(as_mapping, features), shown):
        if is_web_address(uri := place.get("uri")):
            yield uri
