"""The query matrix: what is asked, in which order, and what never is."""

from __future__ import annotations

import re
import subprocess
import sys
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.places.matrix import DOMAINS, MOST, defaults, queries
from engine.places.model import Candidate, Center, Dates, Parsed, Party, Query
from engine.places.profile import EMPTY, Profile, load_profile, read_profile
from engine.places.wording import MOST_CHARS, plain

ROOT = Path(__file__).parents[2]
JIANGXI = Center("江西省", "province", "CN", 28.6, 115.8, "360000", aliases=("江西",))
NAMES = ("庐山", "婺源", "三清山", "龙虎山", "井冈山", "鄱阳湖")
ITALY = (
    ("Rome", "罗马"), ("Tivoli", "蒂沃利"), ("Ostia Antica", ""), ("Frascati", ""),
    ("Orvieto", ""), ("Bracciano", ""),
)  # fmt: skip


def candidate(name: str, *aliases: str, country: str = "CN") -> Candidate:
    return Candidate(
        name,
        name,
        "sight",
        country,
        "list",
        "gray",
        aliases=tuple(filter(None, aliases)),
    )


PLACES = [candidate(name) for name in NAMES]


def intent(**more: Any) -> Parsed:
    given: dict[str, Any] = {
        "raw_excerpt": "江西附近游玩 4 天",
        "lang": "zh",
        "centers": (JIANGXI,),
        "relation": "around",
        "days": 4,
        **more,
    }
    return Parsed(**given)


def asked(
    parsed: Parsed | None = None,
    places: list[Candidate] | None = None,
    domain: str = "destination",
    profile: Profile = EMPTY,
    creative: tuple[str, ...] = (),
) -> list[Query]:
    return queries(
        parsed or intent(),
        PLACES if places is None else places,
        domain,
        profile,
        creative,
    )


def texts(found: list[Query]) -> list[str]:
    return [query.text for query in found]


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("count", [6, 8, 10])
@pytest.mark.parametrize("season", ["winter", None])
def test_a_run_has_15_to_20_queries_that_cover_every_candidate(
    domain: str, count: int, season: str | None
) -> None:
    """None is repeated, too long, or has a blank left."""
    more = ("武功山", "明月山", "仙女湖", "景德镇")
    places = [candidate(name) for name in (*NAMES, *more)[:count]]
    found = asked(intent(season=season, season_source="dates"), places, domain)
    assert 15 <= len(found) <= MOST
    assert {place.name for place in places} <= {query.location for query in found}
    assert len({query.text.casefold() for query in found}) == len(found)
    assert all(1 <= len(query.text) <= MOST_CHARS for query in found)
    assert not any(re.search(r"[{}]|  |^ | $", query.text) for query in found)
    assert [query.priority for query in found] == list(range(len(found)))


def test_the_seeds_intent_gives_the_seeds_queries() -> None:
    """Its five templates, a core query that is not the raw intent, and a creative one."""
    found = asked(intent(season="winter", season_source="explicit"))
    said = texts(found)
    assert said[0] == "江西 周边 旅游"
    assert said[1:7] == [f"{name} 攻略" for name in NAMES]
    for wanted in ("庐山 避雷", "庐山 冬季 推荐", "江西 4日游", "庐山 必去"):
        assert wanted in said
    assert found[-1].origin == "creative" and "江西" in found[-1].text
    assert not any("游玩 4 天" in text for text in said)


def test_a_template_is_used_only_if_all_of_it_is_known() -> None:
    """No season and no duration, no such query."""
    said = " ".join(texts(asked(intent(days=None))))
    assert not re.search("日游|季", said)


def test_a_range_of_days_is_asked_with_its_least() -> None:
    """Nobody writes notes about 4-5 days."""
    assert "江西 4日游" in texts(asked(intent(days=(4, 5))))


def test_what_people_like_stands_in_the_queries() -> None:
    """The strongest in the core query; others beside the best candidates."""
    party = Party(adults=2, children=1)
    found = asked(intent(like=("油菜花",), mode=("自驾",), party=party, pace="relaxed"))
    said = texts(found)
    assert said[0] == "江西 周边 油菜花 旅游"
    addons = [query.text for query in found if query.origin == "addon"]
    assert addons and any("自驾" in text for text in addons)


def test_a_profile_gives_the_creative_queries_by_its_keys_alone() -> None:
    """No word of the file itself goes into a query."""
    profile = read_profile(
        {
            "basic": {"budget_tier": "luxury"},
            "physical": {"no_long_walk": True, "fear_of_heights": False},
            "tastes": {"scene_likes": ["photo", "rm -rf /"], "scene_dislikes": None},
        }
    )
    found = asked(profile=profile)
    creative = [query.text for query in found if query.origin == "creative"]
    assert creative == ["江西 不累 少走路 拍照机位"]
    assert not any("rm" in text for text in texts(found))
    hotels = texts(asked(domain="accommodation", profile=profile))
    assert "庐山 奢华 酒店推荐" in hotels


