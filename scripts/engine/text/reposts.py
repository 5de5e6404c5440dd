"""Reposts: how X writes out that a text is another's, "RT @handle: " before it."""

from __future__ import annotations

import re

__all__ = ["reposted", "without_repost"]

_REPOST = re.compile(r"RT @([A-Za-z0-9_]{1,15}):\s*")


def reposted(text: str) -> str:
    """The handle whose post a text repeats; empty if it says of none."""
    match = _REPOST.match(text)
    return match[1] if match else ""


def without_repost(text: str) -> str:
    """What a repost repeats; any other text as it is."""
    match = _REPOST.match(text)
    return text[match.end() :] if match else text
