from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from ecqg.errors import InputError
from ecqg.training import device
from ecqg.training.device import (
    autocast,
    explain_out_of_memory,
    pick_device,
    product_dtype,
)

BENCH = Path(__file__).parents[2] / "bench"
FIRST_CALLS = """
from collections import Counter
import torch
from first_call import NUMBERS, first_call
numbers = torch.rand(NUMBERS, generator=torch.Generator().manual_seed(1)) + 0.1
plain, chosen = (
    Counter(first_call("tanh", numbers, chosen) for _ in range(count))
    for chosen, count in ((False, 20), (True, 200))
)
print({plain.most_common(1)[0][0]: 200} == chosen, plain, chosen)
"""


def test_the_environment_names_the_device(monkeypatch):
    monkeypatch.setenv("ECQG_DEVICE", "cpu")
    assert pick_device() == torch.device("cpu")
    monkeypatch.setenv("ECQG_DEVICE", "toaster")
    with pytest.raises(InputError, match="ECQG_DEVICE=toaster is no device"):
        pick_device()


@pytest.mark.slow
def test_the_first_call_of_a_function_computes_what_later_ones_do():
    # Without `_choose_kernels` some 1.5 % of processes compute otherwise: 200 find it nearly
    # always, and never fail without cause.
    ran = subprocess.run(
        [sys.executable, "-c", FIRST_CALLS],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(BENCH), *sys.path])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.stdout.startswith("True"), ran.stdout + ran.stderr


AMX = {"cpu_name": "Intel Xeon", "avx512_bf16": True, "amx_bf16": True}
SLOW_BF16 = {"cpu_name": "Intel Xeon", "avx512_bf16": True, "amx_bf16": False}
ZEN = {"cpu_name": "AMD EPYC", "avx512_bf16": True, "amx_bf16": False}
LAPTOP = {"cpu_name": "Intel Core i5", "avx2": True, "avx512_bf16": False, "amx_bf16": False}
ARM = {"architecture": "aarch64", "neon": True}


@pytest.mark.parametrize(
    ("has", "fast"), [(AMX, True), (SLOW_BF16, False), (ZEN, True), (LAPTOP, False), (ARM, False)]
)
def test_products_are_in_bf16_where_that_is_asked_for_and_pays(monkeypatch, has, fast):
    monkeypatch.setattr(device.numerics, "mode", lambda: "native")
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: has)
    monkeypatch.setattr(device, "_is_bf16_fast", device._is_bf16_fast.__wrapped__)
    a, cpu = torch.ones(2, 2), torch.device("cpu")
    for precision, kind in (
        ("fp32", torch.float32),
        ("bf16", torch.bfloat16 if fast else torch.float32),
    ):
        assert product_dtype(cpu, precision) == kind
        with autocast(cpu, precision):
            assert (a @ a).dtype == kind


def test_products_are_in_fp32_where_all_processors_are_to_compute_the_same(monkeypatch):
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: AMX)
    monkeypatch.setattr(device, "_is_bf16_fast", device._is_bf16_fast.__wrapped__)
    assert device.numerics.mode() == "portable"
    assert product_dtype(torch.device("cpu"), "bf16") == torch.float32


def test_a_gpu_that_only_emulates_bf16_computes_in_fp32(monkeypatch):
    monkeypatch.setattr(device, "_is_bf16_fast", device._is_bf16_fast.__wrapped__)
    for native, kind in ((True, torch.bfloat16), (False, torch.float32)):
        monkeypatch.setattr(
            torch.cuda,
            "is_bf16_supported",
            lambda including_emulation, native=native: native or including_emulation,
        )
        assert product_dtype(torch.device("cuda"), "bf16") == kind


def test_out_of_memory_names_the_knobs():
    with (
        pytest.raises(InputError, match=r"out of memory \(CUDA.*lower finetune.batch_size"),
        explain_out_of_memory("finetune.batch_size"),
    ):
        raise torch.OutOfMemoryError("CUDA out of memory.\nTried ...")
    with pytest.raises(InputError, match="out of memory"), explain_out_of_memory("x"):
        torch.empty(1 << 60, dtype=torch.uint8)
    with pytest.raises(RuntimeError, match="shape"), explain_out_of_memory("x"):
        torch.ones(2, 3).view(5).sum()
    with pytest.raises(ValueError, match="other"), explain_out_of_memory("x"):
        raise ValueError("other")
