"""Products by AVX-512 beside NumPy's, whose OpenBLAS is held to AVX2, and sums term by term."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ecqg.training import avx512
from ecqg.training.products import take_over


@pytest.fixture(autouse=True)
def _anew():
    """A process decides once; each of these tests does so itself."""
    avx512.load.cache_clear()
    yield
    avx512.load.cache_clear()


@pytest.fixture
def _has_avx512(monkeypatch):
    """Where it gains nothing, it computes the same."""
    monkeypatch.setattr(avx512, "_gains", lambda multiply: True)
    if avx512.load() is None:
        pytest.skip("no processor with AVX-512")


def matrices(n: int, k: int, m: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    draw = np.random.Generator(np.random.PCG64(seed)).standard_normal
    return draw((n, k), np.float32), draw((k, m), np.float32)


def summed(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Term by term, each rounded once; doubles hold a product of floats and nearly its sum."""
    total = np.zeros((len(left), right.shape[1]), np.float32)
    for column, row in zip(left.T.astype(float), right.astype(float), strict=True):
        total = (total + np.outer(column, row)).astype(np.float32)
    return total


@pytest.mark.usefixtures("_has_avx512")
@settings(deadline=None, max_examples=150)
@given(st.data())
def test_bytes_are_numpys_in_any_order_and_of_any_size(data) -> None:
    n, k, m = (data.draw(st.integers(*of)) for of in ((96, 2000), (16, 1400), (128, 1400)))
    assume(n * k * m < 2e8)
    left, right = matrices(n, k, m)
    if data.draw(st.booleans()):
        left = np.asfortranarray(left)
    if data.draw(st.booleans()):
        right = np.ascontiguousarray(right.T).T
    out = np.full((n, m), np.nan, np.float32)
    assume(avx512.write_product(left, right, out))
    assert np.array_equal(out, left @ right)


@pytest.mark.usefixtures("_has_avx512")
def test_parts_of_wider_matrices() -> None:
    wide, other = matrices(1000, 700, 900)
    left, right = wide[:, 100:500], other[200:600, :384]
    out = np.empty((1000, 384), np.float32)
    assert avx512.write_product(left, right, out)
    assert np.array_equal(out, left @ right)


@pytest.mark.usefixtures("_has_avx512")
def test_its_own_sums_are_in_order_and_numpys_are_not_at_edges() -> None:
    multiply = avx512.load()
    assert multiply is not None
    left, right = matrices(240, 192, 256)
    out = np.empty((240, 256), np.float32)
    multiply(left, right, out)
    assert np.array_equal(out, summed(left, right))
    differs = (left @ right != out).any(axis=0)
    assert differs[:8].all()
    assert not differs[8:-8].any()
    assert differs[-8:].all()


@pytest.mark.usefixtures("_has_avx512")
def test_torch_multiplies_by_it_with_gradients(monkeypatch) -> None:
    take_over()
    layer = torch.nn.Linear(192, 384)
    tokens = torch.randn(600, 192, generator=torch.Generator().manual_seed(1))

    def computed() -> list[np.ndarray]:
        layer.zero_grad()
        out = layer(tokens)
        out.square().sum().backward()
        return [one.detach().numpy().copy() for one in (out, layer.weight.grad, layer.bias.grad)]

    written = []
    write = avx512.write_product
    monkeypatch.setattr(avx512, "write_product", lambda *of: written.append(write(*of)) or written)
    fast = computed()
    assert written == [True, True]
    monkeypatch.setattr(avx512, "write_product", lambda *of: False)
    for one, other in zip(fast, computed(), strict=True):
        assert np.array_equal(one, other)


def test_what_is_left_to_numpy() -> None:
    out = np.empty((600, 600), np.float32)
    left, right = matrices(600, 600, 600)
    assert not avx512.write_product(left, left.T, out)
    assert not avx512.write_product(left.astype(float), right.astype(float), out.astype(float))
    assert not avx512.write_product(*matrices(96, 100, 200), np.empty((96, 200), np.float32))
    assert not avx512.write_product(*matrices(9000, 600, 24), np.empty((9000, 24), np.float32))


@pytest.mark.usefixtures("_has_avx512")
@pytest.mark.parametrize(("name", "value"), [("PANEL", 384), ("COLUMNS", 4), ("ROWS", 24)])
def test_another_librarys_ways_are_found_out(monkeypatch, name, value) -> None:
    multiply = avx512.load()
    avx512._plan.cache_clear()
    monkeypatch.setattr(avx512, name, value)
    try:
        assert not avx512._is_right(multiply)
    finally:
        avx512._plan.cache_clear()


def test_where_it_is_slower_or_missing_numpy_multiplies(monkeypatch) -> None:
    left, right = matrices(400, 400, 400)
    out = np.empty((400, 400), np.float32)
    for name, value in (("GAIN", 1e9), ("CORES", ()), ("find_spec", lambda package: None)):
        with monkeypatch.context() as patch:
            patch.setattr(avx512, name, value)
            avx512.load.cache_clear()
            assert not avx512.write_product(left, right, out), name
            assert os.environ[avx512.VARIABLE] == "Haswell"


@pytest.mark.usefixtures("_has_avx512")
def test_numpys_own_library_stays_with_avx2() -> None:
    from threadpoolctl import threadpool_info

    cores = {
        Path(pool["filepath"]).parent.name: pool["architecture"]
        for pool in threadpool_info()
        if "architecture" in pool
    }
    assert cores.pop("lib") in {core.decode() for core in avx512.CORES}
    assert set(cores.values()) == {"Haswell"}
