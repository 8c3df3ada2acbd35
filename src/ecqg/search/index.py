"""FAISS search by inner product over passage vectors that stay on disk.

FAISS proposes passages, exact products order them. The matrix products behind FAISS round
differently from block to block, so that two passages with the same vector may get scores that
differ in the last bits, and an order that changes with the number of threads.

"Flat" compares every passage (exact, what the papers report) where it lies, in the memory map: no
copy is made of float32 vectors, and of float16 ones a block at a time. Any FAISS factory string is
taken, with search-time parameters after a space: "HNSW32 efSearch=128", "IVF4096,PQ64 nprobe=64";
such an index is held in memory.
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
Stored = NDArray[np.float32] | NDArray[np.float16]
Hits = tuple[NDArray[np.int64], NDArray[np.float32]]  # passage rows and their scores, best first
BLOCK = 65_536  # passages added, or made float32, at a time
BATCH = 1024  # questions searched at a time; one pass over the vectors serves them all
SPARE = 16  # passages beyond the depth, so that rounding does not decide who is in
TRAINING_SAMPLE = 262_144  # passages that clusters and quantisers are trained on, at most
FLAT = "Flat"

# From so many numbers in a batch of questions on FAISS multiplies matrices. By default that is
# 128,000, and 300 questions of 384 dimensions take seven times as long as it takes this way.
faiss.cvar.distance_compute_blas_threshold = 20


class Index:
    """An inner-product index over `vectors`, [passages, hidden], memory-mapped or not.

    Raises InputError where FAISS does not understand `spec` or cannot train it on these vectors.
    """

    def __init__(self, vectors: Stored, spec: str, seed: int) -> None:
        self._vectors = vectors
        self._index = None if spec == FLAT else _build(vectors, spec, seed)

    @property
    def exact(self) -> bool:
        """Whether every passage is compared."""
        return self._index is None

    def search(self, queries: Vectors, depth: int) -> Iterator[Hits]:
        """For each of `queries` [questions, hidden] the best `depth` passages, best first.

        Equal scores are ordered by row. An approximate index may find fewer than `depth`.
        """
        for start in track(range(0, len(queries), BATCH), "search", unit="batch"):
            batch = np.ascontiguousarray(queries[start : start + BATCH])
            for query, rows in zip(batch, self._propose(batch, depth + SPARE), strict=True):
                yield self._rank(query, rows, depth)

    def _propose(self, queries: Vectors, count: int) -> NDArray[np.int64]:
        """[questions, `count` or all there are] rows, in an order that is about right."""
        count = min(count, len(self._vectors))
        if self._index is None:
            return _nearest(queries, self._vectors, count)
        rows: NDArray[np.int64] = self._index.search(queries, count)[1]
        return rows

    def _rank(self, query: Vectors, rows: NDArray[np.int64], depth: int) -> Hits:
        found = np.sort(rows[rows >= 0])  # FAISS fills with -1 where it finds too few
        # Products of float32 are exact in float64; the sum runs the same way for every row.
        products = self._vectors[found].astype(np.float64)
        products *= query
        scores = products.sum(axis=1).astype(np.float32)
        order = np.argsort(-scores, kind="stable")
        tied = len(found) > depth and scores[order[depth - 1]] == scores[order[-1]]
        if tied and len(found) == len(rows) < len(self._vectors):
            # Passages that were not proposed may be tied with the last ones: look further.
            (wider,) = self._propose(query[None], 2 * len(rows) + SPARE)
            return self._rank(query, wider, depth)
        best = order[:depth]
        return found[best], scores[best]


def _nearest(queries: Vectors, vectors: Stored, count: int) -> NDArray[np.int64]:
    """[questions, count] rows by descending inner product with all vectors."""
    best = faiss.ResultHeap(len(queries), count, keep_max=True)
    for start in range(0, len(vectors), BLOCK):
        block = np.ascontiguousarray(vectors[start : start + BLOCK], np.float32)
        near = min(count, len(block))
        scores, rows = faiss.knn(queries, block, near, faiss.METRIC_INNER_PRODUCT)
        best.add_result(scores, rows + start)
    best.finalize()
    found: NDArray[np.int64] = best.I
    return found


def _build(vectors: Stored, spec: str, seed: int) -> Any:
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
        index.add(np.ascontiguousarray(vectors[start : start + BLOCK], np.float32))
    return index


def _sample(vectors: Stored, seed: int) -> Vectors:
    """Vectors to train an index on: all, or a random sample of them, in row order."""
    if len(vectors) <= TRAINING_SAMPLE:
        return np.ascontiguousarray(vectors, np.float32)
    rows = numpy_rng(seed, "index").choice(len(vectors), TRAINING_SAMPLE, replace=False)
    return np.ascontiguousarray(vectors[np.sort(rows)], np.float32)
