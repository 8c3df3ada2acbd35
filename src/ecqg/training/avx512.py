"""OpenBLAS's AVX2 products, byte for byte, at the rate of AVX-512.

Both of its kernels add one term after the other to an entry, each by a fused multiply-add, and
begin anew after so many terms. They differ in how many those are, and at the edges of the panels
that the AVX2 kernel takes at once: there it sums even and odd terms apart. So the AVX-512 kernel,
which is nearly twice as fast, is given the other's terms and what is within panels, and their edges
are left to NumPy's OpenBLAS, which is held to AVX2 (sgemm_kernel_8x4_haswell_2.c and
driver/level3/level3.c of OpenBLAS 0.3.31). Whether that holds is seen before it is relied on: a
process that finds another byte, or that it gains nothing (Zen 4 computes AVX-512 in halves), goes
on with AVX2 alone (`bench/products.py`).
"""

from __future__ import annotations

import ctypes
import os
import time
from collections.abc import Callable, Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

LIBRARY, VARIABLE = "lib/libscipy_openblas64_.so", "OPENBLAS_CORETYPE"
CORES = (b"SkylakeX", b"Cooperlake", b"SapphireRapids")  # what it calls those with AVX-512
BY_ROW, AS_IS, TRANSPOSED = 101, 111, 112  # CBLAS's names
# Of the AVX2 kernel: columns, and terms of a sum, that it takes at once; a tile's columns and rows.
PANEL, COLUMNS, ROWS = 320, 8, 12
SMALL = 1 << 21  # multiplications; OpenBLAS has other kernels for up to a million
SHARE = 0.14  # of the entries may be at edges; beyond that little is gained
CHECKED = ((361, 130, 680), (192, 1001, 345), (156, 700, 213), (1200, 96, 192))
GAIN, TIMES = 1.1, 5

Matrix = NDArray[np.float32]
Multiply = Callable[[Matrix, Matrix, Matrix], None]


class Plan(NamedTuple):
    """How a product is cut."""

    # Begin and end of each panel of columns, and how many of its last are at its edge.
    panels: tuple[tuple[int, int, int], ...]
    rows: int  # the last, of which tiles are not whole


def write_product(left: Matrix, right: Matrix, out: Matrix) -> bool:
    """Write left @ right to `out`, (n, m) and contiguous; False where that is NumPy's to do.

    Of `left`, (n, k), and `right`, (k, m), one dimension must be contiguous, and neither repeated.
    """
    # NumPy multiplies a matrix by itself in yet another way.
    if left.dtype != np.float32 or np.may_share_memory(left, right):
        return False
    plan = _plan(*left.shape, right.shape[1])
    if plan is None:
        return False
    multiply = load()
    if multiply is None:
        return False
    _write(multiply, plan, left, right, out)
    return True


