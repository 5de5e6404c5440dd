"""The window of a run: whole UTC days, both ends included."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta, timezone
from typing import NamedTuple

__all__ = ["Window"]

_DAY = timedelta(days=1)


class Window(NamedTuple):
    """The days from `first` to `last`, both inside, in UTC."""

    first: date
    last: date

    @classmethod
    def ending(cls, last: date, days: int) -> Window:
        """The `days` days that end with `last`; 30 days are `last` and 29 before."""
        return cls(last - (days - 1) * _DAY, last)

    @property
    def days(self) -> int:
        """How many whole days lie inside."""
        return (self.last - self.first).days + 1

    @property
    def until(self) -> date:
        """The day after the last: X's `until:` excludes its day."""
        return self.last + _DAY

    @property
    def start(self) -> datetime:
        """The first instant inside."""
        return datetime.combine(self.first, time.min, timezone.utc)

    @property
    def end(self) -> datetime:
        """The first instant after the window."""
        return datetime.combine(self.until, time.min, timezone.utc)

    def contains(self, moment: datetime) -> bool:
        """True if `moment`, an aware datetime, lies inside."""
        return self.start <= moment < self.end

    def parts(self, count: int) -> list[Window]:
        """Cut into at most `count` runs of whole days of nearly equal length."""
        count = min(count, self.days)
        edges = [self.first + i * self.days // count * _DAY for i in range(count + 1)]
        return [Window(a, b - _DAY) for a, b in zip(edges, edges[1:], strict=False)]
