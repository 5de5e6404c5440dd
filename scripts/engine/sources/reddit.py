"""Reddit without a key: its feeds and, for subreddits that are named, an archive.

https://www.reddit.com/wiki/rss and https://github.com/ArthurHeitmann/arctic_shift.
The site's own search comes first, then the feeds of the subreddits; the archive is
asked at the same time, and knows the votes that no feed tells. What one way refuses
another may give.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, islice, zip_longest

from engine.errors import SourceError, most_telling
from engine.io import IO
from engine.model import Comment, Depth, Item, SourceInfo
from engine.sources.base import Ask, Hints, RiverAsk, tier_refused
from engine.sources.reddit_archive import archived_comments, archived_counts, sweep
from engine.sources.reddit_feeds import (
    Feed,
    NoSubredditError,
    feed_comments,
    feed_posts,
    listing,
    search_feed,
)
from engine.sources.reddit_hosts import ArchiveHost, FeedHost
from engine.sources.reddit_posts import merge, subreddit_name
from engine.sources.threads import with_comments, with_comments_on_hottest
from engine.sources.wording import plain_words
from engine.text.redact import excerpt
from engine.together import together
from engine.window import Window

__all__ = ["INFO", "missing", "river", "search"]

INFO = SourceInfo(
    name="reddit",
    label="Reddit",
    emoji="🟠",
    site="reddit.com",
    api_page="https://www.reddit.com/wiki/rss",
    # The share of the upvote ratio is left out: no way in tells it.
    weights={"score": 0.50, "comments": 0.35, "best_comment": 0.10},
    # About ln 2,000: a thread with so many votes and comments is as hot as they get.
    reference=7.6,
    quality=0.60,
    discussion=True,
    asked_with="topic",
    noun="threads",
    at="u/",
    requests=FeedHost.most[Depth.DEFAULT] + ArchiveHost.most[Depth.DEFAULT],
)

# A listing holds more off topic than on it, and the judge comes after the source.
_ITEMS_PER_WANTED = 8
# The part of the time that is left for votes and comments.
_LATER = 0.3

_LISTINGS: Mapping[Depth, tuple[str, ...]] = {
    Depth.QUICK: (),
    Depth.DEFAULT: ("top",),
    Depth.DEEP: ("top", "new"),
}

_RIVERS = ("rising", "top")
_EVERYWHERE = ["all"]

_SITE, _FEEDS, _ARCHIVE, _VOTES = "site search", "subreddit feeds", "archive", "votes"
_FIX = "name subreddits with --subreddits: that opens other ways to Reddit"


@dataclass(slots=True)
class _Found:
    """What some ways gave: groups of posts, and failures by tier.

    `searched` were chosen by the query, `listed` were not. `absent` tells of
    subreddits that have nothing to give.
    """

    searched: list[list[Item]] = field(default_factory=list)
    listed: list[list[Item]] = field(default_factory=list)
    failures: dict[str, SourceError] = field(default_factory=dict)
    absent: list[SourceError] = field(default_factory=list)


def missing(io: IO) -> str:
    """Nothing is ever missing: these ways are open to everybody."""
    return ""


def search(ask: Ask, io: IO) -> list[Item]:
    """The posts of the window: those that match, and what the subreddits listed.

    There may be several times `ask.limit`, since what is listed is not chosen by the
    query. A way that failed is told in a warning where another gave something.

    Raises:
        SourceError: nothing came and some way failed; the most telling of the failures.
    """
    names = _subreddits(ask.hints, io)
    ways = {
        _SITE: partial(_by_feeds, names, ask),
        _ARCHIVE: partial(_by_archive, names, ask),
    }
    found = _discovered(ways, io)
    items = _kept(found, ask.window, _ITEMS_PER_WANTED * ask.limit)
    items = _counted_and_told(items, found, bool(names), ask.depth, io)
    return with_comments(items, ask, io, INFO, partial(_comments, ask.depth))


def river(hot: RiverAsk, io: IO) -> list[Item]:
    """What is rising and on top of the week in the subreddits named, or in all.

    Of a domain without subreddits what the site finds on it is read as well, and of
    one with them what the archive has.

    Raises:
        SourceError: nothing came and some way failed; the most telling of the failures.
    """
    names = _subreddits(hot.hints, io)
    ways = {_FEEDS: partial(_by_lists, names, hot)}
    if hot.domain and names:
        ways[_ARCHIVE] = partial(_by_archive, names, hot.search())
    found = _discovered(ways, io)
    items = _kept(found, hot.window, _ITEMS_PER_WANTED * hot.limit)
    items = _counted_and_told(items, found, bool(names), hot.depth, io)
    read = partial(_comments, hot.depth)
    return with_comments_on_hottest(items, hot, io, INFO, read)


def _counted_and_told(
    items: list[Item], found: _Found, named: bool, depth: Depth, io: IO
) -> list[Item]:
    """The posts with their votes; what failed is told, and raised if nothing came."""
    for error in found.absent:
        io.warn(tier_refused(INFO, _FEEDS, error))
    if not items:
        if found.failures:
            raise _in_one(found.failures, named)
        return []
    items = _counted(items, found, depth, io)
    for tier, error in found.failures.items():
        io.warn(tier_refused(INFO, tier, error))
    return items


def _subreddits(hints: Hints, io: IO) -> list[str]:
    """The subreddits that the user named, each once; one that cannot be is told."""
    names: dict[str, str] = {}
    for raw in hints.subreddits:
        name = subreddit_name(raw)
        if name:
            names.setdefault(name.lower(), name)
        else:
            error = NoSubredditError(f"no subreddit can be called {excerpt(raw)!r}")
            io.warn(tier_refused(INFO, _FEEDS, error))
    return list(names.values())


def _discovered(ways: Mapping[str, Callable[[IO], _Found]], io: IO) -> _Found:
    """What several ways give, asked side by side."""
    io = replace(io, deadline=io.deadline.before(_LATER * io.deadline.left))
    jobs = [partial(way, io) for way in ways.values()]
    both = _Found()
    answers = together(jobs, parallel=len(ways), deadline=io.deadline)
    for tier, answer in zip(ways, answers, strict=True):
        if isinstance(answer, SourceError):
            both.failures[tier] = answer
        else:
            both.searched += answer.searched
            both.listed += answer.listed
            both.failures |= answer.failures
            both.absent += answer.absent
    return both


def _by_feeds(names: list[str], ask: Ask, io: IO) -> _Found:
    window, now = ask.window, io.settings.now
    words = plain_words(ask.query)
    searches = [search_feed(words, window, now, name) for name in ("", *names)]
    sorts = _LISTINGS[ask.depth]
    lists = [listing(name, sort, window, now) for sort in sorts for name in names]
    return _read(searches, lists, ask.depth, io)


def _by_lists(names: list[str], hot: RiverAsk, io: IO) -> _Found:
    week, now = hot.week, io.settings.now
    places = names or _EVERYWHERE
    lists = [listing(place, sort, week, now) for sort in _RIVERS for place in places]
    searches = []
    if hot.domain and not names:
        searches.append(search_feed(plain_words(hot.domain.core), week, now))
    return _read(searches, lists, hot.depth, io)


def _read(
    searches: Iterable[Feed], lists: Iterable[Feed], depth: Depth, io: IO
) -> _Found:
    """The posts of feeds; nothing more is asked of a subreddit that is closed."""
    found = _Found()
    closed: set[str] = set()
    groups = ((searches, found.searched), (lists, found.listed))
    for feed, group in ((feed, group) for feeds, group in groups for feed in feeds):
        if feed.subreddit in closed:
            continue
        try:
            group.append(feed_posts(feed, depth, io))
        except NoSubredditError as error:
            closed.add(feed.subreddit)
            found.absent.append(error)
        except SourceError as error:
            found.failures.setdefault(_FEEDS if feed.subreddit else _SITE, error)
    return found


def _by_archive(names: list[str], ask: Ask, io: IO) -> _Found:
    swept = sweep(names, ask, io)
    found = _Found(swept.searched, swept.listed)
    if swept.failures:
        error = most_telling(swept.failures)
        lost = len(swept.failures)
        part = f" ({lost} of {swept.asked} parts)" if lost < swept.asked else ""
        found.failures[_ARCHIVE] = _retold(error, error.detail + part)
    return found


def _kept(found: _Found, window: Window, most: int) -> list[Item]:
    """Each post once and inside the window; those that match the query come first."""
    posts: dict[str, Item] = {}
    for groups in (found.searched, found.listed):
        # In turn from each, so that no group crowds another out.
        for post in filter(None, chain.from_iterable(zip_longest(*groups))):
            known = posts.get(post.id)
            posts[post.id] = merge(known, post) if known else post
    inside = (
        post
        for post in posts.values()
        if post.created_at is None or window.contains(post.created_at)
    )
    return list(islice(inside, most))


def _counted(items: list[Item], found: _Found, depth: Depth, io: IO) -> list[Item]:
    """The same posts, with the archive's votes for those that only feeds gave."""
    groups = (*found.searched, *found.listed)
    archived = {p.id for posts in groups for p in posts if p.backend == "archive"}
    unknown = [item for item in items if item.id not in archived]
    try:
        copies = {p.id: p for p in archived_counts(unknown, depth, io)}
    except SourceError as error:
        if _ARCHIVE not in found.failures:
            found.failures[_VOTES] = error
        return items
    return [merge(p, copies[p.id]) if p.id in copies else p for p in items]


def _comments(depth: Depth, io: IO, item: Item) -> tuple[Comment, ...]:
    try:
        return archived_comments(item, depth, io)
    except SourceError as error:
        try:
            return feed_comments(item, depth, io)
        except SourceError:
            raise error from None


def _in_one(failures: Mapping[str, SourceError], named: bool) -> SourceError:
    """The most telling failure, with what happened on each way."""
    error = most_telling(failures.values())
    detail = "; ".join(f"{tier}: {each.detail}" for tier, each in failures.items())
    return _retold(error, detail, "" if named else _FIX)


def _retold(error: SourceError, detail: str, fix: str = "") -> SourceError:
    told = copy(error)
    told.args, told.detail, told.fix = (detail,), detail, fix or error.fix
    return told
