"""Text files read with line numbers, so that every complaint can say where."""

from __future__ import annotations

import csv
import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, TextIO, cast

from ecqg.errors import InputError

MISSING = "check the path in params.yaml"
UTF_8 = "utf-8-sig"  # with or without a byte order mark
RECODE = "save the file as UTF-8"
WHOLE = "fetch the file again"


def open_bytes(path: str | Path) -> BinaryIO:
    """Open a file for reading; one whose name ends in .gz is decompressed on the way.

    Raises InputError where there is none.
    """
    try:
        if str(path).endswith(".gz"):
            return cast(BinaryIO, gzip.open(path, "rb"))
        return Path(path).open("rb")
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        raise InputError("no such file", file=path, remedy=MISSING) from None


@contextmanager
def whole_gzip(path: str | Path) -> Iterator[None]:
    """Turn what reading a damaged .gz file raises into InputError."""
    try:
        yield
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise InputError(f"not a whole gzip file ({error})", file=path, remedy=WHOLE) from None


def numbered_lines(path: str | Path) -> Iterator[tuple[int, str]]:
    """Yield (1-based number, line without its end) of a UTF-8 file, as a stream.

    Only a line feed ends a line, so that a U+2028 inside a text does not. A byte order mark is
    skipped, and a .gz file decompressed. Raises InputError where there is no such file, or naming
    the line that is not UTF-8.
    """
    with open_bytes(path) as file, whole_gzip(path):
        for number, raw in enumerate(file, 1):
            try:
                line = raw.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError as error:
                what = f"not UTF-8 ({error.reason})"
                raise InputError(what, file=path, line=number, remedy=RECODE) from None
            yield number, line.rstrip("\r\n")


def split_fields(line: str, *, strict: bool) -> list[str] | str:
    """The tab-separated, CSV-quoted fields of one line, or in words what is wrong with it.

    A line is parsed by itself, so that a stray quote cannot swallow the lines that follow, as it
    does where the csv module reads the whole file (DPR's readers). `strict` also rejects what
    follows a closing quote.
    """
    try:
        return next(csv.reader([line], delimiter="\t", strict=strict), [])
    except csv.Error as error:
        return str(error)


def count_lines(path: str | Path) -> int:
    """The number of line feeds, for progress bars; 0 where the file cannot be read."""
    try:
        with Path(path).open("rb") as file:
            return sum(block.count(b"\n") for block in iter(lambda: file.read(1 << 20), b""))
    except OSError:
        return 0


def open_text(path: str | Path, encoding: str = UTF_8) -> TextIO:
    """Open a text file, also as .gz, for reading. Raises InputError where there is none."""
    return io.TextIOWrapper(open_bytes(path), encoding=encoding, newline="")
