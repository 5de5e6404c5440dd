"""One post as a language model reports it: fields under any of their usual names."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engine.model import Item
from engine.values import as_mapping, as_sequence, as_text
from engine.x.fields import COUNTS, named
from engine.x.posts import made_up_id, make_post
from engine.x.query import clean_handle

__all__ = ["FIELDS", "Claim", "read_claim", "read_count"]

FIELDS = named(
    text="post_text",
    handle="account",
    url="post_url",
    replies="comments",
    views="impressions",
    in_reply_to="reply_to",
    urls="urls links",
)
"""The fields of a post by their names in what a language model writes."""

_PEOPLE = ("author", "user")
_NUMBERS = ("metrics", "public_metrics", "engagement", "stats")

_STATUS = re.compile(
    r"(?<![\w.-])(?:(?:www|mobile)\.)?(?:x|twitter)\.com/"
    r"(?:i/web|([A-Za-z0-9_]{1,15}))/status(?:es)?/([0-9]{15,20})(?![0-9])",
    re.IGNORECASE,
)
_NO_AUTHOR = "i"
_AT = re.compile(r"(?<![\w@])@([A-Za-z0-9_]{1,15})(?![A-Za-z0-9_])")
_LINK = re.compile(r"https?://[^\s,;|'\"\])>]+")

_COUNT = re.compile(
    r"[~≈]?(?:(\d{1,3}(?:[,.' ]\d{3})+)|(\d{1,13})(?:[.,](\d{1,6}))?)"
    r"\s?([kmb万萬億亿])?\+?",
    re.IGNORECASE,
)
_POWERS = {"": 0, "k": 3, "m": 6, "b": 9, "万": 4, "萬": 4, "億": 8, "亿": 8}


@dataclass(frozen=True, slots=True)
class Claim:
    """A post that somebody says exists, and the date that they gave it, as written.

    The item's own time is that of its id.
    """

    item: Item
    created: str = ""


def read_claim(record: Mapping[str, object]) -> Claim | None:
    """The post that a record reports; None if the record speaks of none.

    Id and handle are taken from a link to the post where they are not given. A post
    without a usable id gets a made-up one, which no check lets pass.
    """
    found = _known(record)
    url_handle, url_id = _from_link(as_text(found.get("url")))
    post_id = as_text(found.get("id")).strip()
    if not post_id.isdecimal():
        post_id = url_id or post_id
    text = as_text(found.get("text")).strip()
    handle = _handle(as_text(found.get("handle"))) or url_handle
    if not url_id and not (text and (post_id or found.get("handle"))):
        return None
    item = make_post(
        post_id if post_id.isdecimal() else made_up_id("none", post_id, handle, text),
        text,
        handle=handle,
        name=as_text(found.get("name")).strip(),
        counts={name: read_count(found.get(name)) for name in COUNTS},
        in_reply_to=_handle(as_text(found.get("in_reply_to"))),
        urls=_links(found.get("urls")),
    )
    return Claim(item, as_text(found.get("created")).strip()) if item else None


def _known(record: Mapping[str, object]) -> dict[str, object]:
    """The fields of a record by the names that they have here; the first ones count."""
    found: dict[str, object] = {}
    inner: list[tuple[str, object]] = []
    for name, value in record.items():
        name = name.strip().lower().replace(" ", "_")
        if name in _PEOPLE:
            person = as_mapping(value)
            inner += [(n, v) for n, v in person.items() if _is_of(n, "handle", "name")]
        if name in _NUMBERS:
            numbers = as_mapping(value)
            inner += [(n, v) for n, v in numbers.items() if _is_of(n, *COUNTS)]
        if name in FIELDS and value not in (None, "") and not as_mapping(value):
            found.setdefault(FIELDS[name], value)
    for name, value in inner:
        found.setdefault(FIELDS[name], value)
    return found


def _is_of(name: str, *fields: str) -> bool:
    return FIELDS.get(name) in fields


def _from_link(url: str) -> tuple[str, str]:
    match = _STATUS.search(url)
    if match is None:
        return "", ""
    handle = match[1] or _NO_AUTHOR
    return "" if handle.lower() == _NO_AUTHOR else handle, match[2]


def _handle(raw: str) -> str:
    """The handle in "foo", "@foo" or "Foo Bar (@foo)"; empty if there is none."""
    found = _AT.findall(raw)
    return clean_handle(raw) or (found[0] if len(found) == 1 else "")


def _links(listed: object) -> Iterable[object]:
    if isinstance(listed, str):
        return _LINK.findall(listed)
    entries = as_sequence(listed)
    return [
        as_mapping(e).get("expanded_url") or as_mapping(e).get("url") or e
        for e in entries
    ]


def read_count(value: object) -> int | None:
    """A count as people write it: 1462, "1,462", "39K", "1.2M", "1.2万".

    None if it is none, such as "N/A".
    """
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if not isinstance(value, str) or len(value) > 30:
        return None
    match = _COUNT.fullmatch(unicodedata.normalize("NFKC", value).strip())
    if match is None:
        return None
    grouped, whole, fraction, unit = (part or "" for part in match.groups())
    power = _POWERS[unit.lower()]
    if grouped and power and len(grouped) < 8 and "," not in grouped:
        # With a unit behind it, one point is a decimal point.
        whole, fraction = re.split(r"\D", grouped)
    elif grouped:
        whole = re.sub(r"\D", "", grouped)
    if fraction and not power:
        return None
    return int(whole + fraction) * int(10**power) // int(10 ** len(fraction))
