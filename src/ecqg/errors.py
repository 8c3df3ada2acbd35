"""The one exception that a user is meant to see."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path


class InputError(Exception):
    """Input that we cannot use: one line that says where, what is wrong and what would be right.

    The command line prints it without a traceback and exits with status 1; everything else is a
    bug in this package and keeps its traceback.

    >>> print(InputError("a question without answers", file="train.qa.tsv", line=3,
    ...                  remedy='write a JSON list, such as ["1852"], after the tab'))
    train.qa.tsv:3: a question without answers; write a JSON list, such as ["1852"], after the tab
    """

    def __init__(
        self,
        what: str,
        *,
        file: str | Path | None = None,
        line: int | None = None,
        remedy: str,
    ) -> None:
        where = "" if file is None else f"{file}: " if line is None else f"{file}:{line}: "
        super().__init__(" ".join(f"{where}{what}; {remedy}".split()))

    def __reduce__(self) -> tuple[Callable[[str], InputError], tuple[str]]:
        """How it comes from a worker's process to the one that tells people."""
        return _as_it_was, (str(self),)


def _as_it_was(line: str) -> InputError:
    return InputError.__new__(InputError, line)
