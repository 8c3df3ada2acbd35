from __future__ import annotations

import pytest
import torch
from torch import nn

from ecqg.training.loop import build_optimizer, linear_schedule


def test_schedule_is_that_of_transformers_shifted_off_zero():
    """Ours rises to lr/(w+1), 2lr/(w+1), ... so that no step is wasted at 0; the fall is equal."""
    from transformers import get_linear_schedule_with_warmup

    def rates(make, steps):
        optimizer = torch.optim.SGD(nn.Linear(1, 1).parameters(), lr=0.5)
        schedule = make(optimizer)
        values = []
        for _ in range(steps):
            values.append(schedule.get_last_lr()[0])
            optimizer.step()
            schedule.step()
        return values

    ours = rates(lambda o: linear_schedule(o, 20, 0.2), 20)
    theirs = rates(lambda o: get_linear_schedule_with_warmup(o, 4, 20), 20)
    assert ours[4:] == pytest.approx(theirs[4:])
    assert ours[:4] == pytest.approx([0.1, 0.2, 0.3, 0.4])
    assert ours[-1] > 0


def test_no_warmup_starts_at_the_full_rate():
    optimizer = torch.optim.SGD(nn.Linear(1, 1).parameters(), lr=0.5)
    assert linear_schedule(optimizer, 10, 0.0).get_last_lr() == [0.5]


def test_only_matrices_decay_and_shared_or_frozen_parameters_count_once():
    first, second = nn.Linear(3, 2), nn.Sequential(nn.Linear(2, 2), nn.LayerNorm(2))
    second[0].weight.requires_grad_(False)
    optimizer = build_optimizer(nn.ModuleList([first, second, first]), 0.1, 0.01)
    decayed, plain = optimizer.param_groups
    assert decayed["weight_decay"] == 0.01
    assert plain["weight_decay"] == 0.0
    assert [id(p) for p in decayed["params"]] == [id(first.weight)]
    biases = [first.bias, second[0].bias, second[1].weight, second[1].bias]
    assert [id(p) for p in plain["params"]] == [id(p) for p in biases]
