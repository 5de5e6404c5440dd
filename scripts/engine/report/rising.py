"""The brief of a discovery: what rises, who bears it out, and what could not be seen.

The host passes it on as it stands; all of its words but the angles are the engine's or
the evidence's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from engine.report.clean import clean_line, clip
from engine.report.counts import amounts, counted
from engine.report.envelope import badge
from engine.report.footer import footer
from engine.report.lines import link, name
from engine.report.seen import not_seen
from engine.report.telling import comments_of

__all__ = ["NOTHING", "OPENING", "rising"]

OPENING = "What is rising:"
NOTHING = "Nothing solid this window."

_TOPIC, _QUOTE, _LABEL, _DETAIL = 80, 200, 70, 160
_LINKS = 3
_LABELS = {"podcast": "Podcast", "x_article": "Article for X"}
_REASONS = {
    "junk": "junk",
    "below-floor": "below the floor",
    "no-room": "less worthy",
}

_Record = Mapping[str, Any]


def rising(record: _Record) -> str:
    """The brief of a discovery, from its artifact."""
    discovery = record["discovery"]
    new = [topic for topic in discovery["topics"] if not topic["covered"]]
    lines = [badge(record, _TOPIC), "", OPENING if new else NOTHING]
    if not discovery["judged"] and discovery["nominated"]:
        lines.append("Nobody judged: names and order are the engine's own guess.")
    for number, topic in enumerate(new, 1):
        lines += ["", *_topic(number, topic, record)]
    covered = [_name(topic) for topic in discovery["topics"] if topic["covered"]]
    if covered:
        lines += ["", f"Covered before: {'; '.join(covered)}."]
    lines += ["", _pipeline(discovery), *_gaps(record), "", *footer(record)]
    return "\n".join(lines) + "\n"


def _topic(number: int, topic: _Record, record: _Record) -> Iterator[str]:
    items = _items(topic, record)
    parts = [f"{number}. **{_name(topic)}**", f"momentum {topic['momentum']} of 100"]
    if topic["surfaced"]:
        parts.append(f"surfaced {_ordinal(topic['surfaced'])} time")
    yield " · ".join(parts)
    yield f"   Why: {_why(items, record)}"
    yield f"   {_confirmed(topic, record)}"
    if topic["ungrounded"]:
        words = ", ".join(name(word) for word in topic["ungrounded"])
        yield f"   Ungrounded: {words} (in the name, not in the evidence)"
    if voice := _voice(items, record):
        yield f"   Voice: {voice}"
    for kind, label in _LABELS.items():
        if topic["angles"][kind]:
            yield f"   {label}: {topic['angles'][kind]}"
    links = list(filter(None, map(_link, items)))[:_LINKS]
    if links:
        yield f"   Evidence: {' | '.join(links)}"
    yield f"   Next: `/last30days {_name(topic).replace('`', '')}`"


def _items(topic: _Record, record: _Record) -> list[_Record]:
    known = {f"{item['source']}:{item['id']}": item for item in record["items"]}
    return [known[key] for key in topic["items"] if key in known]


def _name(topic: _Record) -> str:
    return clean_line(topic["name"]).replace("*", "")


def _ordinal(number: int) -> str:
    teen = number % 100 in (11, 12, 13)
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if teen else ending}"


def _why(items: Sequence[_Record], record: _Record) -> str:
    """What people did, by source, and on which days."""
    said = []
    for source in dict.fromkeys(item["source"] for item in items):
        info = record["sources"][source]
        totals: Counter[str] = Counter()
        own = [item for item in items if item["source"] == source]
        for item in own:
            totals.update(item["engagement"])
        shown = amounts(totals, info["counts"]) or [counted(len(own), info["noun"])]
        said.append(f"{', '.join(shown)} on {clean_line(info['label'])}")
    days = sorted({item["date"] for item in items if item["date"]})
    span = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}" if days else ""
    return "; ".join(filter(None, [*said, span]))


def _confirmed(topic: _Record, record: _Record) -> str:
    labels = [clean_line(record["sources"][s]["label"]) for s in topic["sources"]]
    if len(labels) > 1:
        origins = counted(topic["origins"], "independent origins")
        return f"Confirmed across {', '.join(labels)} ({origins})"
    where = ", ".join(labels) or "one source"
    return f"Seen on {where} alone: no independent second source"


def _voice(items: Sequence[_Record], record: _Record) -> str:
    """The comment with most votes, or else a post that is its author's own words."""
    comments = ((comment, item) for item in items for comment in comments_of(item))
    if best := max(comments, key=lambda one: one[0]["votes"] or 0, default=None):
        comment, item = best
        return _said(comment["text"], comment["author"], comment["url"], item, record)
    for item in items:
        if item["author_handle"] and not item["title"]:
            return _said(item["text"], item["author_handle"], item["url"], item, record)
    return ""


def _said(text: str, author: str, url: str, item: _Record, record: _Record) -> str:
    who = record["sources"][item["source"]]["at"] + name(author.lstrip("@"))
    address = link(url) or link(item["url"])
    quote = clip(clean_line(text), _QUOTE).replace('"', "'")
    return f'"{quote}" [{who}]({address})' if address else f'"{quote}" {who}'


def _link(item: _Record) -> str:
    address = link(item["url"])
    title = clip(clean_line(item["title"] or item["text"]), _LABEL)
    title = title.replace("[", "(").replace("]", ")").replace("|", "/")
    return f"[{title or item['source']}]({address})" if address else ""


def _pipeline(discovery: _Record) -> str:
    """What became of the nominations."""
    topics = discovery["topics"]
    merged = sum(len(topic["merged"]) for topic in topics)
    left = Counter(one["reason"] for one in discovery["left"])
    parts = [
        f"{discovery['nominated']} nominated",
        f"{discovery['judged']} judged by you",
        f"{discovery['researched']} researched",
        f"{len(topics)} told of",
    ]
    parts += [f"{merged} merged"] if merged else []
    parts += [f"{count} {_REASONS[why]}" for why, count in left.items()]
    if discovery["origin"] != "live":
        parts.append(f"from {discovery['origin']} posts, not from live services")
    return f"Pipeline: {', '.join(parts)}."


def _gaps(record: _Record) -> Iterable[str]:
    """What could not be seen: it may hide what rises."""
    gaps = [
        f"{clean_line(record['sources'][source]['label'])} ({status['state']}"
        + (f": {detail})" if (detail := _detail(status)) else ")")
        for source, status in record["source_status"].items()
        if not_seen(status["state"])
    ]
    return [f"Not seen in full: {'; '.join(gaps)}."] if gaps else []


def _detail(status: _Record) -> str:
    return clip(clean_line(status["detail"]), _DETAIL)
