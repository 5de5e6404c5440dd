"""What the tests of several modules of one backend share."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from fakes.grokstage import LOGIN, Stage, is_gone


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    """The fake grok tool with five posts, four of them about Rome.

    Afterwards no temporary folder and no process may be left, and the login is as it
    was.
    """
    if os.name != "posix":
        pytest.skip("the fake is a script")
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    found = Stage(tmp_path)
    yield found
    assert os.listdir(temporary) == []
    if not found.login_is_spoilt:
        assert json.loads(found.login.read_text()) == LOGIN
    for call in found.calls:
        assert is_gone(call["pid"])
    child = found.bin / "child.pid"
    assert not child.exists() or is_gone(int(child.read_text()))
