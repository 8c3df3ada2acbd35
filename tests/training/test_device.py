from __future__ import annotations

import pytest
import torch

from ecqg.errors import InputError
from ecqg.training.device import autocast, explain_out_of_memory, pick_device


def test_the_environment_names_the_device(monkeypatch):
    monkeypatch.setenv("ECQG_DEVICE", "cpu")
    assert pick_device() == torch.device("cpu")
    monkeypatch.setenv("ECQG_DEVICE", "toaster")
    with pytest.raises(InputError, match="ECQG_DEVICE=toaster is no device"):
        pick_device()


def test_precision_sets_the_type_of_products():
    a = torch.ones(2, 2)
    for precision, kind in (("fp32", torch.float32), ("bf16", torch.bfloat16)):
        with autocast(torch.device("cpu"), precision):
            assert (a @ a).dtype == kind


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
