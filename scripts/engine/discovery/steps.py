"""Steps: a leg with its files, from what the host wrote to what it is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from engine.discovery import digest, handoff, queue
from engine.discovery.judgments import angles, by_heuristic, judge, read_handoff
from engine.discovery.legs import finalize, infos, nominations, research
from engine.discovery.model import DEMO, Bundle
from engine.discovery.record import bundle_record, read_bundle
from engine.errors import UsageError
from engine.io import IO
from engine.model import Warning
from engine.report.artifact import slug
from engine.report.rising import rising
from engine.report.save import save
from engine.research import Progress
from engine.settings import Settings
from engine.sources.base import RiverAsk

__all__ = ["Output", "World", "judged", "nominate", "once", "read_judged", "tell"]


class World(NamedTuple):
    """What a leg that asks the services has: `notes` is where `io.warn` puts its
    warnings, `folder` that of `--save-dir` (empty: none)."""

    io: IO
    notes: list[Warning]
    progress: Progress
    folder: str
    seconds: float


class Output(NamedTuple):
    """What a leg gives: its record, the same for a reader, and how sources ended.

    `problem` kept it from being saved, and is raised once it was printed.
    """

    record: Mapping[str, Any]
    text: str
    covered: dict[str, Any]
    problem: UsageError | None = None


def nominate(hot: RiverAsk, asked: Sequence[str], origin: str, world: World) -> Output:
    """The first leg; nothing is written if nothing was nominated.

    Raises:
        UsageError: its file cannot be written, or a setting is unusable.
    """
    lifetime = handoff.lifetime(world.io.settings)
    bundle = nominations(hot, asked, origin, world.io, world.notes, world.progress)
    record = bundle_record(bundle, infos().values())
    path = ""
    if bundle.nominations:
        path = handoff.write(handoff.NOMINATIONS, world.folder, record)
    text = digest.nominated(record, path, world.folder, lifetime)
    return Output(record, text, record)


def read_judged(
    path: str, folder: str, origin: str, settings: Settings
) -> tuple[Bundle, list[Any]]:
    """The bundle that the host judged, and its rows as they are.

    Raises:
        UsageError: a file cannot be read, breaks its contract, is stale, or is not of
            this bundle or origin.
    """
    given = read_handoff(path, "judgments")
    record = handoff.find(
        handoff.NOMINATIONS,
        folder,
        settings,
        origin=origin,
        bundle_id=given["bundle_id"],
        asked_by=path,
    )
    return read_bundle(record), given["judgments"]


def judged(bundle: Bundle, rows: Sequence[Any], world: World) -> Output:
    """The second leg.

    Raises:
        UsageError: its file cannot be written.
    """
    found = judge(rows, bundle.nominations, world.notes.append)
    pending = research(bundle, found, world.io, world.notes, world.progress)
    path = handoff.write(handoff.PENDING, world.folder, pending)
    text = digest.pending(pending, path, world.folder)
    return Output(pending, text, pending["artifact"])


def tell(
    angles_path: str | None, folder: str, settings: Settings, seconds: float
) -> Output:
    """The third leg: angles applied, the brief saved, the queue kept.

    Raises:
        UsageError: a file cannot be read, breaks its contract, is stale, or is of
            another bundle; or the queue cannot be used.
    """
    notes = list(settings.warnings)
    bundle_id, rows = None, []
    if angles_path is not None:
        given = read_handoff(angles_path, "angles")
        bundle_id, rows = given["bundle_id"], given["angles"]
    pending = handoff.find(
        handoff.PENDING,
        folder,
        settings,
        bundle_id=bundle_id,
        asked_by=angles_path or "",
    )
    topics = {topic["id"]: topic for topic in pending["discovery"]["topics"]}
    return _told(pending, angles(rows, topics, notes.append), folder, seconds, notes)


def once(hot: RiverAsk, asked: Sequence[str], origin: str, world: World) -> Output:
    """All legs in one, with the engine's own names and order instead of a judge's.

    Raises:
        UsageError: the queue cannot be used.
    """
    bundle = nominations(hot, asked, origin, world.io, world.notes, world.progress)
    found = list(map(by_heuristic, bundle.nominations))
    pending = research(bundle, found, world.io, (), world.progress)
    return _told(pending, {}, world.folder, world.seconds, ())


def _told(
    pending: Mapping[str, Any],
    said: Mapping[str, Mapping[str, str]],
    folder: str,
    seconds: float,
    notes: Sequence[Warning],
) -> Output:
    standings, problem = {}, None
    # What never happened is not written down.
    if folder and pending["origin"] != DEMO:
        standings = queue.record(folder, pending, seconds)
    found = finalize(pending, said, standings, notes)
    if folder:
        stem = f"discover-{slug(found['topic'])}-{pending['bundle_id'][:8]}"
        problem = save(found, folder, lambda: rising(found), stem)
    return Output(found, rising(found), found, problem)
