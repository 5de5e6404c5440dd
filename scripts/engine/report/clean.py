"""Text from outside, made harmless: it says what it said, and can do nothing."""

from __future__ import annotations

import json
import re

from engine.text.invisible import FILLERS, FORMATS

__all__ = ["clean_line", "clip", "escape_hidden", "visible_line"]

# With controls, and what steers annotations, shorthand and music.
_INVISIBLE = re.compile(
    f"[{FILLERS}{FORMATS}\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f"
    "\ufff9-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a]"
)
_ESCAPE = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)?|.)?")
_HIDDEN = re.compile(f"{_INVISIBLE.pattern}|[\u0085\u2028\u2029]")
# What would open a comment, a fence, a link or markup in the reader's Markdown.
_MARKUP = (
    (re.compile(r"<(?=[!/?A-Za-z])"), "‹"),
    (re.compile(r"(?<=[\w\"'/?!\-])>"), "›"),
    (re.compile(r"`{3,}|~{3,}"), "'''"),
    (re.compile(r"\](?=\s*[\[(:])"), "］"),
)


def clean_line(text: str) -> str:
    """One line of what a text says, without controls and without markup.

    Blanks and line ends of any kind become one blank.
    """
    text = visible_line(text)
    for pattern, harmless in _MARKUP:
        text = pattern.sub(harmless, text)
    return text


def visible_line(text: str) -> str:
    """One line of what a text says, without controls; markup stays as it is."""
    return " ".join(_INVISIBLE.sub("", _ESCAPE.sub(" ", text)).split())


def escape_hidden(document: str) -> str:
    """A JSON text with controls and invisible characters written as its escapes."""
    return _HIDDEN.sub(lambda match: json.dumps(match[0])[1:-1], document)


def clip(text: str, characters: int) -> str:
    """At most so many characters; what was cut shows as an ellipsis."""
    if len(text) <= characters:
        return text
    return text[: characters - 1].rstrip() + "…"
