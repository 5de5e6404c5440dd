"""Faithful names: every content word of a name stands in the evidence."""

from __future__ import annotations

import pytest

from engine.discovery.grounding import ungrounded
from engine.model import Comment, Item

_ORBIT = "Today, we hacked what we'd set out to hack: the iPhone"

# A name, what the evidence says, and the words that it lacks.
_NAMES = {
    "own-knowledge": ("iPhone hacked at Pwn2Own", _ORBIT, ("Pwn2Own",)),
    "all-there": ("iPhone hacked", _ORBIT, ()),
    "plural": ("Quadnine exits France", "Quadnine to exit France", ()),
    "past": ("iPhone hack", "they hacked the iPhone", ()),
    "doubled-letter": ("Foo banned", "A judge bans Foo", ()),
    "y-to-ies": ("Foo stories", "the Foo story", ()),
    "noun-of-verb": ("Foo compromise", "Foo keys compromised", ()),
    "written-as-one": ("OpenForge deal", "Open Forge has a deal", ()),
    "written-apart": ("Deep Moon engine", "The DeepMoon engine", ()),
    "hyphen": ("GPT-5 launch", "GPT5 launched", ()),
    "inside-a-word": ("apple sale", "a sale of pineapples", ("apple",)),
    "begins-alike": ("car show", "a show of carbon", ("car",)),
    "other-number": ("Orbit 27 beta", "Orbit 26 beta", ("27",)),
    "noise-is-free": ("The new Foo of today", "Foo", ()),
    "chinese": ("苹果发布会", "苹果公司今天发布新机", ()),
    "chinese-own": ("苹果黑客大赛", "苹果公司今天发布新机", ("黑客大赛",)),
    "korean-particle": ("애플이 발표", "애플 신제품 발표회", ()),
    "korean-own": ("애플 해킹대회", "애플 신제품", ("해킹대회",)),
    "russian": ("запрет Телеграма", "Телеграм запретили", ()),
    "russian-own": ("запрет Ватсапа", "Телеграм запретили", ("Ватсапа",)),
    "german": ("Häuser Berlin", "ein Haus in Berlin", ()),
    "arabic-article": ("الهاتف جديد", "هاتف جديد", ()),
    "greek-accents": ("Αθήνα σεισμός", "ΣΕΙΣΜΟΣ ΣΤΗΝ ΑΘΗΝΑ", ()),
}


@pytest.mark.parametrize("case", _NAMES)
def test_words_that_the_evidence_lacks_are_named(case: str) -> None:
    """As they are written; endings are tolerated in any script."""
    name, said, missing = _NAMES[case]
    assert ungrounded(name, [Item("1", "hackernews", "", title=said)]) == missing


@pytest.mark.parametrize(
    "item",
    [
        Item("1", "x", "all about Foo"),
        Item("1", "reddit", "", comments=(Comment("ann", "it is Foo"),)),
        Item("1", "github", "", container="foo/bar"),
        Item("1", "x", "we did it", author_handle="foo"),
        Item("1", "x", "we did it", author_name="Foo Inc"),
    ],
    ids=["text", "comment", "place", "handle", "author"],
)
def test_everything_that_the_judge_saw_counts(item: Item) -> None:
    """Title, text, comments, place and author are the evidence."""
    assert ungrounded("Foo", [item]) == ()
    assert ungrounded("Bar Zed", [item])[-1:] == ("Zed",)


def test_one_item_of_several_is_enough() -> None:
    """The words may be spread over the evidence."""
    items = [Item("1", "x", "Foo"), Item("2", "x", "keys leaked")]
    assert ungrounded("Foo keys leak", items) == ()
    assert ungrounded("Foo", []) == ("Foo",)
    assert ungrounded("?!", items) == ()
