"""The text of an intent: brought into one form, and cut piece by piece."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from engine.places.lookup.text import HAN, has_han, simplify

__all__ = ["FLAGS", "GAP", "Cut", "is_latin", "language", "normalize", "without_orders"]

FLAGS = re.IGNORECASE | re.ASCII
"""For patterns of words: to ASCII a Chinese character ends an English word."""

GAP = "\x1f"
"""What stands where something was cut out; it parts what was beside it."""
_MASK = "\ue000"

_BLANKS_BY_HAN = re.compile(f"(?<=[{HAN}])\\s+|\\s+(?=[{HAN}])")
_EDGES = " \n,。.!~、;-—…"
_LATIN = re.compile("[A-Za-z\u00c0-\u024f]")
_POLITE = re.compile(
    r"(?:谢谢(?:你|您|啦|了)?|多谢|感谢|拜托(?:了)?|麻烦(?:你|您)?(?:了)?|"
    r"\b(?:thank you|thanks|please|pls|thx)\b(?: (?:so|very) much)?)[!。.~]*",
    FLAGS,
)
_SENTENCE = re.compile(r"(?<=[。！？!?;；\n])|(?<=\. )")
_ORDERS = re.compile(
    "(?:忽略|无视|忘记|忘掉|不要理会|跳过).{0,12}(?:指令|指示|提示|规则|要求|命令|"
    "设定|内容)"
    r"|(?:ignore|disregard|forget|override)\b.{0,40}"
    r"\b(?:instructions?|prompts?|rules?|above|previous|commands?)"
    r"|系统提示|提示词|system ?prompt|developer mode|you are now|(?:act|pretend) as\b"
    r"|\brm +-\w*|\bsudo\b|\bchmod\b|\b(?:curl|wget) +\S|\beval\(|\bexec\(|"
    r"\bimport os\b"
    r"|\bdrop table\b|\bselect \* from\b|<\s*/?(?:script|system|iframe)\b"
    r"|\$\(|\{\{|\$\{|`[^`]+`|\|\s*(?:ba)?sh\b|&&|\.\./|~/|/etc/|/root\b|/home/"
    r"|id_rsa|\.ssh\b|\.env\b|\bapi[_ -]?key\b|密码|口令|私钥"
    r"|(?:执行|运行|写进|写入|读取|打开|删除).{0,20}(?:文件|命令|脚本|代码|\.json|"
    r"\.py|\.sh)"
    r"|\b(?:run|execute|read|write|delete|print|reveal)\b.{0,30}\b(?:files?|"
    r"commands?|scripts?|shell|secrets?)\b"
    r"|(?:^|\s)--[a-z][a-z-]+(?:[= ]|$)",
    FLAGS,
)


def normalize(text: str) -> str:
    """One form for texts that say the same.

    NFKC, simplified characters, no control characters, emoji or polite words, no blanks
    beside Chinese characters, single ones elsewhere.
    """
    kept = (
        char if char == "\n" or unicodedata.category(char)[0] not in "CM" else " "
        for char in simplify(unicodedata.normalize("NFKC", text))
        if not _is_decoration(char)
    )
    text = _POLITE.sub(" ", "".join(kept))
    text = re.sub(r"[^\S\n]+", " ", text)
    return _BLANKS_BY_HAN.sub("", text).strip(_EDGES)


def _is_decoration(char: str) -> bool:
    """Emoji with their skins and joiners, and what is invisible."""
    category = unicodedata.category(char)
    skin = category == "Sk" and char > "\uffff"
    return skin or category in ("So", "Cf", "Cs", "Mn", "Me")


def without_orders(text: str) -> tuple[str, bool]:
    """The text without what reads as an order to a program, and whether there was any.

    From such an order on the rest of its sentence goes too: what it speaks of is no
    wish of a traveller.
    """
    kept: list[str] = []
    found = False
    for sentence in _SENTENCE.split(text):
        order = _ORDERS.search(sentence)
        found = found or order is not None
        kept.append(sentence[: order.start()] if order else sentence)
    return "".join(kept), found


def language(text: str) -> str:
    """zh, en, mixed or other, by the characters that the text is written in."""
    han, latin = has_han(text), is_latin(text)
    if han and latin:
        words = len(re.findall(r"[A-Za-z]{3,}", text))
        return "mixed" if words else "zh"
    return "zh" if han else "en" if latin else "other"


def is_latin(text: str) -> bool:
    """Whether a Latin letter is in the text."""
    return _LATIN.search(text) is not None


class Cut:
    """A text of which parts are taken out one after another.

    `text` keeps its length: what is taken is replaced by gaps. Where a name is covered,
    patterns do not see it until it is uncovered.
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._covered: dict[int, str] = {}

    def cover(self, spans: Iterable[tuple[int, int]]) -> None:
        """Hide names that hold numbers from the patterns of numbers."""
        for start, end in spans:
            for i in range(start, end):
                self._covered[i] = self.text[i]
            self.text = self.text[:start] + _MASK * (end - start) + self.text[end:]

    def uncover(self) -> None:
        """Show the names again."""
        self.text = "".join(
            self._covered.get(i, char) for i, char in enumerate(self.text)
        )
        self._covered.clear()

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """The first match of a pattern, which is cut out."""
        match = pattern.search(self.text)
        if match is not None:
            self.remove(*match.span())
        return match

    def take_all(self, pattern: re.Pattern[str]) -> bool:
        """Cut out every match of a pattern; whether there was any."""
        before = self.text
        self.text = pattern.sub(lambda match: GAP * len(match[0]), before)
        return self.text != before

    def remove(self, start: int, end: int) -> None:
        """Cut out a span."""
        self.text = self.text[:start] + GAP * (end - start) + self.text[end:]
