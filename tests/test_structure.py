"""The structure that the design promises, read from the files themselves."""

from __future__ import annotations

import ast
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from engine.model import Depth, Lane, State
from engine.x.backends import BACKENDS
from engine.x.stream import INFO
from support import ROOT

# From the top down: a module imports from rows below its own, or from its own folder.
_LAYERS = (
    ("cli", "flags"),
    ("parser", "progress"),
    ("discovery", "places", "doctor"),
    ("comparison",),
    ("research_record",),
    ("research",),
    ("sources", "x"),
    ("report", "rank", "plan"),
    ("pacing", "cache"),
    ("io",),
    ("fetch", "child", "together"),
    ("exchange",),
    ("text",),
    ("contracts", "settings"),
    ("configfiles",),
    ("window", "deadline", "errors"),
    ("model", "data", "values", "files", "background"),
    ("__init__",),
)
_ROW = {name: row for row, names in enumerate(_LAYERS) for name in names}

_ENGINE = sorted((ROOT / "scripts" / "engine").rglob("*.py"))
_ENTRIES = sorted((ROOT / "scripts").glob("*.py"))
_TESTS = sorted((ROOT / "tests").rglob("*.py"))


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _top(module: str) -> str:
    """engine.x.judge is in x, engine itself is __init__."""
    return module.split(".")[1] if "." in module else "__init__"


def _imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            packaged = base == "engine"
            for alias in node.names:
                inner = packaged and alias.name in _ROW
                yield f"{base}.{alias.name}" if inner else base


@pytest.mark.parametrize("path", _ENGINE, ids=_name)
def test_imports_point_downwards(path: Path) -> None:
    """No module knows one above it, nor one beside it in another folder."""
    parts = path.relative_to(ROOT / "scripts").with_suffix("").parts
    own = parts[1]
    assert own in _ROW, f"{own} has no place in the table of layers"
    for module in _imports(_tree(path)):
        if module.split(".")[0] == "engine":
            other = _top(module)
            if path.name == "x.py" and (own, other) == ("sources", "x"):
                continue  # The X loop is one source among several.
            assert other == own or _ROW[other] > _ROW[own], f"{own} imports {module}"


