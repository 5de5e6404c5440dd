"""Names: which place one means, and what is said when the packages are missing."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from engine.places.distance import kilometres
from engine.places.lookup.china import divisions, full_name, inside, short_name
from engine.places.lookup.find import find_mentions, numbered
from engine.places.lookup.fuzzy import find_misspelt
from engine.places.lookup.packages import PACKAGES
from engine.places.lookup.pinyin import by_letters, sounds
from engine.places.lookup.text import fold, simplify
from support import ROOT


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("江西省", "江西"),
        ("重庆市", "重庆"),
        ("内蒙古自治区", "内蒙古"),
        ("新疆维吾尔自治区", "新疆"),
        ("大理白族自治州", "大理"),
        ("巴音郭楞蒙古自治州", "巴音郭楞"),
        ("积石山保安族东乡族撒拉族自治县", "积石山"),
        ("龙胜各族自治县", "龙胜"),
        ("阿里地区", "阿里"),
        ("朝阳区", "朝阳"),
        ("莘县", "莘县"),
    ],
)
def test_a_division_is_called_by_its_short_name(name: str, short: str) -> None:
    """Without its kind and the peoples in it, if two characters are left."""
    assert short_name(name) == short


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("110105", "北京市朝阳区"),
        ("211300", "辽宁省朝阳市"),
        ("220104", "长春市朝阳区"),
        ("211321", "朝阳县"),
        ("360000", "江西省"),
    ],
)
def test_a_division_is_told_from_its_namesakes(code: str, name: str) -> None:
    """By what lies above it, unless that has the same name."""
    assert full_name(divisions()[code]) == name


def test_divisions_lie_in_each_other_by_their_codes() -> None:
    """成都 is in 四川 and not in 重庆, whose code begins with the same digit."""
    assert inside("510100", "510000") and inside("510108", "510100")
    assert not inside("510100", "500000") and not inside("510100", "")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("云南丽江", ["丽江市"]),
        ("成都和重庆", ["成都市", "重庆市"]),
        ("杭州西湖", ["西湖"]),
        ("一起合作", []),
        ("去合作玩", ["合作市"]),
        ("云南", ["云南省"]),
        ("Dali, Yunnan", ["大理白族自治州"]),
        ("Kyoto, Japan", ["Kyoto"]),
        ("Paris, Texas", ["Paris"]),
        ("a nice beach trip in Nice", ["Nice"]),
        ("we may march on", []),
        ("San Francisco", ["San Francisco"]),
        ("罗马", ["Rome"]),
        ("雷克雅未克", ["Reykjavik"]),
        ("去里加玩", ["Riga"]),
    ],
    ids=str,
)
def test_the_longest_names_are_found(text: str, names: list[str]) -> None:
    """A larger place beside a smaller one says which; a word is no place."""
    assert [mention.best.center.name for mention in find_mentions(text)] == names


def test_a_state_behind_a_name_says_which_city() -> None:
    """Paris, Texas is not Paris."""
    (paris,) = find_mentions("Paris, Texas")
    assert paris.best.label == "Paris, Texas, US"


def test_names_with_numbers_are_known() -> None:
    """五台山 is no 5; 三天 is no place."""
    text = "三天五台山和九寨沟"
    assert [text[start:end] for start, end in numbered(text)] == ["五台山", "九寨沟"]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("务源", "婺源县"),
        ("婺园", "婺源县"),
        ("井岗山", "井冈山市"),
        ("敦皇", "敦煌市"),
        ("Chengud", "成都市"),
        ("Kyotto", "Kyoto"),
    ],
)
def test_a_misspelt_name_is_repaired(text: str, name: str) -> None:
    """By its sound or one letter."""
    (found,) = find_misspelt(text)
    assert found.best.center.name == name


@pytest.mark.parametrize(
    "text", ["出去玩", "随便玩玩", "轻松一点", "nice trip", "food"]
)
def test_words_are_no_misspelt_names(text: str) -> None:
    """Something always sounds alike."""
    assert find_misspelt(text) == []


def test_readings_of_many_sounds_are_all_known() -> None:
    """重庆 is found under both readings of its first character."""
    assert ("chong", "qing") in sounds("重庆") and ("zhong", "qing") in sounds("重庆")
    assert by_letters()["chongqing"] == ("重庆",)


def test_names_fold_to_one_form() -> None:
    """Script, accents, case, apostrophes and hyphens."""
    assert fold("羅馬") == fold("罗马") and simplify("臺灣") == "台湾"
    assert fold("Xi’an") == fold("xian") and fold("Côte-d'Or") == "cote dor"


def test_distance_is_that_of_the_globe() -> None:
    """A degree of latitude is a 360th of a great circle."""
    around = 2 * 3.14159265 * 6371.0088
    assert kilometres(0, 0, 1, 0) == pytest.approx(around / 360)
    assert kilometres(0, 179.5, 0, -179.5) == pytest.approx(around / 360)


def test_missing_packages_are_named_in_one_line(tmp_path: Path) -> None:
    """With the command that brings them; nothing is imported before."""
    code = (
        "from datetime import date\n"
        "from engine.errors import UsageError\n"
        "from engine.places.intent import parse_intent\n"
        "try:\n    parse_intent('成都', date(2026, 11, 30))\n"
        "except UsageError as error:\n    print(error)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-S", "-c", code],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT / "scripts"), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    (line,) = ran.stdout.splitlines()
    assert "-m pip install" in line
    assert all(name in line for name in PACKAGES.values())
