"""An answer of the xAI API, and what of it can be believed.

The answer is a list of output: reasoning, calls of the model's own tools, messages.
Posts are cited by their addresses, in the messages or beside them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from engine.errors import BadResponseError
from engine.exchange import sentences
from engine.model import Item
from engine.text.redact import excerpt
from engine.values import as_mapping, as_sequence, as_text
from engine.x.backends.base import IO, Ask
from engine.x.provenance import proven
from engine.x.reported import read_reported

__all__ = ["Answer", "believe", "read_answer"]

_POST = re.compile(
    r"https?://(?:www\.|mobile\.)?(?:x|twitter)\.com/\w+(?:/web)?/status(?:es)?/[0-9]+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Answer:
    """What the model said; whether it shows that X was searched; why it was cut."""

    text: str
    searched: bool
    cut: str


def read_answer(page: object, secrets: Iterable[str]) -> Answer:
    """The answer in the JSON of a success.

    Raises:
        BadResponseError: it holds none, or an error.
    """
    fields = as_mapping(page)
    status = as_text(fields.get("status"))
    if fields.get("error") or status in ("failed", "cancelled"):
        said = "; ".join(dict.fromkeys(sentences(fields))) or status
        raise BadResponseError(f"xAI API failed: {excerpt(said, secrets)}")
    if not isinstance(fields.get("output"), list):
        raise BadResponseError("xAI API gave an answer without any output")
    output = [as_mapping(part) for part in as_sequence(fields.get("output"))]
    contents = [content for part in output for content in _contents(part)]
    text = "".join(as_text(content.get("text")) for content in contents)
    cited = [*_strings(fields.get("citations")), *_cited(contents)]
    searched = any(map(_is_search, output)) or any(map(_POST.match, cited))
    reason = as_text(as_mapping(fields.get("incomplete_details")).get("reason"))
    return Answer(text, searched, reason or status if status == "incomplete" else "")


def _contents(part: Mapping[str, object]) -> list[Mapping[str, object]]:
    if part.get("type") != "message":
        return []
    return [as_mapping(content) for content in as_sequence(part.get("content"))]


def _cited(contents: Iterable[Mapping[str, object]]) -> Iterator[str]:
    for content in contents:
        for note in map(as_mapping, as_sequence(content.get("annotations"))):
            yield as_text(note.get("url"))


def _strings(listed: object) -> list[str]:
    return [as_text(entry) for entry in as_sequence(listed)]


def _is_search(part: Mapping[str, object]) -> bool:
    """Whether an output is a call of a tool of X's search, in either form."""
    kind, name = part.get("type"), as_text(part.get("name"))
    return kind == "x_search_call" or (
        kind == "custom_tool_call" and name.startswith("x_")
    )


def believe(answer: Answer, ask: Ask, io: IO) -> list[Item]:
    """The posts of an answer that can exist; the others are dropped.

    Raises:
        BadResponseError: nothing shows that X was searched, the answer holds no list,
            none of its posts can exist, or it was cut; then the whole posts are on it.
    """
    reported = read_reported(answer.text)
    items = proven(reported, ask, io, service="xAI API", searched=answer.searched)
    if answer.cut or reported.partial:
        why = f" ({answer.cut})" if answer.cut else ""
        raise BadResponseError(f"the answer of the xAI API was cut{why}", items=items)
    if not reported.claims and not reported.says_none:
        raise BadResponseError("xAI API answered, but with no list of posts")
    return items
