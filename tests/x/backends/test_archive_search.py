"""Search over posts on disk: what matches, in which order, within which bounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import date, datetime, timedelta, timezone

import pytest

from engine.deadline import Deadline
from engine.errors import NotConfiguredError
from engine.fetch import Fetch
from engine.model import Item
from engine.settings import Settings
from engine.text.topic import parse_topic
from engine.window import Window
from engine.x.backends.archive.index import Archive
from engine.x.backends.archive.search import INFO, missing, search
from engine.x.backends.base import IO, Ask
from engine.x.compile import compile_query
from engine.x.query import Query

WINDOW = Window(date(2026, 11, 1), date(2026, 11, 30))
NOON = datetime(2026, 11, 10, 12, tzinfo=timezone.utc)


def _io(archive: Archive | None) -> IO:
    settings = Settings({}, datetime(2026, 11, 30, tzinfo=timezone.utc))
    return IO(settings, Deadline(60), Fetch(settings), print, print, archive=archive)


def _post(post_id: str, text: str = "", **fields: object) -> Item:
    item = Item(id=post_id, source="x", text=text, created_at=NOON)
    return replace(item, **fields)  # type: ignore[arg-type]


def _find(posts: Sequence[Item], query: Query, limit: int = 10) -> list[str]:
    return [p.id for p in search(Ask(query, limit), _io(Archive(posts)))]


def _matches(post: Item, **parts: object) -> bool:
    return bool(_find([post], Query(WINDOW, **parts)))  # type: ignore[arg-type]


def test_it_says_what_it_can_and_what_it_lacks() -> None:
    """The registry reads the name and the operators; without a file it is not ready."""
    assert (INFO.name, INFO.posts_per_call, INFO.parallel) == ("archive", 10, 1)
    assert {"terms", "mention", "min_likes", "latest"} <= INFO.operators
    assert "--archive FILE" in missing(_io(None))
    assert missing(_io(Archive([]))) == ""
    with pytest.raises(NotConfiguredError):
        search(Ask(Query(WINDOW), 10), _io(None))


@pytest.mark.parametrize(
    "post",
    [
        _post("1", "When in ROME, eat"),
        _post("1", "hot", author_name="Rome guide"),
        _post("1", "hot", author_handle="rome_guide"),
        _post("1", "hot", urls=("https://www.example.com/visit-rome?x=1",)),
        _post("1", "hot", urls=("https://rome.example.com",)),
        _post("1", "see https://example.com/a%20rome/b"),
        _post("1", "hot #VisitRome"),
        _post("1", "hot #rome"),
    ],
    ids=["text", "name", "handle", "path", "host", "link-in-text", "in-a-tag", "tag"],
)
def test_a_term_matches_wherever_x_looks(post: Item) -> None:
    """Text, display name, handle and the target of a link, whatever the case."""
    assert _matches(post, terms=("Rome",))
    assert not _matches(post, terms=("Rome", "Paris"))


@pytest.mark.parametrize(
    "text", ["romeo", "@rome hot", "https://t.co/rome", "chrome", "#romeo"]
)
def test_a_term_is_a_whole_word(text: str) -> None:
    """No part of a word, no account that is named, no shortened link."""
    assert not _matches(_post("1", text), terms=("rome",))


def test_terms_may_match_in_different_places() -> None:
    """This is one way in which a flood comes about."""
    post = _post("1", "calcio in italy", author_name="Roma", author_handle="rome")
    assert _matches(post, terms=("Rome", "Italy"))
    assert not _matches(post, phrases=("Rome Italy",))


@pytest.mark.parametrize(
    ("term", "text", "found"),
    [
        ("GPT-5", "the GPT-5 model", True),
        ("GPT-5", "GPT5!", True),
        ("GPT-5", "GPT and 5", False),
        ("大模型", "国产大模型来了", True),
        ("大模型", "大模型", True),
        ("大模型", "大 模型", False),
        ("大模型", "模型大", False),
        ("型", "大模型", True),
        ("型", "型号", True),
        ("模", "大模型", True),
        ("型", "大人", False),
        ("GPT教程", "最新GPT教程大全", True),
        ("教程GPT", "这个教程GPT的", True),
        ("教程GPT", "教程的GPT", False),
        ("東京", "#東京タワー に行った", True),
        ("ラーメン", "東京のラーメン屋", True),
        ("กรุงเทพ", "ไปกรุงเทพมาแล้ว", True),
        ("กรุงเทพ", "กรุง", False),
        ("서울", "서울에서 먹은", True),
        ("맛집", "서울맛집추천", True),
        ("السعودية", "رحلة إلى السعوديه", True),
        ("São", "sao paulo", True),
        ("Beyonce", "Beyoncé live", True),
        ("İstanbul", "istanbul", True),
        ("C++", "I write C++ daily", True),
        ("C++", "vitamin C daily", False),
        ("AT&T", "AT&amp;T is down", True),
        ("O'Reilly", "OReilly books", True),
        ("US", "tell us", True),
    ],
)
def test_words_of_every_script_are_found(term: str, text: str, found: bool) -> None:
    """Terms of several tokens match side by side; runs match anywhere in a run."""
    assert _matches(_post("1", text), terms=(term,)) is found


def test_a_phrase_stays_inside_one_place() -> None:
    """Side by side, in order, in one text, name or link."""
    query = {"phrases": ("new york",)}
    assert _matches(_post("1", "in New-York today"), **query)
    assert not _matches(_post("1", "york new"), **query)
    assert not _matches(_post("1", "new", author_name="York"), **query)
    split = ("https://example.com/new", "https://york.com")
    assert not _matches(_post("1", urls=split), **query)


@pytest.mark.parametrize(
    ("term", "post", "found"),
    [
        ("#rome", _post("1", "hot #Rome"), True),
        ("#rome", _post("1", "hot rome"), False),
        ("#rome", _post("1", "hot #VisitRome"), False),
        ("#東京", _post("1", "hot #東京"), True),
        ("$TSLA", _post("1", "buy $tsla"), True),
        ("$TSLA", _post("1", "buy TSLA #tsla"), False),
        ("#24", _post("1", "in 24 days"), True),
        ("@Ann", _post("1", "hi @ann"), True),
        ("@Ann", _post("1", "hi", author_handle="ANN"), True),
        ("@Ann", _post("1", "hi ann"), False),
        ("@Ann", _post("1", "mail me@ann.com"), False),
    ],
)
def test_signs_match_what_they_say(term: str, post: Item, found: bool) -> None:
    """A tag matches the tag alone; @name those who name the account, or its own."""
    assert _matches(post, terms=(term,)) is found


def test_authors_and_mentions_are_told_apart() -> None:
    """`from` is any of its accounts, `mention` is not the account's own posts."""
    ann = _post("a", "hello @bob", author_handle="Ann")
    bob = _post("b", "thanks", author_handle="bob", in_reply_to="ann")
    eve = _post("e", "hello", author_handle="eve")
    posts = [ann, bob, eve]
    assert _find(posts, Query(WINDOW, from_handles=("ann", "BOB"))) == ["a", "b"]
    assert _find(posts, Query(WINDOW, not_from=("ANN", "bob"))) == ["e"]
    assert _find(posts, Query(WINDOW, mention="Ann")) == ["b"]
    assert _find(posts, Query(WINDOW, mention="bob", not_from=("ann",))) == []
    assert _find(posts, Query(WINDOW, exclude=("hello", "#x"))) == ["b"]
    assert _find(posts, Query(WINDOW, from_handles=("not a handle",))) == []


