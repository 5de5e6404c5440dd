"""Files of posts: every format by its content, damaged ones, sizes, warnings."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import random
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path

import pytest

from engine.errors import UsageError
from engine.model import Item, Warning
from engine.x.backends.archive.formats import read_posts
from engine.x.backends.archive.index import open_archive
from engine.x.posts import snowflake_time

JUDGE = Path(__file__).parents[4] / "shared" / "data" / "judge"
PLAIN = [
    {
        "id": "2116700000000000001",
        "author_handle": "ann_dev",
        "author_name": "Ann",
        "text": 'Rome, "the city",\nis hot',
        "created_at": "2026-11-01T01:13:01Z",
        "lang": "en",
        "likes": 25,
        "reposts": 3,
        "replies": 1,
        "quotes": 0,
        "views": 910,
        "in_reply_to": "foo_hq",
        "urls": ["https://example.com/foo2"],
        "mood": "odd",
    },
    {"id": 2116700000000000003, "text": "東京 ラーメン", "author_handle": "@taro"},
]
ITEMS = [
    Item(
        id="2116700000000000001",
        source="x",
        text='Rome, "the city",\nis hot',
        url="https://x.com/ann_dev/status/2116700000000000001",
        author_handle="ann_dev",
        author_name="Ann",
        created_at=datetime(2026, 11, 1, 1, 13, 1, tzinfo=timezone.utc),
        lang="en",
        engagement={"likes": 25, "reposts": 3, "replies": 1, "quotes": 0, "views": 910},
        in_reply_to="foo_hq",
        urls=("https://example.com/foo2",),
    ),
    Item(
        id="2116700000000000003",
        source="x",
        text="東京 ラーメン",
        url="https://x.com/taro/status/2116700000000000003",
        author_handle="taro",
        created_at=snowflake_time("2116700000000000003"),
    ),
]
V2_POST = {
    "id": "2116700000000000001",
    "text": "Foo &amp; bar",
    "author_id": "4242",
    "public_metrics": {"like_count": 25},
}
V2_PAGE = {
    "data": [V2_POST],
    "includes": {"users": [{"id": "4242", "name": "Ann", "username": "ann_dev"}]},
    "meta": {"result_count": 1},
}
SECOND_PAGE = {**V2_PAGE, "data": [{**V2_POST, "id": "2116700000000000002"}]}

Write = Callable[[object], str]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Write text or bytes into a file without a telling name."""

    def write(content: object) -> str:
        path = tmp_path / "posts"
        octets = content if isinstance(content, bytes) else str(content).encode()
        path.write_bytes(octets)
        return str(path)

    return write


def _read(path: str) -> tuple[list[Item], list[int]]:
    bad: list[int] = []
    return list(read_posts(path, bad.append)), bad


def _csv(delimiter: str = ",", **names: str) -> str:
    out = io.StringIO()
    fields = [field for field in PLAIN[0] if field != "mood"]
    writer = csv.writer(out, delimiter=delimiter)
    writer.writerow([names.get(field, field) for field in fields])
    for post in PLAIN:
        row = {**post, "urls": " ".join(post.get("urls", []))}  # type: ignore[arg-type]
        writer.writerow([row.get(field, "") for field in fields])
    return out.getvalue()


_LINES = "".join(json.dumps(post) + "\n" for post in PLAIN)
_ALIASES = {
    "id": "Tweet ID",
    "author_handle": "username",
    "author_name": "display_name",
    "text": "content",
    "created_at": "date",
    "likes": "favorite_count",
    "reposts": "retweet_count",
    "replies": "reply_count",
    "quotes": "quote_count",
    "views": "impression_count",
    "in_reply_to": "in_reply_to_screen_name",
}


