from __future__ import annotations

import pytest
import torch

from ecqg.errors import InputError
from ecqg.training.losslog import READ_LOSSES, LossLog, StepLosses


def test_means_over_spans_of_steps(tmp_path):
    log = LossLog(every=2)
    for step, loss in enumerate([4.0, 2.0, 1.0], 1):
        log.add("train", step, loss)
    log.add("dev", 3, 0.5)
    log.write(tmp_path / "loss.csv")
    assert (tmp_path / "loss.csv").read_text().splitlines() == [
        "run,step,loss",
        "dev,4,0.500000",
        "train,2,3.000000",
        "train,4,1.000000",
    ]


def test_a_log_goes_on_from_its_rows(tmp_path):
    whole, first, second = LossLog(), LossLog(), LossLog()
    losses = torch.rand(70, dtype=torch.float64).tolist()
    for step, loss in enumerate(losses, 1):
        for log in (whole, first if step <= 33 else second):
            if step == 34 and log is second:
                second.add("other", 1, 9.0)
                second.restore(first.rows())
            log.add("train", step, loss)
    assert whole.rows() == second.rows()
    first.restore([])
    assert first.rows() == []


def test_losses_of_steps_are_logged_as_they_would_be_one_by_one():
    torch.manual_seed(0)
    values = torch.rand(READ_LOSSES + 3)
    log, expected = LossLog(every=1), LossLog(every=1)
    losses = StepLosses(log, "phase 1")
    for step, value in enumerate(values, 1):
        losses.add(step, value, 7)
        expected.add("phase 1", step, value.item() / 7)
        assert len(log.rows()) == (0 if step < READ_LOSSES else READ_LOSSES)
    assert losses.note == f"loss {values[:READ_LOSSES].mean() / 7:.3f}"
    losses.read()
    assert log.rows() == expected.rows()
    losses.read()
    assert log.rows() == expected.rows()


def test_a_loss_that_is_no_number_is_said_with_its_step():
    losses = StepLosses(LossLog(), remedy="lower it")
    losses.add(4, torch.tensor(1.0))
    losses.add(5, torch.tensor(float("inf")))
    with pytest.raises(InputError, match="the loss at step 5 is inf; lower it"):
        losses.read()
