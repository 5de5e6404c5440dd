"""The parser of a command line: argparse, with topics that need no quotes."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from itertools import islice

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

__all__ = ["EXIT_CODES", "Parser"]

EXIT_CODES = """\
exit codes:
  0    the result was printed, partial and empty results included
  1    a bug in this program
  2    a bad flag, plan or file; one line says what is wrong and what to do
  3    --strict, and the coverage of a source is partial or failed
  4    no source could be used, or every one failed
  5    a brief breaks a LAW (check_brief.py)
  130  interrupted; what was found so far is printed
"""


class _Help(argparse.RawDescriptionHelpFormatter):
    """Help of a fixed width: asking the terminal costs more than the whole parser."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=26, width=88)


class Parser(argparse.ArgumentParser):
    """An argument parser whose topic may begin with a dash and needs no quotes."""

    def __init__(self, prog: str, description: str | None) -> None:
        super().__init__(
            prog=prog,
            description=description,
            epilog=EXIT_CODES,
            formatter_class=_Help,
            allow_abbrev=False,
        )

    def read(self, argv: Sequence[str] | None) -> argparse.Namespace:
        """Parse like argparse, words that are no option wherever they stand."""
        return self.parse_args(self._guarded(sys.argv[1:] if argv is None else argv))

    def error(self, message: str) -> NoReturn:
        """End with one line that says what is wrong."""
        from engine.errors import UsageError

        raise UsageError(f"{message}; see --help")

    def _guarded(self, given: Sequence[str]) -> list[str]:
        """Move words such as -_test, which are no option of ours, behind a `--`."""
        options: list[str] = []
        words: list[str] = []
        rest = iter(given)
        for arg in rest:
            action = self._option_string_actions.get(arg.split("=", 1)[0])
            if arg == "--":
                words += rest
            elif action is not None:
                options.append(arg)
                if "=" not in arg and action.nargs != 0:
                    options += list(islice(rest, 1))
            elif arg.startswith("--"):
                options.append(arg)
            else:
                words.append(arg)
        parted = words and self._get_positional_actions()
        return [*options, "--", *words] if parted else [*options, *words]