@pytest.mark.parametrize(
    "content",
    [
        _LINES,
        _LINES.rstrip("\n"),
        _LINES.replace("\n", "\r\n\r\n"),
        json.dumps(PLAIN),
        json.dumps(PLAIN, indent=2, ensure_ascii=False),
        json.dumps({"count": 2, "posts": PLAIN}),
        json.dumps({"meta": {"count": 2}, "data": PLAIN}),
        _csv(),
        _csv(";"),
        _csv("\t"),
        _csv(**_ALIASES),
    ],
    ids=["lines", "no-last-line-end", "crlf-and-blanks", "array", "indented"]
    + ["object", "object-like-a-page", "csv", "semicolons", "tabs", "other-names"],
)
@pytest.mark.parametrize("wrapping", ["as-it-is", "bom", "gzip", "two-gzips"])
def test_plain_posts_are_read_in_every_format(
    write: Write, content: str, wrapping: str
) -> None:
    """The content decides; the name, a BOM and gzip make no difference."""
    octets = content.encode()
    if wrapping == "bom":
        octets = b"\xef\xbb\xbf" + octets
    elif wrapping == "gzip":
        octets = gzip.compress(octets)
    elif wrapping == "two-gzips":
        octets = gzip.compress(octets[:40]) + gzip.compress(octets[40:])
    assert _read(write(octets)) == (ITEMS, [])


@pytest.mark.parametrize(
    ("content", "count"),
    [
        (json.dumps(V2_PAGE), 1),
        (json.dumps(V2_PAGE, indent=2) + json.dumps(SECOND_PAGE, indent=2), 2),
        (f"{json.dumps(V2_PAGE)}\n{json.dumps(SECOND_PAGE)}\n", 2),
        (json.dumps([V2_PAGE, SECOND_PAGE]), 2),
        (json.dumps([V2_PAGE, {"meta": {"result_count": 0}}]), 1),
    ],
    ids=["one", "concatenated", "lines", "array", "with-an-empty-one"],
)
def test_pages_of_the_api_are_read(write: Write, content: str, count: int) -> None:
    """Several pages a file, each with its own includes."""
    items, bad = _read(write(content))
    assert not bad
    assert [item.id[-1] for item in items] == ["1", "2"][:count]
    assert {item.author_handle for item in items} == {"ann_dev"}
    assert items[0].text == "Foo & bar"


def test_posts_of_the_api_without_a_page_are_read(write: Write) -> None:
    """One post a line, as some tools flatten the answers."""
    [item], bad = _read(write(json.dumps(V2_POST)))
    assert (item.text, item.engagement, bad) == ("Foo & bar", {"likes": 25}, [])


def test_an_accounts_own_archive_is_read(write: Write) -> None:
    """tweets.js is a script; its counts are strings and nobody names the author."""
    tweet = {
        "id_str": "2116700000000000001",
        "id": "2116700000000000000",
        "full_text": "Foo &amp; bar",
        "favorite_count": "25",
        "retweet_count": "3",
        "created_at": "Sun Nov 01 01:13:01 +0000 2026",
        "in_reply_to_screen_name": "foo_hq",
        "entities": {"urls": [{"expanded_url": "https://example.com/foo2"}]},
    }
    named = {**tweet, "id_str": "12", "user": {"screen_name": "ann_dev", "name": "Ann"}}
    parts = [
        f"window.YTD.tweets.part{i} = {json.dumps([{'tweet': post}], indent=2)}\n"
        for i, post in enumerate((tweet, named))
    ]
    (first, second), bad = _read(write("".join(parts)))
    expected = replace(
        ITEMS[0],
        text="Foo & bar",
        url="https://x.com/i/status/2116700000000000001",
        author_handle="",
        author_name="",
        lang="",
        engagement={"likes": 25, "reposts": 3},
    )
    assert (first, bad) == (expected, [])
    assert (second.author_handle, second.author_name) == ("ann_dev", "Ann")


BAD_LINES = [
    '{"id": "1", "text": "a"}',
    "",
    '{"id": "2", "text": "cut',
    "# a remark",
    "null",
    '"text"',
    '{"likes": 5}',
    '{"text": "  "}',
    '{"text": 5.5}',
    '{"a":' * 100_000,
    '{"id": "9", "likes": ' + "9" * 5_000 + "}",
    '{"id": "3", "text": ""}',
    '{"id": "4", "text": "b"} tail',
    '{"id": "5", "text": "c"}{"id": "6", "text": "d"}',
    '{"id": "7", "text":',
]


