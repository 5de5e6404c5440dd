"""Reddit against services that play its feeds and its archive over one table."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest

from engine.contracts import check
from engine.errors import BlockedError, RateLimitError, SourceError
from engine.model import Comment, Depth, Item, State, Warning
from engine.rank.engagement import engagement_score
from engine.sources import SOURCES, reddit
from engine.sources.base import LIMITS
from engine.sources.reddit_hosts import ArchiveHost, FeedHost
from fakes.arctic_shift import ArcticShift, refused
from fakes.asking import NOW, WINDOW, World, question
from fakes.reddit import Reddit, Reply, Thread
from fakes.server import Answer, Failure, Server, answer_json, page, slow, status

DAY = timedelta(days=1)
SUBS = ("ClaudeAI", "ClaudeCode")


def thread(number: int, title: str, sub: str = "ClaudeAI", **more: Any) -> Thread:
    """A post of some day in the window."""
    at = more.pop("at", NOW - number * DAY)
    return Thread(f"1p{number}", title, sub, at, **more)


def talk(*scores: int) -> tuple[Reply, ...]:
    """Comments with these votes."""
    return tuple(
        Reply(f"c{i}", f"reader_{i}", f"comment {i}", score)
        for i, score in enumerate(scores)
    )


THREADS = [
    thread(3, "I wrote Claude Code skills for chess", score=62, replies=talk(5, 40, 9)),
    thread(4, "Claude Code skills are prompts", "ClaudeCode", score=17),
    thread(5, "Nine claude code skills", score=160, replies=talk(1, 2)),
    thread(6, "Weekly thread: show your desk", score=900, replies=talk(7)),
    thread(7, "My cat likes skills", "cats", score=4000),
]


class Both(World):
    """A run against the two services, each on a server of its own."""

    def __init__(self, threads: list[Thread], seconds: float = 20.0) -> None:
        self.feeds_at, self.archive_at = Server(), Server()
        self.feeds_at.__enter__()
        self.archive_at.__enter__()
        self.feeds = Reddit(self.feeds_at, threads, NOW)
        self.archive = ArcticShift(self.archive_at, threads, NOW)
        super().__init__(
            {
                "LAST30DAYS_REDDIT_URL": self.feeds_at.url,
                "LAST30DAYS_ARCTIC_SHIFT_URL": self.archive_at.url,
            },
            seconds,
        )

    def search(
        self, query: str, *subreddits: str, depth: Depth = Depth.DEFAULT
    ) -> list[Item]:
        return reddit.search(question(query, depth, subreddits=subreddits), self.io)

    def close(self) -> None:
        self.feeds_at.__exit__()
        self.archive_at.__exit__()


@pytest.fixture
def both() -> Any:
    """Both services over the same threads."""
    services = Both(THREADS)
    yield services
    services.close()


def ids(items: list[Item]) -> list[str]:
    return sorted(item.id for item in items)


def by_id(items: list[Item]) -> dict[str, Item]:
    return {item.id: item for item in items}


def test_it_stands_in_the_registry() -> None:
    """By its own name, asked with the user's own words."""
    assert SOURCES["reddit"] is reddit
    assert reddit.INFO.asked_with == "topic"
    assert reddit.INFO.credentials == ()


@pytest.mark.parametrize(
    ("score", "comments", "expected"), [(160, 34, 50), (17, 24, 34)]
)
def test_the_scale_of_engagement(score: int, comments: int, expected: int) -> None:
    """The figures that users of such a tool know."""
    info = reddit.INFO
    counts = {"score": score, "comments": comments}
    found = engagement_score(counts, info.weights, info.reference)
    assert found is not None
    assert round(found) == expected


def test_without_a_subreddit_the_site_is_searched(both: Both) -> None:
    """One feed; the archive then tells the votes of what was found, in one request."""
    items = both.search("Claude Code skills")
    assert both.feeds.paths == ["/search.rss"]
    (asked,) = both.feeds_at.requests
    assert asked.params == {
        "q": "Claude Code skills",
        "sort": "relevance",
        "t": "month",
        "limit": "100",
    }
    assert "last30days" in asked.headers["user-agent"]
    assert ids(items) == ["t3_1p3", "t3_1p4", "t3_1p5"]
    assert by_id(items)["t3_1p5"].engagement["score"] == 160
    assert len(both.archive.asked("/posts/ids")) == 1
    assert both.warnings == []


