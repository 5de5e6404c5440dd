"""Who travels."""

from __future__ import annotations

import re

from engine.places.model import Party
from engine.places.spans.numbers import NUMBER, whole
from engine.places.spans.text import FLAGS, Cut

__all__ = ["read_party"]

_MOST = 50

_BIG_SMALL = re.compile(
    rf"(?P<adults>{NUMBER})(?:个)?大(?:人)?(?:[,、带和+]|加)?(?P<children>{NUMBER})"
    rf"(?:个)?(?:小(?:孩|朋友)?|娃)"
    r"(?:一起)?",
)
_ADULTS = re.compile(
    rf"(?P<n>{NUMBER}) ?(?:个|名|位)?(?:大人|成人|成年人)|(?P<e>{NUMBER}) (?:adults?|"
    rf"grown-?ups?)\b",
    FLAGS,
)
_CHILDREN = re.compile(
    rf"(?P<n>{NUMBER}) ?(?:个|名|位)?(?:小孩子?|孩子|小朋友|儿童|娃娃?)|"
    rf"(?P<e>{NUMBER}) (?:small |young |little )?(?:kids?|child(?:ren)?)\b",
    FLAGS,
)
_AGES = re.compile(
    r"(?:\(|(?:aged?|ages) )(?:aged? |ages )?(?P<list>\d{1,2}(?: ?(?:,|&|and|/|和|、)"
    r" ?\d{1,2})*)\)?"
    r"(?: ?(?:years? old|y/?o|yrs?|岁))?",
    FLAGS,
)
_AGED = re.compile(
    rf"(?P<age>\d{{1,2}}|[一二两三四五六七八九十]{{1,2}})(?P<more>(?:岁?(?:和|、|,|&)"
    rf"(?:\d{{1,2}}|[一二三四五六七八九十]))*)岁(?:半)?(?:的|"
    rf"大)?(?P<n>{NUMBER})?个?(?:小?孩子?|小朋友|儿童|娃|宝宝|女儿|儿子|闺女)"
    r"|(?P<year>\d{1,2})[- ]years?[- ]olds?\b",
    FLAGS,
)
_INFANTS = re.compile(
    rf"(?P<n>{NUMBER})?个?(?:婴儿|宝宝|宝贝|奶娃)|(?P<e>{NUMBER}) (?:infants?|"
    rf"bab(?:y|ies)|toddlers?)\b",
    FLAGS,
)
_PARENTS = re.compile(
    r"爸妈|父母|爸爸妈妈|爹妈|公婆|岳父母|爷爷奶奶|外公外婆|\b(?:my )?(?:parents|"
    r"grandparents)\b",
    FLAGS,
)
_SENIORS = re.compile(
    rf"(?P<n>{NUMBER})个?(?:老人|长辈)|(?P<e>{NUMBER}) (?:seniors?|elderly)\b",
    FLAGS,
)
_SENIOR = re.compile(
    r"[带陪同和跟](?:着|上|我)?(?:老人|[外公]婆|外公|爷爷|奶奶|姥姥|姥爷)|老人同行|老妈|"
    r"老爸|\bmy (?:mother|mom|father|dad|grand(?:ma|pa|mother|father))\b",
    FLAGS,
)
_FAMILY = re.compile(
    rf"(?:一家|全家(?={NUMBER}口))(?P<n>{NUMBER})?口?(?=[^\d]|$)"
    rf"|family of (?P<e>{NUMBER})\b",
    FLAGS,
)
_COUPLE = re.compile(
    "情侣|夫妻|夫妇|两口子|二人世界|小两口|蜜月|和(?:女朋友|男朋友|女友|男友|老婆|"
    "老公|对象|爱人)|"
    r"\bfor two\b|"
    r"\bcouples?\b|\bhoneymoon(?:ers)?\b|\b(?:with )?my (?:wife|husband|girlfriend|"
    r"boyfriend|partner)\b",
    FLAGS,
)
_ALONE = re.compile(
    r"一个人|独自|独行|solo\b|\balone\b|\bby myself\b|单人(?!间)", FLAGS
)
_PEOPLE = re.compile(
    rf"(?<![每人均])(?P<n>{NUMBER}) ?(?:个|名|位)?人(?!均|民|工|气|多|少|\d)|"
    rf"(?P<e>{NUMBER}) (?:people|persons?|of us|friends|pax)\b",
    FLAGS,
)
_PETS = re.compile(
    rf"(?P<n>{NUMBER})?(?:只|条)?(?:狗狗?|猫咪?|宠物|毛孩子)(?!粮|咖)|"
    rf"\b(?:with )?(?:my |a |our |the )?(?P<e>{NUMBER})? ?(?:dogs?|cats?|pets?)\b",
    FLAGS,
)


def read_party(cut: Cut) -> Party | None:
    """Who an intent says will travel, taken out of it; None if it does not say."""
    adults, children = _adults_and_children(cut)
    ages = _ages(cut)
    if ages:
        children = max(children or 0, len(ages))
    infants = _count(cut, _INFANTS)
    parents = cut.take(_PARENTS)
    seniors = 2 if parents else _count(cut, _SENIORS)
    if seniors is None and cut.take(_SENIOR):
        seniors = 1
    pets = _count(cut, _PETS)
    if adults is None:
        adults = _adults_by_words(cut, children)
    party = Party(adults, children, ages, seniors, infants, pets)
    return party if party != Party() else None


def _adults_and_children(cut: Cut) -> tuple[int | None, int | None]:
    if match := cut.take(_BIG_SMALL):
        return whole(match["adults"]), whole(match["children"])
    match = cut.take(_FAMILY)
    if match is not None and (size := match["n"] or match["e"]):
        # A family is two parents and their children.
        people = whole(size) or 0
        return (2, people - 2) if 2 < people <= _MOST else (people or None, None)
    return _count(cut, _ADULTS), _count(cut, _CHILDREN)


def _adults_by_words(cut: Cut, children: int | None) -> int | None:
    if cut.take(_COUPLE):
        return 2
    if cut.take(_ALONE):
        return 1
    people = _count(cut, _PEOPLE)
    return people - (children or 0) if people and people > (children or 0) else people


def _count(cut: Cut, pattern: re.Pattern[str]) -> int | None:
    match = cut.take(pattern)
    if match is None:
        return None
    groups = match.groupdict()
    number = whole(groups.get("n") or groups.get("e") or "1")
    return number if number and number <= _MOST else None


def _ages(cut: Cut) -> tuple[int, ...]:
    match = cut.take(_AGES)
    if match is not None:
        return tuple(int(age) for age in re.findall(r"\d+", match["list"]))
    match = cut.take(_AGED)
    if match is None:
        return ()
    stated = [
        match["year"] or match["age"],
        *re.findall(r"\d+|[一-十]", match["more"] or ""),
    ]
    ages = tuple(age for text in stated if (age := whole(text)) is not None)
    return ages * (whole(match["n"]) or 1 if match["n"] and len(ages) == 1 else 1)
