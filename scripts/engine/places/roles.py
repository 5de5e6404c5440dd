"""What each named place is in an intent: where to, from where, or not at all."""

from __future__ import annotations

import re
from typing import NamedTuple

from engine.places.lookup.china import inside
from engine.places.lookup.find import Mention
from engine.places.lookup.senses import home_of
from engine.places.spans.text import FLAGS, GAP

__all__ = ["Roles", "assign"]


class Roles(NamedTuple):
    """The places of an intent by what they are in it.

    `relation` is in, around, from, route, choose or unknown.
    """

    centers: tuple[Mention, ...] = ()
    origin: Mention | None = None
    excluded: tuple[Mention, ...] = ()
    relation: str = "unknown"


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(text, FLAGS)


_OUT_BEFORE = _pattern(
    "(?:不(?:想|要|打算|考虑|用)?(?:再)?去|别去|不去|避开|避免|绕开|除了?|除去|排除|"
    "不含|不包括|(?:不要|别)(?:再)?(?:推荐|安排)?|(?<!是)不是(?:想)?去|去过|玩过|"
    r"\b(?:not|avoid(?:ing)?|except(?: for)?|excluding|skip(?:ping)?|other than|"
    "besides|"
    r"don'?t want(?: to (?:go to|visit|see))?|been to|done|no)(?: to)?(?: the)? )$"
)
# 江西不去庐山 leaves out what follows, 庐山不去 what stands before.
_OUT_AFTER = _pattern(
    r"^(?:以外|之外|除外|外的|(?:就)?算了|(?:都|已经|我们?|之前|以前)*(?:去|玩)过|"
    r" excluded|"
    rf"就?(?:不去|不考虑)了?吧?(?=$|[,。;!?、{GAP}]))"
)
_PAST_BEFORE = _pattern(
    "(?:(?:上周末?|上次|上个?月|上个?星期|去年|前年|刚刚?|之前|以前|前几天|昨天)"
    "[^,。]{0,6}?(?:去|玩|到|从)(?:了|过)?|去了|"
    r"像|类似(?:于)?|好比|不比|\b(?:similar to|something like|just like|as in|loved|"
    "went to|"
    r"(?:last (?:week|month|year)|recently)[^,.]{0,20}) )$"
)
_PAST_AFTER = _pattern(r"^(?:一样|那样|那种|那么|似的|回来|差不多)")
_FROM_BEFORE = _pattern(
    r"(?:从|由|(?<!来)自|人在|我在|家在|住在|坐标|"
    r"\b(?:from|leaving(?: from)?|depart(?:ing|ure)?(?: from)?|start(?:ing)?(?: in|"
    " from| at)|based in|live in|out of) )$"
)
_FROM_AFTER = _pattern(
    "^(?:市区?|这边|本地)?(?:出发|起飞|始发|启程|动身|开车去|自驾去|坐高铁去|"
    "飞(?!机)|人(?=[,去想])|周边游出发| based)"
)
_NEAR_BEFORE = _pattern(
    r"(?:离|距|距离|靠近|环绕|围绕|\b(?:near(?:by)?|around|outside(?: of)?|close to|"
    "surrounding|surroundings of|of) )$"
)
_NEAR_AFTER = _pattern(
    "^(?:市区?|城区?|这边|老家)?的?(?:附近|周边|周围|四周|一带|近郊|郊区|郊外|城郊|"
    r"外围|往外| area\b| region\b| surroundings| and (?:around|surroundings|nearby))"
)
_NEAR_ANYWHERE = _pattern(r"附近|周边|周围|近郊|\bnearby\b|\bin the area\b")
_OR = _pattern(r"^(?:市|省)?[,、 ]*(?:或者?|还是|or|vs\.?|/)[,、 ]*(?:去|是|to )?$")
_AND = _pattern(
    r"^(?:市|省)?[,、 ]*(?:和|与|跟|及|以及|、|,|&|\+|and|or|或者?)?[,、 ]*(?:去)?$"
)
_CHOOSE = _pattern(
    r"二选一|三选一|选一个|选哪个?|哪个(?:更)?好|哪里(?:更)?好|\bwhich (?:one|"
    r"is better)\b|\beither\b"
)
_CHAIN = _pattern(
    "^(?:市|省)?(?:再|然后)?(?: ?(?:-+|—+|→|>|~|到|至| to |再到|去|再去|往)"
    " ?)+(?:then )?$"
)
_TRAVEL = _pattern(
    r"自驾|骑行|骑车|环线|环游|沿途|沿线|一路|路线|穿越|途经|途径|经过|大环|小环|徒步|"
    r"\broad ?trip\b|\bdriv(?:e|ing)\b|\broute\b|\bcycl(?:e|ing)\b|\bvia\b|\balong\b|"
    r"\bitinerary\b"
)


