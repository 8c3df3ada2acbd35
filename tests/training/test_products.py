"""Products by OpenBLAS beside PyTorch's own, which their `out` forms still are."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from ecqg.training.products import take_over

SHAPES = {
    "mm": ((5, 7), (7, 3)),
    "bmm": ((4, 5, 7), (4, 7, 3)),
    "mv": ((5, 7), (7,)),
    "addmm": ((3,), (5, 7), (7, 3)),
    "baddbmm": ((4, 5, 3), (4, 5, 7), (4, 7, 3)),
    "addmv": ((5,), (5, 7), (7,)),
}


@pytest.fixture(autouse=True, scope="module")
def _products() -> None:
    take_over()


def matrices(name: str, dtype: torch.dtype, seed: int = 1) -> list[torch.Tensor]:
    drawn = torch.Generator().manual_seed(seed)
    return [torch.randn(shape, generator=drawn).to(dtype) for shape in SHAPES[name]]


def theirs(name: str, given_: list[torch.Tensor], **scales: float) -> torch.Tensor:
    with torch.no_grad():
        out = torch.empty(0, dtype=given_[-1].dtype)
        return getattr(torch, name)(*given_, **scales, out=out)


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16, torch.int64])
def test_all_forms_and_types_agree_with_pytorchs_own(name: str, dtype: torch.dtype) -> None:
    given_ = matrices(name, dtype)
    found = getattr(torch, name)(*given_)
    assert found.dtype == dtype
    close = {torch.float64: 1e-13, torch.float32: 1e-5}.get(dtype, 0)
    torch.testing.assert_close(found, theirs(name, given_), rtol=close, atol=close)


@pytest.mark.parametrize("name", ["addmm", "baddbmm", "addmv"])
def test_scales(name: str) -> None:
    given_ = matrices(name, torch.float64)
    for scales in ({"beta": 0.5, "alpha": 2.0}, {"beta": 0, "alpha": -1}, {"alpha": 3}):
        found = getattr(torch, name)(*given_, **scales)
        torch.testing.assert_close(found, theirs(name, given_, **scales))
    given_[0].fill_(torch.nan)
    assert not getattr(torch, name)(*given_, beta=0).isnan().any()


@given(st.data())
def test_any_strides_and_sizes(data: st.DataObject) -> None:
    """Transposed, cut, repeated and empty matrices, which BLAS may not read in place."""
    batch, n, k, m = (data.draw(st.integers(0, 4)) for _ in range(4))

    def view(rows: int, columns: int) -> torch.Tensor:
        whole = torch.randn(batch, 2 * columns + 1, rows + 1, dtype=torch.float64)
        kind = data.draw(st.sampled_from(["whole", "cut", "repeated rows", "repeated"]))
        if kind == "whole":
            return whole[:, :columns, :rows].transpose(1, 2)
        if kind == "cut":
            return whole[:, : 2 * columns : 2, :rows].transpose(1, 2)
        one = whole[:, :columns, :1].transpose(1, 2) if "rows" in kind else whole[:, :1, :1]
        return one.expand(batch, rows, columns)

    left, right = view(n, k), view(k, m)
    found = torch.bmm(left, right)
    assert found.shape == (batch, n, m)
    expected = np.einsum("bnk,bkm->bnm", left.numpy(), right.numpy())
    np.testing.assert_allclose(found.numpy(), expected, atol=1e-12)


@pytest.mark.parametrize("name", SHAPES)
def test_gradients(name: str) -> None:
    given_ = [one.requires_grad_() for one in matrices(name, torch.float64)]
    assert torch.autograd.gradcheck(getattr(torch, name), given_)


def test_rounding_is_numpys() -> None:
    drawn = torch.Generator().manual_seed(3)
    left, right = torch.randn(300, 700, generator=drawn), torch.randn(200, 700, generator=drawn)
    expected = left.numpy() @ right.T.numpy()
    assert np.array_equal((left @ right.T).numpy(), expected)
    assert np.array_equal(torch.nn.functional.linear(left, right).numpy(), expected)
    assert not np.array_equal(theirs("mm", [left, right.T]).numpy(), expected)  # MKL's


def test_errors_are_pytorchs() -> None:
    with pytest.raises(RuntimeError, match=r"mat1 and mat2 shapes cannot be multiplied"):
        torch.mm(torch.ones(2, 3), torch.ones(2, 3))
    with pytest.raises(RuntimeError, match=r"expected .* same dtype"):
        torch.mm(torch.ones(2, 3), torch.ones(3, 2, dtype=torch.float64))
    with pytest.raises(RuntimeError, match="of batch2 tensor"):
        torch.bmm(torch.ones(2, 3, 4), torch.ones(1, 4, 5))
    with pytest.raises(RuntimeError):
        torch.mm(torch.ones(1, 2, 3), torch.ones(1, 3, 2))
    with pytest.raises(RuntimeError):
        torch.addmm(torch.ones(7), torch.ones(2, 3), torch.ones(3, 2))
