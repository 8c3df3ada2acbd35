"""Which passages hold a bucket, and how often: counted passage by passage, read bucket by bucket.

All of it lies on disk. Memory holds a block of passages, and 20 bytes for each bucket in use.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ecqg.columns import Columns

BLOCK = 16_384  # passages whose n-grams are in memory
COUNTED = np.dtype([("bucket", np.uint32), ("frequency", np.uint32)])
COLUMNS = {"counted": COUNTED, "lengths": np.int64}  # of a text: its buckets, how many they are

Counted = tuple[NDArray[np.uint32], NDArray[np.int64], NDArray[np.uint32]]


class Postings:
    """Counts of `texts`, of whose n-grams `grams` gives the buckets with repeats, in `folder`.

    Texts that an earlier call with the same arguments had counted when it was stopped are not
    counted again.

    Attributes:
        buckets: uint32 [in use], ascending.
        held_by: int64 [in use], the number of texts that hold each.
    """

    def __init__(
        self, folder: Path, texts: Iterable[str], grams: Callable[[str], NDArray[np.int64]]
    ) -> None:
        self._folder = folder
        self._columns = Columns(folder, COLUMNS)
        self.buckets, self.held_by = np.empty(0, np.uint32), np.empty(0, np.int64)
        for _, records in self._counted():
            self._hold(*np.unique(records["bucket"], return_counts=True))
        rest = islice(texts, self.total, None)
        while block := list(islice(rest, BLOCK)):
            buckets, lengths, frequencies = count(map(grams, block))
            records = np.empty(len(buckets), COUNTED)
            records["bucket"], records["frequency"] = buckets, frequencies
            self._columns.append(counted=records, lengths=lengths)
            self._hold(*np.unique(buckets, return_counts=True))

    @property
    def total(self) -> int:
        """The number of texts."""
        return self._columns.lengths["lengths"]

    def _hold(self, buckets: NDArray[np.uint32], held_by: NDArray[np.int64]) -> None:
        places, known = self.columns(buckets)
        self.held_by[places[known]] += held_by[known]
        self.buckets = np.insert(self.buckets, places[~known], buckets[~known])
        self.held_by = np.insert(self.held_by, places[~known], held_by[~known])

    def columns(self, buckets: NDArray[np.uint32]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """Where each of `buckets` stands among those in use, or would; and whether it does."""
        places = np.searchsorted(self.buckets, buckets)
        known = places < len(self.buckets)
        known[known] = self.buckets[places[known]] == buckets[known]
        return places, known

    def by_bucket(
        self, idf: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.int64]]:
        """Weights log(1 + tf) * `idf` as a CSR matrix [in use, texts]: data, indices, indptr.

        Rows of a bucket are ascending; buckets with an idf of 0 are empty. Data and indices are
        memory maps of `folder`.
        """
        starts = np.concatenate([[0], np.cumsum(np.where(idf > 0, self.held_by, 0))])
        weights: NDArray[np.float64] = self._map("weights", np.float64, starts[-1])
        rows: NDArray[np.int32] = self._map("rows", np.int32, starts[-1])
        free = starts[:-1].copy()  # where the next posting of each bucket goes
        for row, records in self._counted():
            columns, _ = self.columns(records["bucket"])
            kept = np.flatnonzero(idf[columns] > 0)
            kept = kept[np.argsort(columns[kept], kind="stable")]
            columns = columns[kept]
            distinct, first, here = np.unique(columns, return_index=True, return_counts=True)
            places = np.repeat(free[distinct] - first, here) + np.arange(len(columns))
            weights[places] = np.log1p(records["frequency"][kept]) * idf[columns]
            rows[places] = row[kept]
            free[distinct] += here
        return weights, rows, starts

    def _map(self, name: str, dtype: type, length: int) -> NDArray[Any]:
        shape = (max(1, int(length)),)  # a map cannot be empty
        return np.memmap(self._folder / name, dtype, "w+", shape=shape)[:length]

    def _counted(self) -> Iterator[tuple[NDArray[np.int32], NDArray[np.void]]]:
        """Block by block: of each record the text, and the record."""
        all_lengths = self._columns.read("lengths")
        with (self._folder / "counted").open("rb") as file:  # a map would keep its pages
            for begin in range(0, self.total, BLOCK):
                lengths = all_lengths[begin : begin + BLOCK]
                texts = np.arange(begin, begin + len(lengths), dtype=np.int32)
                yield np.repeat(texts, lengths), np.fromfile(file, COUNTED, int(lengths.sum()))


def count(texts: Iterable[NDArray[np.int64]]) -> Counted:
    """All texts' distinct buckets, text after text; how many each text has; their frequencies."""
    buckets: list[NDArray[np.uint32]] = [np.empty(0, np.uint32)]
    frequencies: list[NDArray[np.uint32]] = [np.empty(0, np.uint32)]
    lengths: list[int] = []
    for text in texts:
        distinct, frequency = np.unique(text, return_counts=True)
        buckets.append(distinct.astype(np.uint32))
        frequencies.append(frequency.astype(np.uint32))
        lengths.append(len(distinct))
    return np.concatenate(buckets), np.array(lengths, np.int64), np.concatenate(frequencies)