def test_a_post_is_read_whole() -> None:
    """From the feed, with the votes and comments of the archive."""
    services = Both(
        [
            thread(
                3,
                "Foo & <bar> review",
                "gadgets",
                author="zoe-b",
                text='<p>It&#39;s new.</p><p>See <a href="https://x.example/a">a</a> '
                'and <a href="/r/other">r/other</a></p>',
                url="https://example.com/foo?a=1&b=2",
                score=41,
                replies=talk(5, 40, 9),
            )
        ]
    )
    services.archive.threads = [replace(services.archive.threads[0], text="")]
    (item,) = services.search("foo review")
    services.close()
    page_of = "https://www.reddit.com/r/gadgets/comments/1p3/"
    assert item == Item(
        id="t3_1p3",
        source="reddit",
        text="It's new.\nSee a and r/other",
        url=page_of,
        author_handle="zoe-b",
        title="Foo & <bar> review",
        created_at=NOW - 3 * DAY,
        engagement={"score": 41, "comments": 3, "best_comment": 40},
        urls=item.urls,
        container="r/gadgets",
        comments=(
            Comment("reader_1", "comment 1", 40, f"{page_of}comment/c1/"),
            Comment("reader_2", "comment 2", 9, f"{page_of}comment/c2/"),
            Comment("reader_0", "comment 0", 5, f"{page_of}comment/c0/"),
        ),
        backend="archive",
    )
    assert set(item.urls) == {"https://example.com/foo?a=1&b=2", "https://x.example/a"}


def test_named_subreddits_are_searched_and_listed(both: Both) -> None:
    """The feeds of each, and the archive in four slices for its words."""
    items = both.search("Claude Code skills", *SUBS)
    assert both.feeds.paths == [
        "/search.rss",
        "/r/ClaudeAI/search.rss",
        "/r/ClaudeCode/search.rss",
        "/r/ClaudeAI/top/.rss",
        "/r/ClaudeCode/top/.rss",
    ]
    inside = both.feeds_at.requests[1].params
    assert (inside["restrict_sr"], inside["sort"], inside["t"]) == (
        "on",
        "new",
        "month",
    )
    # What is listed is the judge's to refuse; another subreddit's is not there.
    assert ids(items) == ["t3_1p3", "t3_1p4", "t3_1p5", "t3_1p6"]
    assert both.tiers == {}


def test_the_archive_is_walked_in_slices_that_cover_the_window(both: Both) -> None:
    """Thirty days are four slices of about eight, each asked for once."""
    both.search("Claude Code skills", "ClaudeAI")
    words = [a for a in both.archive.asked("/posts/search") if "query" in a]
    assert {a["query"] for a in words} == {"claude code skills"}
    assert {a["limit"] for a in words} == {"100"}
    spans = sorted((int(a["after"]) + 1, int(a["before"])) for a in words)
    assert len(spans) == 4
    assert spans[0][0] == WINDOW.start.timestamp()
    assert spans[-1][1] == WINDOW.end.timestamp()
    assert [end for _, end in spans[:-1]] == [start for start, _ in spans[1:]]
    # Three are under way at once, so that the first may arrive as the third.
    first = {int(a["before"]) for a in words[:3]}
    assert WINDOW.end.timestamp() in first, "the latest days first"
    assert all(7 * 86400 <= end - start <= 8 * 86400 for start, end in spans)


def test_blocked_search_without_a_subreddit_says_blocked(both: Both) -> None:
    """And what opens another way; the archive alone cannot be searched."""
    both.feeds.blocked = {"site"}
    with pytest.raises(BlockedError) as caught:
        both.search("Claude Code skills")
    assert "site search" in caught.value.detail
    assert "403" in caught.value.detail
    assert "--subreddits" in caught.value.fix
    assert both.archive_at.requests == []


def test_with_subreddits_the_archive_answers_where_the_site_is_blocked(
    both: Both,
) -> None:
    """What was refused is told in warnings that keep their schema."""
    both.feeds.blocked = {"site", "subreddits"}
    items = both.search("Claude Code skills", *SUBS)
    assert ids(items) == ["t3_1p3", "t3_1p4", "t3_1p5", "t3_1p6"]
    assert both.tiers == {"site search": "blocked", "subreddit feeds": "blocked"}
    # After the second refusal no feed is asked any more.
    assert both.feeds.paths == ["/search.rss", "/r/ClaudeAI/search.rss"]
    for warning in both.warnings:
        _check(warning)


def _check(warning: Warning) -> None:
    value = {name: getattr(warning, name) for name in ("code", "source", "message")}
    check({**value, "data": dict(warning.data)}, "warning", name="it")


