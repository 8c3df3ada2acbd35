"""FAISS, whose own OpenBLAS is told what processor it runs on.

The wheels of faiss-cpu carry OpenBLAS 0.3.15 (2021), which takes the processors that it does not
know, such as Intel's Xeons since 2023, for one of 2004: exact search takes three to four times as
long. NumPy's OpenBLAS is newer, so what that one finds, FAISS's is told (`bench/search.py`). Import
FAISS from here.
"""

from __future__ import annotations

import os

import numpy as np  # noqa: F401 -- so that its OpenBLAS is there to be asked
from threadpoolctl import threadpool_info

VARIABLE = "OPENBLAS_CORETYPE"
# What NumPy's may find, and how FAISS's calls the nearest that it knows.
CORES = {
    "Haswell": "Haswell",
    "Zen": "Zen",
    "SkylakeX": "SkylakeX",
    "Cooperlake": "SkylakeX",
    "SapphireRapids": "SkylakeX",
}


def processors() -> set[str]:
    """As which the OpenBLAS libraries that are loaded know the processor."""
    return {pool["architecture"] for pool in threadpool_info() if "architecture" in pool}


_found = processors()
_core = CORES.get(_found.pop()) if len(_found) == 1 else None
if _core is None or VARIABLE in os.environ:
    import faiss
else:
    os.environ[VARIABLE] = _core
    import faiss

    del os.environ[VARIABLE]

__all__ = ["faiss"]
