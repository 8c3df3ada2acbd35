"""The passage store: an Arrow file, memory-mapped, so that 21M passages are no Python objects."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import overload

import pyarrow as pa

from ecqg.corpus.arrow_file import arrow_writer, read_arrow
from ecqg.corpus.rows import RowsById

PASSAGES = "passages.arrow"  # in the folder of a collection
BATCH_ROWS = 65_536
READ_ROWS = 1_024  # passages that are Python objects at a time
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
        if not -len(self) <= row < len(self):
            raise IndexError(row)
        row %= len(self)
        columns = self._table
        return Passage(
            row,
            columns["id"][row].as_py(),
            columns["title"][row].as_py(),
            columns["text"][row].as_py(),
            tuple(columns["sentence_starts"][row].as_py()),
        )

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


def write_passages(path: str | Path, passages: Iterable[Passage]) -> int:
    """Write a passage store in blocks; `row` is not stored, the order is. Returns the count."""
    count = 0
    stream = iter(passages)
    with arrow_writer(path, SCHEMA) as writer:
        while block := list(islice(stream, BATCH_ROWS)):
            columns = [
                pa.array([p.id for p in block], pa.string()),
                pa.array([p.title for p in block], pa.string()),
                pa.array([p.text for p in block], pa.string()),
                pa.array([p.sentence_starts for p in block], pa.list_(pa.int32())),
            ]
            writer.write_batch(pa.record_batch(columns, schema=SCHEMA))
            count += len(block)
    return count
