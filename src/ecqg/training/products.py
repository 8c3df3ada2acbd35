"""By which library matrices are multiplied on a CPU.

Where all processors are to give the same bytes (`ecqg.numerics`), matrix products on a CPU are
OpenBLAS's, which rounds alike on Intel's and AMD's. MKL, which multiplies for PyTorch, has one way
of rounding that both makers' processors share: SSE2, at a third of the rate. OpenBLAS, which NumPy
brings along, takes its AVX2 kernel wherever it is told to and is as fast as MKL is. So products of
float32 and float64 go to NumPy, or, of large matrices, to AVX-512 where that gives the same bytes
(`ecqg.training.avx512`); those of other types stay where they were, and so does what PyTorch's
fused attention multiplies (generators draw with it).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cache, partial

import numpy as np
import torch
from torch import Tensor

from ecqg import numerics
from ecqg.training import avx512

# Names with the dimensions of `left`: of left @ right and of beta * bias + alpha * (left @ right).
PRODUCTS = {"mm": 2, "bmm": 3, "mv": 2, "addmm": 2, "baddbmm": 3, "addmv": 2}
DTYPES = (torch.float32, torch.float64)


@cache
def take_over() -> torch.library.Library:
    """Have OpenBLAS multiply from now on, in this process; autograd works as it did.

    Of each product that PyTorch's dispatcher knows the functional form is replaced. The form with
    `out` is not, and does what is not done here, wrong shapes included.
    """
    library = torch.library.Library("aten", "IMPL")  # type: ignore[no-untyped-call]
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Warning only once for all operators")
        for name, dims in PRODUCTS.items():
            kernel = partial(_product, getattr(torch.ops.aten, name).out, dims)
            library.impl(name, kernel, "CPU", allow_override=True)  # type: ignore[no-untyped-call]
    return library


def _product(
    original: Callable[..., Tensor], dims: int, *operands: Tensor, **factors: float
) -> Tensor:
    *bias, left, right = operands
    if not _is_ours(dims, left, right) or any(own.dtype != left.dtype for own in bias):
        return original(*operands, **factors, out=left.new_empty(0))
    total, beta, alpha = _multiply(left, right), factors.get("beta", 1), factors.get("alpha", 1)
    if alpha != 1:
        total *= alpha
    # By definition a bias that does not count may hold anything, NaN too.
    return total.add_(*bias, alpha=beta) if bias and beta != 0 else total


def _is_ours(dims: int, left: Tensor, right: Tensor) -> bool:
    """Whether both are of a type for OpenBLAS; where shapes are wrong PyTorch shall say so."""
    if left.dtype not in DTYPES or right.dtype != left.dtype or left.dim() != dims:
        return False
    if right.dim() == 1:
        return left.shape[-1:] == right.shape
    return left.shape[:-2] == right.shape[:-2] and left.shape[-1] == right.shape[-2]


def _multiply(left: Tensor, right: Tensor) -> Tensor:
    """Return (..., n, k) @ (..., k, m), or @ (k,)."""
    # Memory of PyTorch's own is aligned as its other functions like it.
    product = left.new_empty(left.shape[:-1] + (right.shape[-1:] if right.dim() > 1 else ()))
    one, other, out = _array(left), _array(right), product.numpy()
    if not (out.ndim == 2 and avx512.write_product(one, other, out)):
        np.matmul(one, other, out=out)
    return product


def product_writer() -> Callable[..., object]:
    """What writes left @ right, arrays of three dimensions, to an array `out`: many small products.

    It computes as products do here, without the dispatcher's share. Of each array one of the last
    two dimensions must be contiguous.
    """
    if numerics.mode() == numerics.PORTABLE:
        return np.matmul

    def multiply(left: np.ndarray, right: np.ndarray, out: np.ndarray) -> None:
        torch.bmm(*map(torch.from_numpy, (left, right)), out=torch.from_numpy(out))

    return multiply


def _array(matrix: Tensor) -> np.ndarray:
    matrix = matrix.detach()
    # NumPy has loops of its own, which are slow, for what BLAS cannot read in place.
    strides = matrix.stride()[-2:]
    return (matrix if 1 in strides and 0 not in strides else matrix.contiguous()).numpy()
