"""The page of a run: whole, self-contained, inert, and true to the artifact."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import data
from engine.report.figures import days, funnel
from engine.report.html import html
from engine.report.markup import Markup, tag
from fakes.research_run import cluster, comment, research, sample, thing
from support import ROOT, artifact, item, run

_VOID = frozenset(("meta",))
_ALLOWED = re.compile(
    "html|head|meta|title|style|body|header|main|footer|section|article|div|p|span|h[1-4]"
    "|ol|ul|li|strong|small|a|svg|rect|table|thead|tbody|tr|th|td|details|summary"
    "|blockquote|cite|figure|figcaption"
)
_HOSTILE = {
    "script": "<script>alert(1)</script>",
    "attribute": '" onmouseover="alert(1)" x="',
    "quote": "' onclick='alert(1)' style='position:fixed'",
    "close": "</style></title></p></article><iframe src=//evil.example>",
    "image": "<img src=x onerror=alert(1)>",
    "link": "javascript:alert(1)",
    "data": "data:text/html,<script>alert(1)</script>",
    "entity": "&lt;script&gt; &#60;b&#62;",
    "bidi": "\u202eevil\u2066 \x1b[31m \x00",
    "surrogate": "half \ud83d",
}


class _Page(HTMLParser):
    """Reads a page strictly: every element closes, and is one that may be there."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.text = ""
        self.headings: list[int] = []
        self.feed(text)
        self.close()
        assert not self.open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert _ALLOWED.fullmatch(tag), tag
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag not in _VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.text += f" {data}"

    def values(self, name: str) -> list[str]:
        return [value for _, given, value in self.attributes if given == name]


def _flat(text: str) -> str:
    return " ".join(text.split())


def test_the_page_is_whole_and_loads_nothing() -> None:
    """Well-formed; no script, font, image or style from outside, and a policy says so."""
    page = _Page(html(sample()))
    assert html(sample()).startswith('<!DOCTYPE html>\n<html lang="en">')
    assert {name for _, name, _ in page.attributes} <= {
        "lang", "charset", "name", "content", "http-equiv", "class", "style", "href", "rel",
        "dir", "scope", "role", "aria-label", "aria-hidden", "viewbox",
        "preserveaspectratio", "x", "y", "width", "height",
    }  # fmt: skip
    assert "default-src 'none'; style-src 'unsafe-inline'" in page.values("content")
    css = data.text("page.css")
    assert "url(" not in css and "@import" not in css and "<" not in css
    assert "prefers-color-scheme: dark" in css and "@media print" in css
    assert "width=device-width, initial-scale=1" in page.values("content")


def test_links_lead_to_the_web_alone_and_tell_nothing() -> None:
    """No other scheme, no referrer, no reward."""
    page = _Page(html(sample()))
    links = page.values("href")
    assert len(links) > 9 and all(link.startswith("https://") for link in links)
    assert set(page.values("rel")) == {"nofollow noopener noreferrer"}
    assert len(page.values("rel")) == len(links)


def test_headings_are_in_order() -> None:
    """One title, and no level is skipped on the way down."""
    headings = _Page(html(sample())).headings
    assert headings.count(1) == 1 and headings[0] == 1
    assert all(
        after <= before + 1
        for before, after in zip(headings, headings[1:], strict=False)
    )


def test_the_funnel_counts_what_the_artifact_holds() -> None:
    """Retrieved, different, on topic, kept: by arithmetic over the artifact."""
    record = sample()
    assert [(stage.name, stage.items, stage.note) for stage in funnel(record)] == [
        ("retrieved", 9 + 1 + 4 + 2 + 1 + 1, "by 6 queries"),
        ("different", 9 + 5 + 2, "each counted once"),
        ("on topic", 9 + 2, "5 off-topic"),
        ("kept", 9, "1 near-duplicate, 1 below-pool"),
    ]
    text = _flat(_Page(html(record)).text)
    for stage in funnel(record):
        assert f"{stage.name} {stage.items} {stage.note}" in text
    assert "9 items from 6 sources in 5 clusters" in text


def test_an_item_that_both_sides_found_counts_once() -> None:
    """Also where one side kept and the other pruned it."""
    kept = [{**thing("reddit", 1), "side": side} for side in ("a", "b")]
    pruned = [
        {**thing("reddit", n), "side": "a", "reason": "off-topic"} for n in (1, 2)
    ]
    record = research(kept, {"reddit": "ok"}, pruned=pruned, sides=["a", "b"])
    assert [stage.items for stage in funnel(record)] == [0, 2, 1, 1]


