"""Text files read with line numbers, so that every complaint can say where."""

from __future__ import annotations

import csv
import gzip
import io
import os
import sys
import zlib
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, cast

from ecqg.errors import InputError

MISSING = "check the path in params.yaml"
UTF_8 = "utf-8-sig"  # with or without a byte order mark
RECODE = "save the file as UTF-8"
WHOLE = "fetch the file again"
LONGEST_LINE = 1 << 24  # bytes; a passage has a thousand
# Of what a .gz file holds to its size: text is compressed to a third or a tenth, a bomb of zeros to
# a thousandth. A SMALL file may hold what it will.
RATIO, SMALL = 100, 1 << 22


class Part(NamedTuple):
    """Lines of a file, by their bytes: from `begin` on, where line number `line` is, to `end`."""

    begin: int
    end: int
    line: int


WHOLE_FILE = Part(0, sys.maxsize, 1)


@contextmanager
def open_bytes(path: str | Path) -> Iterator[BinaryIO]:
    """A file to be read; one whose name ends in .gz is decompressed on the way.

    Raises InputError where there is none, and where a .gz file is damaged or holds RATIO times its
    size.
    """
    try:
        file = Path(path).open("rb")  # noqa: SIM115 -- closed below
    except (OSError, ValueError) as error:
        absent = isinstance(error, FileNotFoundError | IsADirectoryError | NotADirectoryError)
        reason = f"cannot be read ({getattr(error, 'strerror', error)})"
        what = "no such file" if absent else reason
        raise InputError(what, file=path, remedy=MISSING) from None
    try:
        with file:
            if str(path).endswith(".gz"):
                yield cast(BinaryIO, io.BufferedReader(_Decompressed(file, path), 1 << 17))
            else:
                yield file
    except (EOFError, OSError, zlib.error) as error:
        raise InputError(f"not a whole gzip file ({error})", file=path, remedy=WHOLE) from None


class _Decompressed(io.RawIOBase):
    """What a .gz file holds, as far as that is in proportion to its size."""

    def __init__(self, file: BinaryIO, path: str | Path) -> None:
        self._path = path
        self._stream = gzip.GzipFile(fileobj=file)
        self._left = max(SMALL, RATIO * os.fstat(file.fileno()).st_size)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        block = self._stream.read1(len(buffer))
        self._left -= len(block)
        if self._left < 0:
            what = f"decompresses to over {RATIO} times its size"
            raise InputError(what, file=self._path, remedy="decompress it yourself if you trust it")
        buffer[: len(block)] = block
        return len(block)


def raw_lines(path: str | Path, part: Part = WHOLE_FILE) -> Iterator[tuple[int, bytes]]:
    """Yield (1-based number, bytes of a line with its end), as a stream.

    Only a line feed ends a line, so that a U+2028 inside a text does not. A byte order mark is
    skipped. Raises InputError as `open_bytes` does, for a line of LONGEST_LINE bytes or more, and
    where the mark is that of UTF-16.
    """
    with open_bytes(path) as file:
        if place := part.begin:
            file.seek(place)
        for number, raw in enumerate(iter(lambda: file.readline(LONGEST_LINE), b""), part.line):
            if len(raw) == LONGEST_LINE and raw[-1:] != b"\n":
                what = f"a line of {LONGEST_LINE:,} bytes or more"
                raise InputError(what, file=path, line=number, remedy="mend the file")
            if number == 1 and raw.startswith((BOM_UTF16_LE, BOM_UTF16_BE)):
                raise InputError("UTF-16", file=path, line=1, remedy=RECODE)
            yield number, raw.removeprefix(BOM_UTF8) if number == 1 else raw
            place += len(raw)
            if place >= part.end:
                return


def numbered_lines(
    path: str | Path, *, ended: bool = False, part: Part = WHOLE_FILE
) -> Iterator[tuple[int, str]]:
    """Yield (1-based number, line without its end) of a UTF-8 file or a part, as a stream.

    Raises InputError as `raw_lines` does, and naming the line that is not UTF-8. If lines must be
    `ended`, so must the last one: where a line that was cut short looks like a whole one, nothing
    else tells.
    """
    wrong = partial(InputError, file=path)
    for number, raw in raw_lines(path, part):
        if ended and raw[-1:] != b"\n":
            what = "the last line has no end, as of a file that was cut short"
            raise wrong(what, line=number, remedy=f"{WHOLE}; if it is whole, add a line feed")
        try:
            line = raw.decode()
        except UnicodeDecodeError as error:
            what = f"not UTF-8 ({error.reason})"
            raise wrong(what, line=number, remedy=RECODE) from None
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
