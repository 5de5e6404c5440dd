"""The bundled demo corpus keeps what the README promises of it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from itertools import pairwise
from typing import Any
from urllib.parse import urlsplit

import pytest

from engine import data
from engine.text.tokens import read

Post = dict[str, Any]

FIRST = datetime(2026, 10, 17, tzinfo=timezone.utc)
END = FIRST + timedelta(days=30)
SECOND = timedelta(seconds=1)
FIELDS = {
    *("id", "author_handle", "author_name", "text", "created_at", "lang"),
    *("likes", "reposts", "replies", "quotes", "views", "in_reply_to", "urls"),
}

LINES = data.text("demo_rome.jsonl").splitlines()
POSTS: list[Post] = [json.loads(line) for line in LINES]


def time_of(post: Post) -> datetime:
    return datetime.strptime(post["created_at"], "%Y-%m-%dT%H:%M:%S%z")


def words(text: str) -> set[str]:
    return set(read(text).words)


def names_rome(post: Post) -> bool:
    return bool(words(post["text"]) & {"rome", "roma", "罗马"})


def by_author(handle: str) -> list[Post]:
    return [post for post in POSTS if post["author_handle"] == handle]


def triples(text: str) -> set[tuple[str, ...]]:
    run = read(text).words
    return set(zip(run, run[1:], run[2:], strict=False))


def alike(one: Post, other: Post) -> bool:
    a, b = triples(one["text"]), triples(other["text"])
    return bool(a) and len(a & b) / len(a | b) >= 0.85


INSIDE = [post for post in POSTS if FIRST <= time_of(post) < END]
REPOSTS = [post for post in POSTS if post["text"].startswith("RT @")]
OWN_WORDS = [post for post in POSTS if post not in REPOSTS]


def test_corpus_is_as_large_as_promised_and_small_enough_to_ship() -> None:
    """At least 120 posts lie inside the 30 days, in less than 90 KB."""
    assert len(INSIDE) >= 120
    assert sum(len(line.encode()) + 1 for line in LINES) < 90_000


def test_every_post_is_a_plain_post() -> None:
    """Every line has the fields of a plain post, with counts that can be true."""
    for post in POSTS:
        assert set(post) == FIELDS
        for count in ("likes", "reposts", "replies", "quotes", "views"):
            assert isinstance(post[count], int) and post[count] >= 0
        assert not post["likes"] or post["views"] > post["likes"]


@pytest.mark.parametrize(("lang", "least"), [("en", 60), ("it", 10), ("zh", 15)])
def test_corpus_is_in_three_languages(lang: str, least: int) -> None:
    """English, Italian and Chinese are all really there."""
    assert {post["lang"] for post in POSTS if post["text"]} == {"en", "it", "zh"}
    assert Counter(post["lang"] for post in POSTS)[lang] >= least


def test_ids_are_snowflakes_of_the_posts_times() -> None:
    """The time in an id is the time of the post, to the second."""
    for post in POSTS:
        assert isinstance(post["id"], str)
        milliseconds = (int(post["id"]) >> 22) + 1288834974657
        assert milliseconds // 1000 == int(time_of(post).timestamp())


def test_ids_are_no_even_sequence() -> None:
    """Ids are unique, and neither their distances nor their low bits repeat."""
    ids = sorted(int(post["id"]) for post in POSTS)
    assert len(set(ids)) == len(ids)
    assert len({b - a for a, b in pairwise(ids)}) == len(ids) - 1
    assert len({number & ((1 << 22) - 1) for number in ids}) > 0.9 * len(ids)


def test_handles_keep_the_grammar_and_have_one_name_each() -> None:
    """A handle is 1 to 15 ASCII letters, digits and underscores."""
    names: dict[str, set[str]] = {}
    for post in POSTS:
        names.setdefault(post["author_handle"], set()).add(post["author_name"])
    assert all(re.fullmatch(r"[A-Za-z0-9_]{1,15}", handle) for handle in names)
    assert all(len(found) == 1 and found != {""} for found in names.values())


def test_links_lead_to_example_hosts_only() -> None:
    """No link can reach a site of the real world."""
    for post in POSTS:
        for url in post["urls"]:
            assert urlsplit(url).hostname is not None
            assert str(urlsplit(url).hostname).endswith(".example")
        assert not re.search(r"https?:|www\.", post["text"])


SPECIAL: dict[str, Callable[[Post], bool]] = {
    "first instant": lambda p: time_of(p) == FIRST,
    "last second": lambda p: time_of(p) == END - SECOND,
    "a second too early": lambda p: time_of(p) == FIRST - SECOND,
    "a second too late": lambda p: time_of(p) == END,
    "without text": lambda p: p["text"] == "",
    "all capitals": lambda p: len(p["text"]) > 40 and p["text"].isupper(),
    "very long": lambda p: len(p["text"]) > 2_000,
    "reply": lambda p: p["in_reply_to"] != "",
    "instruction to the model": lambda p: "ignore all previous" in p["text"].lower(),
    "heading": lambda p: "\n# " in p["text"],
    "script link": lambda p: "](javascript:" in p["text"],
    "comment close": lambda p: "-->" in p["text"],
    "terminal escape": lambda p: "\x1b[" in p["text"],
    "right-to-left override": lambda p: "\u202e" in p["text"],
    "tag characters": lambda p: bool(re.search("[\U000e0020-\U000e007f]", p["text"])),
}


@pytest.mark.parametrize("holds", SPECIAL.values(), ids=SPECIAL.keys())
def test_special_case_is_present(holds: Callable[[Post], bool]) -> None:
    """Each odd kind of post that the loop must cope with occurs."""
    assert any(map(holds, POSTS))


@pytest.mark.parametrize(
    "handle", ["wanderglow_77", "deskline_zero", "lupi_curva_fm", "bigpaisan_chi"]
)
def test_flooding_account_has_the_topic_in_its_name_only(handle: str) -> None:
    """X finds all its posts by the display name; few of them are about Rome."""
    posts = by_author(handle)
    assert {"rome", "italy"} <= words(posts[0]["author_name"])
    assert len(posts) >= 3
    assert sum(map(names_rome, posts)) / len(posts) < 0.5


def test_player_shares_his_name_with_the_city() -> None:
    """Posts about American football say Rome and mean a man."""
    posts = by_author("odell_szn_84")
    assert all("odell" in words(post["text"]) for post in posts)
    assert all(map(names_rome, posts))


def test_local_accounts_write_about_their_city() -> None:
    """At least six accounts with three or more posts name Rome in most of them."""
    counts = Counter(post["author_handle"] for post in OWN_WORDS)
    local = [
        handle
        for handle, total in counts.items()
        if total >= 3 and sum(map(names_rome, by_author(handle))) > 0.7 * total
    ]
    assert len(local) >= 6


def test_reposts_repeat_a_post_of_the_corpus() -> None:
    """A repost is the text of somebody else's earlier post behind RT @handle."""
    assert len(REPOSTS) >= 5
    for post in REPOSTS:
        found = re.match(r"RT @(\w{1,15}): (.*)", post["text"], re.DOTALL)
        assert found is not None and found[1] != post["author_handle"]
        originals = [p for p in by_author(found[1]) if p["text"] == found[2]]
        assert originals and time_of(originals[0]) < time_of(post)


def test_near_copies_are_present() -> None:
    """At least four posts repeat another's words with a sign or a word changed."""
    pairs = [
        (one, other)
        for i, one in enumerate(OWN_WORDS)
        for other in OWN_WORDS[:i]
        if one["text"] != other["text"] and alike(one, other)
    ]
    assert len(pairs) >= 4


def test_some_accounts_are_mentioned_often() -> None:
    """The visitor desk and the metro account are named in the posts of others."""
    mentions = Counter(name for p in OWN_WORDS for name in read(p["text"]).mentions)
    assert mentions["urbe_welcome_it"] >= 3
    assert mentions["metro_urbe_info"] >= 3
    assert set(mentions) <= {post["author_handle"] for post in POSTS}
