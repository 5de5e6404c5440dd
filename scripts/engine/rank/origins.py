"""Origins: how many independent people or publishers stand behind a group of items.

Five posts that quote one article are one origin. Two items have one if they come from
one author, repost one another, link to one page or to each other, say the same in
nearly the same words, or stand on the site of one publisher.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence

from engine.model import Item
from engine.text.duplicates import near_duplicates
from engine.text.statement import statement
from engine.text.urls import linked_pages, site

__all__ = ["count_origins", "origins"]

Traits = Callable[[Item], Iterable[Hashable]]
"""What an item shares with others of its origin."""


def _none(item: Item) -> Iterable[Hashable]:
    return ()


def count_origins(items: Sequence[Item], platforms: Collection[str]) -> int:
    """How many independent origins items have.

    Args:
        items: of one group.
        platforms: sites where anybody may post, as `site` gives them; any other is a
            publisher's.
    """
    return len(set(origins(items, platforms)))


def origins(
    items: Sequence[Item], platforms: Collection[str], more: Traits = _none
) -> list[int]:
    """For each item its origin: the place of the first item that has it too.

    Args:
        items: of one group.
        platforms: as for `count_origins`.
        more: what else items of one origin have in common.
    """
    group = list(range(len(items)))
    first: dict[Hashable, int] = {}
    copies = near_duplicates([statement(item) for item in items])
    for i, item in enumerate(items):
        for trait in (*_traits(item, platforms), *more(item)):
            _join(group, i, first.setdefault(trait, i))
        _join(group, i, copies[i])
    return [_root(group, i) for i in range(len(items))]


def _traits(item: Item, platforms: Collection[str]) -> Iterator[Hashable]:
    """What an item shares with others of its origin."""
    for handle in (item.author_handle, item.repost_of):
        if handle:
            yield "author", handle.lower()
    for page in linked_pages(item.url, *item.urls):
        yield "page", page
    publisher = site(item.url)
    if publisher and publisher not in platforms:
        yield "publisher", publisher


def _join(group: list[int], one: int, other: int) -> None:
    one, other = _root(group, one), _root(group, other)
    group[max(one, other)] = min(one, other)


def _root(group: list[int], one: int) -> int:
    while group[one] != one:
        group[one] = group[group[one]]
        one = group[one]
    return one