@cache
def _plan(n: int, k: int, m: int) -> Plan | None:
    """Of (n, k) @ (k, m), or None where it does not pay."""
    if n * k * m < SMALL:
        return None
    # In each second row of tiles the last eight are at the edge, by the number of eights, and what
    # is left of eights; the first eight always.
    edges = [(b, e, COLUMNS * (1 + (e - b) // COLUMNS % 2) + (e - b) % COLUMNS) for b, e in _cut(m)]
    # A row alone would be multiplied in another way, so that they take a whole tile along.
    rows = n % ROWS and n % ROWS + ROWS
    if rows / n + sum(COLUMNS + last for _, _, last in edges) / m > SHARE:
        return None
    return Plan(tuple(edges), rows)


def _cut(total: int) -> Iterator[tuple[int, int]]:
    """How OpenBLAS cuts columns and terms: by panels, but the last two are of one size, nearly."""
    begin = 0
    while begin < total:
        left = total - begin
        if left >= 2 * PANEL:
            left = PANEL
        elif left > PANEL:
            left = -(-(left // 2) // COLUMNS) * COLUMNS
        yield begin, begin + left
        begin += left


def _write(multiply: Multiply, plan: Plan, left: Matrix, right: Matrix, out: Matrix) -> None:
    multiply(left, right, out)
    for begin, end, last in plan.panels:
        # Side by side the edges are a panel that has the same ones.
        head, tail = slice(begin, begin + COLUMNS), slice(end - last, end)
        edges = left @ np.concatenate((right[:, head], right[:, tail]), axis=1)
        out[:, head], out[:, tail] = edges[:, :COLUMNS], edges[:, COLUMNS:]
    if plan.rows:
        np.matmul(left[-plan.rows :], right, out=out[-plan.rows :])


@cache
def load() -> Multiply | None:
    """What computes a product by AVX-512, where the processor has it and it does what is needed.

    The library is a second one of OpenBLAS's, as one takes all its kernels from one processor.
    """
    # Imported, the package would load it as it is told to here, and offer it to NumPy as well.
    package = find_spec("scipy_openblas64")
    if package is None or package.origin is None:
        return None
    core = os.environ.pop(VARIABLE, None)
    try:
        library = ctypes.CDLL(str(Path(package.origin).parent / LIBRARY))
    finally:
        if core is not None:
            os.environ[VARIABLE] = core
    name = library.scipy_openblas_get_corename64_
    name.restype = ctypes.c_char_p
    if name() not in CORES:
        return None
    multiply = _by(library.scipy_cblas_sgemm64_)
    return multiply if _is_right(multiply) and _gains(multiply) else None


def _by(sgemm: Any) -> Multiply:
    """`sgemm` of CBLAS with 64-bit integers, on arrays; terms are summed as AVX2's kernel does."""
    number, size, address = ctypes.c_float, ctypes.c_int64, ctypes.c_void_p
    operand = (address, size)
    sgemm.argtypes = [*[ctypes.c_int] * 3, *[size] * 3, number, *operand * 2, number, *operand]
    sgemm.restype = None

    def multiply(left: Matrix, right: Matrix, out: Matrix) -> None:
        (of_left, step), (of_right, other) = _layout(left), _layout(right)
        form = (BY_ROW, of_left, of_right, *out.shape)
        a, b, c = left.ctypes.data, right.ctypes.data, out.ctypes.data
        for begin, end in _cut(left.shape[1]):
            one = (a + begin * left.strides[1], step)
            two = (b + begin * right.strides[0], other)
            held = 1.0 if begin else 0.0  # what `out` has so far counts, or not
            sgemm(*form, end - begin, 1.0, *one, *two, held, c, out.strides[0] // out.itemsize)

    return multiply


def _layout(matrix: Matrix) -> tuple[int, int]:
    """CBLAS's name of its order, and the entries from one row, or column, to the next."""
    rows, columns = (stride // matrix.itemsize for stride in matrix.strides)
    return (AS_IS, rows) if columns == 1 else (TRANSPOSED, columns)


def _is_right(multiply: Multiply) -> bool:
    """Whether products with edges and parts of every kind are NumPy's."""
    draw = np.random.Generator(np.random.PCG64(1)).standard_normal
    for n, k, m in CHECKED:
        left, right = draw((n, k), np.float32), draw((k, m), np.float32)
        out, plan = np.empty((n, m), np.float32), _plan(n, k, m)
        for a, b in ((left, right), (np.asfortranarray(left), np.asfortranarray(right))):
            if plan is not None:
                _write(multiply, plan, a, b, out)
            if not np.array_equal(out, left @ right):
                return False
    return True


def _gains(multiply: Multiply) -> bool:
    """Whether it is faster, in a few milliseconds."""
    draw = np.random.Generator(np.random.PCG64(1)).standard_normal
    left, right = draw((384, 384), np.float32), draw((384, 384), np.float32)
    out, plan = np.empty_like(left), _plan(384, 384, 384)

    def seconds(compute: Callable[[], object]) -> float:
        times = []
        for _ in range(TIMES):
            since = time.perf_counter()
            compute()
            times.append(time.perf_counter() - since)
        return min(times)

    other = seconds(lambda: np.matmul(left, right, out=out))
    return plan is not None and other > GAIN * seconds(
        lambda: _write(multiply, plan, left, right, out)
    )
