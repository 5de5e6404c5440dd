"""Which backend answers, and who comes next when it fails."""

from __future__ import annotations

import re

import pytest

from engine.errors import NotConfiguredError, SourceError, UnreachableError
from engine.model import Depth, State, Warning
from engine.text.question import prepare
from engine.text.topic import parse_topic
from engine.x.choose import search_x
from engine.x.stream import Request, Stream
from fakes.rome import off
from fakes.xposts import WINDOW, Scripted, io_for, posts

ROME = posts("r", [f"Rome in November, day {i}" for i in range(1, 5)], "local")
DOWN = UnreachableError("no connection")


def search(
    backends: list[Scripted],
    *,
    name: str = "auto",
    warnings: list[Warning] | None = None,
    explicit: tuple[str, ...] = (),
    seconds: float = 60,
) -> Stream:
    """Search with these backends in their order."""
    request = Request(
        parse_topic("Rome"), prepare("Rome"), WINDOW, Depth.DEFAULT, explicit
    )
    registry = {backend.INFO.name: backend for backend in backends}
    return search_x(request, io_for(warnings, seconds=seconds), name, registry)


def test_the_first_that_is_ready_answers() -> None:
    """One that is not set up is passed over in silence."""
    warnings: list[Warning] = []
    bare = Scripted({}, name="one", unready="set a key")
    ready, spare = Scripted({"Rome": ROME}, name="two"), Scripted({}, name="three")
    found = search([bare, ready, spare], warnings=warnings)
    assert found.calls.backend is ready
    assert bare.asked == spare.asked == []
    assert warnings == []


def test_an_empty_answer_is_an_answer() -> None:
    """The next one is not asked until it says the same."""
    empty, spare = Scripted({}, name="one"), Scripted({"Rome": ROME}, name="two")
    assert search([empty, spare]).calls.backend is empty
    assert spare.asked == []


@pytest.mark.parametrize("paid", [False, True], ids=["free", "paid"])
def test_a_failure_moves_on_and_says_so(paid: bool) -> None:
    """The warning names both, the failure, and whether the next costs money."""
    warnings: list[Warning] = []
    down = Scripted({"Rome": DOWN}, name="one")
    spare = Scripted({"Rome": ROME}, name="two", paid=paid)
    found = search([down, spare], warnings=warnings)
    assert found.calls.backend is spare
    assert found.calls.errors == []
    assert [w.code for w in warnings] == ["failover"]
    assert warnings[0].message.startswith("X: One failed (no connection); asking Two")
    assert ("costs money" in warnings[0].message) is paid
    assert warnings[0].data == {
        "failed": "one",
        "state": "unreachable",
        "detail": "no connection",
        "next": "two",
        "paid": paid,
    }


def test_a_backend_that_failed_wholly_is_not_asked_for_handles() -> None:
    """The time is better spent on the next one."""
    down = Scripted({"Rome": DOWN}, name="one")
    search([down, Scripted({"Rome": ROME}, name="two")], explicit=("ada",))
    assert down.kinds == ["Rome"]


def test_a_backend_that_failed_in_part_is_still_asked_for_handles() -> None:
    """It is alive, and what the account wrote is kept."""
    own = off("ada", 3, "ada")
    flaky = Scripted({"from:ada": own}, name="one", first=DOWN)
    spare = Scripted({}, name="two")
    found = search([flaky, spare], explicit=("ada",))
    assert flaky.kinds == ["Rome", "from:ada", "mention:ada", "name:Rome"]
    assert len(found.items) == len(own)
    assert found.calls.errors == [DOWN]
    assert spare.asked == []


def test_the_last_failure_is_the_outcome() -> None:
    """Where nobody answers the last one's failure stands."""
    found = search([Scripted({"Rome": DOWN}, name=n) for n in ("one", "two")])
    assert found.calls.backend.INFO.name == "two"
    assert found.calls.errors == [DOWN] * len(found.calls.sent)


def test_posts_of_a_backend_that_failed_in_part_are_kept() -> None:
    """They are evidence; the rest is a gap that the outcome shows."""
    cut = SourceError("cut short", items=ROME)
    spare = Scripted({}, name="two")
    found = search([Scripted({"Rome": cut}, name="one"), spare])
    assert len(found.items) == len(ROME)
    assert spare.asked == []


def test_no_move_without_time() -> None:
    """There would be no answer."""
    slow = Scripted({"Rome": DOWN}, name="one", min_seconds=5)
    spare = Scripted({}, name="two")
    found = search([slow, spare], seconds=0)
    assert found.calls.backend is slow
    assert found.calls.errors[0].state is State.TIMEOUT


def test_a_named_backend_is_used_alone() -> None:
    """The user asked for it, not for another."""
    one, two = (
        Scripted({"Rome": ROME}, name="one"),
        Scripted({"Rome": DOWN}, name="two"),
    )
    found = search([one, two], name="two")
    assert found.calls.backend is two
    assert one.asked == []


@pytest.mark.parametrize(
    ("name", "detail", "advice"),
    [
        ("auto", "no way to reach X is set up", ["one: set a key", "two: log in"]),
        ("two", "two is not set up", ["two: log in"]),
    ],
)
def test_nothing_is_set_up(name: str, detail: str, advice: list[str]) -> None:
    """The error says what to do for each that was asked for."""
    bare = [
        Scripted({}, name="one", unready="set a key"),
        Scripted({}, name="two", unready="log in"),
    ]
    with pytest.raises(NotConfiguredError) as caught:
        search(bare, name=name)
    assert caught.value.detail == detail
    assert re.split("; |\n", caught.value.fix) == advice
