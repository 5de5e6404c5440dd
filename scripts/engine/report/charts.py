"""Charts of a run as HTML and inline SVG, without a script."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.report.counts import amounts, counted
from engine.report.figures import days, funnel
from engine.report.markup import Markup, tag
from engine.report.seen import items_of, items_shown, totals

__all__ = ["by_source", "funnel_chart", "per_day"]

_DAY, _GAP, _HEIGHT = 10, 2, 100


def funnel_chart(record: Mapping[str, Any]) -> Markup:
    """From what was retrieved to what is kept, a bar a step."""
    stages = funnel(record)
    most = max(1, *(stage.items for stage in stages))
    rows = (
        tag(
            "li",
            tag("span", stage.name, class_="name"),
            tag("strong", f"{stage.items:,}"),
            _bar(stage.items / most, "fill"),
            tag("small", stage.note),
        )
        for stage in stages
    )
    return tag("ol", *rows, class_="funnel")


def per_day(record: Mapping[str, Any]) -> Markup:
    """Items a day, one bar a day, stacked by source."""
    found = days(record)
    most = max(1, *(counts.total() for counts in found.values()))
    classes = _classes(record)
    rects = []
    for place, (day, counts) in enumerate(found.items()):
        top = float(_HEIGHT)
        said = ", ".join(f"{n} {source}" for source, n in counts.items())
        for source in (name for name in classes if counts[name]):
            height = _HEIGHT * counts[source] / most
            top -= height
            rects.append(
                tag(
                    "rect",
                    tag("title", f"{day}: {said}"),
                    x=str(place * _DAY),
                    y=f"{top:.2f}",
                    width=str(_DAY - _GAP),
                    height=f"{height:.2f}",
                    class_=classes[source],
                )
            )
    dated = sum(counts.total() for counts in found.values())
    first, last = min(found), max(found)
    svg = tag(
        "svg",
        *rects,
        viewBox=f"0 0 {len(found) * _DAY - _GAP} {_HEIGHT}",
        preserveAspectRatio="none",
        role="img",
        aria_label=f"{dated} items from {first} to {last}, at most {most} a day",
    )
    axis = (tag("span", first), tag("span", f"most a day: {most}"), tag("span", last))
    other = len(record["items"]) - dated
    note = tag("p", f"{counted(other, 'items')} undated or older", class_="quiet")
    return tag("div", svg, tag("div", *axis, class_="axis"), note if other else "")


def by_source(record: Mapping[str, Any]) -> Markup:
    """What each source gave, in its own units and on one scale."""
    classes = _classes(record)
    rows = []
    for name in classes:
        info, own = record["sources"][name], items_of(record, name)
        known = [item["scores"]["engagement"] for item in own if item.get("scores")]
        heat = max((value for value in known if value is not None), default=None)
        number = counted(len(items_shown(record, name)), info["noun"])
        rows.append(
            tag(
                "li",
                tag("span", class_=f"swatch {classes[name]}"),
                tag("span", f"{info['emoji']} {info['label']}", class_="name"),
                tag("strong", number),
                tag("small", " · ".join(amounts(totals(record, name), info["counts"]))),
                "" if heat is None else _heat(heat, classes[name]),
            )
        )
    return tag("ul", *rows, class_="sources")


def _heat(heat: float, class_: str) -> Markup:
    said = tag("small", f"hottest: {heat:.0f} of 100")
    return tag("div", _bar(heat / 100, class_), said, class_="heat")


def _bar(share: float, class_: str) -> Markup:
    fill = tag("span", class_=class_, style=f"width:{100 * min(1.0, share):.1f}%")
    return tag("span", fill, class_="bar", aria_hidden="true")


def _classes(record: Mapping[str, Any]) -> dict[str, str]:
    """The class that colours a source, by its place among those that gave items."""
    given = [name for name in record["sources"] if items_shown(record, name)]
    return {name: f"s{place % 8}" for place, name in enumerate(given)}
