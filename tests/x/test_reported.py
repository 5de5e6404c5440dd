"""Answers of a language model in every arrangement that was met."""

from __future__ import annotations

import json
import time

import pytest

from engine.x.reported import read_reported

FIRST = {
    "id": "2116700000000000001",
    "handle": "foo",
    "text": 'one {x} [y] "q" \\ ```z```',
    "likes": "1,462",
}
SECOND = {
    "id": "2117700000000000002",
    "handle": "bar",
    "text": "two\nlines",
    "likes": 7,
}
POSTS = [FIRST, SECOND]
ARRAY = json.dumps(POSTS)
BLOCKS = """\
id: 2116700000000000001
handle: foo
text: one
likes: 1,462

id: 2117700000000000002
handle: @bar
text: two
lines
likes: 7
"""
DECORATED = """\
1. **ID:** `2116700000000000001`
   - **Handle:** @foo
   - **Text:** one
   - **Likes:** 1,462

2. **ID:** `2117700000000000002`
   - **Handle:** @bar
   - **Text:** two

lines
   - **Likes:** 7
---
"""


def _found(text: str) -> list[tuple[str, str, int | None]]:
    claims = read_reported(text).claims
    items = [claim.item for claim in claims]
    return [(i.id, i.author_handle, i.engagement.get("likes")) for i in items]


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(ARRAY, id="array"),
        pytest.param(json.dumps(POSTS, indent=2), id="pretty"),
        pytest.param(f"```json\n{ARRAY}\n```", id="fence"),
        pytest.param(f"Here:\n\n```json\n{ARRAY}\n```\n\nDone.", id="fence-in-prose"),
        pytest.param(f"I searched [1] and found {ARRAY} as asked.", id="narration"),
        pytest.param(json.dumps({"posts": POSTS}), id="object"),
        pytest.param(json.dumps({"data": {"found": POSTS, "n": 2}}), id="nested"),
        pytest.param("\n".join(map(json.dumps, POSTS)), id="json-lines"),
        pytest.param("".join(map(json.dumps, POSTS)), id="in-a-row"),
        pytest.param(f"{json.dumps([FIRST])} and {json.dumps([SECOND])}", id="arrays"),
        pytest.param(f"{ARRAY}\n{ARRAY}", id="twice"),
        pytest.param(ARRAY[:-1] + ",]", id="trailing-comma"),
        pytest.param(BLOCKS, id="blocks"),
        pytest.param(f"I found two:\n\n{BLOCKS}\nThat is all.", id="blocks-in-prose"),
        pytest.param(f"```\n{BLOCKS}```", id="blocks-in-a-fence"),
        pytest.param(BLOCKS.replace(":", "："), id="wide-colons"),
        pytest.param(DECORATED, id="markdown"),
        pytest.param(BLOCKS.replace("\n\n", "\n"), id="blocks-without-blank-lines"),
        pytest.param(f"Query: rome\nDate: today\n\n{BLOCKS}", id="fields-before"),
    ],
)
def test_every_arrangement_is_read(text: str) -> None:
    """The same two posts come out, each once."""
    reported = read_reported(text)
    assert _found(text) == [
        ("2116700000000000001", "foo", 1462),
        ("2117700000000000002", "bar", 7),
    ]
    assert (reported.partial, reported.says_none) == (False, False)


def test_texts_come_through_unchanged() -> None:
    """Braces, quotes, fences and line ends in a text end nothing."""
    texts = [claim.item.text for claim in read_reported(ARRAY).claims]
    assert texts == [FIRST["text"], SECOND["text"]]
    blocks = [claim.item.text for claim in read_reported(DECORATED).claims]
    assert blocks == ["one", "two\n\nlines"]


