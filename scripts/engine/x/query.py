"""A structured X query, its form in X's web search, and what it demands of an item.

The web operators are those of X's advanced search (`since:` is inclusive, `until:`
excludes its day; both are UTC).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.model import Item
from engine.text.tokens import read, sought
from engine.window import Window

__all__ = ["Query", "admits", "clean_handle", "web_syntax"]


@dataclass(frozen=True, slots=True)
class Query:
    """What X is asked, independent of any backend's dialect.

    Every one of `terms` (words, #tags, $tags, @names) and `phrases` has to match, none
    of `exclude`. `from_handles` admits posts of any of them, `not_from` of none of
    them, `mention` those that name the account. `min_likes`, `links_only` and
    `no_replies` only choose what is seen first. `latest` asks for the newest posts
    instead of those with most engagement. Handles are without @.
    """

    window: Window
    terms: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    from_handles: tuple[str, ...] = ()
    not_from: tuple[str, ...] = ()
    mention: str = ""
    min_likes: int = 0
    links_only: bool = False
    no_replies: bool = False
    latest: bool = False


_HANDLE = re.compile(r"[A-Za-z0-9_]{1,15}")
_RESERVED = frozenset(("OR", "AND", "NOT"))


def clean_handle(raw: str) -> str:
    """The handle in `raw` without @ and blanks; empty if it is none of X's grammar."""
    name = raw.strip().lstrip("@")
    return name if _HANDLE.fullmatch(name) else ""


def web_syntax(query: Query) -> str:
    """The query as X's search box takes it; topic text cannot become an operator."""
    parts = [f"from:{name}" for name in query.from_handles]
    if len(parts) > 1:
        parts = [f"({' OR '.join(parts)})"]
    if query.mention:
        parts.append(f"@{query.mention}")
    parts += [f'"{t}"' if t.upper() in _RESERVED else t for t in query.terms]
    parts += [f'"{phrase}"' for phrase in query.phrases]
    parts += [f'-"{word}"' if " " in word else f"-{word}" for word in query.exclude]
    parts += [f"-from:{name}" for name in query.not_from]
    parts.append(f"since:{query.window.first}")
    parts.append(f"until:{query.window.until}")
    if query.min_likes:
        parts.append(f"min_faves:{query.min_likes}")
    if query.links_only:
        parts.append("filter:links")
    if query.no_replies:
        parts.append("-filter:replies")
    return " ".join(parts)


def admits(query: Query, item: Item) -> bool:
    """Whether an item keeps what a query demands, whatever the backend did with it.

    Checked are the authors, the mention and the exclusions. The window is the run's
    and checked apart; floors, link and reply filters only widen what is seen.
    """
    author = item.author_handle.lower()
    if query.from_handles and author not in map(str.lower, query.from_handles):
        return False
    if author in map(str.lower, query.not_from):
        return False
    if query.mention:
        name = query.mention.lower()
        if name not in read(item.text).mentions and name != item.in_reply_to.lower():
            return False
    return not any(_occurs(word, item.text) for word in query.exclude)


def _occurs(phrase: str, text: str) -> bool:
    wanted, is_start = sought(phrase)
    words = read(text).words
    if is_start:
        wanted, last = wanted[:-1], wanted[-1]
        starts = [i for i, word in enumerate(words) if word.startswith(last)]
        return any(words[max(0, i - len(wanted)) : i] == wanted for i in starts)
    return bool(wanted) and any(
        words[i : i + len(wanted)] == wanted
        for i in range(len(words) - len(wanted) + 1)
    )
