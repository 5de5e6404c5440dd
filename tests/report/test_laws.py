"""The frame and the shape of a brief: LAWs 1 to 6, and what is said of each LAW."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from brief_support import ANN, BOB, HN, RECORD, THREAD, brief, broken, found
from engine.errors import UsageError
from engine.report.brief.evidence import Evidence
from engine.report.brief.frame import badges, footers
from engine.report.envelope import envelope
from engine.report.laws import LAWS, check_brief, explain, render
from support import artifact, item

_GOOD = brief("**Fine.** It rolls.")


def test_a_good_brief_breaks_nothing() -> None:
    """The brief that all others here are made from is right."""
    assert found(_GOOD) == []


@pytest.mark.parametrize("sign", ["[", "`", "[a](", "[](x)"], ids=repr)
def test_signs_without_an_end_are_read_fast(sign: str) -> None:
    """A brief that is full of them takes seconds, and no minutes."""
    started = time.perf_counter()
    found(brief(sign * (30_000 // len(sign))))
    assert time.perf_counter() - started < 10


@pytest.mark.parametrize("end", ["\r\n", "\r"], ids=["windows", "old-mac"])
def test_line_ends_do_not_count(end: str) -> None:
    """A brief saved on another system is the same brief."""
    assert found(_GOOD.replace("\n", end)) == []


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("\n" + _GOOD, 1),
        ("# Foo bike\n\n" + _GOOD, 1),
        (_GOOD.replace("Foo bike ·", "Foo bikes ·", 1), 1),
        (_GOOD.replace("\n\nWhat", "\nWhat", 1), 2),
        (_GOOD.replace("What I learned:", "What I learned", 1), 3),
        (_GOOD.replace("What I learned:\n\n", "", 1), 3),
    ],
    ids=["blank", "title", "badge", "no-blank", "no-colon", "no-opening"],
)
def test_law_2_wants_the_opening_as_it_is(text: str, line: int) -> None:
    """One violation, at the first line that is wrong."""
    assert [(v.law, v.line) for v in found(text)] == [("LAW 2", line)]


@pytest.mark.parametrize(
    "tail",
    [
        f"\n\nSources:\n- {ANN}\n- {BOB}",
        f"\n\n**References**\n\n1. [Ann]({ANN})",
        f"\n\n### 来源\n- {ANN}",
        f"\n\nQuellen: [Ann]({ANN}), [Bob]({BOB})",
        f"\n\n- [A post]({ANN})\n- [Another post]({BOB}), X",
        f"\n\n[1]: {ANN}\n[2]: {BOB}",
    ],
    ids=["sources", "bold", "chinese", "german-inline", "bare", "definitions"],
)
@pytest.mark.parametrize("where", ["before", "behind"])
def test_law_1_wants_no_list_of_sources(tail: str, where: str) -> None:
    """Neither before the footer nor behind it, and it is no other LAW's matter."""
    text = brief("**Fine.** It rolls.", behind=tail)
    if where == "before":
        text = _GOOD.replace("2. It is sold.", f"2. It is sold.{tail}")
    assert [v.law for v in found(text)] == ["LAW 1"]


@pytest.mark.parametrize(
    "body",
    [
        "Sources close to the company: nobody knows them.",
        "**Sources** of noise are the brakes.",
        f"Links to [the thread]({THREAD}) are everywhere.",
    ],
    ids=["prose", "bold", "links"],
)
def test_law_1_knows_prose(body: str) -> None:
    """The word alone is no list."""
    assert broken(body) == []


def test_law_1_knows_short_patterns_with_their_links() -> None:
    """A numbered pattern may be few words and a link."""
    rest = (
        f"\n\nKEY PATTERNS from the research:\n1. [@ann_w]({ANN}): quiet.\n"
        f"2. [@bob_rides]({BOB}): loud."
    )
    assert broken("**Fine.** It rolls.", rest=rest) == []


