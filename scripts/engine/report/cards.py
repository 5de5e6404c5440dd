"""Items, clusters and comments as parts of a page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from engine.report.clean import clean_line, clip
from engine.report.counts import amounts, counted
from engine.report.groups import Group
from engine.report.lines import link
from engine.report.markup import Markup, tag
from engine.report.seen import marks
from engine.report.telling import Telling, comments_of
from engine.text.urls import site

__all__ = ["anchor", "comment_card", "group_card", "item_line"]

_TEXT_LENGTH = 700
_TITLE_LENGTH = 200
_LINE_LENGTH = 120
_COMMENT_LENGTH = 500
_LANGUAGE = re.compile("[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")


def anchor(url: str, text: str, class_: str = "") -> Markup:
    """A link, or the text alone where the address is none."""
    if address := link(url):
        rel = "nofollow noopener noreferrer"
        return tag("a", text, href=address, rel=rel, class_=class_)
    return tag("span", text, class_=class_)


def group_card(rank: int, group: Group, record: Mapping[str, Any]) -> Markup:
    """A cluster, or one or more items that are in none."""
    cluster = group.cluster
    head: list[str] = []
    if cluster is not None:
        facts = [
            f"score {cluster['score']:.0f}",
            counted(cluster["origins"], "independent origins"),
            cluster["mark"],
        ]
        title = clip(clean_line(cluster["title"]), _TITLE_LENGTH)
        chips = (
            _chip(facts_of) for facts_of in [*cluster["sources"], *facts] if facts_of
        )
        head = [
            tag("h3", tag("span", str(rank), class_="rank"), title, dir="auto"),
            tag("p", *chips, class_="chips"),
        ]
    said = cluster["title"] if cluster is not None else ""
    items = [_item(item, record, said) for item in group.best]
    others = [tag("li", item_line(item)) for item in group.others]
    more = [
        tag("summary", f"{counted(len(others), 'items')} more about the same"),
        tag("ul", *others),
    ]
    rest = tag("details", *more) if others else ""
    return tag("article", *head, *items, rest)


def comment_card(one: Telling, record: Mapping[str, Any]) -> Markup:
    """A comment that stands by itself, with where it was said."""
    comment, item = one
    address = comment["url"] if link(comment["url"]) else item["url"]
    by = anchor(address, _by(comment, item, record))
    place = filter(None, (_label(item, record), item["container"]))
    return tag(
        "figure",
        tag("blockquote", clip(comment["text"], _COMMENT_LENGTH), dir="auto"),
        tag("figcaption", by, *_joined(list(place)), class_="facts"),
    )


def item_line(item: Mapping[str, Any]) -> Markup:
    """An item on one line: a link and who wrote it when."""
    words = clean_line(item["title"] or item["text"]) or "(no text)"
    told = [item["source"], item["author_handle"], item["date"] or "undated"]
    told += marks(item)
    said = tag("small", " · ".join(filter(None, told)))
    return tag(
        "span", anchor(item["url"], clip(words, _LINE_LENGTH)), Markup(" "), said
    )


def _item(item: Mapping[str, Any], record: Mapping[str, Any], said: str) -> Markup:
    info = record["sources"][item["source"]]
    author = f"{info['at']}{item['author_handle']}" if item["author_handle"] else ""
    facts = [_label(item, record), author, item["container"]]
    facts += [item["date"] or "undated", *amounts(item["engagement"], info["counts"])]
    facts += marks(item)
    if item["copies"]:
        facts.append(counted(item["copies"], "copies"))
    title = item["title"]
    lines = [
        tag("p", *_joined([part for part in facts if part]), class_="facts"),
        tag("h4", clip(title, _TITLE_LENGTH), dir="auto")
        if title and title != said
        else "",
        tag("p", clip(item["text"], _TEXT_LENGTH), class_="text", dir="auto"),
        anchor(item["url"], f"Read it on {site(item['url'])}", "more")
        if link(item["url"])
        else "",
        *(_comment(comment, item, record) for comment in comments_of(item)),
    ]
    language = item["lang"] if _LANGUAGE.fullmatch(item["lang"]) else ""
    return tag("section", *lines, class_="item", lang=language)


def _comment(
    comment: Mapping[str, Any], item: Mapping[str, Any], record: Mapping[str, Any]
) -> Markup:
    return tag(
        "blockquote",
        tag("p", clip(comment["text"], _COMMENT_LENGTH), dir="auto"),
        tag("cite", anchor(comment["url"], _by(comment, item, record))),
    )


def _by(
    comment: Mapping[str, Any], item: Mapping[str, Any], record: Mapping[str, Any]
) -> str:
    who = f"{record['sources'][item['source']]['at']}{comment['author']}"
    votes = comment["votes"]
    return who if votes is None else f"{who} · {votes:,} votes"


def _label(item: Mapping[str, Any], record: Mapping[str, Any]) -> str:
    info = record["sources"][item["source"]]
    return f"{info['emoji']} {info['label']}"


def _chip(text: str) -> Markup:
    return tag("span", text, class_="chip")


def _joined(facts: list[str]) -> list[str]:
    return [tag("span", fact) for fact in facts]
