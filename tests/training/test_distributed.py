"""What holds without other processes; with them: tests/encoder/test_two_processes.py."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from ecqg.errors import InputError
from ecqg.training import distributed


def test_one_process_has_everything_and_changes_nothing():
    with distributed.processes():
        assert (distributed.count(), distributed.rank()) == (1, 0)
        rows = torch.ones(3, 2, requires_grad=True)
        (gathered,) = distributed.gather_rows(rows, [3])
        assert gathered is rows
        parameter = torch.nn.Parameter(torch.zeros(2))
        parameter.grad = torch.tensor([1.0, 2.0])
        distributed.sum_gradients([parameter])
        assert parameter.grad.tolist() == [1.0, 2.0]


@given(rows=st.integers(0, 20), processes=st.integers(1, 6))
def test_shares_are_the_rows_in_order_the_first_never_smaller(rows, processes):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(distributed, "count", lambda: processes)
        shares = distributed.shares(np.arange(rows))
    assert len(shares) == processes
    assert np.concatenate(shares).tolist() == list(range(rows))
    sizes = [len(share) for share in shares]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] - sizes[-1] <= 1


def test_each_process_has_a_gpu_of_its_own_or_says_so(monkeypatch):
    monkeypatch.setattr(distributed, "launched", lambda: True)
    monkeypatch.setenv("LOCAL_RANK", "2")
    monkeypatch.setenv("ECQG_DEVICE", "cuda")
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 3)
    assert distributed.process_device() == torch.device("cuda:2")
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    with pytest.raises(InputError, match=r"process 2 .* has no GPU \(2 here\).*--nproc-per-node"):
        distributed.process_device()
    monkeypatch.setenv("ECQG_DEVICE", "cpu")
    assert distributed.process_device() == torch.device("cpu")
