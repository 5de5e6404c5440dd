"""The backends: ways of reaching X, in the order in which `auto` tries them."""

from __future__ import annotations

from engine.x.backends import grok, xai, xapi
from engine.x.backends.archive import search as archive
from engine.x.backends.base import Backend

__all__ = ["BACKENDS"]

BACKENDS: dict[str, Backend] = {
    "grok": grok,
    "xai": xai,
    "xapi": xapi,
    "archive": archive,
}
