"""Read posts from a file, whatever its format: it shows in the content, not the name.

    JSON Lines, a JSON array, an object with a list   plain posts or posts of the API
    X API v2 pages                                    one, several, or one a line
    tweets.js of an account's own archive             window.YTD.tweets.part0 = [...]
    CSV with a header                                 parted by comma, semicolon or tab

Any of them may be gzipped. JSON is read as a run of objects, whatever stands between
them; what is no object is skipped up to the end of its line.
"""

from __future__ import annotations

import csv
import gzip
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from io import BufferedReader, FileIO
from typing import cast

from engine.errors import UsageError
from engine.model import Item
from engine.x.backends.archive.records import header_fields, posts_in
from engine.x.backends.archive.stream import ByteStream, TextStream

__all__ = ["FORMATS", "OnBad", "read_posts"]

FORMATS = (
    "JSON Lines, JSON, X API v2 pages, tweets.js or CSV with a header, or gzip of it"
)
OnBad = Callable[[int], None]

_GZIP = b"\x1f\x8b"
_DELIMITERS = ",;\t"


def read_posts(path: str, on_bad: OnBad) -> Iterator[Item]:
    """The posts of one file, in its order.

    Args:
        path: the file, or "-" for standard input.
        on_bad: called with the line number, from 1, of each object or row that is
            skipped because it is malformed or no post.

    Raises:
        UsageError: the file cannot be read, or holds over 1 GiB when unpacked.
    """
    with ExitStack() as stack:
        text = TextStream(_open(path, stack), path)
        for line, value in _values(text, on_bad):
            for item in posts_in(value):
                if item is None:
                    on_bad(line)
                else:
                    yield item


def _open(path: str, stack: ExitStack) -> ByteStream:
    try:
        if path == "-":
            file = _standard_input()
        else:
            file = stack.enter_context(BufferedReader(FileIO(path)))
        if not file.peek(len(_GZIP)).startswith(_GZIP):
            return file
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"{path}: cannot be read: {reason}") from None
    return stack.enter_context(gzip.GzipFile(fileobj=file))


def _standard_input() -> BufferedReader:
    # Python has no stream where the caller closed it.
    if sys.stdin is None:
        raise UsageError("-: standard input is closed")
    return cast(BufferedReader, sys.stdin.buffer)


def _values(text: TextStream, on_bad: OnBad) -> Iterator[tuple[int, object]]:
    """The objects or rows of a text, each with the number of its first line."""
    text.skip_filler()
    delimiter, fields = _header(text.peek_line())
    if not fields:
        yield from _objects(text, on_bad)
        return
    text.skip_line()
    while text.has_more():
        line = text.line
        row = text.take_row(delimiter)
        if row is None:
            text.skip_line()
        if row is None or any(row[len(fields) :]):
            on_bad(line)
        elif row:
            yield line, dict(zip(fields, row, strict=False))


def _objects(text: TextStream, on_bad: OnBad) -> Iterator[tuple[int, object]]:
    while text.skip_filler():
        line = text.line
        value = text.take_object()
        if value is None:
            text.skip_line()
            on_bad(line)
        else:
            yield line, value


def _header(line: str) -> tuple[str, list[str]]:
    """The delimiter and the names of a CSV header; no names if it is none."""
    delimiter = max(_DELIMITERS, key=line.count)
    try:
        return delimiter, header_fields(next(csv.reader([line], delimiter=delimiter)))
    except (csv.Error, StopIteration):
        return delimiter, []