def test_bad_lines_are_skipped_and_counted(write: Write) -> None:
    """A post is lost only if its own line is bad; one without text but an id stays."""
    path = write("\n".join(BAD_LINES))
    items, bad = _read(path)
    assert [item.id for item in items] == ["1", "3", "4", "5", "6"]
    assert bad == [3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15]
    warnings: list[Warning] = []
    open_archive([path], warnings.append)
    found = next(w for w in warnings if w.code == "archive-bad-lines")
    assert found.data == {"file": path, "skipped": len(bad), "first_line": 3}


def test_bad_rows_are_skipped_and_counted(write: Write) -> None:
    """An open quote costs its own line only, a row too long is not cut in silence."""
    rows = [
        "text,id",
        "a,1",
        '"open,2',
        "b,3",
        "c,4,tail",
        'say "hi",5',
        '"d\ne",6',
        ",7",
    ]
    items, bad = _read(write("\n".join([*rows, "f"])))
    assert [(item.text, item.id) for item in items[:-1]] == [
        ("a", "1"),
        ("b", "3"),
        ('say "hi"', "5"),
        ("d\ne", "6"),
        ("", "7"),
    ]
    assert items[-1].text == "f"
    assert bad == [3, 5]


@pytest.mark.parametrize(
    "head", ['{"id": "1", "text": "', "x", '{"id": 1, "a": [', "[" * 9]
)
def test_an_endless_line_costs_only_itself(write: Write, head: str) -> None:
    """Fifty megabytes without a line end are one bad line."""
    long = head.encode() + b"1," * (25 << 20)
    items, bad = _read(write(long + b'\n{"id": "2", "text": "b"}\n'))
    assert [item.id for item in items] == ["2"]
    assert bad == [1]


def test_an_endless_row_costs_only_itself(write: Write) -> None:
    """The same holds for CSV."""
    items, bad = _read(write(b"text,id\n" + b'"a,' * (5 << 20) + b"\nb,2\n"))
    assert [item.id for item in items] == ["2"]
    assert bad == [2]


def test_a_file_that_unpacks_without_end_is_refused(tmp_path: Path) -> None:
    """A small gzip of over a gigabyte is a usage error, not a full memory."""
    piece = gzip.compress(b"x" * (64 << 20))
    path = tmp_path / "bomb"
    path.write_bytes(piece * 17)
    with pytest.raises(UsageError, match="more than 1 GiB"):
        _read(str(path))


def test_a_file_of_bad_lines_is_given_up(write: Write) -> None:
    """Over a hundred thousand of them are no file of posts, though one is usable."""
    with pytest.raises(UsageError, match="100001 bad lines"):
        open_archive([write('{"id": "1", "text": "a"}\n' + "{x\n" * 200_000)], print)


def test_a_truncated_gzip_is_an_error(write: Write) -> None:
    """Half a download is not taken for the whole."""
    noise = random.Random(1).randbytes(200_000).hex()
    lines = _LINES + json.dumps({"text": "a", "noise": noise})
    with pytest.raises(UsageError, match="cannot be read"):
        _read(write(gzip.compress(lines.encode())[:-2_000]))


def test_invalid_octets_are_replaced(write: Write) -> None:
    """One broken character does not cost the post."""
    [item], bad = _read(write(b'{"id": "1", "text": "a\xff b \\ud83d"}'))
    assert (item.text, bad) == ("a\ufffd b ", [])


def test_a_value_over_a_boundary_of_reading_is_whole(write: Write) -> None:
    """However the pieces fall, every post arrives as it was written."""
    texts = [("é😀" * (i % 97)) + "\\n\"'" + str(i) for i in range(12_000)]
    lines = (json.dumps({"id": str(i), "text": t}) for i, t in enumerate(texts))
    items, bad = _read(write("\n".join(lines)))
    assert [item.text for item in items] == texts
    assert not bad


