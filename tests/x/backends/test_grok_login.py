"""The login of the grok tool, judged by its file."""

from __future__ import annotations

import os

import pytest

from engine.settings import Settings
from engine.x.backends import grok
from fakes.grokstage import (
    NOW,
    Stage,
)


@pytest.mark.parametrize(
    ("content", "state"),
    [
        pytest.param(None, "missing", id="no-file"),
        pytest.param("{}", "missing", id="no-entry"),
        pytest.param('{"i": {"key": " "}}', "missing", id="empty-key"),
        pytest.param('{"i": {"key": "k"}}', "ok", id="without-time"),
        pytest.param(
            '{"i": {"key": "k", "expires_at": "2026-12-01T00:00:00Z"}}',
            "ok",
            id="valid",
        ),
        pytest.param(
            '{"i": {"key": "k", "expires_at": "2026-11-30"}}', "expired", id="over"
        ),
        pytest.param('{"i": {"key": "k", "expires_at": "soon"}}', "ok", id="odd-time"),
        pytest.param(
            '{"i": {"key": "k", "expires_at": "2026-11-01T00:00:00Z", "refresh_token": "r"}}',
            "ok",
            id="renewable",
        ),
        pytest.param(
            '{"i": {"key": "k", "expires_at": "2026-11-01"}, "j": {"key": "l"}}',
            "ok",
            id="one-valid",
        ),
        pytest.param("[]", "unreadable", id="list"),
        pytest.param("{", "unreadable", id="broken"),
        pytest.param("[" * 100_000, "unreadable", id="deep"),
        pytest.param("\udcff", "unreadable", id="bytes"),
    ],
)
def test_the_login_is_judged_by_its_file(
    stage: Stage, content: str | None, state: str
) -> None:
    """No process, no network; the service may still refuse it."""
    stage.login_is_spoilt = True
    stage.login.unlink()
    if content is not None:
        stage.login.write_bytes(content.encode("utf-8", "surrogateescape"))
    assert grok.login_state(Settings(stage.values, NOW)) == state


def test_a_login_that_is_no_plain_file_cannot_be_read(stage: Stage) -> None:
    """A folder or a pipe in its place hangs nothing."""
    stage.login_is_spoilt = True
    stage.login.unlink()
    os.mkfifo(stage.login)
    assert grok.login_state(Settings(stage.values, NOW)) == "unreadable"
    stage.login.unlink()
