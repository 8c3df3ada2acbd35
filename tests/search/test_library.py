"""FAISS's OpenBLAS takes the processor for what NumPy's does."""

from __future__ import annotations

import os
import platform
import subprocess
import sys

import pytest

from ecqg.search.library import CORES, VARIABLE

CODE = """
import os
before = dict(os.environ)
from ecqg.search import library
assert dict(os.environ) == before
print(*library.processors())
"""
x86 = pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="no x86 processor")


def found(**variables: str) -> set[str]:
    """As which the two know the processor, in a new process."""
    environment = {k: v for k, v in os.environ.items() if k != VARIABLE} | variables
    command = [sys.executable, "-c", CODE]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    return set(done.stdout.split())


@x86
def test_both_find_the_same_kernels() -> None:
    names = found()
    assert names
    if names & CORES.keys():  # else FAISS's is left to itself
        assert len({CORES.get(name) for name in names}) == 1


@x86
def test_who_names_a_processor_is_obeyed() -> None:
    assert found(OPENBLAS_CORETYPE="Nehalem") == {"Nehalem"}
