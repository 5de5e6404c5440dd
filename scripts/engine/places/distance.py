"""Distances on the globe."""

from __future__ import annotations

from math import asin, cos, radians, sin, sqrt

__all__ = ["kilometres"]

# The mean radius of the Earth (IUGG).
_RADIUS_KM = 6371.0088


def kilometres(lat: float, lon: float, other_lat: float, other_lon: float) -> float:
    """The great-circle distance of two points in degrees: the haversine formula.

    R. W. Sinnott, Virtues of the Haversine, Sky and Telescope 68 (1984).
    """
    north, east = radians(other_lat - lat), radians(other_lon - lon)
    a = sin(north / 2) ** 2
    a += cos(radians(lat)) * cos(radians(other_lat)) * sin(east / 2) ** 2
    return 2 * _RADIUS_KM * asin(min(1.0, sqrt(a)))
