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

from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ecqg.processes import in_threads
from ecqg.progress import track
from ecqg.search.building import Stored, Vectors, blocks, build
from ecqg.search.library import faiss
from ecqg.shards import map_blocks

# [questions, count] rows by descending inner product, of queries, vectors and a count.
Near = Callable[[Vectors, Stored, int], NDArray[np.int64]]
Hits = tuple[NDArray[np.int64], NDArray[np.float32]]  # passage rows and their scores, best first
BATCH = 1024  # questions searched at a time; one pass over the vectors serves them all
SPARE = 16  # passages beyond the depth, so that rounding does not decide who is in
WHOLE = 2**18  # passages compared at a time where they are read as they lie
COPIED = 2**16  # where they are made float32 first
RANKED = 8  # questions whose passages are put in order at a time; their vectors stay in the cache
FLAT = "Flat"
SAMPLE = 1_000  # questions on which indexes are compared, at most
KS = (1, 10, 100)

# From so many numbers in a batch of questions on FAISS multiplies matrices. By default that is
# 128,000, and 300 questions of 384 dimensions take seven times as long as it takes this way.
faiss.cvar.distance_compute_blas_threshold = 20


class Index:
    """An inner-product index over `vectors`, [passages, hidden], memory-mapped or not.

    An approximate index is built at once, with a folder `resume_dir` where it was stopped
    (`ecqg.search.building`). "Flat" proposes passages by `near`: FAISS, unless a GPU does it
    (`ecqg.search.gpu`). Raises InputError where FAISS does not understand `spec` or cannot train it
    on these vectors.
    """

    def __init__(
        self,
        vectors: Stored,
        spec: str,
        seed: int,
        resume_dir: Path | None = None,
        near: Near | None = None,
    ) -> None:
        self._vectors, self._near = vectors, near or _nearest
        self._index = None if spec == FLAT else build(vectors, spec, seed, resume_dir)

    @property
    def exact(self) -> bool:
        """Whether every passage is compared."""
        return self._index is None

    def search(
        self, queries: Vectors, depth: int, resume_dir: Path | None = None
    ) -> Iterator[Hits]:
        """For each of `queries` [questions, hidden] the best `depth` passages, best first.

        Equal scores are ordered by row. An approximate index may find fewer than `depth`. With a
        folder `resume_dir` the same search goes on where it was stopped (`map_blocks`).
        """

        def found(start: int) -> list[list[list[float]]]:
            batch = np.ascontiguousarray(queries[start : start + BATCH])
            hits = self._rank(batch, self._propose(batch, depth + SPARE), depth)
            return [[rows.tolist(), scores.tolist()] for rows, scores in hits]

        starts = range(0, len(queries), BATCH)
        batches = map_blocks(resume_dir, starts, found)
        for hits in track(batches, "search", total=len(starts), unit="batch"):
            for rows, scores in hits:
                yield np.array(rows, np.int64), np.array(scores, np.float32)

    def _propose(self, queries: Vectors, count: int) -> NDArray[np.int64]:
        """[questions, `count` or all there are] rows, in an order that is about right."""
        count = min(count, len(self._vectors))
        if self._index is None:
            return self._near(queries, self._vectors, count)
        return self._index.search(queries, count)[1]  # type: ignore[no-any-return]

    def _rank(self, queries: Vectors, proposed: NDArray[np.int64], depth: int) -> Iterator[Hits]:
        """The best `depth` of the rows that are `proposed` for each of `queries`, best first."""

        def ordered(start: int) -> Hits:
            return self._order(queries[start : start + RANKED], proposed[start : start + RANKED])

        starts = range(0, len(queries), RANKED)
        ranked = in_threads(ordered, starts, faiss.omp_get_max_threads())
        found = chain.from_iterable(zip(*block, strict=True) for block in ranked)
        for query, (rows, scores) in zip(queries, found, strict=True):
            tied = len(rows) > depth and scores[depth - 1] == scores[-1]
            if tied and rows[-1] >= 0 and len(rows) < len(self._vectors):
                # Passages that were not proposed may be tied with the last ones: look further.
                wider = self._propose(query[None], 2 * len(rows) + SPARE)
                yield from self._rank(query[None], wider, depth)
            else:
                count = int(np.count_nonzero(rows[:depth] >= 0))
                yield rows[:count], scores[:count]

    def _order(self, queries: Vectors, proposed: NDArray[np.int64]) -> Hits:
        """All that is `proposed`, [questions, proposed], by exact score; -1 comes last."""
        rows = np.sort(proposed, axis=1)
        vectors = self._vectors[rows.ravel()].reshape(*rows.shape, queries.shape[1])
        # Products of float32 are exact in float64; the sum runs the same way for every row.
        products = vectors.astype(np.float64)
        products *= queries[:, None]
        scores = products.sum(axis=2).astype(np.float32)
        scores[rows < 0] = -np.inf  # FAISS fills with -1 where it finds too few
        order = np.argsort(-scores, axis=1, kind="stable")
        return np.take_along_axis(rows, order, axis=1), np.take_along_axis(scores, order, axis=1)


def _nearest(queries: Vectors, vectors: Stored, count: int) -> NDArray[np.int64]:
    """[questions, count] rows by descending inner product with all vectors."""
    best = faiss.ResultHeap(len(queries), count, keep_max=True)
    size = WHOLE if vectors.dtype == np.float32 else COPIED
    parts = blocks(vectors, 0, size)
    if len(vectors) > size:
        total = len(vectors)
        parts = track(parts, "passages", total=total, unit="passage", size=lambda p: len(p[1]))
    for start, block in parts:
        near = min(count, len(block))
        scores, rows = faiss.knn(queries, block, near, faiss.METRIC_INNER_PRODUCT)
        best.add_result(scores, rows + start)
    best.finalize()
    return best.I


def recall(index: Index, exact: Index, queries: Vectors, depth: int) -> dict[str, float]:
    """The share of the k best passages that `index` has among its k best, in percent.

    `exact` is an index over the same vectors that compares all of them. Means over `queries`,
    [questions, hidden], at least one: {"recall@1": ..., "recall@10": ...}, k up to `depth`. Where
    fewer than k passages exist, k is their number.
    """
    ks = [k for k in KS if k <= depth]
    shares: dict[str, list[float]] = {f"recall@{k}": [] for k in ks}
    pairs = zip(index.search(queries, depth), exact.search(queries, depth), strict=True)
    for (found, _), (best, _) in pairs:
        for k in ks:
            shared = len(np.intersect1d(found[:k], best[:k], assume_unique=True))
            shares[f"recall@{k}"].append(100 * shared / len(best[:k]))
    return {name: float(np.mean(values)) for name, values in shares.items()}