def _at_the_top(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that run on import, those for the type checker left out."""
    for node in body:
        if isinstance(node, ast.If):
            if "TYPE_CHECKING" not in ast.unparse(node.test):
                yield from _at_the_top([*node.body, *node.orelse])
        elif isinstance(node, ast.Try):
            yield from _at_the_top([*node.body, *node.orelse, *node.finalbody])
        else:
            yield node


@pytest.mark.parametrize("path", [*_ENGINE, *_ENTRIES], ids=_name)
def test_packages_are_imported_where_they_are_used(path: Path) -> None:
    """Importing the engine costs nothing but the standard library."""
    for node in _at_the_top(_tree(path).body):
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for module in _imports(ast.Module([node], [])):
                root = module.split(".")[0]
                assert root == "engine" or root in sys.stdlib_module_names, module


@pytest.mark.parametrize("path", [*_ENGINE, *_ENTRIES], ids=_name)
def test_files_and_functions_are_short(path: Path) -> None:
    """A file has at most 300 lines, a function 40 beside its docstring."""
    assert len(path.read_text(encoding="utf-8").splitlines()) <= 300
    for node in ast.walk(_tree(path)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            said = ast.get_docstring(node, clean=False) or ""
            lines = (node.end_lineno or 0) - node.lineno + 1
            lines -= said.count("\n") + bool(said)
            assert lines <= 40, f"{node.name} has {lines} lines"


def _is_public(node: ast.stmt) -> bool:
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return isinstance(node, kinds) and not node.name.startswith("_")


@pytest.mark.parametrize("path", [*_ENGINE, *_ENTRIES, *_TESTS], ids=_name)
def test_modules_and_public_names_say_what_they_are_for(path: Path) -> None:
    """Every module, public function, public class and test has a docstring."""
    tree = _tree(path)
    assert ast.get_docstring(tree)
    for node in tree.body:
        is_helper = path in _TESTS and not getattr(node, "name", "").startswith("test_")
        if _is_public(node) and not is_helper:
            assert ast.get_docstring(node), ast.unparse(node).splitlines()[0]  # type: ignore[arg-type]


@pytest.mark.parametrize("path", _ENGINE, ids=_name)
def test_modules_list_their_public_names(path: Path) -> None:
    """What is in __all__ exists and is sorted, and no public name is missing."""
    tree = _tree(path)
    public = {node.name for node in tree.body if _is_public(node)}  # type: ignore[attr-defined]
    listed: list[str] = []
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            listed = ast.literal_eval(node.value)
    assert public <= set(listed)
    assert len(set(listed)) == len(listed)


_CLOCKS = {
    "os.environ",
    "os.getenv",
    "datetime.now",
    "datetime.utcnow",
    "date.today",
    "time.time",
}


@pytest.mark.parametrize("path", [*_ENGINE, *_ENTRIES], ids=_name)
def test_only_the_settings_read_the_environment_and_the_clock(path: Path) -> None:
    """Everything else is handed the moment and the values."""
    if path.name != "settings.py":
        read = {
            ast.unparse(n)
            for n in ast.walk(_tree(path))
            if isinstance(n, ast.Attribute)
        }
        assert not read & _CLOCKS


def test_one_place_turns_any_failure_into_an_outcome() -> None:
    """One broad except; another hands what it caught to the thread that waits for it."""
    broad = [
        (path.name, ast.unparse(node.type) if node.type else "")
        for path in [*_ENGINE, *_ENTRIES]
        for node in ast.walk(_tree(path))
        if isinstance(node, ast.ExceptHandler)
        and (
            node.type is None
            or ast.unparse(node.type) in ("Exception", "BaseException")
        )
    ]
    assert broad == [("fetch.py", "BaseException"), ("together.py", "Exception")]


def _warning_codes() -> set[str]:
    found = set()
    for path in _ENGINE:
        for node in ast.walk(_tree(path)):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "Warning":
                given = [k.value for k in node.keywords if k.arg == "code"] or node.args
                found.add(str(ast.literal_eval(given[0])))
    return found


def test_every_warning_is_in_the_schema_and_none_is_idle() -> None:
    """Codes of the engine, the schema's list and its types are the same."""
    schema = json.loads(
        (ROOT / "schemas" / "warning.schema.json").read_text(encoding="utf-8")
    )
    typed = [branch["properties"]["code"]["const"] for branch in schema["oneOf"]]
    assert sorted(schema["properties"]["code"]["enum"]) == sorted(typed)
    assert set(typed) == _warning_codes()


@pytest.mark.parametrize("code", sorted(_warning_codes()))
def test_every_warning_is_raised_by_some_test(code: str) -> None:
    """A warning that no test expects could vanish unseen."""
    others = (p.read_text(encoding="utf-8") for p in _TESTS if p != Path(__file__))
    assert any(f'"{code}"' in text for text in others)


def _enums(schema: object) -> Iterator[list[object]]:
    if isinstance(schema, dict):
        if "enum" in schema:
            yield schema["enum"]
        for value in schema.values():
            yield from _enums(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _enums(value)


@pytest.mark.parametrize("values", [State, Lane, Depth], ids=lambda kind: kind.__name__)
def test_the_schema_lists_what_the_engine_knows(values: type[State]) -> None:
    """States, lanes and depths of the artifact are those of the model."""
    schema = json.loads(
        (ROOT / "schemas" / "artifact.schema.json").read_text(encoding="utf-8")
    )
    assert [value.value for value in values] in list(_enums(schema))


def test_sources_and_backends_are_where_they_are_looked_up() -> None:
    """A source is in both schemas; a backend is a choice of the command line."""
    lists = []
    for name in ("artifact", "plan"):
        schema = json.loads(
            (ROOT / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8")
        )
        lists += [enum for enum in _enums(schema) if INFO.name in enum]
    assert len(lists) == 2 and lists[0] == lists[1]
    script = (ROOT / "scripts" / "x_search.py").read_text(encoding="utf-8")
    for name, backend in BACKENDS.items():
        assert backend.INFO.name == name
        assert f'"{name}"' in script
