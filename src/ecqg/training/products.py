"""Matrix products of PyTorch on a CPU by OpenBLAS, which rounds alike on Intel's and AMD's.

MKL, which multiplies for PyTorch, has one way of rounding that both makers' processors share: SSE2,
at a third of the rate. OpenBLAS, which NumPy brings along, takes its AVX2 kernel wherever it is
told to (`ecqg.numerics`) and is as fast as MKL is. So products of float32 and float64 go to NumPy;
those of other types stay where they were, and so does what PyTorch's fused attention multiplies.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cache, partial

import numpy as np
import torch
from torch import Tensor

# Names with the dimensions of `left`.
PLAIN = {"mm": 2, "bmm": 3, "mv": 2}  # left @ right
ADDING = {"addmm": 2, "baddbmm": 3, "addmv": 2}  # beta * bias + alpha * (left @ right)
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
        for names, product in ((PLAIN, _product), (ADDING, _sum)):
            for name, dims in names.items():
                original = getattr(torch.ops.aten, name).out
                kernel = partial(product, original, dims)
                library.impl(name, kernel, "CPU", allow_override=True)  # type: ignore[no-untyped-call]
    return library


def _product(original: Callable[..., Tensor], dims: int, left: Tensor, right: Tensor) -> Tensor:
    if not _is_ours(dims, left, right):
        return original(left, right, out=left.new_empty(0))
    return _multiply(left, right)


def _sum(
    original: Callable[..., Tensor],
    dims: int,
    bias: Tensor,
    left: Tensor,
    right: Tensor,
    *,
    beta: float = 1,
    alpha: float = 1,
) -> Tensor:
    if not _is_ours(dims, left, right) or bias.dtype != left.dtype:
        return original(bias, left, right, beta=beta, alpha=alpha, out=left.new_empty(0))
    total = _multiply(left, right)
    if alpha != 1:
        total *= alpha
    # By definition a bias that does not count may hold anything, NaN too.
    return total.add_(bias, alpha=beta) if beta != 0 else total


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
    np.matmul(_array(left), _array(right), out=product.numpy())
    return product


def _array(matrix: Tensor) -> np.ndarray:
    matrix = matrix.detach()
    # NumPy has loops of its own, which are slow, for what BLAS cannot read in place.
    strides = matrix.stride()[-2:]
    return (matrix if 1 in strides and 0 not in strides else matrix.contiguous()).numpy()