@pytest.mark.parametrize("wrapper", ["{}", '{{"posts": {}', "```json\n{}", "So: {}"])
@pytest.mark.parametrize("end", [10, 40, len(json.dumps(SECOND)) - 1])
def test_a_cut_list_keeps_whole_posts(wrapper: str, end: int) -> None:
    """The first post is whole and stays; the answer is marked."""
    text = wrapper.format(ARRAY[: len(json.dumps(FIRST)) + 3 + end])
    assert _found(text) == [("2116700000000000001", "foo", 1462)]
    assert read_reported(text).partial


def test_an_answer_cut_inside_the_only_post_has_none() -> None:
    """Half a post is no post, and the answer does not say that there are none."""
    reported = read_reported(json.dumps([FIRST], indent=1)[:-20])
    assert (reported.claims, reported.partial, reported.says_none) == ((), True, False)


def test_text_with_braces_in_blocks_cuts_nothing() -> None:
    """JSON that begins in the text of a line is not the answer."""
    text = BLOCKS.replace("one", 'one {"a": b [[')
    assert len(_found(text)) == 2
    assert not read_reported(text).partial


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "```json\n[]\n```",
        '{"posts": []}',
        "No posts found.",
        "No posts matched the query in that window.",
        "I ran the search. It returned no results.",
        "There were zero matching posts.",
        "Nothing was found for this query.",
        "The search didn’t return any posts.",
        '[{"message": "No posts found"}]',
    ],
)
def test_an_answer_may_say_that_there_is_nothing(text: str) -> None:
    """In JSON or in words."""
    reported = read_reported(text)
    assert (reported.claims, reported.says_none) == ((), True)


@pytest.mark.parametrize(
    "text",
    ["", "People like Rome.", "I have no access to X posts.", "[", "{}", ARRAY],
)
def test_silence_is_not_assumed(text: str) -> None:
    """Whatever else is no statement that there is nothing."""
    assert not read_reported(text).says_none


def test_prose_is_what_is_no_post() -> None:
    """A post may say anything; what the model says is told apart."""
    post = {**FIRST, "text": "I was unable to search"}
    reported = read_reported(
        f"Hello. {json.dumps({'note': 'aside', 'p': [post]})} Bye."
    )
    assert "Hello." in reported.prose and "Bye." in reported.prose
    assert "aside" in reported.prose
    assert "unable" not in reported.prose
    blocks = read_reported("Hello.\n" + BLOCKS.replace("one", "unable to search"))
    assert "Hello." in blocks.prose and "unable" not in blocks.prose


def test_posts_without_an_id_are_reported_too() -> None:
    """They will prove nothing, but they count."""
    reported = read_reported(
        '[{"handle": "foo", "text": "a"}, {"handle": "foo", "text": "b"}]'
    )
    assert len(reported.claims) == 2


@pytest.mark.parametrize(
    "text",
    [
        *(pytest.param(p * 400_000, id=p) for p in ("[", "{", "*", '{"a"', "no ")),
        pytest.param("id: 1\n" * 150_000, id="ids"),
        pytest.param("text: a\n" + "b\n\n" * 300_000, id="lines"),
        pytest.param("found no a-a " * 80_000, id="none-found"),
        pytest.param("x.com/" * 170_000, id="links"),
        pytest.param('{"url": "' + "x.com/a/status/1" * 60_000 + '"}', id="link"),
        pytest.param(
            '{"handle": "' + "@a " * 300_000 + '", "text": "t"}', id="handles"
        ),
        pytest.param(
            '{"id":"1","handle":"a","text":"' + "\\ud800" * 99_999 + '"}', id="s"
        ),
    ],
)
def test_hostile_answers_cost_no_time(text: str) -> None:
    """A megabyte of anything is read in a second, without an error."""
    started = time.process_time()
    read_reported(text)
    assert time.process_time() - started < 3


def test_more_than_a_megabyte_is_cut() -> None:
    """What lies beyond is not read, and that is said."""
    reported = read_reported(ARRAY + " " * (1 << 20) + ARRAY)
    assert len(reported.claims) == 2 and reported.partial
