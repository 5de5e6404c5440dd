"""Links, people and their words: LAWs 8, 9 and 10."""

from __future__ import annotations

import pytest

from brief_support import ANN, BOB, HN, MARKET, PAPER, RECORD, THREAD, broken, found
from brief_support import brief as whole
from engine.report.brief.links import find_links
from engine.report.brief.quotes import find_quotes


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("[a](https://e.x/b)", [("a", "https://e.x/b")]),
        ("[a [b] c](https://e.x/(d))", [("a [b] c", "https://e.x/(d)")]),
        ('[a](<https://e.x/f g> "t")', [("a", "https://e.x/f g")]),
        ("[a](https://e.x/h\\)i)", [("a", "https://e.x/h)i")]),
        ("<https://e.x/j> and https://e.x/k.", [("", "https://e.x/j"), ("", "https://e.x/k")]),
        ("(https://e.x/l_(m))", [("", "https://e.x/l_(m)")]),
        ("见https://e.x/n。", [("", "https://e.x/n")]),
        ("![p](https://e.x/q.png)", [("p", "https://e.x/q.png")]),
        ("[a](https://e.x/odd)r)", [("a", "https://e.x/odd)r")]),
        ("[not a link] (https://e.x/s)", [("", "https://e.x/s")]),
        ("[open](https://e.x/t", [("", "https://e.x/t")]),
    ],
)  # fmt: skip
def test_links_are_read_as_markdown_does(
    text: str, links: list[tuple[str, str]]
) -> None:
    """Brackets, parentheses, angle brackets, escapes, bare ones; known ones whole."""
    read = find_links(text, {"https://e.x/odd)r"})
    assert [(link.label, link.url) for link in read] == links


@pytest.mark.parametrize(
    ("text", "quotes"),
    [
        ('He said "one two" and "three".', ["one two", "three"]),
        ("“a” „b“ «c» »d« ”e” 「f」 『g』 ‘h i’ 《j》", list("abcdefg") + ["h i", "j"]),
        ("a 6.1\" screen and a 5.8\" one", []),
        ("it's Ann’s and the owners’ bike", []),
        ("“never closed", []),
        ("“he said ”it“ was”", ["he said"]),
    ],
)  # fmt: skip
def test_quotes_are_found_in_many_scripts(text: str, quotes: list[str]) -> None:
    """Marks of many languages; inches and apostrophes are none."""
    assert [q.text for q in find_quotes(text, 0, len(text))][: len(quotes)] == quotes
    if not quotes:
        assert not list(find_quotes(text, 0, len(text)))


@pytest.mark.parametrize(
    "body",
    [
        f"[@ann_w]({ANN})", f"[Ann Wu]({ANN})", f"[ann_w]({ANN})", f"[X]({ANN})",
        f"[**Ann Wu**]({ANN})", f"[said a rider]({ANN})", f"[说得好]({ANN})",
        f"[r/bikes]({THREAD})", f"[u/carla9]({THREAD})", f"[u/dora_x]({THREAD})",
        f"[Reddit]({THREAD})", f"[Foo bike – a review]({THREAD})", f"[a thread]({THREAD})",
        f"[Hacker News]({HN})", f"[HN]({HN})", f"[evan]({HN})", f"[the PDF]({PAPER})",
        f"[paper.example]({PAPER})", f"[evan on Hacker News]({PAPER})",
        f"[Polymarket]({MARKET})", f"<{ANN}>", f"({THREAD})", f"See {PAPER}.",
        "[the fix](https://fix.example/bsky)", f"[Foo bike firmware [pdf]]({HN})",
    ],
)  # fmt: skip
def test_law_8_knows_whose_a_link_is(body: str) -> None:
    """Author, place, source, host, title, or words of the sentence."""
    assert broken(f"{body} says so.") == []


