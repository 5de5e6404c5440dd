"""URLs: one address for one page, whichever way it was copied.

What does not say which page is meant is dropped or folded: scheme, mobile hosts,
tracking, fragments. Case is kept in paths and queries, where it may tell pages apart.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from engine import data

__all__ = ["canonical_url", "linked_pages", "site"]

_TRACKING_PREFIX = "utm_"
_MIRROR_LABELS = frozenset({"www", "m", "mobile", "old", "amp"})
_SAME_HOST = {"twitter.com": "x.com"}
_DEFAULT_PORTS = (None, 80, 443)
_MOST_CHARACTERS = 8_000

_UNSEEN = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_HOST = re.compile(r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)+")
_STRAY_PERCENT = re.compile("%(?![0-9A-Fa-f]{2})")
_ESCAPED = re.compile("%([0-9A-Fa-f]{2})")
_SITE_END = re.compile("[/?#]")
_UNRESERVED = re.compile(r"[\w.~-]", re.ASCII)


@lru_cache(maxsize=20_000)
def canonical_url(url: str) -> str:
    """The address of the page that a URL leads to; "" for what is no web address.

    Two URLs that differ only in how they were copied give the same. Takes any string.
    """
    try:
        return _canonical(url)
    except ValueError:
        return ""


def linked_pages(*urls: str) -> frozenset[str]:
    """The pages that URLs lead to, without front pages: those say nothing in common."""
    pages = map(canonical_url, urls)
    return frozenset(page for page in pages if _SITE_END.search(page, len("https://")))


def site(url: str) -> str:
    """The host of a web address, folded as in `canonical_url`; "" if there is none."""
    return _SITE_END.split(canonical_url(url)[len("https://") :], maxsplit=1)[0]


def _canonical(url: str) -> str:
    if len(url) > _MOST_CHARACTERS:
        return ""
    parts = urlsplit(_UNSEEN.sub("", url).strip())
    if parts.scheme not in ("http", "https") or not parts.hostname:
        return ""
    host = _host(parts.hostname)
    if parts.port not in _DEFAULT_PORTS:
        host = f"{host}:{parts.port}"
    path, query = _path(parts.path), parts.query
    for pattern, page in _PAGES:
        if match := pattern.match(f"{host}{path}?{query}"):
            return f"https://{page(match)}"
    query = _query(query) if query else ""
    fragment = f"#{parts.fragment}" if parts.fragment.startswith("!") else ""
    return f"https://{host}{path}{query and '?'}{query}{fragment}"


def _host(name: str) -> str:
    name = name.rstrip(".").lower()
    if not name.isascii():
        name = name.encode("idna").decode("ascii")
    if not _HOST.fullmatch(name):
        raise ValueError(f"no public host: {name!r}")
    labels = name.split(".")
    # The two last labels are the site's own name, whatever they are.
    kept = [label for label in labels[:-2] if label not in _MIRROR_LABELS]
    name = ".".join(kept + labels[-2:])
    return _SAME_HOST.get(name, name)


def _path(path: str) -> str:
    path = _ESCAPED.sub(_unescape, _STRAY_PERCENT.sub("%25", path))
    return quote(path, safe="/%:@!$&'()*+,;=~").rstrip("/")


def _unescape(match: re.Match[str]) -> str:
    """Letters and digits as they are, anything else in the one spelling it has."""
    char = chr(int(match[1], 16))
    return char if _UNRESERVED.fullmatch(char) else match[0].upper()


def _query(query: str) -> str:
    pairs = [
        pair
        for pair in parse_qsl(query, keep_blank_values=True, errors="surrogateescape")
        if not _tracks(pair[0].lower())
    ]
    # Stable: of a parameter that is given twice the order may matter.
    pairs.sort(key=lambda pair: pair[0])
    return urlencode(pairs, errors="surrogateescape")


def _tracks(name: str) -> bool:
    return name.startswith(_TRACKING_PREFIX) or name in data.words(
        "tracking_parameters.txt"
    )


_Page = Callable[["re.Match[str]"], str]

# Pages that have an id of their own, by which all of their addresses are one. The host
# is folded, path and query are as they were.
_PAGES: tuple[tuple[re.Pattern[str], _Page], ...] = (
    (
        re.compile(
            r"(?:youtu\.be/|youtube(?:-nocookie)?\.com/(?:shorts/|embed/|live/|v/"
            r"|watch\?(?:[^#]*&)?v=))([\w-]{11})(?![\w-])",
            re.ASCII,
        ),
        lambda match: f"youtube.com/watch?v={match[1]}",
    ),
    (
        re.compile(
            r"(?:(?:[\w-]+\.)?reddit\.com/(?:(?:r|user|u)/[^/?]+/)?(?:comments|gallery)"
            r"|redd\.it)/(\w+)(?!\w)",
            re.ASCII | re.IGNORECASE,
        ),
        lambda match: f"reddit.com/comments/{match[1].lower()}",
    ),
    (
        re.compile(r"x\.com/(?:\w+|i/web)/status(?:es)?/(\d+)(?!\d)", re.ASCII),
        lambda match: f"x.com/i/status/{match[1]}",
    ),
)
