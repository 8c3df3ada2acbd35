"""Where and how precisely tensors are computed."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache

import torch
from torch import Tensor

from ecqg import numerics
from ecqg.errors import InputError
from ecqg.params import Precision
from ecqg.training.products import take_over

TRIM_THRESHOLD, MMAP_THRESHOLD = -1, -3  # malloc.h
# Functions that torch hands to MKL's vector library, where it is built with that.
ELEMENTWISE = (
    *("acos", "asin", "atan", "cos", "erf", "erfc", "erfinv", "exp", "expm1", "log", "log10"),
    *("log1p", "log2", "rsqrt", "sin", "sqrt", "tan", "tanh"),
)


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
