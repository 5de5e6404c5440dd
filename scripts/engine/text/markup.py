"""HTML of posts and comments, read as plain text and as links."""

from __future__ import annotations

import re
from html import escape, unescape

__all__ = ["MAX_TEXT", "links", "plain_text"]

MAX_TEXT = 40_000
"""The longest text that is kept of a post: the most that Reddit takes."""

# What a page may hold of markup before it is cut; each pattern below is linear in it.
_MAX_MARKUP = 10 * MAX_TEXT

_HIDDEN = re.compile(
    r"<!--(?:.*?-->|.*)|<(script|style)\b(?:.*?</\1\s*>|.*)", re.DOTALL | re.IGNORECASE
)
_LINK = re.compile(r"<a\s([^<>]*)>(?:([^<>]*)</a\s*>)?", re.IGNORECASE)
_HREF = re.compile(r"href\s*=\s*(\"[^\"]*\"|'[^']*')", re.IGNORECASE)
_MAX_ATTRIBUTES = 4_000
_BREAK = re.compile(
    r"</?(?:p|br|div|li|ul|ol|pre|tr|td|table|blockquote|h[1-6]|hr)\b[^<>]*>",
    re.IGNORECASE,
)
_TAG = re.compile(r"</?[a-z][^<>]*>|<![^<>]*>", re.IGNORECASE)
_BLANKS = re.compile(r"[^\S\n]+")
_LINES = re.compile(r"\s*\n\s*")


def plain_text(html: str) -> str:
    """The text of a piece of HTML: no tags, no entities, a line for each block.

    A link whose own text was shortened to end with dots is written out. What was
    escaped stays text: "&lt;b&gt;" gives "<b>". At most `MAX_TEXT` characters.
    """
    text = _HIDDEN.sub(" ", html[:_MAX_MARKUP])
    text = _LINK.sub(_written_out, text)
    text = _BREAK.sub("\n", _BLANKS.sub(" ", text.replace("\n", " ")))
    text = _BLANKS.sub(" ", unescape(_TAG.sub("", text)))
    return _LINES.sub("\n", text).strip()[:MAX_TEXT]


def links(html: str) -> tuple[str, ...]:
    """The addresses that a piece of HTML links to, each once, in their order."""
    shown = _HIDDEN.sub(" ", html[:_MAX_MARKUP])
    found = (_target(match[1]) for match in _LINK.finditer(shown))
    return tuple(dict.fromkeys(filter(None, found)))


def _target(attributes: str) -> str:
    match = _HREF.search(attributes[:_MAX_ATTRIBUTES])
    return unescape(match[1][1:-1]).strip() if match else ""


def _written_out(match: re.Match[str]) -> str:
    shown = unescape(match[2] or "").strip()
    if shown.endswith(("...", "…")) and "//" in shown:
        return f" {escape(_target(match[1]))} "
    return match[0]
