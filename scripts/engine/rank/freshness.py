"""Freshness: how recent something is inside its window, and how much that counts."""

from __future__ import annotations

from datetime import datetime

from engine.window import Window

__all__ = ["MODES", "freshness", "recency"]

MODES = {
    "strict_recent": (1.0, 0.0),
    "balanced_recent": (0.8, 10.0),
    "evergreen_ok": (0.6, 40.0),
}
"""By a plan's `freshness_mode`: what a point of recency earns, and what all have.

The figures are those that users of the public last30days tool know.
"""


def freshness(moment: datetime | None, window: Window, mode: str) -> float:
    """How fresh something is, 0…100, by a plan's `freshness_mode`.

    Undated counts like the first day of the window.
    """
    slope, floor = MODES[mode]
    return slope * recency(moment, window) + floor


def recency(moment: datetime | None, window: Window) -> float:
    """100 on the window's last day, falling linearly to 0 on its first.

    Undated is 0, and so is what lies before the window; what lies after it is 100.
    """
    if moment is None:
        return 0.0
    if window.days == 1:
        return 100.0
    day = (moment.date() - window.first).days
    return 100 * min(max(day / (window.days - 1), 0.0), 1.0)
