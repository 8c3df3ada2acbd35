"""FAISS search equals brute force, ties included, and refuses what it cannot build."""

from pathlib import Path

import faiss
import numpy as np
import pytest

from ecqg import pace, shards
from ecqg.errors import InputError
from ecqg.search import building
from ecqg.search import index as module
from ecqg.search.index import Index

pytestmark = pytest.mark.slow


def brute_force(vectors, queries, depth):
    """The best rows by exact integer product, equal ones by row."""
    products = vectors.astype(np.int64) @ queries.astype(np.int64).T
    return [
        sorted(range(len(vectors)), key=lambda row: (-products[row, q], row))[:depth]
        for q in range(len(queries))
    ]


def search(vectors, queries, depth, spec="Flat"):
    found = Index(vectors, spec, 1).search(queries, depth)
    return [list(zip(rows.tolist(), scores.tolist(), strict=True)) for rows, scores in found]


def whole_numbers(rng, count, hidden):
    return rng.integers(-3, 4, (count, hidden)).astype(np.float32)


@pytest.mark.parametrize("queries", [1, 19, 30, 300])  # FAISS computes small batches otherwise
def test_flat_equals_brute_force_with_many_ties(queries: int) -> None:
    rng = np.random.default_rng(1)
    vectors, asked = whole_numbers(rng, 500, 6), whole_numbers(rng, queries, 6)
    found = search(vectors, asked, 20)
    assert [[row for row, _ in hits] for hits in found] == brute_force(vectors, asked, 20)
    for query, hits in zip(asked, found, strict=True):
        assert [score for _, score in hits] == [float(vectors[row] @ query) for row, _ in hits]


def test_copies_of_a_passage_stay_in_order_though_the_cut_goes_through_them() -> None:
    rng = np.random.default_rng(2)
    vectors = np.tile(rng.standard_normal((333, 96)).astype(np.float32), (3, 1))
    vectors = np.concatenate([vectors, np.tile(vectors[:1], (200, 1))])  # 203 copies of row 0
    queries = np.concatenate([vectors[:1], rng.standard_normal((40, 96)).astype(np.float32)])
    found = search(vectors, queries, 10)
    copies = [0, 333, 666, *range(999, 1199)]
    assert [row for row, _ in found[0]] == copies[:10]
    for hits in found[1:]:
        first, second, third = (row for row, _ in hits[:3])
        assert first in copies or (second, third) == (first + 333, first + 666)


def test_memory_mapped_vectors_and_blocks(tmp_path: Path, monkeypatch) -> None:
    rng = np.random.default_rng(3)
    vectors, queries = whole_numbers(rng, 250, 5), whole_numbers(rng, 9, 5)
    np.save(tmp_path / "v.npy", vectors)
    monkeypatch.setattr(module, "WHOLE", 64)
    monkeypatch.setattr(module, "BATCH", 4)
    found = search(np.load(tmp_path / "v.npy", mmap_mode="r"), queries, 7)
    rows = [[row for row, _ in hits] for hits in found]
    assert rows == brute_force(vectors, queries, 7)


@pytest.mark.parametrize("spec", ["Flat", "IVF4,Flat nprobe=4", "HNSW16 efSearch=400"])
def test_float16_vectors_are_searched_as_the_same_numbers_in_float32(spec, monkeypatch) -> None:
    rng = np.random.default_rng(6)
    half = rng.standard_normal((700, 24)).astype(np.float16)
    half[500:510] = half[3]  # ties across blocks
    queries = rng.standard_normal((21, 24)).astype(np.float32)
    monkeypatch.setattr(building, "BLOCK", 96)
    monkeypatch.setattr(module, "COPIED", 96)
    expected = search(half.astype(np.float32), queries, 30, spec)
    assert search(half, queries, 30, spec) == expected
    products = queries.astype(np.float64) @ half.astype(np.float64).T
    if spec != "HNSW16 efSearch=400":
        best = [np.argsort(-row, kind="stable")[:30].tolist() for row in products]
        assert [[row for row, _ in hits] for hits in search(half, queries, 30, spec)] == best


def test_depth_beyond_the_collection_gives_everything() -> None:
    vectors = np.eye(3, dtype=np.float32)
    (hits,) = search(vectors, np.array([[1, 3, 2]], np.float32), 10)
    assert hits == [(1, 3.0), (2, 2.0), (0, 1.0)]


APPROXIMATE = ["IVF8,Flat nprobe=8", "HNSW16 efSearch=400", "IVF4,PQ8x4 nprobe=4"]


@pytest.mark.parametrize("spec", APPROXIMATE)
def test_approximate_indexes_find_most_and_repeat_themselves(spec: str) -> None:
    rng = np.random.default_rng(4)
    vectors = rng.standard_normal((2000, 16)).astype(np.float32)
    queries = rng.standard_normal((50, 16)).astype(np.float32)
    exact = search(vectors, queries, 10)
    found = search(vectors, queries, 10, spec)
    assert found == search(vectors, queries, 10, spec)
    shared = sum(
        len({r for r, _ in a} & {r for r, _ in b}) for a, b in zip(exact, found, strict=True)
    )
    assert shared >= (500 if "PQ" not in spec else 200)


