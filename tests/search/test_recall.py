"""Recall of an approximate index, by hand and by a count of its own."""

import numpy as np
import pytest

from ecqg.search.building import sample
from ecqg.search.index import FLAT, Hits, Index, recall


class Found:
    """An index whose hits are given."""

    def __init__(self, *rows: list[int]) -> None:
        self._rows = rows

    def search(self, queries, depth):  # type: ignore[no-untyped-def]
        assert len(queries) == len(self._rows)
        for rows in self._rows:
            yield np.array(rows[:depth], np.int64), np.zeros(len(rows[:depth]), np.float32)


def test_by_hand() -> None:
    best = [list(range(10)), list(range(10, 20))]
    # Three of the first question's are missed, the best among them; none of the second's.
    found = [[1, 2, 3, 4, 5, 6, 7, 30, 31, 32], [10, 19, 18, 17, 16, 15, 14, 13, 12, 11]]
    queries = np.zeros((2, 4), np.float32)
    assert recall(Found(*found), Found(*best), queries, 10) == {"recall@1": 50, "recall@10": 85}
    assert recall(Found(*found), Found(*best), queries, 9) == {"recall@1": 50}
    assert recall(Found([], found[1]), Found(*best), queries, 10)["recall@10"] == 50


def test_of_a_real_index_against_a_matrix_product() -> None:
    rng = np.random.default_rng(1)
    vectors = rng.standard_normal((3000, 16)).astype(np.float32)
    queries = rng.standard_normal((40, 16)).astype(np.float32)
    index = Index(vectors, "IVF16,Flat nprobe=2", 1)
    assert not index.exact
    found: list[Hits] = list(index.search(queries, 100))
    best = np.argsort(-(queries @ vectors.T), axis=1)
    expected = {
        f"recall@{k}": np.mean(
            [
                100 * len(set(rows[:k]) & set(b[:k])) / k
                for (rows, _), b in zip(found, best, strict=True)
            ]
        )
        for k in (1, 10, 100)
    }
    measured = recall(index, Index(vectors, FLAT, 1), queries, 100)
    assert measured == pytest.approx(expected)
    assert 5 < measured["recall@10"] < 95  # else this would test nothing


def test_a_test_set_is_sampled_by_seed_and_name() -> None:
    queries = np.arange(50, dtype=np.float32)[:, None]
    assert sample(queries, 50, 1, "a") is queries
    chosen = sample(queries, 20, 1, "a").ravel().tolist()
    assert len(set(chosen)) == 20
    assert chosen == sorted(chosen) == sample(queries, 20, 1, "a").ravel().tolist()
    assert chosen != sample(queries, 20, 1, "b").ravel().tolist()
