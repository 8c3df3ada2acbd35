"""Arrow files that carry the digest of their own bytes, memory-mapped where it holds.

A damaged file can make Arrow fail in any way, a crash among them, when it is mapped or long after.
So nothing of a file is shown to Arrow before its digest was found right, and a file is hashed once:
`ecqg.digests` remembers it. The digest stands in the schema's metadata, which Arrow's format writes
at the file's begin and once more at its end; as it is computed, both read as zeros. Any other
program reads such a file as it reads others.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa

from ecqg.digests import remembered
from ecqg.errors import InputError
from ecqg.files import atomic

MARK = b"ecqg-blake2b-"  # what stands before the digest
DIGITS = 64
LARGE = 2**20  # bytes; less is hashed each time
ENDS = 2**22  # bytes of the end in which the footer lies: 24 for each batch, and some more
BLOCK = 2**20
NO_DIGITS = b"0" * DIGITS


@contextmanager
def arrow_writer(path: str | Path, schema: pa.Schema) -> Iterator[pa.ipc.RecordBatchFileWriter]:
    """A writer of record batches; the file is there, with its digest, when the block ends."""
    marked = schema.with_metadata({"digest": MARK + NO_DIGITS})
    with atomic(path) as aside:
        with pa.ipc.new_file(str(aside), marked) as writer:
            yield writer
        with aside.open("r+b") as file:
            places = _places(file)
            digits = _digest(file, places).encode()
            for place in places:
                file.seek(place)
                file.write(digits)


def read_arrow(path: str | Path, schema: pa.Schema, made_by: str) -> pa.Table:
    """Map a file of `arrow_writer` into memory.

    Raises InputError where the file is missing, damaged or of another schema.
    """
    remedy = f"make it with '{made_by}'"
    try:
        remembered(whole_arrow, [Path(path)], smallest=LARGE)
        table = pa.ipc.open_file(pa.memory_map(str(path))).read_all()
    except (OSError, ValueError, pa.ArrowException) as error:
        reason = getattr(error, "strerror", None) or str(error).partition("\n")[0]
        what = f"cannot be read as Arrow ({reason})"
        raise InputError(what, file=path, remedy=remedy) from None
    if table.schema != schema:
        raise InputError("has other columns", file=path, remedy=remedy)
    return table


def whole_arrow(path: Path) -> str:
    """The digest of a file that is as it was written. Raises ValueError for another."""
    with path.open("rb") as file:
        places = _places(file)
        found = _digest(file, places).encode()
        for place in places:
            file.seek(place)
            if file.read(DIGITS) != found:
                raise ValueError("its digest is not that of its bytes: it is damaged")
    pa.ipc.open_file(pa.memory_map(str(path))).read_all().validate(full=True)
    return found.decode()


def _places(file: BinaryIO) -> tuple[int, int]:
    """Where the two copies of the digest stand."""
    size = file.seek(0, 2)
    end = max(0, size - ENDS)
    file.seek(0)
    first = file.read(4096).find(MARK)
    file.seek(end)
    last = file.read().rfind(MARK)
    places = first + len(MARK), end + last + len(MARK)
    if min(first, last) < 0 or places[0] + DIGITS > places[1] or places[1] + DIGITS > size:
        raise ValueError("it carries no digest")
    return places


def _digest(file: BinaryIO, places: tuple[int, int]) -> str:
    """The digest of a file's bytes, zeros standing where it stands."""
    total = hashlib.blake2b(digest_size=DIGITS // 2)
    begin = 0
    for end in (*places, file.seek(0, 2)):
        if begin:
            total.update(NO_DIGITS)
        file.seek(begin)
        for at in range(begin, end, BLOCK):
            total.update(file.read(min(BLOCK, end - at)))
        begin = end + DIGITS
    return total.hexdigest()
