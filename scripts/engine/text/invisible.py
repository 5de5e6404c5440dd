"""Characters that nobody sees, as parts of a class in a pattern.

Joiners and the emoji selector (200C, 200D, FE0F) are in neither: some scripts and emoji
need them.
"""

from __future__ import annotations

__all__ = ["FILLERS", "FORMATS"]

FILLERS = "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0e\uffa0"
"""Those that Python's tables call printable: fillers, vowels and selectors."""

FORMATS = (
    "\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff"
    "\ud800-\udfff\U000e0000-\U000e0fff"
)
"""Those that steer how text is written, halves of characters, and tag characters."""
