"""FAISS search by inner product over passage vectors that stay on disk.

FAISS proposes passages, exact products order them. The matrix products behind FAISS round
differently from block to block, so that two passages with the same vector may get scores that
differ in the last bits, and an order that changes with the number of threads.

"Flat" compares every passage (exact, what the papers report). Any FAISS factory string is taken,
with search-time parameters after a space: "HNSW32 efSearch=128", "IVF4096,PQ64 nprobe=64".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import faiss
import numpy as np
from numpy.typing import NDArray

from ecqg.errors import InputError
from ecqg.progress import track
from ecqg.seeds import numpy_rng

Vectors = NDArray[np.float32]
Hits = tuple[NDArray[np.int64], NDArray[np.float32]]  # passage rows and their scores, best first
BLOCK = 65_536  # passages added at a time
BATCH = 256  # questions searched at a time
SPARE = 16  # passages beyond the depth, so that rounding does not decide who is in
TRAINING_SAMPLE = 262_144  # passages that clusters and quantisers are trained on, at most


class Index:
    """An inner-product index over `vectors`, float32 [passages, hidden], memory-mapped or not.

    Raises InputError where FAISS does not understand `spec` or cannot train it on these vectors.
    """

    def __init__(self, vectors: Vectors, spec: str, seed: int) -> None:
        self._vectors = vectors
        factory, *parameters = spec.split()
        try:
            index = faiss.index_factory(vectors.shape[1], factory, faiss.METRIC_INNER_PRODUCT)
            if not index.is_trained:
                index.train(_sample(vectors, seed))
            space: Any = faiss.ParameterSpace()  # its type stub is wrong
            for parameter in parameters:
                space.set_index_parameters(index, parameter)
        except RuntimeError as error:
            reason = str(error).splitlines()[0].rpartition(".cpp:")[2].partition(": ")[2]
            raise InputError(
                f"retrieval.index is {spec!r}, which FAISS refuses ({reason})",
                remedy="take a factory string such as 'Flat' or 'IVF64,Flat nprobe=8'",
            ) from None
        for start in track(range(0, len(vectors), BLOCK), "index", unit="block"):
            index.add(np.ascontiguousarray(vectors[start : start + BLOCK]))
        self._index = index

    def search(self, queries: Vectors, depth: int) -> Iterator[Hits]:
        """For each of `queries` [questions, hidden] the best `depth` passages, best first.

        Equal scores are ordered by row. An approximate index may find fewer than `depth`.
        """
        for start in track(range(0, len(queries), BATCH), "search", unit="batch"):
            batch = np.ascontiguousarray(queries[start : start + BATCH])
            _, candidates = self._index.search(batch, self._width(depth))
            for query, rows in zip(batch, candidates, strict=True):
                yield self._rank(query, rows, depth)

    def _width(self, depth: int) -> int:
        return min(depth + SPARE, int(self._index.ntotal))

    def _rank(self, query: Vectors, rows: NDArray[np.int64], depth: int) -> Hits:
        found = np.sort(rows[rows >= 0])  # FAISS fills with -1 where it finds too few
        # Products of float32 are exact in float64; the sum runs the same way for every row.
        products = self._vectors[found].astype(np.float64) * query
        scores = products.sum(axis=1).astype(np.float32)
        order = np.argsort(-scores, kind="stable")
        tied = len(found) > depth and scores[order[depth - 1]] == scores[order[-1]]
        if tied and len(found) == len(rows) < self._index.ntotal:
            # Passages that were not proposed may be tied with the last ones: look further.
            _, wider = self._index.search(query[None], self._width(2 * len(rows)))
            return self._rank(query, wider[0], depth)
        best = order[:depth]
        return found[best], scores[best]


def _sample(vectors: Vectors, seed: int) -> Vectors:
    """Vectors to train an index on: all, or a random sample of them, in row order."""
    if len(vectors) <= TRAINING_SAMPLE:
        return np.ascontiguousarray(vectors)
    rows = numpy_rng(seed, "index").choice(len(vectors), TRAINING_SAMPLE, replace=False)
    return np.ascontiguousarray(vectors[np.sort(rows)])