def test_the_host_may_add_two_queries_of_its_own() -> None:
    """Signs that services take for operators are dropped; long ones end at a word."""
    given = ('site:evil.com "庐山" OR -x', "江西 老建筑 " + "很长 " * 30, "third")
    found = asked(creative=given)
    creative = [query for query in found if query.origin == "creative"]
    assert [query.text for query in creative] == [
        "site evil.com 庐山 or x",
        creative[1].text,
    ]
    assert creative[0].location == "庐山" and creative[1].location == "江西省"
    assert len(creative[1].text) <= MOST_CHARS and len(found) <= MOST


def test_a_place_to_avoid_is_never_asked_about() -> None:
    """Not by a template and not by the host."""
    parsed = intent(exclude=("婺源县",))
    found = asked(parsed, creative=("婺源 秋天",))
    assert not any("婺源" in query.text for query in found)


def test_either_or_gets_a_core_query_each() -> None:
    """Both centres are asked about."""
    centers = tuple(
        Center(name, "city", "CN", 30.0, 104.0) for name in ("成都市", "重庆市")
    )
    said = texts(asked(intent(centers=centers, relation="choose")))
    assert said[:2] == ["成都 旅游", "重庆 旅游"]


def test_an_origin_is_asked_about_if_there_is_no_centre() -> None:
    """What lies around it is wanted."""
    wuhan = Center("武汉市", "city", "CN", 30.6, 114.3)
    said = texts(asked(intent(centers=(), origin=wuhan, relation="from")))
    assert said[0] == "武汉 周边 旅游"


def test_an_english_intent_is_asked_in_english() -> None:
    """With English names where a place has one."""
    rome = Center("Rome", "city", "IT", 41.9, 12.5, aliases=("罗马",))
    parsed = intent(lang="en", centers=(rome,), relation="in", days=5, season="spring")
    places = [candidate(name, alias, country="IT") for name, alias in ITALY]
    said = texts(asked(parsed, places))
    assert said[:3] == ["Rome trip", "Rome travel guide", "Tivoli travel guide"]
    assert "Rome 5 day itinerary" in said and "Rome in spring" in said
    in_chinese = texts(asked(intent(centers=(rome,), relation="in"), places))
    assert in_chinese[:2] == ["罗马 旅游", "罗马 攻略"]


def test_what_was_assumed_is_said() -> None:
    """Defaults that fill templates are no knowledge."""
    assert defaults(intent(), "accommodation", EMPTY) == {"tier": "性价比"}
    assert defaults(intent(), "accommodation", Profile("luxury")) == {}
    assert defaults(intent(), "poi", EMPTY) == {"category": "景点"}
    assert defaults(intent(like=("美食",)), "poi", EMPTY) == {}
    today = intent(season="winter", season_source="today")
    assert defaults(today, "destination", EMPTY) == {"season": "冬季"}


def test_a_category_is_what_the_intent_names() -> None:
    """By the table, or in its own word."""
    assert "庐山 美食" in texts(asked(intent(like=("美食",)), domain="poi"))
    assert "庐山 油菜花" in texts(asked(intent(like=("油菜花",)), domain="poi"))


def test_without_candidates_the_centre_is_asked_about() -> None:
    """Fewer queries, and none about nothing."""
    found = asked(places=[])
    assert found and all(query.location == "江西省" for query in found)


def test_the_order_is_the_same_in_every_process() -> None:
    """No set decides it: the seed of hashes changes nothing."""
    code = (
        "import sys; sys.path[:0] = ['scripts', 'tests/places', 'tests']\n"
        "from test_matrix import asked, texts\n"
        "print('|'.join(texts(asked())))"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            cwd=ROOT,
            env={"PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
            capture_output=True,
            encoding="utf-8",
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(outputs) == 1 and "攻略" in outputs.pop()


@settings(max_examples=60, deadline=None)
@given(
    name=st.text(min_size=1, max_size=60),
    like=st.text(max_size=30),
    creative=st.lists(st.text(min_size=1, max_size=90), max_size=3),
    domain=st.sampled_from(DOMAINS),
    lang=st.sampled_from(["zh", "en", "mixed", "other"]),
)
def test_no_text_breaks_a_query(
    name: str, like: str, creative: list[str], domain: str, lang: str
) -> None:
    """Whatever a place or a wish is called: plain words, short enough."""
    parsed = intent(
        lang=lang,
        like=(like,),
        dates=Dates(date(2027, 5, 1), date(2027, 5, 5), "holiday", "五一"),
        season="spring",
    )
    places = [candidate(name), *PLACES]
    for query in queries(parsed, places, domain, EMPTY, creative):
        assert 1 <= len(query.text) <= MOST_CHARS
        assert not re.search(r"[{}\"<>|$;()\x00-\x1f\u202e]|  |^[-+ ]| $", query.text)


@given(st.text())
def test_plain_words_stay_plain(text: str) -> None:
    """Cleaning twice changes nothing."""
    assert plain(plain(text)) == plain(text)


def test_a_profile_that_is_not_there_is_none(tmp_path: Path) -> None:
    """The run then says so; a broken one ends it."""
    assert load_profile(str(tmp_path / "none.json")) is None
