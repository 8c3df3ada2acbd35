"""JSON records of a schema, as a stream: one a line, or the elements of an array."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, TextIO, TypeVar

from ecqg.corpus.lines import RECODE, UTF_8, numbered_lines, open_bytes
from ecqg.errors import InputError
from ecqg.files import BLANK, atomic, checked, parse_json, scan_json

MEND = "mend the record"
BLOCK = 1 << 16  # characters read at once, more than any token has but a string
LONGEST = 1 << 24  # characters of an element; DPR's, with a hundred passages, have some 100,000
TOO_LONG = f"an element of over {LONGEST:,} characters"
CUT = "the JSON array is cut short"
FORM = "the file must hold one JSON array of objects"
_BLANK = re.compile(f"[{BLANK}]*")

T = TypeVar("T")


def lines(path: str | Path, schema: type[T], remedy: str = MEND) -> Iterator[tuple[int, T]]:
    """Yield (line, record) of a file with one JSON object a line.

    Raises InputError naming file and line.
    """
    for number, line in numbered_lines(path):
        try:
            value = parse_json(line)
        except ValueError as error:
            what, form = f"not JSON ({error})", "write one object a line"
            raise InputError(what, file=path, line=number, remedy=form) from None
        yield number, checked(value, schema, "the record", file=path, line=number, remedy=remedy)


def elements(
    path: str | Path, schema: type[T], key: str = "", **read: str
) -> Iterator[tuple[int, str, T]]:
    """Yield (line, name, record) of a JSON array, which `read_array` finds by `key` and `read`.

    Raises InputError naming file and line.
    """
    for number, (line, value) in enumerate(read_array(path, key, **read)):
        name = f"record {number}"
        yield line, name, checked(value, schema, name, file=path, line=line, remedy=MEND)


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
    with open_bytes(path) as raw:
        window = _Window(io.TextIOWrapper(raw, encoding=encoding, newline=""), path, recode)
        yield from window.member(key) if key else window.array()
        if window.peek():
            raise window.error("something follows the array")


def write_array(path: str | Path, records: Iterable[dict[str, Any]]) -> int:
    """Write records as one JSON array, one a line, as a stream. Returns their number."""
    count = 0
    with atomic(path) as aside, aside.open("w", encoding="utf-8", newline="\n") as out:
        out.write("[")
        for count, record in enumerate(records, 1):
            out.write(("," if count > 1 else "") + "\n" + json.dumps(record, ensure_ascii=False))
        out.write("\n]\n")
    return count


class _Window:
    """The part of a file that is being parsed and the line on which it begins."""

    def __init__(self, file: TextIO, path: str | Path, recode: str) -> None:
        self._file, self._path, self._recode = file, path, recode
        self._text, self._at, self._line = "", 0, 1  # what was read, and where in it we are

    def error(self, what: str) -> InputError:
        return InputError(what, file=self._path, line=self._line, remedy=FORM)

    def member(self, key: str) -> Iterator[tuple[int, Any]]:
        """The elements of the array that an object holds as `key`; all of the object is parsed."""
        found = False
        mark = self._expect("{")
        if self.peek() == "}":
            mark = self._expect("}")
        while mark != "}":
            if self.peek() not in ('"', ""):
                raise self.error("no name of a member")
            _, name = self._element()
            self._expect(":")
            if name != key:
                self._element()
            elif found:
                raise self.error(f"a second {key!r}")
            else:
                found = True
                yield from self.array()
            mark = self._expect(",}")
        if not found:
            raise self.error(f"no array {key!r}")

    def array(self) -> Iterator[tuple[int, Any]]:
        """(line, element) of the array that begins here."""
        mark = self._expect("[")
        if self.peek() == "]":
            mark = self._expect("]")
        while mark != "]":
            yield self._element()
            mark = self._expect(",]")

    def peek(self) -> str:
        """Skip white space; return the character that follows, nothing at the end."""
        while True:
            self._skip_to(_BLANK.match(self._text, self._at).end())  # type: ignore[union-attr]
            if self._at < len(self._text):
                return self._text[self._at]
            if not self._grow():
                return ""

    def _expect(self, marks: str) -> str:
        """Skip white space and one of `marks`, which is returned."""
        mark = self.peek()
        if not mark:
            raise self.error(CUT)
        if mark not in marks:
            raise self.error(f"{mark!r} where {' or '.join(marks)} belongs")
        self._skip_to(self._at + 1)
        return mark

    def _element(self) -> tuple[int, Any]:
        """The line on which the JSON value that follows begins, and the value."""
        self.peek()
        line, failure = self._line, ""
        while True:
            try:
                value, end = scan_json(self._text, self._at)
            except json.JSONDecodeError as error:
                # The value may go on beyond the window. Where more does not move the failure, it
                # is malformed; only a string fails at its start until it is complete.
                message, place = f"not JSON ({error.msg})", error.pos - self._at
                if f"{message}{place}" == failure and "Unterminated" not in message:
                    self._skip_to(error.pos)
                    raise self.error(message) from None
                failure = f"{message}{place}"
                if not self._grow():
                    cut = self._at + place == len(self._text) or "Unterminated" in message
                    raise self.error(CUT if cut else message) from None
            except ValueError as error:
                raise self.error(f"not JSON ({error})") from None
            else:
                if end == len(self._text) and type(value) in (int, float) and self._grow():
                    continue  # of a number there may be more
                if end - self._at > LONGEST:
                    raise self.error(TOO_LONG)
                self._skip_to(end)
                return line, value

    def _skip_to(self, place: int) -> None:
        self._line += self._text.count("\n", self._at, place)
        self._at = place

    def _grow(self) -> bool:
        """Drop what is done, and read as much again as is left; whether there was any."""
        left = len(self._text) - self._at
        if left > LONGEST:
            raise self.error(TOO_LONG)
        try:
            more = self._file.read(max(BLOCK, left))
            more.encode()  # some encodings let through halves of surrogate pairs
        except UnicodeError as error:  # of UTF-16 without its mark not a UnicodeDecodeError
            name = self._file.encoding.removesuffix("-sig").upper()
            what = f"not {name} ({getattr(error, 'reason', error)}), here or soon after"
            raise InputError(what, file=self._path, line=self._line, remedy=self._recode) from None
        self._text, self._at = self._text[self._at :] + more, 0
        return bool(more)
