"""Saving: what goes wrong is a value, so that the run is printed first."""

from __future__ import annotations

import os
from pathlib import Path

from engine.report.save import save
from support import artifact, item


def test_a_folder_that_vanishes_costs_no_run(tmp_path: Path) -> None:
    """Half of it is written then, and even that cannot be taken away."""
    record = artifact([item()])

    def vanishing() -> str:
        for name in os.listdir(tmp_path / "out"):
            os.unlink(tmp_path / "out" / name)
        os.rmdir(tmp_path / "out")
        return "the envelope"

    os.mkdir(tmp_path / "out")
    problem = save(record, str(tmp_path / "out"), vanishing)
    assert problem is not None and "--save-dir" in str(problem)
    assert record["saved"] is None
