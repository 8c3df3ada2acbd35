"""The passage store: an Arrow file, memory-mapped, so that 21M passages are no Python objects."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryFile, gettempdir
from typing import overload

import numpy as np
import pyarrow as pa

from ecqg.corpus.arrow_file import arrow_writer, read_arrow
from ecqg.processes import in_blocks
from ecqg.seeds import python_rng
from ecqg.space import zeros

PASSAGES = "passages.arrow"  # in the folder of a collection
BATCH_ROWS = 65_536
READ_ROWS = 1_024  # passages that are Python objects at a time
REMEMBERED = 100_000  # ids looked up lately, some 15 MB: runs hold the same ones over and over
LOW = 2**32 - 1  # of an entry of `RowsById`: the row, under the hash
SCHEMA = pa.schema(
    [
        ("id", pa.string()),
        ("title", pa.string()),
        ("text", pa.string()),
        ("sentence_starts", pa.list_(pa.int32())),
    ]
)


@dataclass(frozen=True, slots=True)
class Passage:
    """One retrieval unit.

    `row` is its 0-based place in the collection, `id` its public name (unique). `sentence_starts`
    are character offsets into `text` at which sentences begin, the first one 0.
    """

    row: int
    id: str
    title: str
    text: str
    sentence_starts: tuple[int, ...]

    def sentences(self) -> list[tuple[int, int]]:
        """Character spans [start, end) of the sentences; together they cover `text`."""
        ends = (*self.sentence_starts[1:], len(self.text))
        return list(zip(self.sentence_starts, ends, strict=True))

    def sentence_at(self, offset: int) -> int:
        """The 0-based index of the sentence that holds the character at `offset`."""
        return max(i for i, start in enumerate(self.sentence_starts) if start <= max(offset, 0))


class Passages(Sequence[Passage]):
    """A read-only, memory-mapped sequence of passages.

    Raises InputError where the file is missing, damaged or no passage store.
    """

    def __init__(self, path: str | Path) -> None:
        self._table = read_arrow(path, SCHEMA, "dvc repro")

    def __len__(self) -> int:
        return int(self._table.num_rows)

    @overload
    def __getitem__(self, row: int) -> Passage: ...
    @overload
    def __getitem__(self, row: slice) -> list[Passage]: ...
    def __getitem__(self, row: int | slice) -> Passage | list[Passage]:
        if isinstance(row, slice):
            begin, end, step = row.indices(len(self))
            if step == 1:
                return list(self._read(begin, end))
            return [self[i] for i in range(begin, end, step)]
        row = range(len(self))[row]
        name, title, text, starts = (column[row].as_py() for column in self._table.columns)
        return Passage(row, name, title, text, tuple(starts))

    def __iter__(self) -> Iterator[Passage]:
        return self._read(0, len(self))

    def _read(self, begin: int, end: int) -> Iterator[Passage]:
        row = begin
        part = self._table.slice(begin, max(0, end - begin))
        for batch in part.to_batches(max_chunksize=READ_ROWS):
            for record in batch.to_pylist():
                starts = tuple(record["sentence_starts"])
                yield Passage(row, record["id"], record["title"], record["text"], starts)
                row += 1

    def ids(self) -> pa.ChunkedArray:
        """The `id` column, uncopied."""
        return self._table["id"]

    def rows_by_id(self) -> Mapping[str, int]:
        """Row by passage id."""
        return RowsById(self.ids())


class RowsById(Mapping[str, int]):
    """Row by id of a column of unique ids, such as `Passages.ids()`; fewer than 2**32.

    A table of 32 bits of each id's hash and 32 of its row lies in order in a temporary file, memory
    mapped. Where hashes agree the column itself decides.
    """

    def __init__(self, ids: pa.ChunkedArray) -> None:
        self._ids = ids
        with TemporaryFile() as file:  # the map keeps it
            shape = (max(1, len(ids)),)  # a map cannot be empty
            table = zeros(file, np.uint64, shape, Path(gettempdir()))[: len(ids)]
        start = 0
        for chunk in ids.chunks:
            end = start + len(chunk)
            hashes = np.fromiter(map(_high, chunk.to_pylist()), np.uint64, len(chunk))
            table[start:end] = hashes | np.arange(start, end, dtype=np.uint64)
            start = end
        table.sort()
        # As a memory view, which gives Python's own numbers: they are compared much faster.
        self._table = table.data
        self._remembered = lru_cache(maxsize=REMEMBERED)(self._find)

    def __getitem__(self, name: str) -> int:
        return self._remembered(name)

    def _find(self, name: str) -> int:
        wanted = _high(name)
        for place in range(bisect_left(self._table, wanted), len(self._table)):
            row = self._table[place] - wanted
            if row > LOW:
                break
            if self._ids[row].as_py() == name:
                return row
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        for chunk in self._ids.chunks:
            yield from chunk.to_pylist()

    def __len__(self) -> int:
        return len(self._ids)


def _high(name: str) -> int:
    return (hash(name) & LOW) << 32


def write_passages(path: str | Path, passages: Iterable[Passage]) -> int:
    """Write a passage store in blocks; `row` is not stored, the order is. Returns the count."""
    count = 0
    with arrow_writer(path, SCHEMA) as writer:
        for block in in_blocks(passages, BATCH_ROWS):
            columns = [pa.array([getattr(p, f.name) for p in block], f.type) for f in SCHEMA]
            writer.write_batch(pa.record_batch(columns, schema=SCHEMA))
            count += len(block)
    return count


def sample_passages(collection: int, size: int, seed: int) -> list[int]:
    """Rows of a random sample of a collection of that many passages, all if fewer, sorted."""
    rows = range(collection)
    return sorted(python_rng(seed, "passages").sample(rows, min(size, collection)))
