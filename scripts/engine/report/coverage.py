"""Coverage: what was seen and what was not, and what to know before the evidence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from engine.report.clean import clean_line, clip
from engine.report.counts import counted
from engine.report.lines import NAME_LENGTH, name, size
from engine.report.seen import items_shown, not_seen

__all__ = ["notes", "verdict"]

_LINE_LENGTH = 240
# Room for the fixes of every way to reach one source.
_FIXES_LENGTH = 400
# What a reader must know before anything else.
_FIRST = frozenset(("no-plan",))


def verdict(record: Mapping[str, Any], length: int) -> str:
    """One line on all sources.

    Args:
        record: an artifact.
        length: the most characters of a detail; of several sources it has none, since
            those stand in the notes.
    """
    statuses = record["source_status"]
    if len(statuses) > 1:
        return _verdict_of_many(record)
    parts = []
    for source, status in statuses.items():
        shown = len(items_shown(record, source))
        detail = clip(clean_line(status["detail"]), length)
        part = f"{source} {status['state']}, {counted(shown, 'items')}"
        parts.append(f"{part} ({detail})" if detail else part)
    return "; ".join(parts) + "."


def _verdict_of_many(record: Mapping[str, Any]) -> str:
    seen, below, silent, unseen, not_asked = [], [], [], [], []
    for source, status in record["source_status"].items():
        state, shown = status["state"], len(items_shown(record, source))
        if state == "not-asked":
            not_asked.append(source)
        elif shown:
            seen.append(f"{source} {shown}" + (" (partial)" if state != "ok" else ""))
        elif state == "ok":
            below.append(source)
        elif not_seen(state):
            unseen.append(f"{source} ({state})")
        else:
            silent.append(source)
    groups = (
        ("items from", seen),
        ("ranked below these all from", below),
        ("nothing found by", silent),
        ("NOT SEEN", unseen),
        ("not asked", not_asked),
    )
    parts = (f"{title} {', '.join(names)}" for title, names in groups if names)
    return "; ".join(parts) + "."


def notes(record: Mapping[str, Any], room: int) -> list[str]:
    """What the reader must know before the evidence, the most important first.

    Args:
        record: an artifact.
        room: the most bytes; what does not fit is counted.
    """
    warnings = record["_warnings"]
    lines = [_note(w["message"]) for w in warnings if w["code"] in _FIRST]
    lines += _not_seen(record)
    lines += [_note(w["message"]) for w in warnings if w["code"] not in _FIRST]
    if x := record["x"]:
        unseen = not_seen(record["source_status"]["x"]["state"])
        # What could not be seen was not judged either.
        first = 1 if unseen and not x["judgment"]["retrieved"] else 0
        many = len(record["source_status"]) > 1
        lines += _steps(x)[first : 1 if many else None]
    kept: list[str] = []
    for line in lines:
        if size([*kept, line]) > room:
            kept.append(f"! {len(lines) - len(kept)} more notes are in the artifact")
            break
        kept.append(line)
    return kept


def _note(text: str, length: int = _LINE_LENGTH) -> str:
    return f"! {clip(clean_line(text), length)}"


def _not_seen(record: Mapping[str, Any]) -> list[str]:
    """What failed, each with its way out."""
    statuses = record["source_status"]
    if len(statuses) == 1:
        return [
            f"! {source}: {clip(clean_line(line), _LINE_LENGTH)}"
            for source, status in statuses.items()
            for line in status["fix"].splitlines()
        ]
    lines = [
        _note(
            f"{source} {s['state']}: " + _sentence((s["detail"], s["fix"])),
            _FIXES_LENGTH,
        )
        for source, s in statuses.items()
        if not_seen(s["state"])
    ]
    if not lines:
        return []
    asked = sum(status["state"] != "not-asked" for status in statuses.values())
    head = (
        f"Partial Coverage: {len(lines)} of {asked} sources could not be seen "
        "in full. Do not read a failed source as no discussion."
    )
    return [head, *lines]


def _sentence(parts: Iterable[str]) -> str:
    return "; ".join("; ".join(part.splitlines()) for part in parts if part)


def _steps(x: Mapping[str, Any]) -> list[str]:
    """What the loop did, so that a reader can follow it."""
    first, handles = x["judgment"], x["handles"]
    flood = ", a flood" if first["is_off_topic_flood"] else ""
    share = f"{first['on_topic_ratio']:.0%} on topic{flood}"
    step = (
        f"X judged {first['retrieved']}: {share if first['retrieved'] else 'nothing'}"
    )
    lines = [step + _retry(x)]
    named = handles["explicit"] + handles["related"]
    if named:
        lines.append(f"Named: {' '.join(map(_at, named[:10]))}")
    if handles["promoted"]:
        lines.append(f"Promoted: {' '.join(map(_at, handles['promoted']))}")
    refused = [r for r in handles["refused"] if r["total"] > 1][:5]
    if refused:
        shown = (f"{_at(r['handle'])} {r['on_topic']} of {r['total']}" for r in refused)
        lines.append("Refused: " + ", ".join(shown))
    return lines


def _retry(x: Mapping[str, Any]) -> str:
    retry, before = x["retry"], x["judgment"]["on_topic_ratio"]
    if not retry["attempted"]:
        return ""
    if retry["reason"] == "thin":
        return f"; one retry for more: {'adopted' if retry['adopted'] else 'nothing'}"
    after = retry["on_topic_ratio"]
    if after is None:
        return "; one retry without the flood: nothing"
    verb = "adopted" if retry["adopted"] else "not adopted"
    return f"; one retry without the flood {before:.0%} -> {after:.0%}, {verb}"


def _at(handle: str) -> str:
    return f"@{name(handle, NAME_LENGTH)}"