def test_flags_and_floors() -> None:
    """Links, replies and likes as X's filters see them."""
    posts = [
        _post("a", "see https://t.co/x", engagement={"likes": 5}),
        _post("b", "see", urls=("https://example.com",), engagement={"likes": 4}),
        _post("c", "@ann see"),
        _post("d", "see", in_reply_to="12"),
    ]
    assert _find(posts, Query(WINDOW, terms=("see",), links_only=True)) == ["a", "b"]
    assert _find(posts, Query(WINDOW, terms=("see",), no_replies=True)) == ["a", "b"]
    assert _find(posts, Query(WINDOW, no_replies=True)) == ["a", "b"]
    assert _find(posts, Query(WINDOW, terms=("see",), min_likes=5)) == ["a"]


def test_the_window_is_whole_days() -> None:
    """Its first and last second are in, one second more is out; undated posts are in."""
    second = timedelta(seconds=1)
    times = [WINDOW.start - second, WINDOW.start, WINDOW.end - second, WINDOW.end, None]
    posts = [_post(str(i), "rome", created_at=at) for i, at in enumerate(times)]
    found = _find(posts, Query(WINDOW, terms=("rome",), latest=True))
    assert found == ["2", "1", "4"]


def test_the_two_orders() -> None:
    """Top is by the sum of four counts, Latest by time; undated posts come last."""
    later = NOON + timedelta(hours=1)
    posts = [
        _post("undated", "rome", created_at=None, engagement={"likes": 1_000}),
        _post("b", "rome", engagement={"likes": 2, "views": 900}),
        _post("a", "rome", engagement={"quotes": 2}),
        _post("new", "rome", created_at=later, engagement={"replies": 2}),
        _post("loud", "rome", engagement={"likes": 2, "reposts": 1}),
        _post("quiet", "rome", created_at=later),
    ]
    top = ["loud", "new", "a", "b", "quiet", "undated"]
    latest = ["new", "quiet", "loud", "a", "b", "undated"]
    for order in (posts, posts[::-1]):
        assert _find(order, Query(WINDOW, terms=("rome",))) == top
        assert _find(order, Query(WINDOW, terms=("rome",), latest=True)) == latest
    assert _find(posts, Query(WINDOW, terms=("rome",)), limit=2) == top[:2]