def test_every_day_of_the_window_is_counted() -> None:
    """Days without items too; what is undated or outside stands below the chart."""
    found = days(sample())
    assert len(found) == 15 + 15 and list(found)[0] == "2026-10-17"
    assert {day: dict(counts) for day, counts in found.items() if counts} == {
        "2026-11-02": {"github": 1},
        "2026-11-09": {"reddit": 1},
        "2026-11-10": {"reddit": 1},
        "2026-11-12": {"x": 1},
        "2026-11-13": {"x": 2},
        "2026-11-14": {"hackernews": 1, "polymarket": 1},
    }
    page = _Page(html(sample()))
    assert page.values("aria-label") == [
        f"{9 - 1} items from 2026-10-17 to 2026-11-15, at most 2 a day"
    ]
    assert sum(tag == "rect" and name == "x" for tag, name, _ in page.attributes) == 7
    assert "1 item undated or older" in _flat(page.text)


def test_sources_stand_in_their_units_and_on_one_scale() -> None:
    """Votes, points, dollars; the hottest item of each is 0…100; no bar if unknown."""
    text = _flat(_Page(html(sample())).text)
    for said in (
        f"🟠 Reddit 2 threads {160 + 17} votes · {34 + 24} comments hottest: 50 of 100",
        "🟧 Hacker News 1 story 487 points · 480 comments hottest: 100 of 100",
        "📊 Polymarket 1 market $14K volume · $23K liquidity hottest: 50 of 100",
        "🌍 Web 1 page What was said",
    ):
        assert said in text


def test_everything_that_was_found_is_on_the_page() -> None:
    """Clusters with all items, comments, coverage with fixes, warnings, what left."""
    record = sample()
    text = _flat(_Page(html(record)).text)
    for one in record["items"]:
        assert _flat(one["title"] or one["text"]) in text
    for said in (
        "score 72", "5 independent origins", "single-source", "3 items more about the same",
        "Ours is forty lines", "u/blunt · 120 votes", "first-party", "undated", "entity-miss",
        "rate-limited", "set GITHUB_TOKEN", "install yt-dlp", "A failed source is not silence",
        "Some answers are from the cache", "No --plan", "5 left out: off-topic",
        "1 left out: near-duplicate", "6 queries", "Off topic 4", "not saved",
    ):  # fmt: skip
        assert said in text
    assert "[deleted]" not in text


def test_a_page_of_a_search_of_x() -> None:
    """No clusters and no scores: the posts stand in their order."""
    record = artifact([item(1, "first post"), item(2, "second post")])
    text = _flat(_Page(html(record)).text)
    assert "2 items from 1 source" in text and "cluster" not in text
    assert text.index("first post") < text.index("second post")
    assert "hottest" not in text and "Not seen" not in text


@pytest.mark.parametrize("record", [artifact(), research(), artifact(state="blocked")])
def test_an_empty_run_is_a_page_too(record: dict[str, Any]) -> None:
    """It says that there is nothing, and whether it could be looked at."""
    text = _flat(_Page(html(record)).text)
    assert "No items." in text
    states = {status["state"] for status in record["source_status"].values()}
    assert ("Not seen, or not in full: x (blocked)" in text) is ("blocked" in states)


def test_nothing_solid_is_said() -> None:
    """As in the envelope."""
    record = research([thing("web", 1, marks=["undated"], date=None)], {"web": "ok"})
    assert "Nothing solid this window." in html(record)
    assert "Nothing solid" not in html(sample())


def test_sides_stand_apart() -> None:
    """Each has its heading and its clusters."""
    sides = ["Cursor", "Zed"]
    items = [{**thing("reddit", 1, f"on {side}"), "side": side} for side in sides]
    clusters = [{**cluster(item), "side": item["side"]} for item in items]
    text = _flat(_Page(html(research(items, {}, sides=sides, clusters=clusters))).text)
    places = [text.index(said) for said in ("Cursor", "on Cursor", "Zed", "on Zed")]
    assert places == sorted(places)


