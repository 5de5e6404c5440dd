"""Markdown of issues and descriptions, read as plain text and as links."""

from __future__ import annotations

import re
from html import unescape

from engine.text.markup import MAX_TEXT

__all__ = ["markdown_links", "plain_markdown"]

# What a text may hold of markup before it is cut; each pattern below is linear in it.
_MAX_MARKUP = 2 * MAX_TEXT
_MAX_LINKS = 20

_COMMENT = re.compile(r"<!--(?:.*?-->|.*)", re.DOTALL)
_LINK = re.compile(r"!?\[([^\[\]]{0,500})\]\([^()\s]{0,2000}\)")
# Those that people write; anything else in angle brackets may be code.
_TAG = re.compile(
    r"</?(?:a|b|blockquote|br|code|details|div|em|h[1-6]|hr|i|img|kbd|li|ol|p|picture"
    r"|pre|source|span|strong|sub|summary|sup|table|tbody|td|th|thead|tr|ul|video)"
    r"(?:\s[^<>]{0,2000}|/)?>",
    re.IGNORECASE,
)
_HEADING = re.compile(r"^#{1,6}\s+")
_FENCE = re.compile(r"(?:```|~~~)[\w+-]*\s*")
# What a template asks for and what stands where nobody answered.
_TEMPLATE = re.compile(r"_?No response_?|[-*] \[[ xX]\] I\b.*")
_URL = re.compile(r"https?://[^\s<>()\[\]\"'`|\\]{1,2000}")


def plain_markdown(text: str) -> str:
    """The text without markup, comments and what an issue template left in it.

    At most `MAX_TEXT` characters.
    """
    text = _COMMENT.sub(" ", text[:_MAX_MARKUP])
    text = unescape(_TAG.sub(" ", _LINK.sub(r"\1", text)))
    lines = (_HEADING.sub("", " ".join(line.split())) for line in text.split("\n"))
    kept = [
        line
        for line in lines
        if not (_FENCE.fullmatch(line) or _TEMPLATE.fullmatch(line))
    ]
    return "\n".join(line for line in kept if line)[:MAX_TEXT]


def markdown_links(text: str) -> tuple[str, ...]:
    """The web addresses in a text, each once, in their order; at most 20."""
    shown = _COMMENT.sub(" ", text[:_MAX_MARKUP])
    found = (match[0].rstrip(".,;:!?*_") for match in _URL.finditer(shown))
    return tuple(dict.fromkeys(found))[:_MAX_LINKS]