@pytest.mark.parametrize(
    "body",
    [
        "It rolls — well.", "It rolls – well.", "It rolls—well.", "**It rolls** — well.",
        "Takes 5–10 days.", "一路——向前。", f"[a dash — here]({HN})", "It ― rolls.",
    ],
)  # fmt: skip
def test_law_3_sees_dashes(body: str) -> None:
    """In prose, bold text and labels, in whatever script."""
    assert broken(body) == ["LAW 3"]


@pytest.mark.parametrize(
    "body",
    [
        f'[@ann_w]({ANN}): "quiet — too quiet".',
        f"[@ann_w]({ANN}): “quiet – too quiet”.",
        f"[@ann_w]({ANN}) : « quiet — too quiet ».",
        f"[@ann_w]({ANN}): „quiet — too quiet“.",
        f"[@ann_w]({ANN}) 说「quiet — too quiet」。",
        "> quiet — too quiet",
        "Run `a — b` twice.",
        f"See [Foo bike – a review]({THREAD}).",
        "A well-known bike, 5-10 days, -3 degrees.",
    ],
)
def test_law_3_lets_quotes_be(body: str) -> None:
    """What others wrote keeps its dashes; hyphens are none."""
    assert broken(body) == []


def test_law_3_tells_what_to_write_for_a_span() -> None:
    """The fix for a span of numbers is not that for a thought."""
    (violation,) = found(brief("Takes 5–10 days."))
    assert "5-10" in violation.fix


def test_law_3_lets_the_topic_have_its_dash() -> None:
    """A name that the user wrote with a dash is written so."""
    record = {**RECORD, "topic": "Paris–Brest"}
    assert broken("Paris–Brest is long.", record) == []
    assert broken("Paris–Roubaix is long.", record) == ["LAW 3"]


@pytest.mark.parametrize(
    "body",
    ["## Brakes\n\nThey squeal.", "# Brakes", "#### 刹车", "Brakes\n===\n\nSqueal.",
     "Brakes\n---\n\nSqueal.", "<h2>Brakes</h2>"],
)  # fmt: skip
def test_law_4_sees_headings(body: str) -> None:
    """Of every form that Markdown has."""
    assert broken(body) == ["LAW 4"]


@pytest.mark.parametrize(
    "body",
    ["#foobike is a tag.", "```\n# a comment\n```", "Fine.\n\n---\n\nGood.",
     "| a | b |\n|---|---|\n| 1 | 2 |", "**Brakes**\n\nThey squeal."],
)  # fmt: skip
def test_law_4_knows_what_is_none(body: str) -> None:
    """Tags, code, rules, tables and bold lines."""
    assert broken(body) == []


@pytest.mark.parametrize(
    "rest",
    [
        "",
        "\n\nKEY PATTERNS:\n1. a b\n2. c d",
        "\n\nKEY PATTERNS from the research:\n- a b\n- c d",
        "\n\nKEY PATTERNS from the research:\n1. a b",
    ],
    ids=["none", "other-words", "bullets", "one"],
)
def test_law_4_wants_the_patterns(rest: str) -> None:
    """The line and a numbered list of two, where there is evidence enough."""
    body = f"[@ann_w]({ANN}) rolls, [@bob_rides]({BOB}) squeals."
    assert broken(body, rest=rest) == ["LAW 4"]


def test_law_4_asks_for_no_patterns_of_two_posts() -> None:
    """Little evidence makes no pattern."""
    record = {**RECORD, "items": RECORD["items"][:2]}
    body = f"[@ann_w]({ANN}) rolls, [@bob_rides]({BOB}) squeals."
    assert broken(body, record, rest="") == []


_FOOTER = "\n".join(footers(Evidence(RECORD))[0])


