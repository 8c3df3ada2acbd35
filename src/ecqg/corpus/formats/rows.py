"""Rows of JSON Lines and of tables with a header, as a stream that goes on behind a bad one."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from ecqg.corpus.lines import RECODE, WHOLE, raw_lines
from ecqg.errors import InputError
from ecqg.files import atomic, conform, parse_json

SKIP = "--skip-bad FILE writes them there and leaves them out"


class Row(NamedTuple):
    """A row as it stands in its file, and what it holds by name."""

    file: Path
    line: int  # on which it begins, from 1 on
    raw: str  # bytes that are not UTF-8 as lone surrogates
    values: dict[str, Any]


class BadRows:
    """Rows that cannot be used: the first is an InputError, or all are written to a file.

    What a row spoils further on, such as judgements of a passage that is left out, is one, too.
    """

    def __init__(self, out: TextIO | None = None, hint: str = f"; {SKIP}") -> None:
        self._out, self._hint = out, hint
        self.lines: set[tuple[Path, int]] = set()
        self.count = 0
        self.first: tuple[Path, int, str, str] | None = None

    def add(self, row: Row, what: str, remedy: str) -> None:
        """Take down what is wrong with a row, and what would be right."""
        self.count += 1
        self.lines.add((row.file, row.line))
        self.first = self.first or (row.file, row.line, what, remedy)
        if self._out is not None:
            raw = row.raw.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
            told = {"file": str(row.file), "line": row.line, "wrong": f"{what}; {remedy}"}
            self._out.write(json.dumps({**told, "row": raw}, ensure_ascii=False) + "\n")

    def settle(self) -> None:
        """Raise InputError for the first row, with the number of all, unless they are written."""
        if self._out is None and self.first is not None:
            file, line, what, remedy = self.first
            rows = f"{self.count:,} rows are" if self.count > 1 else "1 row is"
            what, remedy = f"{what} ({rows} bad)", f"{remedy}{self._hint}"
            raise InputError(what, file=file, line=line, remedy=remedy)


@contextmanager
def bad_rows(path: Path | None) -> Iterator[BadRows]:
    """Bad rows, written to the new file `path` if that is given, one JSON object a line."""
    if path is None:
        yield BadRows()
        return
    if path.exists():
        raise InputError("is there already", file=path, remedy="name a new file for bad rows")
    with atomic(path) as aside, aside.open("w", encoding="utf-8", newline="\n") as out:
        yield BadRows(out)


def _decoded(path: Path) -> Iterator[tuple[int, str]]:
    """(line number, line with its end); bytes that are not UTF-8 become lone surrogates."""
    return ((number, raw.decode("utf-8", "surrogateescape")) for number, raw in raw_lines(path))


def _sound(row: Row, bad: BadRows) -> bool:
    """Whether the text of a row is text."""
    try:
        row.raw.encode()
    except UnicodeEncodeError:
        bad.add(row, "not UTF-8", RECODE)
        return False
    if "\0" in row.raw:
        bad.add(row, "a NUL character", "take it out")
        return False
    return True


def line_rows(path: Path, bad: BadRows) -> Iterator[Row]:
    """The lines of a file, whole; what they hold is for others to say."""
    for number, text in _decoded(path):
        row = Row(path, number, text.rstrip("\r\n"), {})
        if not text.endswith("\n"):
            what = "the last line has no end, as of a file that was cut short"
            bad.add(row, what, f"{WHOLE}; if it is whole, add a line feed")
        elif _sound(row, bad):
            yield row


def json_rows(path: Path, bad: BadRows) -> Iterator[Row]:
    """The JSON objects of a file, one a line; lines without anything on them are none."""
    for number, text in _decoded(path):
        row = Row(path, number, text.rstrip("\r\n"), {})
        if not row.raw.strip() or not _sound(row, bad):
            continue
        try:
            values = conform(parse_json(row.raw), dict[str, Any])
        except ValueError as error:
            bad.add(row, f"not a JSON object ({error})", "write one object a line")
            continue
        if any("\0" in text for text in _texts(values)):
            bad.add(row, "a NUL character", "take it out")
        else:
            yield row._replace(values=values)


def _texts(value: Any) -> Iterator[str]:
    """The strings in a JSON value, as deep as its parser goes."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner)


def table_rows(path: Path, bad: BadRows, delimiter: str) -> Iterator[Row]:
    """The rows of CSV, or of TSV, by the names in its first line.

    A field in double quotes may hold line breaks, and double quotes doubled. Raises InputError
    where there is no header.
    """
    taken: list[str] = []

    def lines() -> Iterator[str]:
        for _, text in _decoded(path):
            taken.append(text)
            yield text

    reader = csv.reader(lines(), delimiter=delimiter, strict=True)
    header: list[str] = []
    while True:
        taken.clear()
        begin, wrong = reader.line_num + 1, ""
        try:
            cells = next(reader)
        except StopIteration:
            break
        except csv.Error as error:
            cells, wrong = [], str(error)
        row = Row(path, begin, "".join(taken).rstrip("\r\n"), {})
        if not header:
            header = [cell.strip() for cell in cells]
            if wrong or len(set(header)) < len(header) or not all(header):
                remedy = "the first line names the columns, such as id, title, text"
                raise InputError("no header", file=path, line=1, remedy=remedy)
        elif not wrong and not cells:
            continue
        elif wrong:
            what, end = f"malformed ({wrong})", reader.line_num
            if end > begin:
                rest = ", the rest of the file," if "end of data" in wrong else ""
                what += f": a quote that opens here took lines {begin} to {end}{rest} into one row"
            bad.add(row, what, 'close it, or double a double quote: "say ""yes"""')
        elif not _sound(row, bad):
            pass
        elif len(cells) != len(header):
            what = f"{len(cells)} fields where {len(header)} belong ({', '.join(header)})"
            bad.add(row, what, "put a field with a separator into double quotes")
        else:
            yield row._replace(values=dict(zip(header, cells, strict=True)))
    if not header:
        raise InputError("empty", file=path, remedy="the first line names the columns")


def rows_of(path: Path, bad: BadRows) -> Iterator[Row]:
    """The rows of a file by the end of its name: .csv, .tsv, else JSON Lines; also with .gz."""
    name = path.name.removesuffix(".gz")
    if name.endswith((".csv", ".tsv")):
        return table_rows(path, bad, "," if name.endswith(".csv") else "\t")
    return json_rows(path, bad)