def test_a_refusal_is_remembered_for_the_run(both: Both) -> None:
    """A second question does not knock again."""
    both.feeds.blocked = {"site", "subreddits"}
    both.search("Claude Code skills", "ClaudeAI")
    asked = len(both.feeds_at.requests)
    both.search("skills", "ClaudeAI")
    assert len(both.feeds_at.requests) == asked


def test_where_words_cannot_be_searched_the_days_are_listed(both: Both) -> None:
    """A very active subreddit takes no keywords."""
    both.feeds.blocked = {"site", "subreddits"}
    both.archive.busy = {"claudeai"}
    items = both.search("Claude Code skills", "ClaudeAI")
    assert ids(items) == ["t3_1p3", "t3_1p5", "t3_1p6"]
    plain = [a for a in both.archive.asked("/posts/search") if "query" not in a]
    assert len(plain) == 4
    assert "archive" not in both.tiers


def test_where_hardly_a_post_has_all_words_the_days_are_listed_too(both: Both) -> None:
    """The judge reads what a search for every word would miss."""
    both.feeds.blocked = {"site", "subreddits"}
    items = both.search("desk setups of developers", "ClaudeAI")
    assert ids(items) == ["t3_1p3", "t3_1p5", "t3_1p6"]


def test_a_slice_that_takes_too_long_is_asked_for_by_half(both: Both) -> None:
    """Once, and no failure is told if that works."""
    both.archive.bearable = 50
    both.search("Claude Code skills", "ClaudeAI", depth=Depth.QUICK)
    limits = [a["limit"] for a in both.archive.asked("/posts/search") if "query" in a]
    assert sorted(limits) == ["100", "100", "50", "50"]
    assert both.tiers == {}


def test_a_slice_that_still_takes_too_long_is_told(both: Both) -> None:
    """The others' posts are kept."""
    both.feeds.blocked = {"site", "subreddits"}
    spoilt = min(int(part.start.timestamp()) - 1 for part in WINDOW.parts(4))
    search = both.archive._search

    def partly(asked: Any) -> Answer:
        late = int(asked.params["after"]) == spoilt
        return refused("Query timed out") if late else search(asked)

    both.archive_at.route("/api/posts/search", partly)
    items = both.search("Claude Code skills", *SUBS)
    assert ids(items) == ["t3_1p3", "t3_1p4", "t3_1p5", "t3_1p6"]
    (warning,) = [w for w in both.warnings if w.data["tier"] == "archive"]
    assert warning.data["state"] == "timeout"
    assert str(warning.data["detail"]).endswith("(2 of 8 parts)")


@pytest.mark.parametrize("hours", [35, 37])
def test_votes_of_the_last_day_and_a_half_are_unknown(hours: int) -> None:
    """The archive has 0 and 1 for them, which is no count."""
    at = NOW - timedelta(hours=hours)
    services = Both([thread(1, "foo", at=at, score=50, replies=talk(8))])
    services.feeds.blocked = {"site", "subreddits"}
    (item,) = services.search("foo", "ClaudeAI")
    services.close()
    (comment,) = item.comments
    if hours < 36:
        assert item.engagement == {}
        assert comment.votes is None
    else:
        assert item.engagement == {"score": 50, "comments": 1, "best_comment": 8}


def test_without_the_archive_votes_are_unknown_and_comments_come_from_the_feed(
    both: Both,
) -> None:
    """The order of the site is all that a feed tells."""
    both.archive_at.fail(status(503, {"data": None, "error": "Under maintenance"}))
    items = both.search("Claude Code skills")
    assert all(item.engagement == {} for item in items)
    assert [c.votes for c in by_id(items)["t3_1p3"].comments] == [None] * 3
    assert by_id(items)["t3_1p3"].comments[0] == Comment(
        "reader_0",
        "comment 0",
        url="https://www.reddit.com/r/ClaudeAI/comments/1p3/comment/c0/",
    )
    assert both.tiers == {"votes": "unreachable"}
    # After the first answer the archive is left alone.
    assert len(both.archive_at.requests) == 1


def test_one_subreddit_that_is_closed_is_told_and_the_others_answer(both: Both) -> None:
    """Private or missing is no failure of the source."""
    private = {"message": "Forbidden", "error": 403, "reason": "private"}
    both.feeds.closed = {"Secret": answer_json(private, 403)}
    items = both.search("Claude Code skills", "Secret", "NoSuch", "ClaudeCode")
    assert "t3_1p4" in ids(items)
    told = sorted(w.message for w in both.warnings)
    assert told == [
        "Reddit, subreddit feeds: r/NoSuch is missing or banned",
        "Reddit, subreddit feeds: r/Secret is private",
    ]
    assert both.tiers == {"subreddit feeds": "no-results"}
    assert both.feeds.paths.count("/r/Secret/top/.rss") == 0


