"""A JSON array read one element at a time, whatever its layout."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from ecqg.corpus.lines import RECODE, UTF_8, open_text, whole_gzip
from ecqg.errors import InputError

BLOCK = 1 << 16  # characters read at once, more than any token has but a string
FORM = "the file must hold one JSON array of objects"


def read_array(
    path: str | Path, key: str = "", *, encoding: str = UTF_8, recode: str = RECODE
) -> Iterator[tuple[int, Any]]:
    """Yield (line on which it begins, element) of the array in a file.

    With a key the file holds an object, and the array is its member of that name. DPR's
    biencoder-nq-train.json has 8 GB, too much for `json.load`. Raises InputError naming file and
    line where the file is missing, has no such array, is malformed, or, with the remedy `recode`,
    is not in this encoding.
    """
    with open_text(path, encoding) as file, whole_gzip(path):
        window = _Window(file, path, recode)
        if key:
            window.seek(key)
        window.expect("[")
        if window.peek() == "]":
            return
        while True:
            window.peek()
            yield window.line, window.element()
            if window.expect(",]") == "]":
                return


class _Window:
    """The part of a file that is being parsed and the line on which it begins."""

    def __init__(self, file: TextIO, path: str | Path, recode: str) -> None:
        self.line = 1
        self._file, self._path, self._recode = file, path, recode
        self._text = ""

    def peek(self) -> str:
        """Skip white space; return the character that follows."""
        while True:
            self._skip(len(self._text) - len(self._text.lstrip(" \t\r\n")))
            if self._text:
                return self._text[0]
            self._grow()

    def expect(self, marks: str) -> str:
        """Skip white space and one of `marks`, which is returned."""
        mark = self.peek()
        if mark not in marks:
            raise self._error(f"{mark!r} where {' or '.join(marks)} belongs")
        self._skip(1)
        return mark

    def seek(self, key: str) -> None:
        """Skip an object's members up to the value of `key`."""
        self.expect("{")
        while self.peek() == '"':
            name = self.element()
            self.expect(":")
            if name == key:
                return
            self.peek()
            self.element()
            if self.expect(",}") == "}":
                break
        raise self._error(f"no array {key!r}")

    def element(self) -> Any:
        """Parse the JSON value that begins here."""
        failure = ""
        while True:
            try:
                value, end = json.JSONDecoder().raw_decode(self._text)
            except json.JSONDecodeError as error:
                # The value may go on beyond the window. Where a block more does not move the
                # failure, it is malformed; only a string fails at its start until it is complete.
                message = f"not JSON ({error.msg})"
                if f"{message}{error.pos}" == failure and "Unterminated" not in message:
                    self._skip(error.pos)
                    raise self._error(message) from None
                failure = f"{message}{error.pos}"
                self._grow()
            else:
                self._skip(end)
                return value

    def _skip(self, count: int) -> None:
        self.line += self._text.count("\n", 0, count)
        self._text = self._text[count:]

    def _grow(self) -> None:
        try:
            more = self._file.read(BLOCK)
        except UnicodeError as error:  # of UTF-16 without its mark not a UnicodeDecodeError
            name = self._file.encoding.removesuffix("-sig").upper()
            what = f"not {name} ({getattr(error, 'reason', error)}), here or soon after"
            raise InputError(what, file=self._path, line=self.line, remedy=self._recode) from None
        if not more:
            raise self._error("the JSON array is cut short")
        self._text += more

    def _error(self, what: str) -> InputError:
        return InputError(what, file=self._path, line=self.line, remedy=FORM)
