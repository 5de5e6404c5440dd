"""Random queries over random posts, against an evaluation that looks at every post."""

from __future__ import annotations

import random
import re
from datetime import date, datetime, timedelta, timezone

import pytest

from engine.deadline import Deadline
from engine.fetch import Fetch
from engine.model import Item
from engine.settings import Settings
from engine.text.tokens import fold, read, runs
from engine.window import Window
from engine.x.backends.archive.index import Archive
from engine.x.backends.archive.search import search
from engine.x.backends.base import IO, Ask
from engine.x.query import Query

POSTS, QUERIES = 200, 250
WINDOW = Window(date(2026, 11, 1), date(2026, 11, 30))
SPACED = [
    "rome", "Italy", "hot", "GPT-5", "GPT", "café", "São", "Paulo", "Zürich", "naïve",
    "C++", "US", "AT&T", "O'Reilly", "19", "3.5", "السعودية", "الرياض", "مدرسة", "إلى",
    "كتاب", "израиль", "Москва", "ёлка", "תל", "אביב",
]  # fmt: skip
UNSPACED = [
    "大模型", "模型", "型号", "教程", "東京", "ラーメン", "タワー", "กรุงเทพ", "เชียงใหม่",
    "서울", "맛집", "에서",
]  # fmt: skip
TAGS = ["#Rome", "#VisitRome", "#東京", "#서울맛집", "$TSLA", "#GPT5"]
HANDLES = ["ann", "Bob_Dev", "rome_guide", "italy", "eve"]
NAMES = ["Ann", "Rome guide", "São Paulo", "東京タワー", "서울 맛집", ""]
LINKS = [
    "https://rome.example.com/hot/story",
    "https://www.example.com/italy-visit",
    "https://t.co/rome",
]


def _is_run(word: str) -> bool:
    """Whether a word is written without spaces from end to end."""
    return runs(word) == ["", word, ""]


def _text(rng: random.Random) -> str:
    parts = [
        rng.choice((" ", " ", "")).join(rng.choices(UNSPACED, k=rng.randint(1, 3)))
        if rng.random() < 0.4
        else rng.choice(SPACED)
        for _ in range(rng.randint(0, 5))
    ]
    parts += rng.choices(TAGS, k=rng.choice((0, 0, 1)))
    parts += [f"@{name}" for name in rng.choices(HANDLES, k=rng.choice((0, 0, 1)))]
    parts += rng.choices(LINKS, k=rng.choice((0, 0, 0, 1)))
    rng.shuffle(parts)
    return rng.choice((" ", ", ", " ")).join(parts)


def _post(rng: random.Random, number: int) -> Item:
    at = datetime(2026, 10, 25, tzinfo=timezone.utc)
    at += timedelta(hours=rng.randrange(44 * 24))
    counts = {k: rng.randrange(6) for k in ("likes", "reposts", "views")}
    return Item(
        id=str(number),
        source="x",
        text=_text(rng),
        author_handle=rng.choice([*HANDLES, ""]),
        author_name=rng.choice(NAMES),
        created_at=at if rng.random() < 0.9 else None,
        engagement=counts if rng.random() < 0.9 else {},
        in_reply_to=rng.choice(("", "", "", "ann", "2116700000000000001")),
        urls=tuple(rng.sample(LINKS, rng.choice((0, 0, 1, 2)))),
    )


def _word(rng: random.Random) -> str:
    kind = rng.random()
    if kind < 0.5:
        return rng.choice(SPACED)
    if kind < 0.8:
        run = "".join(rng.choices(UNSPACED, k=rng.choice((1, 1, 2))))
        start = rng.randrange(len(run))
        return run[start : rng.randint(start + 1, len(run))]
    handle = f"@{rng.choice(HANDLES)}"
    return rng.choice([*TAGS, handle, "GPT教程", "…", "hot story", "italy-visit"])


