"""A JSON array read one element at a time, whatever its layout."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TextIO

from ecqg.corpus.lines import RECODE, UTF_8, open_text, whole_gzip
from ecqg.errors import InputError
from ecqg.files import BLANK, scan_json

BLOCK = 1 << 16  # characters read at once, more than any token has but a string
LONGEST = 1 << 24  # characters of an element; DPR's, with a hundred passages, have some 100,000
TOO_LONG = f"an element of over {LONGEST:,} characters"
FORM = "the file must hold one JSON array of objects"
_BLANK = re.compile(f"[{BLANK}]*")


def read_array(
    path: str | Path, key: str = "", *, encoding: str = UTF_8, recode: str = RECODE
) -> Iterator[tuple[int, Any]]:
    """Yield (line on which it begins, element) of the array in a file.

    With a key the file holds an object, and the array is its member of that name. DPR's
    biencoder-nq-train.json has 8 GB, too much for `json.load`. Raises InputError naming file and
    line where the file is missing, has no such array, is malformed (`scan_json`), holds an element
    of over LONGEST characters or something behind the array, or, with the remedy `recode`, is not
    in this encoding.
    """
    with open_text(path, encoding) as file, whole_gzip(path):
        window = _Window(file, path, recode)
        if key:
            window.seek(key)
        window.expect("[")
        if window.peek() == "]":
            window.expect("]")
        else:
            while True:
                window.peek()
                yield window.line, window.element()
                if window.expect(",]") == "]":
                    break
        if key:
            window.pass_rest(key)
        window.end()


class _Window:
    """The part of a file that is being parsed and the line on which it begins."""

    def __init__(self, file: TextIO, path: str | Path, recode: str) -> None:
        self.line = 1
        self._file, self._path, self._recode = file, path, recode
        self._text, self._at = "", 0  # what was read, and where in it we are

    def peek(self) -> str:
        """Skip white space; return the character that follows."""
        if not self._skip_blank():
            raise self._error("the JSON array is cut short")
        return self._text[self._at]

    def end(self) -> None:
        """Skip white space, which nothing may follow."""
        if self._skip_blank():
            raise self._error("something follows the array")

    def expect(self, marks: str) -> str:
        """Skip white space and one of `marks`, which is returned."""
        mark = self.peek()
        if mark not in marks:
            raise self._error(f"{mark!r} where {' or '.join(marks)} belongs")
        self._skip_to(self._at + 1)
        return mark

    def seek(self, key: str) -> None:
        """Skip an object's members up to the value of `key`."""
        self.expect("{")
        while self.peek() == '"':
            name = self.element()
            self.expect(":")
            self.peek()
            if name == key:
                return
            self.element()
            if self.expect(",}") == "}":
                break
        raise self._error(f"no array {key!r}")

    def pass_rest(self, key: str) -> None:
        """Skip what follows the value of `key` in its object."""
        while self.expect(",}") == ",":
            if self.peek() != '"':
                raise self._error("no name of a member")
            if self.element() == key:
                raise self._error(f"a second {key!r}")
            self.expect(":")
            self.peek()
            self.element()

    def element(self) -> Any:
        """Parse the JSON value that begins here."""
        failure = ""
        while True:
            try:
                value, end = scan_json(self._text, self._at)
            except json.JSONDecodeError as error:
                # The value may go on beyond the window. Where more does not move the failure, it
                # is malformed; only a string fails at its start until it is complete.
                message = f"not JSON ({error.msg})"
                place = error.pos - self._at
                if f"{message}{place}" == failure and "Unterminated" not in message:
                    self._skip_to(error.pos)
                    raise self._error(message) from None
                failure = f"{message}{place}"
                if not self._grow():
                    cut = self._at + place == len(self._text) or "Unterminated" in message
                    what = "the JSON array is cut short" if cut else message
                    raise self._error(what) from None
            except ValueError as error:
                raise self._error(f"not JSON ({error})") from None
            else:
                if end == len(self._text) and type(value) in (int, float) and self._grow():
                    continue  # of a number there may be more
                if end - self._at > LONGEST:
                    raise self._error(TOO_LONG)
                self._skip_to(end)
                return value

    def _skip_blank(self) -> bool:
        """Skip white space; whether anything follows."""
        while True:
            self._skip_to(_BLANK.match(self._text, self._at).end())  # type: ignore[union-attr]
            if self._at < len(self._text):
                return True
            if not self._grow():
                return False

    def _skip_to(self, place: int) -> None:
        self.line += self._text.count("\n", self._at, place)
        self._at = place

    def _grow(self) -> bool:
        """Drop what is done, and read as much again as is left; whether there was any."""
        left = len(self._text) - self._at
        if left > LONGEST:
            raise self._error(TOO_LONG)
        try:
            more = self._file.read(max(BLOCK, left))
            more.encode()  # some encodings let through halves of surrogate pairs
        except UnicodeError as error:  # of UTF-16 without its mark not a UnicodeDecodeError
            name = self._file.encoding.removesuffix("-sig").upper()
            what = f"not {name} ({getattr(error, 'reason', error)}), here or soon after"
            raise InputError(what, file=self._path, line=self.line, remedy=self._recode) from None
        self._text, self._at = self._text[self._at :] + more, 0
        return bool(more)

    def _error(self, what: str) -> InputError:
        return InputError(what, file=self._path, line=self.line, remedy=FORM)
