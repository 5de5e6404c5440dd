"""Progress on standard error where it is no terminal: a plain line an answer."""

from __future__ import annotations

import threading

import pytest

from engine.errors import RateLimitError
from engine.progress import clear, progress
from engine.research import Answer
from fakes.scripted import about


def test_a_line_says_who_answered_with_what(capsys: pytest.CaptureFixture[str]) -> None:
    """How many items, after how long; and how it failed, if it did."""
    items = (about(1), about(2))
    progress(Answer("reddit", "topic", "q", items, None, 1.25))
    progress(Answer("github", "thin", "q", (), RateLimitError("no"), 0.04))
    progress(Answer("web", "topic", "q", items[:1], None, 0.3))
    clear()
    assert capsys.readouterr() == (
        "",
        "reddit: 2 items (1.2 s)\ngithub: rate-limited, 0 items (0.0 s)\n"
        "web: 1 item (0.3 s)\n",
    )


def test_lines_of_several_threads_stay_whole(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """None is cut by another."""
    answer = Answer("hackernews", "topic", "q", (), None, 0.5)
    line = "hackernews: 0 items (0.5 s)\n"

    def say() -> None:
        for _ in range(50):
            progress(answer)

    threads = [threading.Thread(target=say) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert capsys.readouterr().err == line * 50 * 8