def _query(rng: random.Random) -> Query:
    def some(often: float, most: int = 1) -> int:
        return rng.randint(1, most) if rng.random() < often else 0

    first = rng.randrange(30)
    last = rng.randrange(first, 30)
    days = [date(2026, 11, 1) + timedelta(days=n) for n in (first, last)]
    return Query(
        WINDOW if rng.random() < 0.7 else Window(*days),
        terms=tuple(_word(rng) for _ in range(some(0.8, 2))),
        phrases=tuple(
            " ".join(rng.choices(SPACED, k=2)) if rng.random() < 0.5 else _word(rng)
            for _ in range(some(0.2))
        ),
        exclude=tuple(_word(rng) for _ in range(some(0.3, 2))),
        from_handles=tuple(rng.choices(HANDLES, k=some(0.2, 2))),
        not_from=tuple(rng.choices(HANDLES, k=some(0.2, 2))),
        mention=rng.choice(HANDLES) if rng.random() < 0.15 else "",
        min_likes=rng.choice((0, 0, 0, 2)),
        links_only=rng.random() < 0.15,
        no_replies=rng.random() < 0.15,
        latest=rng.random() < 0.5,
    )


def _places(item: Item) -> list[str]:
    """The texts in which X looks for a word."""
    links = {*item.urls, *re.findall(r"https://\S+", item.text.replace(",", " "))}
    named = [
        re.sub(r"[/.-]", " ", link.split("//")[1].removeprefix("www."))
        for link in sorted(links)
        if "//t.co/" not in link
    ]
    return [item.text, item.author_name, item.author_handle, *named]


def _says(place: str, wanted: str) -> bool:
    """Whether words stand side by side; in a run without spaces, any piece of it."""
    if _is_run(fold(wanted)):
        return fold(wanted) in fold(re.sub(r"@\w+", " ", place))
    words, text = list(read(wanted).words), list(read(place).words)
    if len(words) > 1 and _is_run(words[-1]):
        # The last run of a phrase may go on in the text.
        words.pop()
    size = len(words)
    return size > 0 and any(text[i : i + size] == words for i in range(len(text)))


def _names(item: Item, handle: str) -> bool:
    pattern = rf"(?i)@{handle}(?!\w)"
    return bool(re.search(pattern, item.text)) or item.in_reply_to == handle.lower()


def _matches(item: Item, word: str) -> bool:
    if word[0] == "@":
        author = item.author_handle.lower()
        return _names(item, word[1:]) or author == word[1:].lower()
    if word[0] in "#$":
        return bool(re.search(rf"(?i){re.escape(word)}(?!\w)", item.text))
    return any(_says(place, word) for place in _places(item))


def _passes(item: Item, query: Query) -> bool:
    author = item.author_handle.lower()
    at = item.created_at
    return (
        all(_matches(item, term) for term in query.terms)
        and all(any(_says(p, x) for p in _places(item)) for x in query.phrases)
        and not any(_matches(item, word) for word in query.exclude)
        and (
            not query.from_handles or author in [h.lower() for h in query.from_handles]
        )
        and author not in [handle.lower() for handle in query.not_from]
        and (not query.mention or _names(item, query.mention))
        and item.engagement.get("likes", 0) >= query.min_likes
        and (not query.links_only or bool(item.urls) or "https://" in item.text)
        and not (query.no_replies and (item.in_reply_to or item.text[:1] == "@"))
        and (at is None or query.window.first <= at.date() <= query.window.last)
    )


def _key(item: Item, latest: bool) -> tuple[object, ...]:
    seconds = -item.created_at.timestamp() if item.created_at else 0.0
    loud = -item.engagement.get("likes", 0) - item.engagement.get("reposts", 0)
    order = (seconds, loud) if latest else (loud, seconds)
    return (item.created_at is None, *order, item.id)


@pytest.mark.parametrize("seed", [1, 2])
def test_the_index_answers_as_a_look_at_every_post_does(seed: int) -> None:
    """Same posts, same order, for hundreds of random queries in all scripts."""
    rng = random.Random(seed)
    posts = [_post(rng, number) for number in range(POSTS)]
    settings = Settings({}, datetime(2026, 11, 30, tzinfo=timezone.utc))
    io = IO(
        settings, Deadline(60), Fetch(settings), print, print, archive=Archive(posts)
    )
    answered = 0
    for _ in range(QUERIES):
        query = _query(rng)
        expected = sorted(
            (post for post in posts if _passes(post, query)),
            key=lambda post: _key(post, query.latest),  # noqa: B023
        )
        limit = rng.choice((3, 10, POSTS))
        found = search(Ask(query, limit), io)
        assert [p.id for p in found] == [p.id for p in expected[:limit]], query
        answered += bool(found)
    assert answered > QUERIES / 4