# How far from a name the words that give it its part may stand.
_NEARBY = 30


def assign(text: str, mentions: list[Mention], *, has_radius: bool) -> Roles:
    """Say what every mentioned place is.

    Args:
        text: the text in which they stand, with gaps where something was cut out.
        mentions: in the order of the text.
        has_radius: whether the text states a radius.
    """
    out: list[Mention] = []
    centers: list[Mention] = []
    origin: Mention | None = None
    near = False
    for i, mention in enumerate(mentions):
        before = text[max(0, mention.start - _NEARBY) : mention.start]
        after = text[mention.end : mention.end + _NEARBY]
        follows = (
            i > 0
            and mentions[i - 1] in out
            and _goes_on(text, *mentions[i - 1 : i + 1])
        )
        if follows or _OUT_BEFORE.search(before) or _OUT_AFTER.search(after):
            out.append(mention)
        elif _PAST_BEFORE.search(before) or _PAST_AFTER.search(after):
            continue
        elif origin is None and (
            _FROM_BEFORE.search(before) or _FROM_AFTER.search(after)
        ):
            origin = mention
        else:
            centers.append(mention)
            near = near or bool(
                _NEAR_BEFORE.search(before) or _NEAR_AFTER.search(after)
            )
    kept = _distinct(centers)
    near = near or bool(_NEAR_ANYWHERE.search(text)) or (has_radius and origin is None)
    relation = _relation(text, kept, origin, near=near)
    return Roles(tuple(kept), origin, tuple(out), relation)


def _goes_on(text: str, last: Mention, mention: Mention) -> bool:
    """Whether a place belongs to the list of those left out before it: 大理、丽江."""
    between = text[last.end : mention.start]
    around = inside(home_of(last.best.center), mention.best.center.adcode)
    # 不去北京,去天津 says where to go instead.
    listed = not between or between.strip(" ,") not in ("", "去")
    return bool(listed and _AND.search(between)) and not around


def _distinct(centers: list[Mention]) -> list[Mention]:
    """Each place once, and no larger one around it: in 云南, 丽江 it is 丽江."""
    kept: list[Mention] = []
    for mention in centers:
        code = mention.best.center.adcode
        inner = any(
            inside(home_of(other.best.center), code)
            and other.best.center.name != mention.best.center.name
            for other in centers
        )
        country = mention.best.center.level == "country" and any(
            other.best.center.country == mention.best.center.country
            and other is not mention
            for other in centers
        )
        known = any(
            other.best.center.name == mention.best.center.name for other in kept
        )
        if not (inner or country or known):
            kept.append(mention)
    return kept


def _relation(
    text: str, centers: list[Mention], origin: Mention | None, *, near: bool
) -> str:
    between = [
        text[a.end : b.start].strip(GAP)
        for a, b in zip(centers, centers[1:], strict=False)
    ]
    if any(_OR.search(words) for words in between) or (
        len(centers) > 1 and _CHOOSE.search(text)
    ):
        return "choose"
    if between and all(_CHAIN.search(words) for words in between):
        return "route"
    if origin is not None and centers and _TRAVEL.search(text):
        return "route"
    if origin is not None and not centers:
        return "from"
    if near:
        return "around"
    return "in" if centers else "unknown"
