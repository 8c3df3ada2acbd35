"""Which passages hold a bucket, and how often: counted passage by passage, read bucket by bucket.

A merge sort on disk: each block of passages is counted and ordered by bucket; then the blocks are
merged, some buckets at a time. Only what belongs behind all that is there is ever written, so that
work which was stopped is gone on with.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ecqg.columns import Columns
from ecqg.space import zeros

BLOCK = 4096  # passages whose n-grams are in memory: a second or two of work
PART = 2**20  # postings that are merged in memory; those of one bucket where they are more
INT32 = 2**31 - 1
TABLE_BLOCK = 2**20  # buckets of a table that are computed at a time
POSTINGS = {"buckets": np.uint32, "rows": np.int32, "frequencies": np.uint32}
BLOCKS = {"texts": np.int64, "postings": np.int64}  # how many of each a block has

Counted = tuple[NDArray[np.uint32], NDArray[np.int64], NDArray[np.uint32]]


class Postings:
    """Counts of `texts`, of whose n-grams `grams` gives the buckets with repeats, in `folder`.

    Texts that an earlier object with the same arguments had counted when it was stopped are not
    counted again, and what it had merged is not merged again.

    Attributes:
        total: the number of texts.
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
        self._counted = Columns(folder / "counted", POSTINGS | BLOCKS)
        self.held_by: NDArray[np.uint32] = self._table("held_by", np.uint32, buckets)
        self.total = int(self._counted.read("texts").sum())
        for begin, end in self._blocks():
            self._hold(self._counted.read("buckets")[begin:end])
        rest = islice(texts, self.total, None)
        while True:
            held, lengths, frequencies = count(map(grams, islice(rest, BLOCK)))
            if not len(lengths):
                break
            rows = np.arange(self.total, self.total + len(lengths), dtype=np.int32)
            order = np.argsort(held, kind="stable")
            self._counted.append(
                buckets=held[order],
                rows=np.repeat(rows, lengths)[order],
                frequencies=frequencies[order],
                texts=np.array([len(lengths)]),
                postings=np.array([len(held)]),
            )
            self._hold(held)
            self.total += len(lengths)

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
        pointers = self._pointers(idf)
        number, postings = pointers.dtype, int(pointers[-1])
        merged = Columns(self._folder / "merged", {"weights": np.float64, "rows": number})
        while (done := merged.lengths["rows"]) < postings:
            bounds = np.array([done, min(done + PART, postings)], number)
            begin, end = (pointers.searchsorted(bounds, "right") - 1).tolist()
            end = max(begin + 1, end)  # one bucket at least
            buckets, rows, frequencies = self._merge(begin, end)
            idfs = idf(self.held_by[buckets])
            kept = idfs > 0
            merged.append(
                weights=np.log1p(frequencies[kept]) * idfs[kept], rows=rows[kept].astype(number)
            )
        return merged.read("weights"), merged.read("rows"), pointers

    def _pointers(self, idf: Callable[[NDArray[np.uint32]], NDArray[np.float64]]) -> NDArray[Any]:
        """Where each bucket's postings begin, and behind that where the last bucket's end."""
        buckets = len(self.held_by)
        tables = range(0, buckets, TABLE_BLOCK)

        def kept(begin: int) -> NDArray[np.uint32]:
            held_by = self.held_by[begin : begin + TABLE_BLOCK]
            return np.where(idf(held_by) > 0, held_by, np.uint32(0))

        postings = sum(int(kept(begin).sum()) for begin in tables)
        number = np.int32 if max(postings, self.total) <= INT32 else np.int64
        pointers = self._table("pointers", number, buckets + 1)
        end = 0
        for begin in tables:
            ends = end + np.cumsum(kept(begin), dtype=np.int64)
            pointers[begin + 1 : begin + 1 + len(ends)] = ends
            end = int(ends[-1])
        return pointers

    def _merge(self, begin: int, end: int) -> tuple[NDArray[Any], ...]:
        """Buckets, rows and frequencies of the buckets `begin` to `end` - 1, in their order."""
        # Maps keep the pages that were read, but these end with this call.
        columns = [np.asarray(self._counted.read(name)) for name in POSTINGS]
        bounds = np.array([begin, end], np.uint32)
        parts = []
        for first, last in self._blocks():
            low, high = first + columns[0][first:last].searchsorted(bounds)
            parts.append([column[low:high] for column in columns])
        buckets, rows, frequencies = map(np.concatenate, zip(*parts, strict=True))
        order = np.argsort(buckets, kind="stable")
        return buckets[order], rows[order], frequencies[order]

    def _blocks(self) -> list[tuple[int, int]]:
        """From where to where the postings of each counted block go."""
        ends = np.cumsum(self._counted.read("postings")).tolist()
        return list(pairwise([0, *ends]))

    def _table(self, name: str, dtype: type, length: int) -> NDArray[Any]:
        with (self._folder / name).open("w+b") as file:
            return zeros(file, dtype, (length,), self._folder)


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
