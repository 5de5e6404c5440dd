"""What it may cost. A currency is never guessed from another one."""

from __future__ import annotations

import re

from engine.places.model import Budget
from engine.places.spans.numbers import AMOUNT, amount
from engine.places.spans.text import FLAGS, Cut

__all__ = ["read_budget"]

_SIGNS = (
    (r"A\$|AU\$|AUD|澳元|澳币|澳刀", "AUD"),
    (r"NZ\$|NZD|纽币|新西兰元", "NZD"),
    (r"HK\$|HKD|港币|港元|港纸", "HKD"),
    (r"S\$|SGD|新币|新加坡元", "SGD"),
    (r"C\$|CA\$|CAD|加元|加币", "CAD"),
    (r"NT\$|TWD|新台币|台币", "TWD"),
    (r"JPY|日元|日圆|日币|yen|円", "JPY"),
    (r"KRW|韩元|韩币|₩|won(?![a-z'])", "KRW"),
    (r"THB|泰铢|฿|baht", "THB"),
    (r"EUR|欧元|€|euros?", "EUR"),
    (r"GBP|英镑|£|pounds?|quid", "GBP"),
    (r"CHF|瑞郎|瑞士法郎", "CHF"),
    (r"US\$|USD|美元|美金|美刀|刀(?!削)|\$|dollars?|bucks", "USD"),
    (r"CNY|RMB|人民币|¥|元|块钱?|yuan", "CNY"),
)
_SIGN = "|".join(f"(?:{signs})" for signs, _ in _SIGNS)
_CURRENCIES = tuple((re.compile(signs, FLAGS), code) for signs, code in _SIGNS)

_LEAD = (
    "(?P<lead>(?:总|全部|全程|人均|每人|每天|每日|每晚)?的?预算(?:每人|人均|在|是|为|大概|大约|约|控制在|不超过|有限)*|"
    "人均|每人(?:每天|每晚)?|每天|每日|一天|"
    r"每晚|一晚|总共|一共|总价|花费|费用|控制在|不超过|最多|不到|低于|至少|不低于|"
    "(?:on )?(?:a |my |our |total )*budget(?: of| is|:)?|under|below|"
    "max(?:imum)?(?: of)?|up to|less than|"
    r"at most|about|around|at least|no more than|(?:for|with|spend) )"
)
_TAIL = (
    "(?P<tail>(?: ?(?:以内|之内|以下|左右|上下|封顶|以上|起|内(?!蒙)|"
    r"/?(?:每)?人均?(?:每天)?|/?(?:每)?[天日晚](?!\d)|"
    "/ ?(?:person|pp|day|night|人|天|晚|每人)|(?:per|a|each|every) (?:person|day|"
    "night|head)|per person per day|each|pp|"
    "total|in total|all[- ]in|altogether|max|budget|or less|or so|tops|的?预算|总共|"
    "一共|总预算))*)"
)
_MONEY = (
    rf"(?P<before>{_SIGN})? ?(?P<amount>{AMOUNT})(?: ?(?:-|~|–|到|至|to)"
    rf" ?(?:{_SIGN})?(?P<most>{AMOUNT}))? ?(?P<after>{_SIGN})?"
)
# In the order of how sure they are: named as money, with a sign, with a tail of money.
_PATTERNS = tuple(
    re.compile(pattern, FLAGS)
    for pattern in (
        rf"{_LEAD}[ :,.]*{_MONEY}(?![\d.]|公里|千米|km|米(?!线)|个|小时|[天日](?![/,])"
        rf"|岁|[ -]?(?:days?|nights?|people|hours?|miles?|weeks?|adults?|kids?|km)"
        rf"\b){_TAIL}",
        rf"(?P<lead>)(?P<before>{_SIGN}) ?(?P<amount>{AMOUNT})(?: ?(?:-|~|–|到|至|to)"
        rf" ?(?:{_SIGN})?(?P<most>{AMOUNT}))?(?P<after>(?: ?(?:{_SIGN}))?){_TAIL}",
        rf"(?P<lead>)(?P<before>)(?P<amount>{AMOUNT})(?: ?(?:-|~|–|到|至|to)"
        rf" ?(?P<most>{AMOUNT}))? ?(?P<after>{_SIGN})(?![a-z旦宵代]){_TAIL}",
        r"(?P<lead>)(?P<before>)(?P<amount>(?<!\d)(?<!\d\.)(?:\d[\d,]{2,15}|"
        r"\d{1,9}(?:\.\d{1,4})?[kKwW千万]\d?))"
        "(?P<most>)(?P<after>)"
        "(?P<tail> ?(?:以内|之内|预算|的预算|/人|/天|/晚|每人|一个人|每天|一天|一晚|"
        "封顶|per (?:person|day|night)| budget))",
        r"(?P<lead>)(?P<before>)(?P<amount>(?<!\d)(?<!\d\.)\d{1,9}(?:\.\d{1,4})?[万wWkK])(?P<most>)"
        r"(?P<after>)(?P<tail>)(?=$|[,。;!?\s\x1f])",
    )
)
_PERSON = re.compile(
    r"人均|每人|/ ?人|一个人|每?人(?:每天)?|per person|person|\bpp\b|per head|each",
    FLAGS,
)
_DAY = re.compile(r"每天|每日|一天|/ ?天|/ ?日|[天日]|\bday\b", FLAGS)
_NIGHT = re.compile(r"每晚|一晚|/ ?晚|晚|\bnight\b", FLAGS)
_TOTAL = re.compile(r"总|全部|全程|一共|共|\btotal\b|all[- ]in|altogether", FLAGS)
_MAX = re.compile(
    "以内|之内|以下|不超过|最多|不到|低于|封顶|控制在|内|under|below|max|up to|less|"
    "at most|no more|tops",
    FLAGS,
)
_MIN = re.compile(r"至少|不低于|以上|起|at least", FLAGS)
_ABOUT = re.compile(
    r"预算|左右|上下|大概|大约|约|about|around|budget|or so|人均|花费|费用", FLAGS
)
_LODGING = re.compile(
    r"酒店|民宿|住宿|客栈|旅馆|hotel|hostel|airbnb|房(?:间|费)", FLAGS
)
_LEAST_BARE = 50.0


