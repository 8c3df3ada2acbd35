"""The one exception that a user is meant to see."""

from __future__ import annotations

from pathlib import Path
from typing import Any

LONGEST, HEAD = 1000, 700  # characters of a message, and of its begin if it is cut


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
        line_of_text = printable(" ".join(f"{where}{what}; {remedy}".split()))
        if len(line_of_text) > LONGEST:  # what is wrong may be a field of a megabyte
            line_of_text = f"{line_of_text[:HEAD]} … {line_of_text[HEAD - LONGEST :]}"
        super().__init__(line_of_text)

    def __reduce__(self) -> tuple[Any, ...]:
        """How it comes from a worker's process to the one that tells people."""
        return InputError.__new__, (InputError, str(self))


def printable(text: str) -> str:
    r"""`text` with what would steer a terminal, or change the order of letters, as escapes.

    Names and ids come from files that others wrote; a line feed or an escape sequence in one must
    not pass for our words.

    >>> printable("Mont\x1b[31mr\u202eouge")
    'Mont\\x1b[31mr\\u202eouge'
    """
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
