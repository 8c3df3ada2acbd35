"""What libraries compute depends neither on the shell nor on what a processor has beyond AVX2."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ecqg import numerics
from ecqg.training.loop import build_optimizer

COMPUTING = Path(__file__).with_name("computing.py")
NEUTRAL = {k: v for k, v in os.environ.items() if k not in (*numerics.VARIABLES, numerics.NAME)}
pytestmark = pytest.mark.skipif(not numerics._has_avx2(), reason="no x86-64 processor with AVX2")


def run(*arguments: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """A new process whose environment says nothing of numerics but `variables`."""
    return subprocess.run(
        [sys.executable, *arguments],
        env=NEUTRAL | variables,
        capture_output=True,
        text=True,
        check=False,
    )


def computed(**variables: str) -> dict[str, str]:
    """Digests by what was computed, and under "" how."""
    done = run(COMPUTING, **variables)
    assert done.returncode == 0, done.stderr
    assert "Warning" not in done.stderr
    *lines, mode = done.stdout.splitlines()
    return dict(line.split(": ") for line in lines) | {"": mode}


@pytest.mark.slow
def test_what_the_shell_says_and_what_is_hidden_change_nothing_but_native_does() -> None:
    default = computed()
    assert default.pop("") == "portable 1 AVX2"
    assert len(default) == 7
    others = {
        "OMP_NUM_THREADS": "2",
        "MKL_CBWR": "AUTO",
        "ATEN_CPU_CAPABILITY": "default",
        "OPENBLAS_CORETYPE": "Nehalem",
        "NPY_DISABLE_CPU_FEATURES": "X86_V3",
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX512F,-AVX512VL,-AVX512BW,-AVX512DQ,-AVX512CD",
    }
    same = computed(**others, ECQG_NUMERICS="portable")
    assert same.pop("") == "portable 1 AVX2"
    assert same == default
    native = computed(**others, ECQG_NUMERICS="native")
    assert native.pop("") == "native 2 DEFAULT"
    # SciPy's test has neither products nor functions of its own; spaCy has its own products.
    differing = {what for what in default if native[what] != default[what]}
    assert differing >= {"numpy product", "numpy functions", "torch training", "faiss search"}


def test_an_unknown_value_is_one_line() -> None:
    for arguments in (["--help"], ["repro"], ["select"]):
        done = run("-m", "ecqg", *arguments, ECQG_NUMERICS="fast")
        assert done.returncode == 1
        assert done.stderr == (
            "ecqg: ECQG_NUMERICS=fast is no way to compute; set it to portable or native\n"
        )


@pytest.mark.slow
def test_libraries_that_are_loaded_are_loaded_anew() -> None:
    code = (
        "import os, sys, numpy; print(os.environ.get('MKL_CBWR'), flush=True); "
        "from ecqg.__main__ import main; main()"
    )
    done = run("-c", code, "--help")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("None\nCOMPATIBLE\n")
    done = run("-c", code, "--help", ECQG_NUMERICS="native")
    assert done.stdout.startswith("None\n")
    assert "Usage" in done.stdout
    assert "COMPATIBLE" not in done.stdout  # nor was it started anew


@pytest.mark.slow
def test_the_package_alone_sets_nothing() -> None:
    code = "import os, ecqg, ecqg.numerics, ecqg.training.device; print('MKL_CBWR' in os.environ)"
    assert run("-c", code).stdout == "False\n"


def test_a_processor_without_avx2_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in numerics.VARIABLES:
        monkeypatch.delenv(name)
    monkeypatch.setattr(numerics, "_has_avx2", lambda: False)
    assert numerics.fix()
    assert numerics.mode() == "native"
    assert "ATEN_CPU_CAPABILITY" not in os.environ


def test_these_tests_compute_as_stages_do() -> None:
    assert numerics.mode() == "portable"


def test_no_root_is_drawn_by_mkl() -> None:
    """MKL's roots begin with an estimate that is another on another maker's processor."""
    import torch

    assert build_optimizer(torch.nn.Linear(2, 2), 1e-3).defaults["fused"]
    names = ("sqrt", "tan", "acos", "asin", "atan")
    source = Path(numerics.__file__).parent
    for file in source.rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        assert not any(f"torch.{name}(" in text for name in names), file
