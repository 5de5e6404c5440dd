"""Candidates: what belongs to a centre, what is near it, and who proposed it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import pytest

from engine.errors import RateLimitError
from engine.model import State
from engine.places import geo
from engine.places.distance import kilometres
from engine.places.intent import parse_intent
from engine.places.lookup.china import divisions
from engine.places.model import Candidate, Center, Found, Parsed
from engine.places.same import same_place
from fakes.asking import World

_PROVINCES = [unit.name for unit in divisions().values() if unit.level == "province"]


def _parsed(text: str) -> Parsed:
    return parse_intent(text, date(2026, 11, 30), assume=True)


def _offline(text: str) -> geo.Geography:
    return geo.candidates(_parsed(text), World({}).io, offline=True)


def _names(found: geo.Geography) -> list[str]:
    return [candidate.name for candidate in found.candidates]


@pytest.mark.parametrize("province", _PROVINCES)
def test_every_province_has_gray_candidates_of_its_own(province: str) -> None:
    """Six to ten without any network, none of them outside its borders."""
    parsed = _parsed(f"{province} 5天")
    found = geo.candidates(parsed, World({}).io, offline=True)
    assert geo.LEAST <= len(found.candidates) <= geo.MOST
    assert {candidate.grade for candidate in found.candidates} == {"gray"}
    code = parsed.centers[0].adcode[:2]
    assert {candidate.adcode[:2] for candidate in found.candidates} == {code}
    assert found.outcomes == {}


@pytest.mark.parametrize(
    ("intent", "inside"),
    [
        ("Rome 5 days", "Colosseum"),
        ("Kyoto 5 days", "Fushimi Inari"),
        ("Sydney 10 days", "Blue Mountains"),
        ("去京都玩", "清水寺"),
        ("冰岛自驾 8天", "黄金瀑布"),
        ("日本 8天", "京都"),
        ("川西 7天", "四姑娘山"),
        ("关西 5天", "伏见稻荷大社"),
        ("格鲁吉亚 10天", "Tbilisi"),
        ("Porto 4 days", "Espinho"),
        ("台北 4天", "九份"),
        ("高雄 4天", "垦丁"),
        ("婺源看油菜花", "婺源"),
        ("十一去八达岭", "八达岭"),
    ],
    ids=str,
)
def test_there_are_gray_candidates_everywhere(intent: str, inside: str) -> None:
    """The known places first, towns where nothing better is known."""
    found = _offline(intent)
    assert 4 <= len(found.candidates) <= geo.MOST
    assert inside in _names(found)


@pytest.mark.parametrize("intent", ["Rome", "Kyoto", "Sydney", "成都", "西藏", "鄂西"])
def test_there_are_at_least_six(intent: str) -> None:
    """For a city, a province and a region alike."""
    assert len(_offline(f"{intent} 5").candidates) >= geo.LEAST


def test_a_province_is_its_borders_and_not_a_circle() -> None:
    """井冈山 lies in 江西 and more than 200 km from its seat: kept, with a flag."""
    by_name = {c.name: c for c in _offline("江西附近游玩 4 天").candidates}
    far = by_name["井冈山"]
    assert far.distance_km is not None and far.distance_km > 200
    assert far.within_radius is False
    assert by_name["庐山"].within_radius is True
    assert by_name["庐山"].center == "江西省"


def test_an_explicit_radius_is_hard() -> None:
    """What lies outside is dropped and counted, also what a tool proposed."""

    def search(center: Center) -> tuple[str, Sequence[Found]]:
        return "online-search", [
            Found("天河潭", 26.43, 106.57),
            Found("镇远", 27.05, 108.42),
        ]

    parsed = _parsed("贵阳周边50公里")
    found = geo.candidates(parsed, World({}).io, search=search, offline=True)
    assert all((c.distance_km or 0) <= 50 for c in found.candidates)
    assert "天河潭" in _names(found) and "镇远" not in _names(found)
    assert "outside_radius:1" in found.warnings


def test_a_tiny_radius_gives_few_and_says_so() -> None:
    """Nothing is widened to have six."""
    found = _offline("三亚 半径20公里")
    assert all(c.within_radius for c in found.candidates)
    assert len(found.candidates) < geo.LEAST
    assert "few_candidates" in found.warnings


def test_an_origin_is_not_the_destination() -> None:
    """From 武汉 within 200 km most places lie outside of it."""
    found = _offline("五一从武汉出发自驾200公里以内，3天2晚").candidates
    away = [c for c in found if not c.adcode.startswith("4201")]
    assert len(away) > len(found) / 2
    assert found[0] in away
    assert all((c.distance_km or 0) <= 200 for c in found)


def test_a_choice_splits_the_places_evenly() -> None:
    """Five of ten for each of two centres, and each says which it belongs to."""
    centers = [c.center for c in _offline("成都或者重庆选一个，3天").candidates]
    assert centers == ["成都市"] * (10 // 2) + ["重庆市"] * (10 // 2)


def test_a_route_follows_the_road() -> None:
    """Its places lie between its ends, in the order of the way."""
    found = _offline("从成都自驾到拉萨 10天").candidates
    from_start = [kilometres(30.57, 104.07, c.lat or 0, c.lon or 0) for c in found]
    assert from_start[0] < 150 and from_start[-1] > 1_000
    halves = [km > 600 for km in from_start]
    assert halves == sorted(halves)


@pytest.mark.parametrize(
    ("intent", "barred"),
    [
        ("不去丽江，云南其他地方 6天", ("丽江古城", "玉龙雪山", "泸沽湖")),
        ("意大利 10天 不去威尼斯", ("威尼斯",)),
        ("江西 不去庐山 4天", ("庐山",)),
    ],
    ids=str,
)
def test_excluded_places_are_no_candidates(intent: str, barred: Sequence[str]) -> None:
    """Neither by name nor because they lie in what is excluded."""
    found = _offline(intent)
    assert found.candidates
    assert not set(_names(found)) & set(barred)


def test_season_and_wishes_come_before_fame() -> None:
    """In July skiing places of 吉林 come last; who likes museums gets one."""
    july = _names(_offline("7月 吉林 5天"))
    assert "长白山" in july[:3] and july.index("雾凇岛") >= 5
    # The best known first, among those whose kind is wished for.
    assert _offline("吉林 博物馆").candidates[0].kind in ("museum", "heritage")


def test_people_rank_nothing() -> None:
    """Near Rome Tivoli is found, and no suburb."""
    names = _names(_offline("Rome 5 days"))
    assert "Tivoli" in names
    assert not {"Acilia", "Guidonia"} & set(names)


def test_an_unclear_intent_has_no_candidates() -> None:
    """Nobody is asked either."""
    parsed = parse_intent("3天2晚", date(2026, 11, 30))

    def search(center: Center) -> tuple[str, Sequence[Found]]:
        raise AssertionError("asked")

    found = geo.candidates(parsed, World({}).io, search=search)
    assert found == geo.Geography([], {}, [])


def _search(*found: Found) -> geo.GeoSearch:
    return lambda center: ("online-search", found)


def test_the_configured_search_comes_first_and_is_joined_with_the_list() -> None:
    """庐山风景区 is 庐山: one candidate, by the search, with what the list knows."""
    many = [Found(f"某地{i}", 28.7 + i / 10, 115.9) for i in range(5)]
    search = _search(Found("庐山风景区", None, None, data={"rating": 4.8}), *many)
    found = geo.candidates(_parsed("江西 4天"), World({}).io, search=search)
    first = found.candidates[0]
    assert (first.name, first.source, first.grade) == (
        "庐山风景区",
        "online-search",
        "green",
    )
    assert first.id == "mount-lu" and first.coord_source == "references"
    assert first.search_data == {"rating": 4.8}
    assert "庐山" in first.aliases and first.season
    assert len(found.candidates) == 1 + 5
    assert _search_alone(found.candidates)


def _search_alone(found: Sequence[Candidate]) -> bool:
    return {candidate.source for candidate in found} == {"online-search"}


def test_a_tool_cannot_bring_back_what_is_excluded() -> None:
    """What the intent leaves out stays out, whoever proposes it."""
    search = _search(Found("丽江古城", 26.87, 100.24), Found("大理古城", 25.70, 100.16))
    parsed = _parsed("不去丽江，云南其他地方 6天")
    found = geo.candidates(parsed, World({}).io, search=search)
    assert _names(found)[0] == "大理古城" and "丽江古城" not in _names(found)


def _place(name: str, lat: float | None = None) -> Candidate:
    return Candidate(
        f"{name}-{lat}", name, "", "CN", "x", "gray", lat=lat, lon=lat and 116.0
    )


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        (_place("庐山", 29.55), _place("庐山风景区", 29.56), True),
        (_place("庐山", 29.55), _place("庐山西海", 29.25), False),
        (_place("庐山", 29.55), _place("廬山", 29.65), True),
        (_place("人民公园", 29.55), _place("人民公园", 31.0), False),
        (_place("庐山", 29.55), _place("庐山"), True),
        (_place("庐山", 29.55), _place("滕王阁", 29.55), False),
    ],
    ids=["nested-near", "nested-far", "same-name", "namesakes", "no-spot", "beside"],
)
def test_one_place_by_two_names(one: Candidate, other: Candidate, same: bool) -> None:
    """Names and distance together say it."""
    assert same_place(one, other) is same


def test_too_few_finds_are_filled_from_the_list() -> None:
    """Two green ones, then gray ones, each place once."""
    search = _search(Found("三清山", 28.91, 118.06), Found("庐山", 29.56, 115.99))
    parsed = _parsed("江西 4天")
    found = geo.candidates(parsed, World({}).io, search=search).candidates
    assert [c.grade for c in found] == ["green"] * 2 + ["gray"] * (10 - 2)
    assert len({c.id for c in found}) == 10


def test_a_search_that_fails_is_told_and_the_list_answers() -> None:
    """Its outcome is kept; the candidates are gray."""

    def search(center: Center) -> tuple[str, Sequence[Found]]:
        raise RateLimitError("no more today")

    found = geo.candidates(_parsed("江西 4天"), World({}).io, search=search)
    assert found.outcomes["online-search"].state is State.RATE_LIMITED
    assert {c.grade for c in found.candidates} == {"gray"}


def test_the_same_intent_has_the_same_candidates() -> None:
    """In the same order, from nothing but the intent."""
    assert _offline("云南 7天") == _offline("云南 7天")
