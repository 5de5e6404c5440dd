"""The accounts of a corpus: who wrote in it and whom it mentions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from engine import data
from engine.model import Item
from engine.text.reposts import without_repost
from engine.text.tokens import read
from engine.x.query import clean_handle

__all__ = ["extract_handles"]


def extract_handles(items: Iterable[Item]) -> list[str]:
    """Authors and mentioned accounts, the most frequent first, in lower case.

    Copies of a post by reposting count once, for its author. Accounts that everybody
    mentions are left out. Frequency only orders the list; it earns nobody a lane.
    """
    counts: Counter[str] = Counter()
    seen: set[str] = set()
    for item in sorted(items, key=lambda item: bool(item.repost_of)):
        body = without_repost(item.text) if item.repost_of else item.text
        if body in seen and item.repost_of:
            continue
        seen.add(body)
        author = clean_handle(item.repost_of or item.author_handle).lower()
        counts.update({author, *read(body).mentions} - {""})
    known = data.words("common_handles.txt")
    ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
    return [handle for handle, _ in ranked if handle not in known]