def test_closed_subreddits_alone_are_no_failure(both: Both) -> None:
    """Everything answered, and there was nothing."""
    assert both.search("zeppelin", "NoSuch") == []
    assert both.tiers == {"subreddit feeds": "no-results"}


@pytest.mark.parametrize(
    "name", ["../etc", "a b", "", "x" * 30, "r/", "é", "a/b", "a?b", "\x1b[31m"]
)
def test_what_is_no_subreddit_is_told_and_not_asked(both: Both, name: str) -> None:
    """Nothing of it gets into an address."""
    both.search("Claude Code skills", name)
    assert both.feeds.paths == ["/search.rss"]
    (warning,) = both.warnings
    _check(warning)
    assert warning.message.isprintable()


def test_subreddits_are_asked_once_however_they_are_written(both: Both) -> None:
    """With or without r/, in capitals or not."""
    both.search("Claude Code skills", "r/ClaudeAI", "/r/claudeai/", "CLAUDEAI")
    assert both.feeds.paths.count("/r/ClaudeAI/search.rss") == 1
    assert len(both.feeds.paths) == 3


@pytest.mark.parametrize(
    ("topic", "sent"),
    [
        ('"Claude Code" OR rome', "Claude Code or rome"),
        ("title:foo (bar) -baz", "title foo bar baz"),
        ("NOT AND ok", "not and ok"),
        ("日本 旅行", "日本 旅行"),
    ],
)
def test_a_topic_is_no_query_language(both: Both, topic: str, sent: str) -> None:
    """Quotes, operators, fields and a minus do nothing."""
    both.search(topic)
    assert both.feeds_at.requests[0].params["q"] == sent


@pytest.mark.parametrize(
    ("days", "period"),
    [(1, "day"), (7, "week"), (30, "month"), (31, "year"), (400, "all")],
)
def test_the_period_reaches_back_to_the_first_day(
    both: Both, days: int, period: str
) -> None:
    """Reddit takes no dates; what is older is dropped here."""
    window = type(WINDOW).ending(NOW.date(), days)
    reddit.search(replace(question("claude"), window=window), both.io)
    assert both.feeds_at.requests[0].params["t"] == period


def test_posts_outside_the_window_are_dropped() -> None:
    """The first instant is in, the one before it is not."""
    first: datetime = WINDOW.start
    services = Both(
        [
            thread(1, "foo", at=first),
            thread(2, "foo", at=first - timedelta(seconds=1)),
            thread(3, "foo", at=WINDOW.end),
        ]
    )
    items = services.search("foo", "ClaudeAI")
    services.close()
    assert ids(items) == ["t3_1p1"]


def test_a_busy_subreddit_does_not_crowd_the_matches_out() -> None:
    """What the query chose comes before what was merely listed."""
    desks = [
        thread(n, f"my desk {n}", at=NOW - 3 * DAY, score=n) for n in range(10, 110)
    ]
    services = Both([*desks, thread(5, "claude skills")])
    items = services.search("claude skills", "ClaudeAI", depth=Depth.QUICK)
    services.close()
    assert items[0].id == "t3_1p5"
    assert len(items) == 8 * LIMITS[Depth.QUICK]


@pytest.mark.parametrize("depth", list(Depth))
def test_the_budget_of_requests(depth: Depth) -> None:
    """However many subreddits are named, and however slow the archive is."""
    names = [f"sub{i}" for i in range(12)]
    services = Both([thread(i, "foo", name) for i, name in enumerate(names, 1)])
    services.archive.bearable = 10
    items = services.search("foo", *names, depth=depth)
    services.close()
    sent = len(services.feeds_at.requests), len(services.archive_at.requests)
    assert sent[0] <= FeedHost.most[depth]
    assert sent[1] <= ArchiveHost.most[depth]
    assert items
    assert services.tiers["archive"] in ("timeout", "error")
    if depth is Depth.DEFAULT:
        assert sum(sent) <= reddit.INFO.requests