def test_an_approximate_index_may_find_fewer() -> None:
    vectors = np.eye(8, dtype=np.float32)
    vectors = np.concatenate([vectors, np.tile(vectors[:1], (30, 1))])
    found = search(vectors, np.tile(vectors[:8], (5, 1)), 20, "IVF8,Flat nprobe=1")
    assert len({len(hits) for hits in found}) > 1
    for asked, hits in enumerate(found):
        rows = [row for row, score in hits if score == 1.0]
        expected = [0, *range(8, 27)] if asked % 8 == 0 else [asked % 8]
        assert rows == expected
        assert [score for _, score in hits][len(rows) :] == [0.0] * (len(hits) - len(rows))


def stopped(count: int, begun: list[int], blocks=building.blocks):
    """Blocks, of which there is no next after the first `count`; notes at which row they begin."""

    def some(vectors, begin, size):
        begun.append(begin)
        for number, block in enumerate(blocks(vectors, begin, size)):
            if number == count:
                raise KeyboardInterrupt
            yield block

    return some


RESUMED = ["IVF8,Flat", "IVF4,PQ8x4", "HNSW8", "PCA8,HNSW8", "HNSW8,RFlat", "OPQ4_8,IVF4,PQ4x4"]


@pytest.mark.parametrize("spec", RESUMED)
def test_a_build_that_was_stopped_ends_with_the_same_index(spec, tmp_path, monkeypatch) -> None:
    rng = np.random.default_rng(7)
    vectors = rng.standard_normal((1000, 16)).astype(np.float32)
    monkeypatch.setattr(building, "BLOCK", 64)
    monkeypatch.setattr(pace, "SECONDS", 0.0)
    monkeypatch.setattr(pace, "SHARE", 0)
    threads = faiss.omp_get_max_threads()
    faiss.omp_set_num_threads(1)  # with more, FAISS builds a graph in an order of its own
    try:
        whole = faiss.serialize_index(building.build(vectors, spec, 1))
        begun = []
        for stop in (0, 3, 7):
            monkeypatch.setattr(building, "blocks", stopped(stop, begun))
            with pytest.raises(KeyboardInterrupt):
                building.build(vectors, spec, 1, tmp_path)
        monkeypatch.setattr(building, "blocks", stopped(99, begun))
        again = building.build(vectors, spec, 1, tmp_path)
    finally:
        faiss.omp_set_num_threads(threads)
    assert begun == [0, 0, 3 * 64, 10 * 64]
    assert (faiss.serialize_index(again) == whole).all()


def test_a_build_that_is_soon_done_writes_nothing(tmp_path: Path) -> None:
    vectors = np.random.default_rng(8).standard_normal((100, 8)).astype(np.float32)
    building.build(vectors, "IVF2,Flat", 1, tmp_path)
    assert not list(tmp_path.iterdir())


def test_training_on_a_sample_is_seeded() -> None:
    vectors = np.random.default_rng(5).standard_normal((1000, 8)).astype(np.float32)
    once, again, other = (building.sample(vectors, 100, seed, "index") for seed in (1, 1, 2))
    assert once.shape == (100, 8)
    assert (once == again).all()
    assert (once != other).any()


@pytest.mark.parametrize("spec", ["Flt", "IVF256,Flat", "Flat nprobe=2", "PQ7"])
def test_what_faiss_refuses_is_said_in_one_line(spec: str) -> None:
    with pytest.raises(
        InputError, match=r"retrieval\.index is .*FAISS refuses \(.+\); take"
    ) as error:
        Index(np.ones((20, 16), np.float32), spec, 1)
    assert "\n" not in str(error.value)


def test_no_batch_is_searched_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(8)
    index = Index(rng.standard_normal((90, 8)).astype(np.float32), "Flat", 1)
    asked = rng.standard_normal((23, 8)).astype(np.float32)
    whole = list(index.search(asked, 4))
    propose, searched = Index._propose, []

    def until_stopped(self, queries, count):
        if len(searched) == 3:
            searched.append("stopped")
            raise KeyboardInterrupt
        searched.append(len(queries))
        return propose(self, queries, count)

    monkeypatch.setattr(module, "BATCH", 5)
    monkeypatch.setattr(shards, "SECONDS", 0)
    monkeypatch.setattr(Index, "_propose", until_stopped)
    with pytest.raises(KeyboardInterrupt):
        list(index.search(asked, 4, tmp_path / "found"))
    again = list(index.search(asked, 4, tmp_path / "found"))
    assert searched == [5, 5, 5, "stopped", 5, 3]
    for (rows, scores), (expected_rows, expected_scores) in zip(again, whole, strict=True):
        assert rows.dtype == np.int64 and scores.dtype == np.float32
        assert np.array_equal(rows, expected_rows) and np.array_equal(scores, expected_scores)


def test_an_index_that_was_damaged_on_disk_is_one_line(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(pace, "SECONDS", 0.0)
    monkeypatch.setattr(pace, "SHARE", 0)
    vectors = np.random.default_rng(8).standard_normal((100, 8)).astype(np.float32)
    building.build(vectors, "IVF2,Flat", 1, tmp_path)
    (kept,) = tmp_path.iterdir()
    whole = kept.read_bytes()
    for damaged in (whole[:500], b"", *(whole[:at] + b"?" + whole[at + 1 :] for at in (3, 999))):
        kept.write_bytes(damaged)
        said = (
            r"index-\w{16}\.faiss: is not what was written: .*; delete it to build the index anew"
        )
        with pytest.raises(InputError, match=said):
            building.build(vectors, "IVF2,Flat", 1, tmp_path)
    kept.unlink()
    building.build(vectors, "IVF2,Flat", 1, tmp_path)
    assert kept.read_bytes() == whole
