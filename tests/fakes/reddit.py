"""Reddit's Atom feeds, played over a small table of threads."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from html import escape
from urllib.parse import unquote

from fakes.server import Answer, Asked, Server, answer_json

__all__ = ["ATOM", "BLOCKED", "Reddit", "Reply", "Thread", "feed_of"]

ATOM = {"Content-Type": "application/atom+xml; charset=UTF-8"}
_BLOCKED = (
    "<!doctype html><html><body><h1>whoa there, pardner!</h1>Your request has been "
    "blocked due to a network policy.</body></html>"
)
BLOCKED = Answer(403, _BLOCKED.encode(), {"Content-Type": "text/html"})
_PERIODS = {"hour": 1 / 24, "day": 1, "week": 7, "month": 30, "year": 365, "all": 9999}


@dataclass(frozen=True)
class Reply:
    """A comment on a thread; its own answers are not played."""

    id: str
    author: str
    text: str
    score: int


@dataclass(frozen=True)
class Thread:
    """A post; `text` is HTML in the feeds and shown as it is in the archive."""

    id: str
    title: str
    subreddit: str
    at: datetime
    author: str = "ann"
    text: str = ""
    score: int = 1
    replies: tuple[Reply, ...] = ()
    url: str = ""

    @property
    def permalink(self) -> str:
        return f"/r/{self.subreddit}/comments/{self.id}/a_title/"

    def holds(self, words: Iterable[str]) -> bool:
        """Whether every word is in the title or the text."""
        said = f"{self.title} {self.text}".lower()
        return all(word.lower() in said for word in words)


@dataclass
class Reddit:
    """The service, on the paths of `server`.

    `blocked` names the parts that refuse this address: site, subreddits. `closed` maps
    a subreddit to what is answered for it, `missing` ones do not exist.
    """

    server: Server
    threads: list[Thread]
    now: datetime
    blocked: set[str] = field(default_factory=set)
    closed: dict[str, Answer] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.server.route("/search.rss", self._site)
        self.server.route("/r/", self._subreddit)

    @property
    def paths(self) -> list[str]:
        """The paths that were asked, in their order."""
        return [asked.path for asked in self.server.requests]

    def _site(self, asked: Asked) -> Answer:
        if "site" in self.blocked:
            return BLOCKED
        return self._found(self.threads, asked)

    def _subreddit(self, asked: Asked) -> Answer:
        if "subreddits" in self.blocked:
            return BLOCKED
        _, _, name, *rest = unquote(asked.path).split("/")
        if name in self.closed:
            return self.closed[name]
        named = (t for t in self.threads if t.subreddit.lower() == name.lower())
        own = list(self.threads if name == "all" else named)
        if not own:
            return answer_json({"message": "Not Found", "error": 404}, 404)
        if rest == ["search.rss"]:
            everywhere = asked.params.get("restrict_sr") not in ("on", "1", "true")
            return self._found(self.threads if everywhere else own, asked)
        if rest[0] == "comments":
            return self._thread(own, rest[1])
        if rest[1:] == [".rss"] and rest[0] in ("new", "rising", "top"):
            return self._listed(own, rest[0], asked)
        return answer_json({"message": "Not Found", "error": 404}, 404)

    def _found(self, threads: list[Thread], asked: Asked) -> Answer:
        words = asked.params["q"].split()
        # A minus excludes, and a colon picks a field: neither is in a table's texts.
        matches = [thread for thread in threads if thread.holds(words)]
        if asked.params.get("sort") == "new":
            matches.sort(key=lambda thread: thread.at, reverse=True)
        return self._cut(matches, asked)

    def _listed(self, threads: list[Thread], sort: str, asked: Asked) -> Answer:
        by_score = sort == "top"
        key = (lambda t: t.score) if by_score else (lambda t: t.at.timestamp())
        return self._cut(sorted(threads, key=key, reverse=True), asked)

    def _cut(self, threads: list[Thread], asked: Asked) -> Answer:
        if "last30days" not in asked.headers["user-agent"]:
            return answer_json({"message": "Too Many Requests", "error": 429}, 429)
        since = self.now - timedelta(days=_PERIODS[asked.params.get("t", "all")])
        recent = [thread for thread in threads if thread.at >= since]
        limit = min(int(asked.params.get("limit", "25")), 100)
        return feed_of(_post_entry(thread) for thread in recent[:limit])

    def _thread(self, threads: list[Thread], number: str) -> Answer:
        (thread,) = (t for t in threads if t.id == number)
        entries = [_reply_entry(thread, reply) for reply in thread.replies]
        return feed_of([_post_entry(thread), *entries])


def feed_of(entries: Iterable[str]) -> Answer:
    """A feed with these entries, each a piece of XML."""
    body = (
        '<?xml version="1.0" encoding="UTF-8"?>'
        '<feed xmlns="http://www.w3.org/2005/Atom" '
        'xmlns:media="http://search.yahoo.com/mrss/">'
        "<title>search results</title><updated>2026-11-20T10:05:00+00:00</updated>"
        f"{''.join(entries)}</feed>"
    )
    return Answer(200, body.encode(), ATOM)


def _post_entry(thread: Thread) -> str:
    page = f"https://www.reddit.com{thread.permalink}"
    content = (
        f'<!-- SC_OFF --><div class="md">{thread.text}</div><!-- SC_ON --> &#32; '
        f'submitted by &#32; <a href="https://www.reddit.com/user/{thread.author}"> '
        f'/u/{thread.author} </a> <br/> <span><a href="{escape(thread.url or page)}">'
        f'[link]</a></span> &#32; <span><a href="{page}">[comments]</a></span>'
    )
    return (
        f"<entry><author><name>/u/{thread.author}</name>"
        f"<uri>https://www.reddit.com/user/{thread.author}</uri></author>"
        f'<category term="{thread.subreddit}" label="r/{thread.subreddit}"/>'
        f'<content type="html">{escape(content)}</content><id>t3_{thread.id}</id>'
        f'<media:thumbnail url="https://b.thumbs.example/x.jpg"/><link href="{page}"/>'
        f"<updated>{thread.at.isoformat()}</updated>"
        f"<published>{thread.at.isoformat()}</published>"
        f"<title>{escape(thread.title)}</title></entry>"
    )


def _reply_entry(thread: Thread, reply: Reply) -> str:
    page = f"https://www.reddit.com{thread.permalink}{reply.id}/"
    return (
        f"<entry><author><name>/u/{reply.author}</name></author>"
        f'<content type="html">{escape(f"<p>{reply.text}</p>")}</content>'
        f'<id>t1_{reply.id}</id><link href="{page}"/>'
        f"<title>/u/{reply.author} on {escape(thread.title)}</title></entry>"
    )
