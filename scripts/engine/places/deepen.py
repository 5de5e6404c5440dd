"""Deep reading: the whole text of the best notes, and the comments of the very best.

By turns of the candidates, so that one famous place does not eat up what may be read.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.errors import SourceError
from engine.places import asking
from engine.places.model import Note
from engine.places.rank import with_comments, with_detail
from engine.places.tools import NotAskedError, Tool

__all__ = ["deepen"]


def deepen(
    notes: Sequence[Note],
    tool: Tool,
    read: dict[str, Note],
    *,
    texts: int,
    comments: int,
    comment_call: str,
) -> None:
    """Read notes, and put those that were read into `read`, by their id.

    Args:
        notes: by turns of their places, the best first.
        texts: the most to read.
        comments: the most whose comments are read too.
        comment_call: the connector's call for comments.
    """
    keep = comments * tool.connector.calls[comment_call].most
    for note in notes:
        if len(read) == texts:
            break
        if note.full_text or note.source != tool.connector.name:
            continue
        try:
            told = _detail(tool, note, keep)
        except NotAskedError:
            break
        if told is not None:
            read[note.note_id] = told
    commented = [n for n in notes if n.comments != 0 and not n.top_comments]
    for note in commented[:comments]:
        known = read.get(note.note_id, note)
        try:
            if _openable(tool, known, comment_call):
                told_comments = asking.comments(tool, known, comment_call)
                read[note.note_id] = with_comments(known, told_comments)
        except NotAskedError:
            break
        except SourceError:
            # Comments are an extra, which the service gives or does not.
            continue


def _detail(tool: Tool, note: Note, keep: int) -> Note | None:
    """A note with its text; None if that cannot be had.

    Raises:
        NotAskedError: nor can that of any other be.
    """
    if not _openable(tool, note, "read"):
        return None
    try:
        told = asking.detail(tool, note, keep=keep)
    except NotAskedError:
        raise
    except SourceError:
        return None
    return with_detail(note, told) if told else None


def _openable(tool: Tool, note: Note, call: str) -> bool:
    """Whether a note can be opened: one of the cache lacks its token by now."""
    return bool(note.token) or tool.kept(call, {"id": note.note_id}) is not None
