"""HTML in which everything is escaped that is not markup by its type."""

from __future__ import annotations

from html import escape

from engine.report.clean import clean_line

__all__ = ["Markup", "tag"]


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


def tag(name: str, *parts: str, **attributes: str) -> Markup:
    """An element.

    Args:
        name: of the element.
        parts: what is in it; a string that is no `Markup` is cleaned and escaped.
        attributes: escaped too, left out if empty; `class_` is class, `a_b` is a-b.
    """
    given = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(clean_line(value))}"'
        for key, value in attributes.items()
        if value
    )
    return Markup(f"<{name}{given}>{''.join(map(_shown, parts))}</{name}>")


def _shown(part: str) -> str:
    if isinstance(part, Markup):
        return part
    return escape("\n".join(map(clean_line, part.splitlines())))