def test_many_pruned_items_are_counted() -> None:
    """A hundred of a reason are listed, the rest is a number."""
    pruned = [{**thing("x", i, f"p{i}"), "reason": "off-topic"} for i in range(130)]
    text = _flat(_Page(html(research([], {}, pruned=pruned))).text)
    assert "130 left out: off-topic" in text and "30 more are in the artifact" in text


def _filled(value: Any, text: str) -> Any:
    """A record in which every free text says it."""
    if isinstance(value, dict):
        fixed = ("id", "source", "date", "state", "reason", "outcome", "window", "side")
        return {
            key: part if key in fixed or key.endswith("_ids") else _filled(part, text)
            for key, part in value.items()
        }
    if isinstance(value, list):
        return [_filled(part, text) for part in value]
    return text if isinstance(value, str) else value


def _hostile(text: str) -> dict[str, Any]:
    record = sample()
    for part in ("items", "pruned", "clusters", "queries", "_warnings", "sources"):
        record[part] = _filled(record[part], text)
    for source, info in record["sources"].items():
        info["counts"] = sample()["sources"][source]["counts"]
    for status in record["source_status"].values():
        status.update(detail=text, fix=text)
    return {**record, "topic": text or "x", "saved": text, "sides": []}


@pytest.mark.parametrize("text", _HOSTILE.values(), ids=_HOSTILE)
def test_hostile_text_is_inert_wherever_it_stands(text: str) -> None:
    """No element, attribute or link comes of it, and its words can be read."""
    shown = html(_hostile(text))
    page = _Page(shown)
    assert not page.values("href")
    assert not any(name.startswith("on") for _, name, _ in page.attributes)
    assert all(re.fullmatch(r"width:[\d.]+%", style) for style in page.values("style"))
    assert not re.search("[\u202e\u2066\x00\x1b\ud800-\udfff]", shown)
    assert "evil.example" not in "".join(page.values("content"))
    shown.encode("utf-8")


@settings(max_examples=60, deadline=None)
@given(st.text())
def test_any_text_gives_a_whole_page(text: str) -> None:
    """Whatever is said anywhere."""
    _Page(html(_hostile(text)))


@pytest.mark.parametrize(
    "url",
    ["javascript:alert(1)", "data:text/html,x", "//evil.example", "https://a.example/ b",
     "https://a.example/\"><b>", "file:///etc/passwd", "HTTPS://A.EXAMPLE", ""],
)  # fmt: skip
def test_only_a_clean_web_address_is_a_link(url: str) -> None:
    """Everything else is no link, and the words stay."""
    one = thing("web", 1, "the words", url=url, comments=[comment("c d", "said")])
    page = _Page(html(research([one], {"web": "ok"})))
    assert not page.values("href") and "the words" in page.text


def test_markup_is_what_says_that_it_is() -> None:
    """A plain string is escaped, in an element and in an attribute."""
    inner = tag("b", "1 < 2 & 3", title='"')
    assert inner == '<b title="&quot;">1 &lt; 2 &amp; 3</b>'
    assert tag("p", inner, "<i>", Markup("&nbsp;"), class_="") == (
        f"<p>{inner}‹i›&nbsp;</p>"
    )


def test_the_same_artifact_gives_the_same_page() -> None:
    """Also after a trip through JSON, as in a replay."""
    assert html(json.loads(json.dumps(sample()))) == html(sample())


def test_a_saved_run_can_be_shown_as_a_page(tmp_path: Path) -> None:
    """The command line prints what the function gives, in whatever folder it runs."""
    record = sample()
    (tmp_path / "a.json").write_text(json.dumps(record), encoding="utf-8")
    script = ROOT / "scripts" / "last30days.py"
    shown = run("--replay", "a.json", "--emit", "html", cwd=tmp_path, script=script)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert shown.stdout == html(record)


def _luminance(colour: str) -> float:
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in parts
    ]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_contrast(scheme: str) -> None:
    """At least 4.5 to 1 on each ground, as WCAG AA asks of text."""
    css = data.text("page.css")
    part = css.split("prefers-color-scheme: dark")[scheme == "dark"]
    colours = dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", part.split("body {")[0]))
    for ground in ("ground", "card"):
        for ink in ("ink", "quiet", "link", "good", "bad"):
            pair = sorted(_luminance(colours[name]) for name in (ground, ink))
            assert (pair[1] + 0.05) / (pair[0] + 0.05) >= 4.5, (ground, ink)
