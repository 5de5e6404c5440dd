"""JSON inside prose: what is found, what is left over, and at what cost."""

from __future__ import annotations

import time

import pytest

from engine.text.json_values import scan_json


@pytest.mark.parametrize(
    ("text", "values", "prose"),
    [
        pytest.param("", (), "", id="nothing"),
        pytest.param("just [1] words [sic] {here}", (), None, id="brackets-in-prose"),
        pytest.param('[{"a": 1}]', ([{"a": 1}],), "", id="bare"),
        pytest.param("[]", ([],), "", id="empty-array"),
        pytest.param(
            'So:\n{"a": {}}\nend', ({"a": {}},), "So: end", id="between-words"
        ),
        pytest.param('{"a": 1}\n{"a": 2}', ({"a": 1}, {"a": 2}), "", id="in-a-row"),
        pytest.param('{"a": "}] \\" {"}', ({"a": '}] " {'},), "", id="in-strings"),
        pytest.param('{"a": "b\nc"}', ({"a": "b\nc"},), "", id="raw-line-end"),
        pytest.param(
            '{"a": 2116681624581046273}', ({"a": 2116681624581046273},), "", id="long"
        ),
    ],
)
def test_values_and_prose(text: str, values: tuple[object, ...], prose: str) -> None:
    """Whole values are found wherever they stand; the words around them are kept."""
    scan = scan_json(text)
    assert scan.values == values
    assert not scan.cut
    assert " ".join(scan.prose.split()) == (text if prose is None else prose)


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        pytest.param('[{"a": 1}, {"a": 2', True, id="in-an-object"),
        pytest.param('[{"a": 1}, {"a": "x', True, id="in-a-string"),
        pytest.param('[{"a": 1},', True, id="after-a-comma"),
        pytest.param('[{"a": 1}', True, id="before-the-bracket"),
        pytest.param('```json\n[{"a": 1}\n```', True, id="in-a-fence"),
        pytest.param('{"list": [{"a": 1}, {"a"', True, id="in-a-wrapper"),
        pytest.param('[{"a": 1}, ...]', True, id="elision"),
        pytest.param('[{"a": 1},]', False, id="trailing-comma"),
        pytest.param('[{"a": 1}]', False, id="whole"),
    ],
)
def test_a_cut_list_keeps_its_whole_elements(text: str, cut: bool) -> None:
    """What was complete is there, and it is said that something was not."""
    scan = scan_json(text)
    assert scan.cut is cut
    assert [{"a": 1}] in scan.values or {"a": 1} in scan.values


def test_the_rest_of_a_broken_value_is_no_prose() -> None:
    """Words inside of what could not be read are not taken for the model's own."""
    scan = scan_json('Before. [{"a": 1}, {"text": "unable to search", ')
    assert "unable" not in scan.prose
    assert scan.prose.startswith("Before.")


@pytest.mark.parametrize(
    "text",
    [
        *(pytest.param(piece * 500_000, id=piece) for piece in ("[", "{", '{"', '["')),
        pytest.param("[ " * 500_000, id="[ "),
        pytest.param("[{" * 500_000, id="[{"),
        pytest.param('[{"a":' * 170_000, id="deep"),
        pytest.param("[" * 900 + '{"a":1},' * 100_000, id="deep-and-long"),
        pytest.param('{"a":"' + "x" * 1_000_000, id="open-string"),
        pytest.param('{"a":1,' * 150_000, id="open-objects"),
        pytest.param('{"a": ' + "1" * 1_000_000 + "}", id="number"),
        pytest.param('{"": [' + '"{\\"a\\"' * 100_000, id="quotes"),
    ],
)
def test_hostile_text_costs_no_time(text: str) -> None:
    """A megabyte of openings is given up on within a second."""
    started = time.process_time()
    scan_json(text)
    assert time.process_time() - started < 1
