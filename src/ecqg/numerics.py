"""What the libraries that compute are told, so that every x86-64 processor gives the same bytes.

Each of them looks at the processor and takes the instructions and block sizes that are fastest
there, and sums in another order for them and for another number of threads. By default the
project's own entry points hold all of them to one thread and to what every processor with AVX2 has;
with ECQG_NUMERICS=native they are left alone. MKL, which multiplies for PyTorch, keeps to AVX2 on
Intel's processors only: on AMD's it chooses for itself. ECQG_NUMERICS=compatible holds it to SSE2,
which is the same on both, and trains at little more than half the speed. Variables are read when a
library is loaded, so they are set before. `bench/same_bytes.py` compares what stages write.
"""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Mapping
from pathlib import Path

from ecqg.errors import InputError

NAME = "ECQG_NUMERICS"
PORTABLE, COMPATIBLE, NATIVE = "portable", "compatible", "native"
MKL = "MKL_CBWR"  # PyTorch's products and elementwise functions
VARIABLES = {
    # A sum is cut where the next thread begins.
    "OMP_NUM_THREADS": "1",  # ATen, MKL, oneDNN, FAISS and its OpenBLAS
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",  # NumPy's and SciPy's
    "ATEN_CPU_CAPABILITY": "avx2",  # PyTorch's own loops, SLEEF's functions in them
    "ONEDNN_MAX_CPU_ISA": "AVX2",  # GELU, and products in bf16
    # On another maker's processor MKL takes it for AUTO, which is what is fastest there.
    MKL: "AVX2",
    "OPENBLAS_CORETYPE": "Haswell",  # products of NumPy, SciPy and FAISS
    # SVML among them. What a processor lacks is an ImportWarning, which Python does not show.
    "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR",
    "FAISS_SIMD_LEVEL": "AVX2",
}
OF_MODE = {PORTABLE: VARIABLES, COMPATIBLE: {**VARIABLES, MKL: "COMPATIBLE"}}
LIBRARIES = ("blis", "faiss", "numpy", "scipy", "torch")  # that read them
FLAGS = 4096  # bytes of /proc/cpuinfo; those of the first processor are enough


def fix() -> bool:
    """Set the variables, whatever they are, where that is asked for and the processor has AVX2.

    Returns whether that was in time: False where it changed any and a library is loaded already,
    which goes on as it began. Raises InputError where ECQG_NUMERICS has another value.
    """
    asked = os.environ.get(NAME) or PORTABLE
    if asked not in (*OF_MODE, NATIVE):
        raise InputError(
            f"{NAME}={asked} is no way to compute",
            remedy=f"set it to {', '.join(OF_MODE)} or {NATIVE}",
        )
    if asked in (NATIVE, mode()) or not _has_avx2():
        return True
    os.environ.update(OF_MODE[asked])
    return not any(name in sys.modules for name in LIBRARIES)


def fixed() -> bool:
    """Whether this process's environment has all of the variables."""
    return mode() != NATIVE


def mode() -> str:
    """How this process computes: portable, compatible or native."""
    held = (name for name, values in OF_MODE.items() if not differ(os.environ, values))
    return next(held, NATIVE)


def differ(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    """Whether libraries would compute otherwise in one environment than in the other."""
    return any(one.get(name) != other.get(name) for name in VARIABLES)


def _has_avx2() -> bool:
    """Without it PyTorch, held to AVX2, would die of an illegal instruction."""
    if platform.machine() not in ("x86_64", "AMD64"):
        return False
    try:
        with Path("/proc/cpuinfo").open("rb") as file:
            return b" avx2 " in file.read(FLAGS)
    except OSError:
        return False  # no Linux
