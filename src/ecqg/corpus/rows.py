"""The row of a passage by its id, in 8 bytes a passage on disk: a dictionary holds some 150."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryFile, gettempdir

import numpy as np
import pyarrow as pa

from ecqg.space import zeros

REMEMBERED = 100_000  # ids asked for lately, some 15 MB: runs hold the same ones over and over
LOW = 2**32 - 1  # of an entry: the row, under the hash


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
