"""Which city an assistant is told: one that is known, or it is not asked at all."""

from __future__ import annotations

import pytest

from engine.places.cities import city_of, questions
from engine.places.model import Candidate, Center, Parsed, Query


def center(name: str, level: str, adcode: str, lat: float, lon: float) -> Center:
    return Center(name, level, "CN", lat, lon, adcode)


@pytest.mark.parametrize(
    ("place", "city"),
    [
        (center("成都市", "city", "510100", 30.57, 104.07), "成都"),
        (center("婺源县", "district", "361130", 29.25, 117.86), "上饶"),
        (center("朝阳区", "district", "110105", 39.92, 116.44), "北京"),
        (center("重庆市", "province", "500000", 29.56, 106.55), "重庆"),
        (center("江西省", "province", "360000", 28.64, 115.82), ""),
        (Candidate("l", "庐山", "mountain", "CN", "x", "gray", lat=29.55, lon=115.99), "九江"),
        (Candidate("l", "庐山", "mountain", "CN", "x", "gray"), ""),
        (Candidate("r", "Rome", "city", "IT", "x", "gray", lat=41.9, lon=12.5), ""),
    ],
    ids=["city", "county", "municipality", "whole", "province", "sight", "nowhere", "abroad"],
)  # fmt: skip
def test_the_city_of_a_place(place: Center | Candidate, city: str) -> None:
    """By its division, or the nearest one; a province has none, nor has Rome."""
    assert city_of(place) == city


def test_each_city_is_asked_once_with_the_first_query_about_it() -> None:
    """The centre's first, and no more than are wanted."""
    parsed = Parsed("x", centers=(center("江西省", "province", "360000", 28.6, 115.8),))
    sights = [
        ("庐山", 29.55, 115.99),
        ("浔阳楼", 29.73, 115.99),
        ("三清山", 28.9, 118.06),
        ("井冈山", 26.57, 114.17),
    ]
    places = [
        Candidate(name, name, "sight", "CN", "x", "gray", lat=lat, lon=lon)
        for name, lat, lon in sights
    ]
    queries = [
        Query(f"{name} {word}", "t", name, "template", 0, "")
        for word in ("攻略", "避雷")
        for name, _, _ in sights
    ]
    assert questions(parsed, places, queries, 2) == (
        ("九江", "庐山 攻略"),
        ("上饶", "三清山 攻略"),
    )
