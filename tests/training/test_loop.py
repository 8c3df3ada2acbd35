"""The loop against one written out; that trainings of models go on: the stages' tests."""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
import torch
from torch import nn

from ecqg import pace
from ecqg.errors import InputError
from ecqg.training.checkpoint import Checkpoint
from ecqg.training.loop import Development, Plan, fit
from ecqg.training.losslog import LossLog

PLAN = Plan("test", 3, 4, 0.1, "the rate", "the batch", 0.25, 0.01, 0.5)


@dataclass(frozen=True)
class Score:
    loss: float
    number: int


def new_model() -> nn.Linear:
    torch.manual_seed(1)
    return nn.Linear(3, 2)


def batches(epoch: int) -> list[torch.Tensor]:
    return [torch.full((2, 3), epoch + place / 4) for place in range(4)]


def gradients_of(model: nn.Module):
    def gradients(step, batch):
        for part in batch:  # accumulation
            (model(part).square().sum() / 2).backward()
        return model(batch).square().sum().detach(), 2

    return gradients


def weights_by_step(plan: Plan) -> tuple[list[dict[str, torch.Tensor]], list[float]]:
    """What plain PyTorch makes of it, after each step, and each step's loss."""
    model, kept, losses = new_model(), [], []
    optimizer = torch.optim.AdamW(
        [
            {"params": [model.weight], "weight_decay": plan.weight_decay},
            {"params": [model.bias], "weight_decay": 0.0},
        ],
        lr=plan.lr,
    )
    warmup, total = 3, 12
    for step in range(total):
        rate = (step + 1) / (warmup + 1) if step < warmup else (total - step) / (total - warmup)
        for group in optimizer.param_groups:
            group["lr"] = plan.lr * rate
        optimizer.zero_grad()
        loss = model(batches(step // 4 + 1)[step % 4]).square().sum() / 2
        loss.backward()
        norm = torch.cat([p.grad.flatten() for p in model.parameters()]).norm()
        for parameter in model.parameters():
            parameter.grad *= min(1, plan.max_grad_norm / norm)
        optimizer.step()
        losses.append(loss.item())
        kept.append({k: v.clone() for k, v in model.state_dict().items()})
    return kept, losses


@pytest.mark.parametrize("best", [None, 2])
def test_steps_are_those_of_plain_pytorch_and_the_best_epoch_stays(best: int | None) -> None:
    model, log, scored = new_model(), LossLog(every=1), []

    def score() -> Score:
        model.eval()
        scored.append(len(scored) + 1)
        return Score(0.5 * scored[-1], scored[-1])

    development = Development(Score, score, best and (lambda new, kept: new.number == best))
    modes = []
    gradients = gradients_of(model)

    def noted(step, batch):
        modes.append(model.training)
        return gradients(step, batch)

    history = fit(
        model, batches, noted, PLAN, checkpoint=Checkpoint(log=log), development=development
    )
    expected, losses = weights_by_step(PLAN)
    torch.testing.assert_close(dict(model.state_dict()), expected[4 * (best or 3) - 1])
    assert modes == [True] * 12
    assert not model.training
    curve = {(run, step): total / count for run, step, total, count in log.rows()}
    assert [curve["train", step] for step in range(1, 13)] == pytest.approx(losses, rel=1e-5)
    assert [curve["dev", step] for step in (4, 8, 12)] == [0.5, 1.0, 1.5]
    record = history.record()
    assert record["best_epoch"] == record["dev_number"] == (best or 3)
    assert record["epochs"] == [{"loss": 0.5 * n, "number": n} for n in (1, 2, 3)]


def test_the_mean_over_the_second_half_alone_is_scored_and_stays_after_an_interruption_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pace, "SECONDS", 0.0)
    monkeypatch.setattr(pace, "SHARE", 0)
    plan = replace(PLAN, average=True)
    by_step, _ = weights_by_step(plan)
    expected = {name: sum(of[name] for of in by_step[6:]) / 6 for name in by_step[0]}
    ends = []
    for stop in (None, 9):
        model, seen = new_model(), []
        gradients = gradients_of(model)

        def score() -> Score:
            seen.append({k: v.clone() for k, v in model.state_dict().items()})  # noqa: B023
            return Score(1.0, len(seen))  # noqa: B023

        def stopped(step, batch):
            if step == stop:  # noqa: B023
                raise KeyboardInterrupt
            return gradients(step, batch)  # noqa: B023

        development = Development(Score, score, lambda new, best: True)
        folder = tmp_path / str(stop)
        for last in (stop is None, True):
            with nullcontext() if last else pytest.raises(KeyboardInterrupt):
                which = gradients if last else stopped
                checkpoint = Checkpoint(folder)
                history = fit(
                    model, batches, which, plan, checkpoint=checkpoint, development=development
                )
            if stop is None:
                break
        torch.testing.assert_close(dict(model.state_dict()), expected)
        (scored,) = seen
        assert all(torch.equal(scored[k], v) for k, v in model.state_dict().items())
        assert history.record() == {"dev_loss": 1.0, "dev_number": 1, "best_epoch": 3}
        ends.append(dict(model.state_dict()))
    assert all(torch.equal(ends[0][name], ends[1][name]) for name in expected)


def test_a_curve_has_its_name_and_a_training_of_no_step_changes_nothing() -> None:
    model, log = new_model(), LossLog()
    fit(
        model,
        lambda _: [],
        gradients_of(model),
        Plan("t", 1, 0, 1.0, "x", "y"),
        checkpoint=Checkpoint(log=log),
    )
    assert torch.equal(model.weight, new_model().weight)
    assert log.rows() == []
    plan = Plan("t", 1, 4, 0.1, "x", "y", curve="phase 1")
    fit(model, batches, gradients_of(model), plan, checkpoint=Checkpoint(log=log))
    assert {row[0] for row in log.rows()} == {"phase 1"}


def test_what_goes_wrong_names_the_parameter() -> None:
    model = new_model()
    with pytest.raises(InputError, match="the loss at step 1 is nan; lower the rate"):
        fit(model, batches, lambda *_: (model.weight.sum() * torch.nan, 1), PLAN)

    def too_much(*_):
        raise MemoryError

    with pytest.raises(InputError, match=r"out of memory .*lower the batch in params"):
        fit(model, batches, too_much, PLAN)
