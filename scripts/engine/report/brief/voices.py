"""People: they are cited by name, in their own words, the subject before the others."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from engine.report.brief.evidence import Evidence, Voice
from engine.report.brief.links import without_links
from engine.report.brief.page import PATTERNS, Brief, Span, Violation
from engine.report.brief.quotes import Quote
from engine.report.brief.saying import is_short, occurs, parts_of_quote, plain
from engine.report.groups import is_solid

__all__ = ["attributions", "own_posts_first", "quoted_words", "strangers"]

_WANTED = 2
# A translation is marked within so many characters of the quote.
_NEAR = 80
_AT = re.compile(r"^(?:@|/?u/)")
# A slash behind it makes it part of the name of a package.
_CALLED = re.compile(r"(?<![\w/@.])(?:@|/?u/)([\w.-]*\w)(?![\w/])")
_ASCII = re.compile(r"[\w.-]*", re.ASCII)
_TRANSLATED = re.compile(
    r"[(（\[][^()（）\[\]]{0,30}(?:translat|tradu[cçzi]|tradott|übersetz|vertaald"
    r"|перев|ترجم|译|譯|訳|翻訳|번역|çevir|tłum)[^()（）\[\]]{0,40}[)）\]]",
    re.IGNORECASE,
)
_CITED = re.compile(r"^ {0,3}>[ \t]?(.*)$", re.MULTILINE)
_SIGNATURE = re.compile(r"(?:^|\s+)[-\u2012-\u2015~]+\s*(?:\[|@|u/|\w).{0,80}$")


def attributions(brief: Brief, evidence: Evidence) -> Iterator[Violation]:
    """LAW 9: two people are cited by name, where the evidence has two."""
    solid = (said for said in evidence.authors.values() if _is_any_solid(said))
    wanted = min(_WANTED, sum(1 for _ in solid))
    found: set[tuple[str, str]] = set()
    for paragraph in brief.paragraphs:
        named = evidence.named_in(brief.own[slice(*paragraph)])
        for link in brief.links:
            if not paragraph.holds(link.start):
                continue
            label = _AT.sub("", link.label.strip(" *_").lower())
            for voice in evidence.by_url.get(link.url, ()):
                who = (voice.handle or voice.name).lower()
                called = {voice.handle.lower(), voice.name.lower()} - {""}
                if who and (who in named or label in called):
                    found.add((who, link.url))
                # A comment without an address of its own is cited by its thread's.
                found.update((p, link.url) for p in voice.people if p == label)
        known = {who for who, _ in found}
        found.update((who, "") for who in named - known)
    if len(found) >= wanted:
        yield from _unheard_sides(brief, evidence, {who for who, _ in found})
    else:
        fix = (
            f"cite {wanted} by name, each with the link to the post or comment; "
            f"named so far: {', '.join(sorted(who for who, _ in found)) or 'nobody'}"
        )
        first = brief.line_of(brief.body.start)
        yield Violation("LAW 9", first, "too few people are cited", fix)


def strangers(brief: Brief, evidence: Evidence) -> Iterator[Violation]:
    """LAW 9: no account is named of which the evidence knows nothing."""
    labels = [Span(link.start, link.url_start) for link in brief.links]
    for match in _CALLED.finditer(brief.own, brief.body.start, brief.body.end):
        # What a label names is for LAW 8.
        if any(label.holds(match.start()) for label in labels):
            continue
        called = match[1].lower()
        # Scripts without blanks go on right behind a name.
        start = _ASCII.match(called)
        ways = {called, start[0] if start else ""} - {""}
        if not any(evidence.knows(way) for way in ways):
            fix = "the evidence has nobody of that name: name its authors only"
            yield brief.at("LAW 9", match.start(), match[0], fix)


def _unheard_sides(
    brief: Brief, evidence: Evidence, cited: set[str]
) -> Iterator[Violation]:
    """In a comparison each side has a voice, where the evidence has one."""
    heard = {v.item.get("side") for who in cited for v in evidence.authors.get(who, ())}
    for side in evidence.record["sides"]:
        there = [v for v in evidence.voices if v.item.get("side") == side]
        if side not in heard and any(v.handle or v.name for v in there):
            fix = f"cite somebody by name from the side {side}"
            first = brief.line_of(brief.body.start)
            yield Violation("LAW 9", first, "one side has no voice", fix)


def _is_any_solid(voices: Iterable[Voice]) -> bool:
    return any(is_solid(voice.item) for voice in voices)


def quoted_words(brief: Brief, evidence: Evidence) -> Iterator[Violation]:
    """LAW 9: what stands in quotes was said, and by those whom its sentence names."""
    cited: dict[Span, list[Voice]] = {}
    for quote in brief.quotes:
        sentence = brief.sentence_at(quote.start)
        first = max(sentence.start, quote.start - _NEAR)
        marked = _TRANSLATED.search(brief.text[first : quote.end + _NEAR])
        if not quote.is_title and not marked:
            if sentence not in cited:
                cited[sentence] = _cited(brief, sentence, evidence)
            yield from _checked(brief, quote, cited[sentence], evidence)
    for match in _CITED.finditer(brief.text, brief.body.start, brief.body.end):
        words = _SIGNATURE.sub("", match[1])
        quote = Quote(words, match.start(), match.end(), False)
        if not _TRANSLATED.search(match[1]):
            yield from _checked(brief, quote, (), evidence)


def _cited(brief: Brief, sentence: Span, evidence: Evidence) -> list[Voice]:
    """Those whom a sentence names or links to."""
    found = [
        voice
        for link in brief.links
        if sentence.holds(link.start)
        for voice in evidence.by_url.get(link.url, ())
    ]
    for who in evidence.named_in(brief.own[slice(*sentence)]):
        found += evidence.authors[who]
    return found


def _checked(
    brief: Brief, quote: Quote, cited: Sequence[Voice], evidence: Evidence
) -> Iterator[Violation]:
    words = without_links(quote.text)
    pieces = parts_of_quote(words)
    short = is_short(plain(words))
    if not pieces or occurs(pieces, evidence.topic) or (short and not cited):
        return
    if any(occurs(pieces, voice.said) for voice in cited):
        return
    others = [voice for voice in evidence.voices if occurs(pieces, voice.said)]
    if others and (short or not cited):
        return
    fix = "no post or comment says so: quote the words as they stand, or drop the marks"
    if others:
        # A comment says less than the item that holds it, and nearer.
        other = min(others, key=lambda voice: len(voice.said))
        who = other.handle or other.name or other.item["url"]
        fix = f"these words are {who}'s: name and link the one who said them"
    yield brief.at("LAW 9", quote.start, quote.text, fix)


def own_posts_first(brief: Brief, evidence: Evidence) -> Iterator[Violation]:
    """LAW 10: the first finding links or quotes the person whom the topic is about."""
    own = [v for v in evidence.voices if _is_own(v, evidence)]
    if not brief.paragraphs or not _is_any_solid(own):
        return
    first = _first_finding(brief)
    urls = {voice.item["url"] for voice in own}
    if any(first.holds(link.start) and link.url in urls for link in brief.links):
        return
    for quote in brief.quotes:
        pieces = parts_of_quote(without_links(quote.text))
        said = any(occurs(pieces, voice.said) for voice in own)
        if first.holds(quote.start) and pieces and said:
            return
    who = own[0].handle
    fix = f"begin with what @{who} posted, quoted or linked, before what others report"
    shown = brief.text[first.start : first.end].strip()
    yield brief.at("LAW 10", first.start, shown, fix)


def _is_own(voice: Voice, evidence: Evidence) -> bool:
    by_subject = voice.item["author_handle"].lower() in evidence.explicit
    return by_subject and voice.handle == voice.item["author_handle"].lstrip("@")


def _first_finding(brief: Brief) -> Span:
    """All up to the end of the first paragraph that begins with a bold lead-in."""
    start = brief.paragraphs[0].start
    for number, paragraph in enumerate(brief.paragraphs):
        text = brief.text[slice(*paragraph)].strip()
        if text.strip("*_ ") == PATTERNS:
            break
        if text.startswith("**"):
            # The lead-in may stand on a line of its own.
            alone = text.endswith("**") and text.count("**") == 2
            last = brief.paragraphs[min(number + alone, len(brief.paragraphs) - 1)]
            return Span(start, last.end)
    return Span(start, brief.paragraphs[0].end)
