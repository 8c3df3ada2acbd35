"""Which passages hold a bucket, and how often: counted passage by passage, read bucket by bucket.

All of it lies on disk, in tables that are addressed by bucket. Memory holds a block of passages.
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
INT32 = 2**31 - 1
TABLE_BLOCK = 2**20  # buckets of a table that are computed at a time
COUNTED = np.dtype([("bucket", np.uint32), ("frequency", np.uint32)])
COLUMNS = {"counted": COUNTED, "lengths": np.int64}  # of a text: its buckets, how many they are

Counted = tuple[NDArray[np.uint32], NDArray[np.int64], NDArray[np.uint32]]


class Postings:
    """Counts of `texts`, of whose n-grams `grams` gives the buckets with repeats, in `folder`.

    Texts that an earlier call with the same arguments had counted when it was stopped are not
    counted again.

    Attributes:
        held_by: uint32 [buckets], the number of texts that hold each; a memory map.
    """

    def __init__(
        self,
        folder: Path,
        texts: Iterable[str],
        grams: Callable[[str], NDArray[np.int64]],
        buckets: int,
    ) -> None:
        self._folder = folder
        self._columns = Columns(folder, COLUMNS)
        self.held_by: NDArray[np.uint32] = self._map("held_by", np.uint32, buckets)
        for _, records in self._counted():
            self._hold(records["bucket"])
        rest = islice(texts, self.total, None)
        while block := list(islice(rest, BLOCK)):
            held, lengths, frequencies = count(map(grams, block))
            records = np.empty(len(held), COUNTED)
            records["bucket"], records["frequency"] = held, frequencies
            self._columns.append(counted=records, lengths=lengths)
            self._hold(held)

    @property
    def total(self) -> int:
        """The number of texts."""
        return self._columns.lengths["lengths"]

    def _hold(self, buckets: NDArray[np.uint32]) -> None:
        distinct, counts = np.unique(buckets, return_counts=True)
        self.held_by[distinct] += counts.astype(np.uint32)

    def by_bucket(
        self, idf: Callable[[NDArray[np.uint32]], NDArray[np.float64]]
    ) -> tuple[NDArray[np.float64], NDArray[Any], NDArray[Any]]:
        """Weights log(1 + tf) * idf as a CSR matrix [buckets, texts]: data, indices, indptr.

        `idf` maps numbers of texts to weights. Rows of a bucket are ascending; buckets with an idf
        of 0 are empty. All three are memory maps of `folder`; indices and indptr are int32 where
        that is enough, else int64: any other types scipy would copy into memory.
        """
        buckets = len(self.held_by)
        postings = sum(
            int(np.where(idf(held_by) > 0, held_by, 0).sum())
            for held_by in np.split(self.held_by, range(TABLE_BLOCK, buckets, TABLE_BLOCK))
        )
        number = np.int32 if max(postings, self.total) <= INT32 else np.int64
        # Where the next posting of bucket b goes stands at b + 1, so that in the end it is where
        # the postings of b end.
        pointers = self._map("pointers", number, buckets + 1)
        end = 0
        for begin in range(0, buckets, TABLE_BLOCK):
            held_by = self.held_by[begin : begin + TABLE_BLOCK]
            ends = end + np.cumsum(np.where(idf(held_by) > 0, held_by, 0), dtype=np.int64)
            pointers[begin + 1] = end
            pointers[begin + 2 : begin + 1 + len(ends)] = ends[:-1]
            end = int(ends[-1])
        weights: NDArray[np.float64] = self._map("weights", np.float64, postings)
        rows = self._map("rows", number, postings)
        for row, records in self._counted():
            idfs = idf(self.held_by[records["bucket"]])
            kept = np.flatnonzero(idfs > 0)
            kept = kept[np.argsort(records["bucket"][kept], kind="stable")]
            distinct, first, here = np.unique(
                records["bucket"][kept], return_index=True, return_counts=True
            )
            following = distinct.astype(np.int64) + 1
            places = np.repeat(pointers[following] - first, here) + np.arange(len(kept))
            weights[places] = np.log1p(records["frequency"][kept]) * idfs[kept]
            rows[places] = row[kept]
            pointers[following] += here
        return weights, rows, pointers

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
