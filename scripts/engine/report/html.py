"""A run as one page for people: nothing is loaded from outside, and nothing runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from engine import __version__, data
from engine.report.cards import comment_card, group_card, item_line
from engine.report.charts import by_source, funnel_chart, per_day
from engine.report.clean import clean_line, clip
from engine.report.counts import counted
from engine.report.figures import reasons
from engine.report.groups import groups, is_solid, sides
from engine.report.markup import Markup, tag
from engine.report.seen import not_seen
from engine.report.telling import telling

__all__ = ["html"]

_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_TOPIC_LENGTH = 200
_PRUNED_SHOWN = 100


def html(record: Mapping[str, Any]) -> str:
    """The page of an artifact; the same artifact gives the same bytes."""
    topic = clip(clean_line(record["topic"]), _TOPIC_LENGTH)
    head = (
        Markup('<meta charset="utf-8">'),
        Markup('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        Markup(f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'),
        Markup('<meta name="referrer" content="no-referrer">'),
        Markup('<meta name="color-scheme" content="light dark">'),
        tag("title", f"{topic} · last30days"),
        tag("style", Markup(data.text("page.css"))),
    )
    body = (
        _header(record, topic),
        tag("main", *_main(record)),
        tag("footer", tag("p", f"last30days v{__version__} · {_saved(record)}")),
    )
    page = tag("html", tag("head", *head), tag("body", *body), lang="en")
    return f"<!DOCTYPE html>\n{page}\n"


def _header(record: Mapping[str, Any], topic: str) -> Markup:
    window, clusters = record["window"], record["clusters"]
    # An item may stand on both sides of a comparison.
    items = len({(item["source"], item["id"]) for item in record["items"]})
    given = {name for item in record["items"] for name in _sources(item)}
    summary = f"{counted(items, 'items')} from "
    summary += counted(len(given), "sources")
    summary += f" in {counted(len(clusters), 'clusters')}" if clusters else ""
    return tag(
        "header",
        tag("p", f"{window['from']} to {window['to']}", class_="kicker"),
        tag("h1", topic, dir="auto"),
        tag("p", summary),
    )


def _main(record: Mapping[str, Any]) -> Iterator[Markup]:
    yield from _alerts(record)
    yield _section("From retrieved to kept", funnel_chart(record))
    if record["items"]:
        charts = (
            _section("Items a day", per_day(record)),
            _section("By source", by_source(record)),
        )
        yield tag("div", *charts, class_="pair")
    for side in sides(record):
        yield _section(clean_line(side) or "What was said", *_groups(record, side))
    if told := telling(record["items"], record["sources"]):
        cards = (comment_card(one, record) for one in told)
        yield _section("Most telling comments", tag("div", *cards, class_="comments"))
    yield _section("Coverage", _coverage(record), *_notes(record))
    yield _section("How it was done", _queries(record), *_pruned(record))


def _alerts(record: Mapping[str, Any]) -> Iterator[Markup]:
    states = {n: s["state"] for n, s in record["source_status"].items()}
    unseen = [f"{n} ({state})" for n, state in states.items() if not_seen(state)]
    if unseen:
        text = f"Not seen, or not in full: {', '.join(unseen)}. "
        text += "A failed source is not silence: people may well talk there."
        yield tag("p", text, class_="alert")
    if record["items"] and not any(map(is_solid, record["items"])):
        yield tag("p", "Nothing solid this window.", class_="alert")


def _groups(record: Mapping[str, Any], side: str) -> list[Markup]:
    found = groups(record, side)
    if not found:
        return [tag("p", "No items.", class_="quiet")]
    return [group_card(rank, group, record) for rank, group in enumerate(found, 1)]


def _coverage(record: Mapping[str, Any]) -> Markup:
    rows = []
    for name, status in record["source_status"].items():
        info, state = record["sources"][name], status["state"]
        kind = "bad" if not_seen(state) else "good" if state == "ok" else "quiet"
        why = [line for line in (status["detail"], status["fix"]) if line]
        rows.append(
            tag(
                "li",
                tag("strong", f"{info['emoji']} {info['label']}"),
                tag("span", state, class_=f"state {kind}"),
                tag("span", "\n".join(why), class_="text"),
            )
        )
    return tag("ul", *rows, class_="coverage")


def _notes(record: Mapping[str, Any]) -> list[Markup]:
    warnings = [tag("li", warning["message"]) for warning in record["_warnings"]]
    return [tag("h3", "Warnings"), tag("ul", *warnings)] if warnings else []


def _queries(record: Mapping[str, Any]) -> Markup:
    rows = [
        tag(
            "tr",
            tag("th", query["source"], scope="row"),
            tag("td", query["lane"]),
            tag("td", query["query"], class_="text"),
            tag("td", f"{query['returned']:,}", class_="number"),
            tag("td", query["outcome"]),
        )
        for query in record["queries"]
    ]
    head = ("source", "lane", "query", "returned", "outcome")
    summary = tag("summary", counted(len(rows), "queries"))
    return tag("details", summary, _table(head, rows))


def _pruned(record: Mapping[str, Any]) -> Iterator[Markup]:
    """What was left out, by reason, so that a reader can doubt it."""
    for reason, count in reasons(record["pruned"]):
        items = [one for one in record["pruned"] if one["reason"] == reason]
        lines = [tag("li", item_line(item)) for item in items[:_PRUNED_SHOWN]]
        if count > len(lines):
            more = f"{count - len(lines):,} more are in the artifact"
            lines.append(tag("li", more, class_="quiet"))
        summary = tag("summary", f"{count:,} left out: {reason}")
        yield tag("details", summary, tag("ul", *lines))


def _section(title: str, *parts: Markup) -> Markup:
    return tag("section", tag("h2", title, dir="auto"), *parts)


def _table(head: tuple[str, ...], rows: list[Markup]) -> Markup:
    cells = (tag("th", name, scope="col") for name in head)
    table = tag("table", tag("thead", tag("tr", *cells)), tag("tbody", *rows))
    return tag("div", table, class_="wide")


def _sources(item: Mapping[str, Any]) -> list[str]:
    return item.get("sources") or [item["source"]]


def _saved(record: Mapping[str, Any]) -> str:
    return f"saved: {record['saved']}" if record["saved"] else "not saved"
