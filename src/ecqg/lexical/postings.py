"""Which passages have a bucket, how often: counted passage by passage, read bucket by bucket.

A merge sort on disk: each block of passages is counted and ordered by bucket; then the blocks are
merged, some buckets at a time. Each write appends to what is there, so that stopped work is
resumed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ecqg.columns import Columns
from ecqg.processes import in_blocks
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

    It resumes what an earlier object with the same arguments had counted and merged.

    Attributes:
        total: the number of texts.
        document_frequency: uint32 [buckets], the number of texts with each; a memory map.
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
        self.document_frequency: NDArray[np.uint32] = self._table(
            "document_frequency", np.uint32, buckets
        )
        self.total = int(self._counted.read("texts").sum())
        for begin, end in self._blocks():
            self._add(self._counted.read("buckets")[begin:end])
        for block in in_blocks(islice(texts, self.total, None), BLOCK):
            distinct, lengths, frequencies = count(map(grams, block))
            rows = np.arange(self.total, self.total + len(lengths), dtype=np.int32)
            order = np.argsort(distinct, kind="stable")
            self._counted.append(
                buckets=distinct[order],
                rows=np.repeat(rows, lengths)[order],
                frequencies=frequencies[order],
                texts=np.array([len(lengths)]),
                postings=np.array([len(distinct)]),
            )
            self._add(distinct)
            self.total += len(lengths)

    def _add(self, buckets: NDArray[np.uint32]) -> None:
        distinct, counts = np.unique(buckets, return_counts=True)
        self.document_frequency[distinct] += counts.astype(np.uint32)

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
            idfs = idf(self.document_frequency[buckets])
            heavy = idfs > 0
            weights = np.log1p(frequencies[heavy]) * idfs[heavy]
            merged.append(weights=weights, rows=rows[heavy].astype(number))
        return merged.read("weights"), merged.read("rows"), pointers

    def _pointers(self, idf: Callable[[NDArray[np.uint32]], NDArray[np.float64]]) -> NDArray[Any]:
        """Where each bucket's postings begin, and behind that where the last bucket's end."""
        buckets = len(self.document_frequency)
        tables = range(0, buckets, TABLE_BLOCK)

        def weighted(begin: int) -> NDArray[np.uint32]:
            frequency = self.document_frequency[begin : begin + TABLE_BLOCK]
            return np.where(idf(frequency) > 0, frequency, np.uint32(0))

        postings = sum(int(weighted(begin).sum()) for begin in tables)
        number = np.int32 if max(postings, self.total) <= INT32 else np.int64
        pointers = self._table("pointers", number, buckets + 1)
        end = 0
        for begin in tables:
            ends = end + np.cumsum(weighted(begin), dtype=np.int64)
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
