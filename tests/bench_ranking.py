"""How fast streams become clusters, for `make bench`."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import replace

from engine.model import Depth, Item
from engine.rank.candidate import Stream
from engine.rank.order import order
from engine.rank.ranking import rank
from engine.text.relevance import prepare, weigh
from engine.text.statement import statement
from engine.text.tokens import read
from engine.text.topic import parse_topic
from engine.text.urls import canonical_url
from fakes.ranked import INFOS, item
from fakes.xposts import WINDOW

__all__ = ["measure"]

_TOPIC = "Rome Italy"
_SUBQUERIES = (("q1", 1.0), ("q2", 0.5))


def measure() -> Iterator[tuple[str, str]]:
    """Seconds from judged items to clusters, with the judge's own time beside it."""
    for count in (1_000, 10_000):
        read.cache_clear()
        canonical_url.cache_clear()
        items = _items(count)
        began = time.process_time()
        verdicts = weigh([statement(one) for one in items], prepare(_TOPIC))
        judged = time.process_time()
        items = [
            replace(one, relevance=verdict.relevance)
            for one, verdict in zip(items, verdicts, strict=True)
        ]
        rank(
            list(_streams(items)),
            INFOS,
            WINDOW,
            freshness_mode="balanced_recent",
            cluster_mode="story",
            depth=Depth.DEEP,
            topic=parse_topic(_TOPIC),
        )
        ranked = time.process_time()
        limit = " (< 1.5 s)" if count == 10_000 else ""
        yield (
            f"ranking: {count:,} items, streams to clusters{limit}",
            f"{ranked - judged:.2f} s, and the judge {judged - began:.2f} s",
        )


def _items(count: int) -> list[Item]:
    """Items of all sources, a tenth of them copies, a third with a link."""
    rng = random.Random(count)
    letters = "abcdefghijklmnopqrstuvwxyz"
    words = ["rome", "italy", "metro", "prices", "#RomeTrip", "crowds"]
    words += ["".join(rng.choices(letters, k=rng.randint(2, 9))) for _ in range(9_000)]
    sources = sorted(INFOS)
    items: list[Item] = []
    for i in range(count):
        # The square makes a few words frequent and most rare, as in speech.
        said = [words[int(len(words) * rng.random() ** 2)] for _ in range(22)]
        text = items[i // 2].text if i % 10 == 9 else " ".join(said)
        source = sources[i % len(sources)]
        made = item(
            i,
            text,
            source,
            title="" if source == "x" else " ".join(text.split()[:9]),
            author_handle=f"author{rng.randrange(count)}",
            counts={name: rng.randrange(900) for name in INFOS[source].weights},
            day=i % WINDOW.days,
        )
        if i % 3 == 0:
            link = f"https://www.paper.example/{i % (count // 4)}?utm_source=a{i}"
            made = replace(made, urls=(link,))
        items.append(made)
    return items


def _streams(items: list[Item]) -> Iterator[Stream]:
    """Every item in one stream, half of them in two."""
    for name, info in INFOS.items():
        ordered = order([one for one in items if one.source == name], WINDOW, info)
        for n, (subquery, weight) in enumerate(_SUBQUERIES):
            yield Stream(name, subquery, weight, tuple(ordered[:: n + 1]))
