"""What a GPU does of exact search, by the same code on the CPU: brute force, FAISS, NumPy."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from ecqg.analysis.entity_scores import score_and_rank
from ecqg.search import gpu
from ecqg.search.index import Index

CPU = torch.device("cpu")


@pytest.mark.parametrize("stored", [np.float32, np.float16])
def test_it_finds_what_faiss_finds_in_the_same_order(
    stored: type, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gpu, "BLOCK", 96)
    rng = np.random.default_rng(1)
    vectors = rng.standard_normal((700, 24)).astype(stored)
    vectors[500:560] = vectors[3]  # ties across blocks, more than are proposed
    np.save(tmp_path / "v.npy", vectors)
    mapped = np.load(tmp_path / "v.npy", mmap_mode="r")
    queries = np.concatenate([vectors[3:4].astype(np.float32)] * 2)
    queries = np.concatenate([queries, rng.standard_normal((21, 24)).astype(np.float32)])
    near = partial(gpu.nearest, device=CPU)
    ours, faiss = (
        [(rows.tolist(), scores.tolist()) for rows, scores in index.search(queries, 30)]
        for index in (Index(mapped, "Flat", 1, near=near), Index(mapped, "Flat", 1))
    )
    assert ours == faiss
    assert ours[0][0][:3] == [3, 500, 501]


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 1000), n=st.integers(1, 8), m=st.integers(1, 40))
def test_ranks_are_numpys(seed: int, n: int, m: int) -> None:
    rng = np.random.default_rng(seed)
    queries = rng.integers(-2, 3, (n, 3)).astype(np.float32)
    vectors = rng.integers(-2, 3, (m, 3)).astype(np.float32)
    rows = rng.integers(0, m, n)
    products, higher = gpu.above(queries, rows, vectors, CPU)
    scores, ranks = score_and_rank(queries, rows, vectors)
    assert products.tolist() == scores.tolist()
    assert (higher + 1).tolist() == ranks.tolist()


def test_fewer_vectors_than_are_wanted() -> None:
    vectors = np.eye(4, dtype=np.float32)
    assert gpu.nearest(vectors[:2], vectors, 9, CPU).shape == (2, 4)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU")
def test_a_gpu_finds_the_same() -> None:
    rng = np.random.default_rng(2)
    vectors = rng.standard_normal((5000, 64)).astype(np.float32)
    found = [
        [rows.tolist() for rows, _ in Index(vectors, "Flat", 1, near=near).search(vectors[:50], 20)]
        for near in (None, partial(gpu.nearest, device=torch.device("cuda")))
    ]
    assert found[0] == found[1]