def read_budget(cut: Cut, *, chinese: bool) -> Budget | None:
    """The budget that an intent states, taken out of it; None if it states none.

    A bare number is CNY in a Chinese text; in any other its currency is unknown.
    """
    whole_text = cut.text
    for pattern in _PATTERNS:
        for match in pattern.finditer(cut.text):
            budget = _budget(match, whole_text, chinese=chinese)
            if budget is not None:
                cut.remove(*match.span())
                return budget
    return None


def _budget(match: re.Match[str], text: str, *, chinese: bool) -> Budget | None:
    signs = [(match[name] or "").strip() for name in ("before", "after")]
    least, most = amount(match["amount"]), match["most"] and amount(match["most"])
    number = most or least
    if not number or (not any(signs) and number < _LEAST_BARE):
        return None
    if match["most"] and least and most and most < least * 0.01:
        return None
    currency = next(
        (
            code
            for sign in signs
            for known, code in _CURRENCIES
            if known.fullmatch(sign)
        ),
        "",
    )
    words = f"{match['lead'] or ''} {match['tail'] or ''}"
    return Budget(
        int(number) if number == int(number) else number,
        currency or ("CNY" if chinese else ""),
        _scope(words, text),
        _limit(words, ranged=bool(match["most"])),
    )


def _scope(words: str, text: str) -> str:
    person, day, night = (bool(p.search(words)) for p in (_PERSON, _DAY, _NIGHT))
    if person and day:
        return "per_person_day"
    if person:
        return "per_person"
    if night:
        return "per_night"
    if day:
        return "per_day"
    if _TOTAL.search(words):
        return "total"
    return "per_night_assumed" if _LODGING.search(text) else "total_assumed"


def _limit(words: str, *, ranged: bool) -> str:
    if _MIN.search(words):
        return "min"
    if _MAX.search(words) or ranged:
        return "max"
    return "about" if _ABOUT.search(words) else "max"
