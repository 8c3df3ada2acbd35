"""What the libraries that compute are told, so that every x86-64 processor gives the same bytes.

Each of them looks at the processor and takes the instructions and block sizes that are fastest
there, and sums in another order for them and for another number of threads. By default the
project's own entry points hold all of them to one thread and to what every processor with AVX2 has;
with ECQG_NUMERICS=native they are left alone. MKL is the exception: what AMD's processors share
with Intel's there is SSE2, so that PyTorch's products are OpenBLAS's (`ecqg.training.products`).
Variables are read when a library is loaded, so they are set before. `bench/same_bytes.py` compares
what stages write.
"""

from __future__ import annotations

import os
import platform
import sys
from pathlib import Path

from ecqg.errors import InputError

NAME = "ECQG_NUMERICS"
PORTABLE, NATIVE = "portable", "native"
VARIABLES = {
    # A sum is cut where the next thread begins.
    "OMP_NUM_THREADS": "1",  # ATen, MKL, oneDNN, FAISS and its OpenBLAS
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",  # NumPy's and SciPy's
    "ATEN_CPU_CAPABILITY": "avx2",  # PyTorch's own loops, SLEEF's functions in them
    "ONEDNN_MAX_CPU_ISA": "AVX2",  # GELU, and products in bf16
    # PyTorch's elementwise functions. On another maker's processor MKL takes AVX2 for AUTO.
    "MKL_CBWR": "COMPATIBLE",
    "OPENBLAS_CORETYPE": "Haswell",  # products of NumPy, SciPy and FAISS
    # SVML among them. What a processor lacks is an ImportWarning, which Python does not show.
    "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR",
    "FAISS_SIMD_LEVEL": "AVX2",
    "BLIS_ARCH_TYPE": "haswell",  # spaCy's products
}
LIBRARIES = ("blis", "faiss", "numpy", "scipy", "torch")  # that read them
FLAGS = 4096  # bytes of /proc/cpuinfo; those of the first processor are enough


def fix() -> bool:
    """Set the variables, whatever they are, where that is wanted and the processor has AVX2.

    Returns whether that was in time: False where it changed any and a library is loaded already,
    which goes on as it began. Raises InputError where ECQG_NUMERICS has another value.
    """
    wanted = os.environ.get(NAME) or PORTABLE
    if wanted not in (PORTABLE, NATIVE):
        raise InputError(
            f"{NAME}={wanted} is no way to compute", remedy=f"set it to {PORTABLE} or {NATIVE}"
        )
    if wanted in (NATIVE, mode()) or not _has_avx2():
        return True
    os.environ.update(VARIABLES)
    return not any(name in sys.modules for name in LIBRARIES)


def mode() -> str:
    """How this process computes: portable, where its environment has all variables, or native."""
    return PORTABLE if VARIABLES.items() <= os.environ.items() else NATIVE


def _has_avx2() -> bool:
    """Without it PyTorch, held to AVX2, would die of an illegal instruction."""
    if platform.machine() not in ("x86_64", "AMD64"):
        return False
    try:
        with Path("/proc/cpuinfo").open("rb") as file:
            return b" avx2 " in file.read(FLAGS)
    except OSError:
        return False  # no Linux