@pytest.mark.parametrize("kind", ["missing", "folder", "secret", "nul"])
def test_a_file_that_cannot_be_opened_is_a_usage_error(
    tmp_path: Path, kind: str
) -> None:
    """One line names the file and the reason."""
    path = tmp_path / kind
    if kind == "folder":
        path.mkdir()
    elif kind == "secret":
        path.write_text("{}")
        path.chmod(0)
        if os.access(path, os.R_OK):
            pytest.skip("this user may read everything")
    name = f"{path}\0" if kind == "nul" else str(path)
    with pytest.raises(UsageError) as caught:
        open_archive([name], print)
    assert str(caught.value).startswith(name)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\n\n",
        b"[]",
        b"garbage\nmore",
        b"a,b\n1,2",
        b"%PDF-1.7\x00\xff",
        b"text,id\n",
    ]
    + [b'{"meta": {"result_count": 0}}', '{"id": "1", "text": "a"}'.encode("utf-16")],
)
def test_a_file_without_posts_is_a_usage_error(write: Write, content: bytes) -> None:
    """The message names the file and what could have been read."""
    path = write(content)
    with pytest.raises(UsageError) as caught:
        open_archive([path], print)
    assert path in str(caught.value)
    assert "JSON Lines" in str(caught.value) and "CSV" in str(caught.value)


def test_standard_input_is_read(tmp_path: Path) -> None:
    """A dash stands for the octets that are piped in, gzipped or not."""
    program = (
        "import sys; from engine.x.backends.archive.formats import read_posts\n"
        "print(len(list(read_posts('-', print))))"
    )
    for octets in (_LINES.encode(), gzip.compress(_LINES.encode())):
        found = subprocess.run(
            [sys.executable, "-c", program],
            input=octets,
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        )
        assert found.stdout.split() == [b"2"]


def test_equal_ids_are_one_post_and_posts_without_id_get_a_stable_one(
    tmp_path: Path,
) -> None:
    """The first of several files wins; a made-up id depends on the content alone."""
    one, two = tmp_path / "1", tmp_path / "2"
    one.write_text('{"id": 1, "text": "first"}\n{"text": "no id"}')
    two.write_text(
        '{"text": "other"}\n{"text": "no id"}\n{"id": "1", "text": "second"}'
    )
    [made_up] = [item.id for item in read_posts(str(one), print) if item.id != "1"]
    assert made_up in [item.id for item in read_posts(str(two), print)]
    assert made_up.startswith("line-")
    assert len(open_archive([one, two], lambda warning: None)) == 3


def test_posts_without_a_time_are_counted(write: Write) -> None:
    """An own time comes first, then the id's; else the post is undated."""
    posts = [
        {"id": "2116700000000000001", "created_at": "2026-11-02", "text": "own"},
        {"id": "2116700000000000002", "created_at": "soon", "text": "by its id"},
        {"id": "trec_mb-024788ee29", "text": "neither"},
    ]
    path = write("\n".join(map(json.dumps, posts)))
    times = [item.created_at for item in read_posts(path, print)]
    assert times == [
        datetime(2026, 11, 2, tzinfo=timezone.utc),
        snowflake_time("2116700000000000002"),
        None,
    ]
    warnings: list[Warning] = []
    open_archive([path], warnings.append)
    assert [(w.code, w.source, w.data) for w in warnings] == [
        ("archive-undated", "x", {"posts": 1})
    ]


def test_random_octets_never_raise_anything_else(tmp_path: Path) -> None:
    """Whatever a file holds, it gives posts or a usage error."""
    rng = random.Random(7)
    seeds = [
        _LINES,
        json.dumps([V2_PAGE, SECOND_PAGE]),
        _csv(),
        "window.YTD.a.part0 = [",
    ]
    path = tmp_path / "fuzz"
    for _ in range(400):
        octets = bytearray(rng.choice(seeds).encode())
        for _ in range(rng.randrange(1, 9)):
            octets[rng.randrange(len(octets))] = rng.choice(b'"{}[],:\\\n\x00\xff1a')
        path.write_bytes(octets[: rng.randrange(1, len(octets) + 1)])
        _read(str(path))


@pytest.mark.skipif(not JUDGE.is_dir(), reason="the labelled posts are not here")
def test_the_labelled_posts_are_read_as_they_are() -> None:
    """Every line of the labelled files is a post without a time."""
    paths = sorted(JUDGE.glob("*.jsonl"))
    warnings: list[Warning] = []
    archive = open_archive(paths, warnings.append)
    lines = sum(len(p.read_text(encoding="utf-8").splitlines()) for p in paths)
    assert 0.9 * lines < len(archive) <= lines
    assert [warning.code for warning in warnings] == ["archive-undated"]