@pytest.mark.parametrize(
    ("text", "law"),
    [
        (_GOOD.replace(_FOOTER, ""), "LAW 5"),
        (_GOOD.replace("not saved", "saved: x.json"), "LAW 5"),
        (_GOOD.replace("├─ • X:", "├─ • X: 900 posts,"), "LAW 5"),
        (_GOOD.replace("├─", "-"), "LAW 5"),
        (_GOOD + "\nWant to know more?\n", "LAW 5"),
        (_GOOD.replace(_FOOTER, f"{_FOOTER}\n\n{_FOOTER}"), "LAW 5"),
    ],
    ids=["none", "path", "count", "other-signs", "behind", "twice"],
)
def test_law_5_wants_the_footer_and_nothing_else(text: str, law: str) -> None:
    """A footer that is missing, changed, followed or repeated breaks it."""
    assert {v.law for v in found(text)} == {law}


@pytest.mark.parametrize("body", [
    "📊 47 posts, 12 subreddits analysed", "I analyzed 1,200 comments for this.",
    "├─ Quora: 3 answers", "我分析了 47 条帖子。", "Based on 30 threads scanned today.",
])  # fmt: skip
def test_law_5_sees_statistics_that_nobody_counted(body: str) -> None:
    """Lines in the manner of the footer."""
    assert "LAW 5" in broken(body)


@pytest.mark.parametrize("body", [
    "The bike was reviewed in hundreds of posts.", "✨ Three posts made it famous.",
    "Two posts and one thread disagree.",
])  # fmt: skip
def test_law_5_knows_prose(body: str) -> None:
    """Words that a footer has too are no footer."""
    assert broken(body) == []


@pytest.mark.parametrize("max_bytes", [2_000, 24_000])
def test_every_envelope_has_a_badge_and_a_footer_that_pass(max_bytes: int) -> None:
    """Also the shortest, whose badge and footer are brief."""
    record = artifact(
        [item(1)], topic="Rome Italy " * 9, saved="/deep" * 40 + "/r.json"
    )
    lines = envelope(record, max_bytes=max_bytes).rstrip("\n").split("\n")
    last = len(lines) - 2
    first = max(n for n, line in enumerate(lines) if line[:1] in ("✅", "⚠"))
    text = "\n".join([
        lines[0], "", "What I learned:", "", "**So.** As @writer_1 says.", "",
        *lines[first:last],
    ])  # fmt: skip
    assert check_brief(text, record) == []
    assert lines[0] in badges(Evidence(record))


def test_no_line_of_the_evidence_may_be_passed_on() -> None:
    """Each line that the envelope prints flush left, but badge and footer, is seen."""
    lines = envelope(RECORD).split("\n")
    start = next(n for n, line in enumerate(lines) if line.startswith("EVIDENCE"))
    end = next(n for n, line in enumerate(lines) if line.startswith("END OF EVIDENCE"))
    heads = [li for li in lines[start : end + 1] if li[:1] not in (" ", "h")]
    assert len(heads) >= len(RECORD["items"]) + 2
    for line in [*heads, lines[2], lines[6], lines[-2]]:
        assert "LAW 6" in broken(line), line


@pytest.mark.parametrize("body", [
    "### 1. Foo bike (score 62, 3 items, sources: x)", "1. Foo bike (score: 62.1)",
    "CLUSTER 1 · score 62", "**Cluster 2**", "It has relevance 0.92 here.",
    "- [3] @ann_w · 2026-11-14 · 12K likes",
])  # fmt: skip
def test_law_6_sees_what_models_copy(body: str) -> None:
    """Also with marks around it, and no other LAW is blamed."""
    assert set(broken(body)) == {"LAW 6"}


@pytest.mark.parametrize("body", [
    "1. They won (final score 3 to 1).", "The average score was 1.5 there.",
    "[1] is a footnote.", "Coverage: the press was kind.",
    f"- [@ann_w]({ANN}) likes it.\n- [@bob_rides]({BOB}) sold it.\n- Nobody else cares.",
])  # fmt: skip
def test_law_6_knows_prose(body: str) -> None:
    """Scores of games, footnotes and lists of the writer's own words."""
    assert "LAW 6" not in broken(body)