@pytest.mark.parametrize(
    ("failure", "state"),
    [
        (status(429, Retry_After="999"), State.RATE_LIMITED),
        (page(429), State.RATE_LIMITED),
        (page(403), State.BLOCKED),
        (page(200), State.BLOCKED),
        (status(500), State.UNREACHABLE),
        (status(504), State.TIMEOUT),
        (slow(30), State.TIMEOUT),
        (lambda answer: replace(answer, body=answer.body[:-20]), State.BAD_RESPONSE),
        (lambda answer: replace(answer, body=b"<rss/>"), State.BAD_RESPONSE),
        (lambda answer: replace(answer, body=b'{"a": 1}'), State.BAD_RESPONSE),
        (lambda answer: replace(answer, body=b""), State.BAD_RESPONSE),
    ],
    ids=lambda value: value.value if isinstance(value, State) else "",
)
def test_each_failure_of_the_site_has_its_outcome(
    failure: Failure, state: State
) -> None:
    """A failure is never shown as silence."""
    services = Both(THREADS, seconds=3)
    services.feeds_at.fail(failure)
    with pytest.raises(SourceError) as caught:
        services.search("Claude Code skills")
    services.close()
    assert caught.value.state is state
    assert "--subreddits" in caught.value.fix


@pytest.mark.parametrize(
    ("answer", "state"),
    [
        (refused("Timeout. Maybe slow down a bit"), State.TIMEOUT),
        (refused("Query timed out"), State.TIMEOUT),
        (refused("Slow down a little"), State.RATE_LIMITED),
        (refused("Slow down a little", 429), State.RATE_LIMITED),
        (refused("Under maintenance"), State.UNREACHABLE),
        (refused("Under maintenance", 503), State.UNREACHABLE),
        (refused("bad date", 400), State.BAD_RESPONSE),
        (refused("Timeout", 200), State.TIMEOUT),
        (answer_json({"data": None}), State.BAD_RESPONSE),
        (answer_json([1]), State.BAD_RESPONSE),
        (Answer(200, b"no json"), State.BAD_RESPONSE),
        (Answer(524), State.TIMEOUT),
        (Answer(500, b"<html>oops</html>"), State.UNREACHABLE),
    ],
    ids=lambda value: value.value if isinstance(value, State) else "",
)
def test_each_failure_of_the_archive_has_its_outcome(
    both: Both, answer: Answer, state: State
) -> None:
    """Its text decides as well as its status; the site's posts are kept."""
    both.archive_at.fail(lambda _: answer)
    items = both.search("Claude Code skills", "ClaudeAI")
    assert items
    assert both.tiers["archive"] == state.value
    assert "votes" not in both.tiers


def test_of_several_failures_the_most_telling_is_raised(both: Both) -> None:
    """All of them are in its text."""
    both.feeds.blocked = {"site", "subreddits"}
    both.archive_at.fail(status(429, Retry_After="600"))
    with pytest.raises(RateLimitError) as caught:
        both.search("Claude Code skills", "ClaudeAI")
    assert caught.value.retry_after == 600
    for tier in ("site search", "subreddit feeds", "archive"):
        assert f"{tier}: " in str(caught.value)


def test_nobody_listens(both: Both) -> None:
    """Unreachable, within the time."""
    nowhere = World(
        {
            "LAST30DAYS_REDDIT_URL": "http://127.0.0.1:1",
            "LAST30DAYS_ARCTIC_SHIFT_URL": "http://127.0.0.1:1",
        },
        seconds=2,
    )
    with pytest.raises(SourceError) as caught:
        reddit.search(question("foo", subreddits=SUBS), nowhere.io)
    assert caught.value.state is State.UNREACHABLE


def test_the_whole_run_keeps_its_deadline() -> None:
    """A site that hangs costs the archive's posts nothing."""
    services = Both(THREADS, seconds=4)
    services.feeds_at.fail(slow(30))
    began = time.monotonic()
    items = services.search("Claude Code skills", "ClaudeAI")
    assert time.monotonic() - began < 4.5
    services.close()
    assert ids(items) == ["t3_1p3", "t3_1p5", "t3_1p6"]
    assert services.tiers["site search"] == "timeout"
    assert len(by_id(items)["t3_1p3"].comments) == 3


def test_feeds_start_two_seconds_apart() -> None:
    """Reddit throttles hard; the archive is not kept waiting by that."""
    services = Both(THREADS)
    services.io = World({**services.values, "LAST30DAYS_PACING": "1"}).io
    began = time.monotonic()
    services.search("Claude Code skills", "ClaudeAI", depth=Depth.QUICK)
    spent = time.monotonic() - began
    services.close()
    assert len(services.feeds_at.requests) == 2
    assert 2 <= spent < 4


def test_calls_run_side_by_side() -> None:
    """The chain of the feeds is the longest: five calls, then votes and comments."""
    services = Both(THREADS, seconds=20)
    for server in (services.feeds_at, services.archive_at):
        server.fail(lambda answer: replace(answer, delay=0.3))
    began = time.monotonic()
    services.search("Claude Code skills", *SUBS)
    spent = time.monotonic() - began
    services.close()
    assert spent < (5 + 1 + 1) * 0.3 + 0.5