ODD = [
    "",
    " ",
    '"',
    '""',
    "*",
    "a*",
    "\0",
    "a\0b",
    "(",
    ")",
    "NEAR(a b)",
    "NOT",
    "OR",
    "^a",
    "{words}: a",
    "words:rome",
    "-rome",
    "@",
    "#",
    "$",
    "@not-a-handle",
    "from:ann",
    "is:post",
    "filter:links",
    "|",
    "'; DROP TABLE top",
    "\ud800",
    "\U000e0041",
    "🏛",
    "x" * 100_000,
    "https://example.com",
    "rome " * 2_000,
]


@pytest.mark.parametrize("odd", ODD, ids=[f"{i}" for i in range(len(ODD))])
def test_odd_words_are_data(odd: str) -> None:
    """Whatever stands in a query, nothing raises and nothing becomes an operator."""
    posts = [_post("1", "rome is hot", author_handle="ann")]
    for part in ("terms", "phrases", "exclude", "from_handles", "not_from"):
        _find(posts, Query(WINDOW, **{part: (odd,)}))  # type: ignore[arg-type]
        _find(posts, Query(WINDOW, **{part: (odd, "rome")}))  # type: ignore[arg-type]
    _find(posts, Query(WINDOW, mention=odd))
    has_word = any(char.isalnum() for char in odd)
    if not has_word:
        assert _find(posts, Query(WINDOW, terms=(odd,))) == []
        assert _find(posts, Query(WINDOW, exclude=(odd,))) == ["1"]


def test_very_many_words_are_no_problem() -> None:
    """A query is longer than X would take it, and still an answer."""
    words = tuple(f"word{i}" for i in range(300))
    post = _post("1", " ".join(words))
    assert _matches(post, terms=words, phrases=words[:9])
    assert not _matches(post, exclude=words)
    assert not _matches(post, not_from=("ann",) * 300, terms=("rome",))


@pytest.mark.parametrize(
    "topic",
    ["“Claude Code”", "what is (x)?", "$TSLA", "#MAB18", "@example education", "-_test"]
    + ["O'Reilly", "AT&T", "C++", ".NET", "GPT-5", "React 19", "OR", "from:nasa moon"]
    + ["a:b", "大模型", "GPT教程", "東京 ラーメン", "서울 맛집", "São Paulo", "กรุงเทพ"],
)
def test_a_post_that_says_the_topic_is_found(topic: str) -> None:
    """Compiled as it is, a topic finds a text that repeats it."""
    query = compile_query(parse_topic(topic), WINDOW)
    assert _find([_post("1", f"So {topic} again")], query) == ["1"]


def test_several_threads_get_the_same_answers() -> None:
    """One archive serves all calls of a run."""
    posts = [_post(str(i), f"rome {'italy' * (i % 2)}") for i in range(200)]
    archive = Archive(posts)
    ask = Ask(Query(WINDOW, terms=("rome", "italy")), 50)
    call: Callable[[int], list[Item]] = lambda _: search(ask, _io(archive))  # noqa: E731
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(call, range(40)))
    assert len(answers[0]) == 50
    assert all(answer == answers[0] for answer in answers)