def _sides() -> dict[str, object]:
    sides = ["Foo bike", "Bar bike"]
    items = [{**one, "side": sides[n % 2]} for n, one in enumerate(RECORD["items"])]
    return {**RECORD, "sides": sides, "items": items, "topic": "Foo bike vs Bar bike"}


_HEADS = ["Quick verdict", "Foo bike", "Bar bike", "Head to head", "Bottom line"]


@pytest.mark.parametrize(
    ("heads", "laws"),
    [
        (_HEADS, []),
        (_HEADS[:-1], ["LAW 4"]),
        ([*_HEADS, "Sidenotes"], ["LAW 4"]),
        ([_HEADS[0], _HEADS[2], _HEADS[1], *_HEADS[3:]], ["LAW 4"]),
        ([], ["LAW 4"]),
    ],
    ids=["right", "missing", "more", "order", "none"],
)
def test_law_4_gives_a_comparison_its_headings(
    heads: list[str], laws: list[str]
) -> None:
    """Exactly those, in their order, and no list of patterns."""
    rest = f"\n\n[@ann_w]({ANN}) and [@bob_rides]({BOB}) differ."
    body = "\n\n".join(f"## {head}\nIt rolls." for head in heads) or "It rolls."
    assert broken(body, _sides(), rest=rest) == laws
    with_list = f"{rest}\n\nKEY PATTERNS from the research:\n1. a\n2. b"
    assert broken(body, _sides(), rest=with_list) == [*laws, "LAW 4"]


def test_law_9_wants_a_voice_from_each_side() -> None:
    """Two people of one side leave the other unheard."""
    body = "\n\n".join(f"## {head}\nIt rolls." for head in _HEADS)
    rest = f"\n\n[@ann_w]({ANN}) and [u/carla9]({THREAD}) agree."
    assert broken(body, _sides(), rest=rest) == ["LAW 9"]


@pytest.mark.parametrize("name", LAWS)
def test_every_law_is_explained(name: str) -> None:
    """What it demands, why where the page says so, how it is checked, what is not."""
    said = explain(name)
    assert said.startswith(f"{name}: ")
    parts = re.findall(r"^(Rule|Reason|Checked|Not seen): .+", said, re.MULTILINE)
    wanted = ["Rule", "Reason", "Checked", "Not seen"]
    assert parts == (wanted if name.startswith("LAW") else wanted[:1] + wanted[2:])


@pytest.mark.parametrize("name", ["8", "law8", "LAW 8", " Law 8 "])
def test_a_law_is_found_however_it_is_written(name: str) -> None:
    """Number, with or without the word."""
    assert explain(name) == explain("LAW 8")


@pytest.mark.parametrize("name", ["", "12", "LAW", "dashes"])
def test_an_unknown_law_is_refused(name: str) -> None:
    """The line names those that there are."""
    with pytest.raises(UsageError, match="LAW 1, LAW 2"):
        explain(name)


def test_what_is_shown_is_one_clean_line() -> None:
    """Long and hostile text is clipped and loses its controls."""
    body = "Rolls — \x1b[31m" + "\u202e" * 3 + "on and on " * 90
    for line in render(found(brief(body)), brief="b\x1b[2Jrief.md").split("\n"):
        assert line.isprintable() and len(line) < 300


@settings(max_examples=150, deadline=None)
@given(
    st.text(st.sampled_from("ab[]()<>\"“”«»'`*_#|-–—.:!@/…\n 1K%$€你。"), max_size=300)
)
def test_any_text_is_checked(body: str) -> None:
    """No brief makes the checker fail, and every violation lies inside it."""
    text = brief(body)
    for violation in found(text):
        assert 1 <= violation.line <= text.count("\n") and violation.fix