@pytest.mark.parametrize(
    "body",
    [
        "[@ann_w](https://x.com/ann_w)", f"[@ann_w]({ANN}?s=20)", f"[@ann_w]({ANN[:-1]})",
        f"[@ann_w]({ANN.replace('https', 'http')})", f"[r/bikes]({THREAD[:-1]})",
        "[this](https://spam.example/buy)", "https://spam.example/buy",
        "<https://e.example>", "![](https://e.example/a.png)", f"[it]({PAPER}#page=2)",
        "www.foo.example", "[x]()", f"[]({ANN})", '<a href="https://e.example">e</a>',
        f"[@bob_rides]({ANN})", f"[Bob]({ANN})", f"[u/ann_w]({THREAD})",
        f"[r/cars]({THREAD})", f"[r/bikes]({ANN})", f"[Reddit]({HN})",
        f"[nytimes.com]({PAPER})", f"[Hacker News]({ANN})", f"[@nobody]({MARKET})",
    ],
)  # fmt: skip
def test_law_8_sees_what_is_not_in_the_evidence(body: str) -> None:
    """Guessed, shortened and changed addresses, those of posts' texts, wrong names."""
    assert set(broken(f"{body} says so.")) == {"LAW 8"}


def test_law_8_tells_an_address_of_a_post_from_an_invented_one() -> None:
    """What a post says to click is not passed on, not even in its words."""
    text = f'[@bob_rides]({BOB}): "Sold mine … no joke. https://spam.example/buy"'
    (violation,) = found(whole(text))
    assert violation.law == "LAW 8" and "post's text" in violation.fix


def test_law_8_names_the_address_that_was_meant() -> None:
    """A near miss is told with its address."""
    (violation,) = found(whole(f"[@ann_w]({ANN}?s=20) says so."))
    assert f"did you mean {ANN} ?" in violation.fix


@pytest.mark.parametrize(
    "body",
    [
        f'[@ann_w]({ANN}) finds it "quiet ... too quiet".',
        f"[@ann_w]({ANN}) finds it “Quiet, too  quiet, its \"scary\"”.",
        f'[@ann_w]({ANN}): "The Foo bike […] it\'s scary"',
        '"The [new] Foo bike is quiet", says Ann Wu.',
        f'Some call it "scary". ([@ann_w]({ANN}))',
        f'[u/dora_x]({THREAD}) has "3 clusters of rust".',
        '"squeal like a choir" is the word of @bob_rides',
        'One word for it is "meh".', 'The "so called" bike.',
        'What is a "Foo bike" anyway?',
        f'[@ann_w]({ANN}) findet es „still, zu still“ (übersetzt).',
        f"[@ann_w]({ANN}) 觉得“太安静，有点吓人”（翻译）。",
        f"[@ann_w]({ANN}) dice que es «demasiado silenciosa» (traducido del inglés).",
        "> Foo bike brakes squeal like a choir.\n> — @bob_rides",
    ],
)  # fmt: skip
def test_law_9_finds_the_words_that_were_said(body: str) -> None:
    """Case, spacing, apostrophes, left-out words and marked translations are fine."""
    assert broken(body) == []


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (f'[@ann_w]({ANN}) calls it "the best bike of the decade".', "no post"),
        (f'[@ann_w]({ANN}) says it "squeals like a choir"!', "no post"),
        (f'[@ann_w]({ANN}) hears "brakes squeal like a choir".', "bob_rides"),
        (f'[@ann_w]({ANN}) says "too quiet … is quiet".', "no post"),
        ('Riders speak of "a bicycle made in heaven".', "no post"),
        (f"[@ann_w]({ANN}) findet es „still, zu still“.", "no post"),
        (f"[@ann_w]({ANN}) 觉得“太安静，实在有点吓人”。", "no post"),
        (f'[@bob_rides]({BOB}) calls it "pure junk".', "no post"),
        ("> A bicycle made in heaven.", "no post"),
    ],
)  # fmt: skip
def test_law_9_sees_words_that_were_not(body: str, said: str) -> None:
    """Invented, changed, swapped or translated in silence."""
    violations = found(whole(body))
    assert [v.law for v in violations] == ["LAW 9"]
    assert said in violations[0].fix


