"""The user's configuration files: config.yaml and the .env beside it.

Both are flat: a name and a value a line. Messages name the file and the line and never
what stands there, which may be a key.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping

from engine.errors import UsageError
from engine.model import Warning

__all__ = ["config_folders", "read_config"]

_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ENV_LINE = re.compile(
    rf"\s*(?:export\s+)?({_NAME.pattern})\s*=\s*"
    r"""(?:'([^']*)'|"((?:\\.|[^"\\])*)"|([^'"#\s].*?|))"""
    r"(?:\s+#.*)?\s*"
)


def config_folders(
    environ: Mapping[str, str], platform: str = sys.platform
) -> tuple[str, ...]:
    """The folders in which the files may lie, the one that wins first.

    Args:
        environ: the environment; LAST30DAYS_CONFIG_DIR in it replaces all others.
        platform: as `sys.platform` names it.

    Raises:
        UsageError: LAST30DAYS_CONFIG_DIR is no folder.
    """
    chosen = environ.get("LAST30DAYS_CONFIG_DIR", "").strip()
    if chosen:
        if not os.path.isdir(chosen):
            raise UsageError(
                f"LAST30DAYS_CONFIG_DIR: {chosen!r} is no folder; "
                "create it or remove the variable"
            )
        return (chosen,)
    home = os.path.expanduser("~")
    bases = [environ.get("XDG_CONFIG_HOME", "")]
    if not os.path.isabs(bases[0]):  # The XDG specification has it ignored then.
        bases = [os.path.join(home, ".config")]
    if platform == "darwin":
        bases.append(os.path.join(home, "Library", "Application Support"))
    if platform == "win32":
        bases.append(environ.get("APPDATA", ""))
    return tuple(os.path.join(base, "last30days") for base in bases if base)


def read_config(
    environ: Mapping[str, str], platform: str = sys.platform
) -> tuple[dict[str, str], list[Warning]]:
    """The values of all files, and a warning for each that others can read.

    The arguments are those of `config_folders`.

    Raises:
        UsageError: a file cannot be read or is not of its form.
    """
    values: dict[str, str] = {}
    warnings: list[Warning] = []
    for folder in reversed(config_folders(environ, platform)):
        for name, parse in ((".env", _parse_env), ("config.yaml", _parse_yaml)):
            path = os.path.join(folder, name)
            if not os.path.lexists(path):
                continue
            found = parse(path, _read(path))
            values.update(found)
            if found and os.name == "posix" and os.stat(path).st_mode & 0o044:
                warnings.append(_readable(path))
    return values, warnings


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8-sig") as file:
            return file.read()
    except UnicodeDecodeError:
        raise UsageError(f"{path}: not UTF-8; save it as UTF-8 text") from None
    except OSError as error:
        raise UsageError(f"{path}: cannot be read: {error.strerror}") from None


def _readable(path: str) -> Warning:
    return Warning(
        code="config-readable",
        source="",
        message=f"other users can read {path}; run: chmod 600 '{path}'",
        data={"path": path},
    )


def _parse_env(path: str, text: str) -> dict[str, str]:
    values: dict[str, str] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip()[0] == "#":
            continue
        found = _ENV_LINE.fullmatch(line)
        if found is None:
            raise UsageError(f"{path}, line {number}: write NAME=value")
        name, single, double, bare = found.groups()
        if double is not None:
            bare = re.sub(r"\\(.)", lambda m: "\n" if m[1] == "n" else m[1], double)
        values[name] = bare if single is None else single
    return values


def _parse_yaml(path: str, text: str) -> dict[str, str]:
    import yaml

    try:
        # Nodes and not values: they know their line, and keep 007 and 1e5 as written.
        root = yaml.compose(text, Loader=yaml.SafeLoader)
    except (yaml.YAMLError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        raise _not_flat(path, mark.line + 1 if mark else 1) from None
    if root is None:
        return {}
    if not isinstance(root, yaml.MappingNode):
        raise _not_flat(path, root.start_mark.line + 1)
    values: dict[str, str] = {}
    for key, value in root.value:
        if not isinstance(value, yaml.ScalarNode) or not _NAME.fullmatch(
            str(key.value)
        ):
            raise _not_flat(path, key.start_mark.line + 1)
        values[key.value] = "" if value.tag.endswith(":null") else value.value
    return values


def _not_flat(path: str, line: int) -> UsageError:
    return UsageError(f"{path}, line {line}: write one NAME: value a line, as YAML")
