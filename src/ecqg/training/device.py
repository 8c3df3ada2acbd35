"""Where and how precisely tensors are computed.

Where all processors are to give the same bytes (`ecqg.numerics`), matrix products on a CPU are
OpenBLAS's, which rounds alike on Intel's and AMD's. MKL, which multiplies for PyTorch, has one way
of rounding that both makers' processors share: SSE2, at a third of the rate. OpenBLAS, which NumPy
brings along, takes its AVX2 kernel wherever it is told to and is as fast as MKL is. So products of
float32 and float64 go to NumPy; those of other types stay where they were, and so does what
PyTorch's fused attention multiplies (generators draw with it).
"""

from __future__ import annotations

import ctypes
import os
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, partial

import numpy as np
import torch
from torch import Tensor

from ecqg import numerics
from ecqg.errors import InputError
from ecqg.params import Precision

TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3  # malloc.h
# Functions that torch hands to MKL's vector library, where it is built with that.
ELEMENTWISE = (
    *("acos", "asin", "atan", "cos", "erf", "erfc", "erfinv", "exp", "expm1", "log", "log10"),
    *("log1p", "log2", "rsqrt", "sin", "sqrt", "tan", "tanh"),
)
# Names with the dimensions of `left`: of left @ right and of beta * bias + alpha * (left @ right).
PRODUCTS = {"mm": 2, "bmm": 3, "mv": 2, "addmm": 2, "baddbmm": 3, "addmv": 2}
DTYPES = (torch.float32, torch.float64)


def pick_device() -> torch.device:
    """The device named by ECQG_DEVICE, else the first GPU, else the CPU.

    The device is no parameter: it does not change what is computed beyond rounding.
    """
    name = os.environ.get("ECQG_DEVICE") or ("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
    except RuntimeError:
        remedy = "set it to cpu, cuda or cuda:N"
        raise InputError(f"ECQG_DEVICE={name} is no device", remedy=remedy) from None
    _choose_kernels()
    if numerics.mode() == numerics.PORTABLE:
        take_over()
    if device.type == "cpu":
        _keep_freed_memory()
    return device


@cache
def _choose_kernels() -> None:
    """Have MKL choose the kernels of elementwise functions before several threads ask for them.

    MKL 2024.2, which torch's wheels carry, chooses at a function's first call in a process. Where
    two threads make this call at once, one of them may compute its part with the least accurate
    kernel, as one or two in a hundred processes did (bench/first_call.py; pytorch issue 188792).
    Here one thread computes a few numbers with each.
    """
    for dtype in (torch.float32, torch.float64):
        few = torch.full((8,), 0.5, dtype=dtype)
        for name in ELEMENTWISE:
            getattr(torch, name)(few)


def _keep_freed_memory() -> None:
    """Have the C library keep freed tensors for the next ones.

    glibc gives blocks of more than 128 KiB back to the kernel as soon as they are freed, and the
    kernel zeroes their pages when they are needed again, at every step: a third of the time of
    training a one-layer encoder. Other C libraries are left alone.
    """
    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:
        mallopt(MMAP_THRESHOLD, 32 << 20)  # the most that glibc takes
        mallopt(TRIM_THRESHOLD, 1 << 30)


def product_dtype(device: torch.device, precision: Precision) -> torch.dtype:
    """Type in which matrices are multiplied: that of `precision`, where bfloat16 is not slower.

    Where it would be slower fp32 is taken: Intel's AVX-512 BF16 without AMX multiplies at two
    thirds of fp32's rate, a processor with AVX2 alone at a hundredth (bench/precision.py). So it
    is on every CPU where all are to give the same bytes (ecqg.numerics).
    """
    return torch.bfloat16 if precision == "bf16" and _is_bf16_fast(device.type) else torch.float32


@cache
def _is_bf16_fast(kind: str) -> bool:
    if kind == "cuda":
        return bool(torch.cuda.is_bf16_supported(including_emulation=False))
    if kind != "cpu":
        return True
    if numerics.mode() == numerics.PORTABLE:
        return False
    has = torch.cpu.get_capabilities()
    if has.get("amx_bf16"):
        return True
    return bool(has.get("avx512_bf16")) and "Intel" not in has["cpu_name"]  # AMD from Zen 4 on


def autocast(device: torch.device, precision: Precision) -> torch.autocast:
    """A context in which matrix products run in bf16 where that pays, or nothing changes."""
    dtype = product_dtype(device, precision)
    return torch.autocast(device.type, dtype=torch.bfloat16, enabled=dtype == torch.bfloat16)


def random_state(device: torch.device) -> dict[str, Tensor]:
    """What torch draws random numbers from, on the CPU and on `device`."""
    states = {"cpu": torch.get_rng_state()}
    if device.type == "cuda":
        states["cuda"] = torch.cuda.get_rng_state(device)
    return states


def set_random_state(states: Mapping[str, Tensor], device: torch.device) -> None:
    """Have torch draw again what it drew after `random_state` gave `states`."""
    torch.set_rng_state(states["cpu"])
    if "cuda" in states and device.type == "cuda":
        torch.cuda.set_rng_state(states["cuda"], device)


@contextmanager
def explain_out_of_memory(knobs: str) -> Iterator[None]:
    """Re-raise running out of memory as an InputError that names the parameters to lower."""
    try:
        yield
    except (RuntimeError, MemoryError) as error:
        # torch's CPU allocator has no exception class of its own.
        known = isinstance(error, torch.OutOfMemoryError | MemoryError)
        if not known and "can't allocate memory" not in str(error):
            raise
        reason, remedy = str(error).partition("\n")[0], f"lower {knobs} in params.yaml"
        what = f"out of memory ({reason or 'allocation failed'})"
        raise InputError(what, remedy=remedy) from error


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
    np.matmul(_array(left), _array(right), out=product.numpy())
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
