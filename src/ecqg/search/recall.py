"""How much of what exact search finds an approximate index finds, too."""

from __future__ import annotations

import numpy as np

from ecqg.search.building import Vectors
from ecqg.search.index import Index
from ecqg.seeds import numpy_rng

SAMPLE = 1_000  # questions compared, at most
KS = (1, 10, 100)


def recall(index: Index, exact: Index, queries: Vectors, depth: int) -> dict[str, float]:
    """The share of the k best passages that `index` has among its k best, in percent.

    Args:
        index: what is judged.
        exact: an index over the same vectors that compares all of them.
        queries: [questions, hidden], at least one.
        depth: passages searched; k goes up to it.

    Returns:
        Means over the questions, {"recall@1": ..., "recall@10": ...}. Where fewer than k passages
        exist, k is their number.
    """
    ks = [k for k in KS if k <= depth]
    shares: dict[str, list[float]] = {f"recall@{k}": [] for k in ks}
    pairs = zip(index.search(queries, depth), exact.search(queries, depth), strict=True)
    for (found, _), (best, _) in pairs:
        for k in ks:
            shared = len(np.intersect1d(found[:k], best[:k], assume_unique=True))
            shares[f"recall@{k}"].append(100 * shared / len(best[:k]))
    return {name: float(np.mean(values)) for name, values in shares.items()}


def sample(queries: Vectors, seed: int, name: str) -> Vectors:
    """All of a test set's queries, or a random sample of them, in their order."""
    if len(queries) <= SAMPLE:
        return queries
    rows = numpy_rng(seed, "recall", name).choice(len(queries), SAMPLE, replace=False)
    return queries[np.sort(rows)]
