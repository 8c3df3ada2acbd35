"""Entity mentions as an Arrow file: one row a mention, sorted by passage row and start."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import overload

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ecqg.corpus.arrow_file import arrow_writer, read_arrow

BATCH_ROWS = 65_536
SCHEMA = pa.schema(
    [
        ("row", pa.int32()),
        ("start", pa.int32()),
        ("end", pa.int32()),
        ("label", pa.string()),
        ("text", pa.string()),
    ]
)


@dataclass(frozen=True, slots=True)
class Entity:
    """A mention: characters [start, end) of the text of the passage in `row`."""

    row: int
    start: int
    end: int
    label: str  # an OntoNotes type
    text: str


class Entities(Sequence[Entity]):
    """A read-only, memory-mapped sequence of mentions: never is a whole column in memory.

    Raises InputError where the file is missing or is no entity file.
    """

    def __init__(self, path: str | Path) -> None:
        self._table = read_arrow(path, SCHEMA, "ecqg entities")
        # Maps of the file's batches, with the row and the place at which each begins.
        self._rows = [chunk.to_numpy() for chunk in self._table["row"].chunks if len(chunk)]
        self._firsts = np.array([rows[0] for rows in self._rows], np.int32)
        self._places = np.cumsum([0, *map(len, self._rows)])

    def __len__(self) -> int:
        return int(self._table.num_rows)

    @overload
    def __getitem__(self, index: int) -> Entity: ...
    @overload
    def __getitem__(self, index: slice) -> list[Entity]: ...
    def __getitem__(self, index: int | slice) -> Entity | list[Entity]:
        if isinstance(index, slice):
            start, stop, step = index.indices(len(self))
            if step == 1:
                records = self._table.slice(start, max(0, stop - start)).to_pylist()
                return [Entity(**record) for record in records]
            return [self[i] for i in range(start, stop, step)]
        if not -len(self) <= index < len(self):
            raise IndexError(index)
        return self[index % len(self) : index % len(self) + 1][0]

    def span(self, row: int) -> tuple[int, int]:
        """The mentions of a passage are those at [first, last) of the file."""
        return self._place(row), self._place(row + 1)

    def starts_and_ends(self, row: int) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The characters of a passage's mentions, each [mentions]."""
        first, last = self.span(row)
        start, end = (self._table[name].slice(first, last - first) for name in ("start", "end"))
        return start.to_numpy(), end.to_numpy()

    def passages(self) -> Iterator[int]:
        """The rows of the passages that have a mention, as a stream."""
        before = -1
        for rows in self._rows:
            for row in np.unique(rows).tolist():
                if row != before:
                    yield row
                before = row

    def _place(self, row: int) -> int:
        """Of the first mention that is of this passage or a later one."""
        # Of the array's own type: for any other NumPy converts the whole array at each search.
        key = np.int32(row)
        batch = int(np.searchsorted(self._firsts, key)) - 1  # the last one that begins before it
        if batch < 0:
            return 0
        return int(self._places[batch] + np.searchsorted(self._rows[batch], key))


def write_entities(path: str | Path, entities: Iterable[Entity]) -> int:
    """Write mentions, which must come sorted, as a stream. Returns their number."""
    count = 0
    stream = iter(entities)
    with arrow_writer(path, SCHEMA) as writer:
        while block := list(islice(stream, BATCH_ROWS)):
            columns = [
                pa.array([getattr(e, field.name) for e in block], field.type) for field in SCHEMA
            ]
            writer.write_batch(pa.record_batch(columns, schema=SCHEMA))
            count += len(block)
    return count