@pytest.mark.parametrize(
    ("body", "laws"),
    [
        (f"[@ann_w]({ANN}) and [u/carla9]({THREAD}) agree.", []),
        (f"Ann Wu and @bob_rides, see [here]({ANN}) and [there]({BOB}).", []),
        (f"[u/dora_x]({THREAD}) and [evan]({HN}) agree.", []),
        (f"[one rider]({ANN}) and [another]({BOB}) agree.", ["LAW 9"]),
        (f"[@ann_w]({ANN}) is alone.", ["LAW 9"]),
        (f"[r/bikes]({THREAD}) and [Hacker News]({HN}) agree.", ["LAW 9"]),
        ('They quote "Walks by @bob_rides" and evan.', ["LAW 9", "LAW 9"]),
    ],
)  # fmt: skip
def test_law_9_counts_who_is_named(body: str, laws: list[str]) -> None:
    """Two authors, in the text or as a label; places and quotes name nobody."""
    rest = "\n\nKEY PATTERNS from the research:\n1. It rolls.\n2. It stops."
    assert sorted(broken(body, rest=rest)) == laws


@pytest.mark.parametrize(
    ("count", "named", "laws"),
    [(0, "", []), (1, "", ["LAW 9"]), (1, "@ann_w", []), (2, "@ann_w", ["LAW 9"])],
)
def test_law_9_asks_for_no_more_people_than_there_are(
    count: int, named: str, laws: list[str]
) -> None:
    """One author is enough of one, and nobody of none."""
    record = {**RECORD, "items": RECORD["items"][:count]}
    assert broken(f"It rolls. {named}", record, rest="") == laws


def _by_ann() -> dict[str, object]:
    x = {
        "handles": {"explicit": ["Ann_W"], "related": [], "promoted": [], "refused": []}
    }
    return {**RECORD, "x": x}


@pytest.mark.parametrize(
    ("body", "laws"),
    [
        (f"**So.** [@ann_w]({ANN}) likes it.", []),
        ('**So.** It is "too quiet", she says.', []),
        (f"**So.**\n\nShe likes it, [says she]({ANN}).", []),
        (f"**So.** [@bob_rides]({BOB}) does not.", ["LAW 10"]),
        ("**So.** @ann_w is said to like it.", ["LAW 10"]),
    ],
    ids=["link", "quote", "lead-in-alone", "another", "hearsay"],
)
def test_law_10_wants_the_subject_first(body: str, laws: list[str]) -> None:
    """The first finding links or quotes the person whom the topic is about."""
    assert broken(body, _by_ann()) == laws
    assert "LAW 10" not in broken(body)


@pytest.mark.parametrize(
    "body",
    ["As @ghost_user says, it rolls.", "u/romefan agrees.", "/u/rome-fan agrees.",
     "@ann_w2 rides.", "正如 @ghost 所说。", "@who说它很好。"],
)  # fmt: skip
def test_law_9_knows_who_is_not_there(body: str) -> None:
    """An account of which the evidence has no trace said nothing."""
    assert broken(body) == ["LAW 9"]


@pytest.mark.parametrize(
    "body",
    ["@Ann_W rides.", "u/dora_x rides.", "@ann_w说它很好。", "Ask @shop, says @bob_rides.",
     "Write to me@mail.example.", "It needs @types/node.", "Ask @foo_official."],
)  # fmt: skip
def test_law_9_knows_who_is_there(body: str) -> None:
    """Authors, those whom a text mentions, handles that were given; packages are none."""
    item = {**RECORD["items"][0], "text": RECORD["items"][0]["text"] + " @shop"}
    handles = {
        "explicit": [],
        "related": ["foo_official"],
        "promoted": [],
        "refused": [],
    }
    record = {
        **RECORD,
        "items": [item, *RECORD["items"][1:]],
        "x": {**(RECORD["x"] or {}), "handles": handles},
    }
    assert broken(body, record) == []
