"""The text of a file, read a piece at a time: JSON objects or rows of bounded size."""

from __future__ import annotations

import codecs
import csv
import json
import re
import zlib
from typing import Protocol

from engine.errors import UsageError

__all__ = ["ByteStream", "TextStream"]

# A page of 500 posts with all expansions has about 5 MB, an export of 50,000 plain
# posts as one object 16; what is longer is skipped and never held in memory.
_MAX_OBJECT = 16 << 20
# Above this no field can be a post's text.
_MAX_ROW = 1 << 18
# Against files that unpack without end.
_MAX_BYTES = 1 << 30
# An error of the decoder counts the lines before it, so the piece is small.
_CHUNK = 1 << 16

_BETWEEN = r"[\s,;\[\]\ufeff]*"
_SCRIPT_HEAD = r"window\.YTD\.\w{1,40}\.part\d{1,9} ?="
_FILLER = re.compile(f"{_BETWEEN}(?:{_SCRIPT_HEAD}{_BETWEEN})*")
_FILLER_LENGTH = 200
_DECODER = json.JSONDecoder()
# An object that was only cut fails at its end, or an escape or literal before it.
_CUT = 16


class ByteStream(Protocol):
    """What gives the bytes: a file, an unpacker, standard input."""

    def read1(self, size: int, /) -> bytes:
        """At most `size` bytes; none at the end."""
        ...


class TextStream:
    """UTF-8 text, perhaps with a BOM, and a position in it.

    Args:
        stream: where its bytes come from; those that are not UTF-8 are replaced.
        name: what errors call it.

    Every method may raise a UsageError: the bytes cannot be read, or there are more
    than 1 GiB of them.
    """

    def __init__(self, stream: ByteStream, name: str) -> None:
        self._stream = stream
        self._name = name
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")("replace")
        self._bytes = 0
        self._ended = False
        self._text = ""
        self._position = 0
        self._line = 1
        self._counted = 0

    @property
    def line(self) -> int:
        """The number, from 1, of the line in which the position is."""
        self._line += self._text.count("\n", self._counted, self._position)
        self._counted = self._position
        return self._line

    def has_more(self) -> bool:
        """Whether any text is left."""
        if self._position == len(self._text) and not self._ended:
            self._fill()
        return self._position < len(self._text)

    def skip_filler(self) -> bool:
        """Pass what stands between objects; false at the end of the text.

        That are blanks, commas, the brackets of arrays and the head of a tweets.js.
        """
        while True:
            if match := _FILLER.match(self._text, self._position):
                self._position = match.end()
            if self._ended or len(self._text) - self._position >= _FILLER_LENGTH:
                return self._position < len(self._text)
            self._fill()

    def skip_line(self) -> None:
        """Go to the next line."""
        while (found := self._text.find("\n", self._position)) < 0:
            self._position = len(self._text)
            if self._ended:
                return
            self._fill()
        self._position = found + 1

    def peek_line(self) -> str:
        """The line from the position on, as far as it is read."""
        return self._text[self._position :].split("\n", 1)[0]

    def take_object(self) -> dict[str, object] | None:
        """Pass the JSON object that begins here; None, and stay, if there is none."""
        while self._text.startswith("{", self._position):
            try:
                value, self._position = _DECODER.raw_decode(self._text, self._position)
            except json.JSONDecodeError as error:
                cut = error.pos >= len(self._text) - _CUT
                if not cut and not error.msg.startswith("Unterminated string"):
                    break
            except (ValueError, RecursionError):
                break
            else:
                return dict(value)
            if self._ended or len(self._text) - self._position > _MAX_OBJECT:
                break
            self._fill()
        return None

    def take_row(self, delimiter: str) -> list[str] | None:
        """Pass the CSV row that begins here; None, and stay, if it is none.

        A row goes on over lines while one of its quotes is open.
        """
        length = 0
        while length < (end := self._line_end(length)) <= _MAX_ROW:
            length = end
            raw = self._text[self._position : self._position + length]
            try:
                row = next(csv.reader([raw], delimiter=delimiter, strict=True))
            except csv.Error:
                if raw.count('"') % 2 == 0:
                    break
            else:
                self._position += length
                return row
        return None

    def _line_end(self, offset: int) -> int:
        """Where the line at `offset` from the position ends, counted from there."""
        while (found := self._text.find("\n", self._position + offset)) < 0:
            offset = len(self._text) - self._position
            if self._ended or offset > _MAX_ROW:
                return offset
            self._fill()
        return found + 1 - self._position

    def _fill(self) -> None:
        """Drop what was passed and read at least as much as is left."""
        pieces = [self._text[self._position :]]
        self._line = self.line
        self._position = self._counted = 0
        wanted = max(_CHUNK, len(pieces[0]))
        while wanted > 0 and not self._ended:
            raw = self._read()
            self._ended = not raw
            pieces.append(self._decoder.decode(raw, final=not raw))
            wanted -= len(raw)
        self._text = "".join(pieces)

    def _read(self) -> bytes:
        try:
            raw = self._stream.read1(_CHUNK)
        except (OSError, EOFError, zlib.error) as error:
            reason = getattr(error, "strerror", None) or error
            raise UsageError(f"{self._name}: cannot be read: {reason}") from None
        self._bytes += len(raw)
        if self._bytes > _MAX_BYTES:
            raise UsageError(f"{self._name}: more than 1 GiB of text; split the file")
        return raw
