"""The LAWs that a finished brief is held against, one check each, and why.

What a rule says and why it does stands in references/laws.md and nowhere else; here
stands how it is checked, and what the check does not see.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from engine.errors import UsageError
from engine.report.brief import (
    citing,
    discovered,
    figures,
    frame,
    shape,
    talk,
    voices,
)
from engine.report.brief.evidence import Evidence
from engine.report.brief.page import Brief, Violation, read_brief
from engine.report.clean import clip, visible_line

__all__ = ["LAWS", "Law", "Violation", "check_brief", "explain", "record", "render"]

_Check = Callable[[Brief, Evidence], Iterator[Violation]]

_PAGE = Path(__file__).resolve().parents[3] / "references" / "laws.md"
_SHOWN = 160

_SECTION = re.compile(r"^## (LAW \d+): (.+)\n((?:(?!## ).*\n)*)", re.MULTILINE)
_PART = re.compile(r"^- (Rule|Reason): ((?:.|\n(?!- |\n|```))+)", re.MULTILINE)
_BULLET = re.compile(r"^- \*\*(.+?)\.\*\* ((?:.|\n(?!- |\n))+)", re.MULTILINE)


class Law(NamedTuple):
    """How a rule is checked, what its check does not see, and the checks.

    `bold` is what its paragraph in references/laws.md begins with if it has no number.
    """

    how: str
    blind: str
    checks: tuple[_Check, ...] = ()
    bold: str = ""


LAWS: Mapping[str, Law] = {
    "LAW 1": Law(
        "no line that heads a list of sources, in some fifteen languages, and not two "
        "lines of hardly more than a link before or behind the footer",
        "a list that is spread over sentences",
        (frame.source_list,),
    ),
    "LAW 2": Law(
        "the first line is the badge of this artifact, the second is empty, the third "
        "is the opening",
        "a title in bold further down",
        (frame.opening,),
    ),
    "LAW 3": Law(
        "neither dash outside quotes, block quotes and code, but one that belongs to "
        "the topic or to a title that labels its link",
        "two hyphens in a row; quotes between straight single marks count as prose",
        (shape.dashes,),
    ),
    "LAW 4": Law(
        "no heading of Markdown or HTML; from three solid items on the line KEY "
        "PATTERNS with at least two numbered entries; a comparison has its headings, "
        "all of them, in their order",
        "whether paragraphs begin with a bold lead-in",
        (shape.headings,),
    ),
    "LAW 5": Law(
        "the last lines are the footer of this artifact, nothing stands behind them, "
        "and no other line has its signs or counts what was analysed",
        "statistics that no such word goes with",
        (frame.ending,),
    ),
    "LAW 6": Law(
        "no line in the form of the envelope's: ranks, clusters, relevance, marks; no "
        "three list entries that are a post's own words and nothing else",
        "copied posts with a word of the writer's own in them",
        (shape.dump,),
    ),
    "LAW 7": Law("in the envelope, which says when a run had no plan", "all of it"),
    "LAW 8": Law(
        "each address is that of an item or a comment, or one that an item links to, "
        "sign by sign; a label names no other account, place, site or source than that "
        "of its item",
        "whether the post proves the sentence; a label in plain words",
        (citing.links,),
    ),
    "LAW 9": Law(
        "two of the evidence's authors are named, or the one that it has, and in a "
        "comparison one from each side; nobody is named by an @ or u/ of whom the "
        "evidence knows nothing; quoted words "
        "are those of whom the sentence names or links, left-out words and "
        "translations marked as such; no sentence about the engine",
        "whether a paraphrase is fair; which of two people in one sentence said it; "
        "names without a sign; one or two words of another; straight single marks",
        (
            voices.attributions,
            voices.strangers,
            voices.quoted_words,
            talk.engine_talk,
        ),
    ),
    "LAW 10": Law(
        "if handles were named with --x-handle and posts of theirs found, the first "
        "finding links or quotes one",
        "people whose handle was not given to the engine",
        (voices.own_posts_first,),
    ),
    "LAW 11": Law(
        "the brief of a discovery is, line by line, the one that its last leg printed; "
        "no other LAW is checked then",
        "whether an angle says more than the evidence; how well was judged",
        (discovered.verbatim,),
    ),
    "numbers": Law(
        "each number with a unit of engagement, a percent sign or a currency is in a "
        "text or count of the evidence, exact or rounded as the envelope rounds",
        "whether it is the number of that very post; numbers in words, of dates, "
        "people, minutes, kilometres and the like",
        (figures.figures,),
        bold="Numbers come from the evidence",
    ),
    "coverage": Law(
        "no sentence calls a source silent that failed, was not set up or not asked: "
        "in English, Chinese, Spanish, German, French and Japanese",
        "a source that was seen in part; silence in other words or languages, or by "
        "saying that only another source talked; what people of an unseen source are "
        "said to think",
        (talk.claimed_silence,),
        bold="A failed source was not seen",
    ),
    "data": Law(
        "with the links of LAW 8: an address that only stands in a post's text is none "
        "that may be passed on",
        "whether a sentence follows what a post orders",
        bold="Evidence is data",
    ),
}  # fmt: skip


def check_brief(text: str, artifact: Mapping[str, Any]) -> list[Violation]:
    """Hold a brief against the LAWs.

    Args:
        text: the brief, Markdown.
        artifact: the record of the run that it is about.

    Returns:
        The violations by their lines; none if the brief may be sent.
    """
    evidence = Evidence(artifact)
    brief = read_brief(text, frame.footers(evidence), evidence.urls)
    # What the engine itself wrote needs no other check than that it is still that.
    laws = [LAWS["LAW 11"]] if "discovery" in artifact else LAWS.values()
    found = (
        violation._replace(
            text=clip(visible_line(violation.text), _SHOWN),
            fix=visible_line(violation.fix),
        )
        for law in laws
        for check in law.checks
        for violation in check(brief, evidence)
    )
    return sorted(found, key=lambda violation: violation.line)


def record(violations: list[Violation], *, brief: str, artifact: str) -> dict[str, Any]:
    """The violations as schemas/brief_check.schema.json describes them."""
    return {
        "schema_version": 1,
        "tool": "check_brief",
        "brief": brief,
        "artifact": artifact,
        "violations": [violation._asdict() for violation in violations],
    }


def render(violations: list[Violation], *, brief: str) -> str:
    """The violations as text: where, what, and what to do."""
    if not violations:
        return f"{visible_line(brief)}: no violations\n"
    one = len(violations) == 1
    lines = [f"{visible_line(brief)}: {len(violations)} violation{'' if one else 's'}"]
    for law, line, text, fix in violations:
        lines += [f"line {line}: {law}: {text}", f"    {fix}"]
    return "\n".join(lines) + "\n"


def explain(name: str) -> str:
    """What a LAW says, why, how it is checked, and what the check does not see.

    Args:
        name: "LAW 8", "law8", "8", "numbers", "coverage" or "data".

    Raises:
        UsageError: there is no such LAW.
    """
    key = re.sub(r"^(?:law)?\s*(\d+)$", r"LAW \1", name.strip(), flags=re.IGNORECASE)
    law = LAWS.get(key if key.startswith("LAW") else key.lower())
    if law is None:
        raise UsageError(f"--explain {name}: give one of {', '.join(LAWS)}")
    key = next(known for known, one in LAWS.items() if one is law)
    said = _paragraphs()[law.bold or key]
    return f"{key}: {said}\nChecked: {law.how}.\nNot seen: {law.blind}.\n"


@cache
def _paragraphs() -> dict[str, str]:
    """What references/laws.md says, by number or first words."""
    page = _PAGE.read_text(encoding="utf-8")
    found = {}
    for key, title, body in _SECTION.findall(page):
        parts = ((part, " ".join(text.split())) for part, text in _PART.findall(body))
        found[key] = "\n".join([title, *(f"{part}: {text}" for part, text in parts)])
    for bold, text in _BULLET.findall(page):
        found[bold] = f"{bold}\nRule: {' '.join(text.split())}"
    return found
