"""When checkpoints are written and what stays of them; that loops go on: the stages' tests."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from safetensors import safe_open
from torch import nn

from ecqg import pace, resume
from ecqg.errors import InputError
from ecqg.training import distributed
from ecqg.training.checkpoint import FILE, Checkpoint, State, resuming
from ecqg.training.loop import build_optimizer, linear_schedule
from ecqg.training.losslog import LossLog, StepLosses


class Tied(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Linear(3, 3)
        self.last = nn.Linear(3, 3)
        self.last.weight = self.first.weight
        self.register_buffer("count", torch.zeros(()))


def new_state(seed: int) -> State:
    torch.manual_seed(seed)
    model = Tied()
    optimizer = build_optimizer(model, 0.1)
    return State(model, optimizer, linear_schedule(optimizer, 9, 0.5), StepLosses(LossLog()))


def step(state: State, number: int) -> None:
    loss = state.model.last(state.model.first(torch.rand(2, 3))).square().sum()
    loss.backward()
    state.optimizer.step()
    state.schedule.step()
    state.optimizer.zero_grad()
    state.losses.add(number, loss)
    state.model.count += 1


def everything(state: State) -> list[object]:
    state.losses.read()
    moments = state.optimizer.state_dict()
    return [
        {k: v.tolist() for k, v in state.weights().items()},
        {k: {n: t.tolist() for n, t in v.items()} for k, v in moments["state"].items()},
        [{**group, "betas": tuple(group["betas"])} for group in moments["param_groups"]],
        state.schedule.state_dict(),
        state.losses.log.rows(),
        (state.scores, state.best_epoch),
        [{k: v.tolist() for k, v in kept.items()} for kept in (state.best, state.mean)],
        torch.get_rng_state().tolist(),
    ]


def test_all_that_a_step_changes_comes_back(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(pace, "SECONDS", 0.0)
    monkeypatch.setattr(pace, "SHARE", 0)
    state = new_state(1)
    state.scores.append({"loss": 0.1 + 0.2, "rank": float("inf")})
    state.best_epoch, state.best = 1, {"x.y/z": torch.rand(2)}
    state.mean = {"first.bias": torch.rand(3)}
    for number in range(1, 4):
        step(state, number)
    Checkpoint(tmp_path).save_if_due(state, 3)
    saved = everything(state)
    other = new_state(2)
    step(other, 1)
    assert everything(other) != saved
    assert Checkpoint(tmp_path).restore(other) == 3
    assert everything(other) == saved
    for one in (state, other):
        torch.manual_seed(5)
        step(one, 4)
    torch.manual_seed(6)
    assert everything(other) == everything(state)
    (kept,) = tmp_path.iterdir()
    with safe_open(kept, framework="pt") as stored:
        assert "model/last.weight" not in stored.keys()  # noqa: SIM118
        assert json.loads(stored.metadata()["state"])["step"] == 3


def test_checkpoints_come_by_time_and_slow_ones_more_rarely(tmp_path, monkeypatch) -> None:
    now, cost = 0.0, 0.5
    written = []

    def write(self, path, state, number) -> None:
        nonlocal now
        written.append(now)
        now += cost

    monkeypatch.setattr(pace, "time", SimpleNamespace(monotonic=lambda: now))
    monkeypatch.setattr(Checkpoint, "_write", write)
    state = new_state(1)
    kept, none = Checkpoint(tmp_path), Checkpoint()
    assert kept.restore(state) == none.restore(state) == 0
    for second in range(59, 480, 10):
        now = max(now, float(second))
        cost = 0.5 if now < 100 else 3.0
        kept.save_if_due(state, 1)
        none.save_if_due(state, 1)
    assert written == [59.0, 99.0, 139.0, 329.0]  # 0.5 s and 30 s to the next, then 3 s and 180 s


def test_what_a_killed_writer_left_is_removed(tmp_path) -> None:
    (tmp_path / f".{FILE}.123.part").write_bytes(b"half")
    assert Checkpoint(tmp_path).restore(new_state(1)) == 0
    assert not list(tmp_path.iterdir())


def test_a_checkpoint_that_is_damaged_says_what_to_do(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(pace, "SECONDS", 0.0)
    monkeypatch.setattr(pace, "SHARE", 0)
    state = new_state(1)
    for number in (1, 2):
        step(state, number)
        Checkpoint(tmp_path).save_if_due(state, number)
    (kept,) = tmp_path.iterdir()
    whole = kept.read_bytes()
    flipped = [whole[:at] + bytes([whole[at] ^ 4]) + whole[at + 1 :] for at in (0, 30, 900, -1)]
    for damaged in (*flipped, whole[:-9], b""):
        kept.write_bytes(damaged)
        said = r"state-\w{16}\.safetensors: is not what was written: .*; delete it to start this"
        with pytest.raises(InputError, match=said):
            Checkpoint(tmp_path).restore(new_state(2))
    kept.write_bytes(whole)
    assert Checkpoint(tmp_path).restore(new_state(2)) == 2
    kept.unlink()
    assert Checkpoint(tmp_path).restore(new_state(2)) == 0


def test_a_stage_keeps_it_until_its_end(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(pace, "SECONDS", 0.0)
    monkeypatch.setattr(pace, "SHARE", 0)
    Path("input").write_text("a")
    state = new_state(1)
    step(state, 1)
    with (
        pytest.raises(KeyboardInterrupt),
        resuming(resume.__name__, "train", [Path("input")], 3) as kept,
    ):
        kept.part("phase 2").save_if_due(state, 7)
        raise KeyboardInterrupt
    with resuming(resume.__name__, "train", [Path("input")], 3) as kept:
        assert kept.restore(state) == kept.part("phase 1").restore(state) == 0
        assert kept.part("phase 2").restore(state) == 7
    assert not list(resume.FOLDER.iterdir())
    with (
        pytest.raises(InputError, match="nowhere: no such file or folder"),
        resuming(resume.__name__, "train", [Path("nowhere")]),
    ):
        pass


def test_of_several_processes_only_the_first_keeps_one(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(pace, "SECONDS", 0.0)
    monkeypatch.setattr(pace, "SHARE", 0)
    monkeypatch.setattr(distributed, "rank", lambda: 1)
    with resuming(resume.__name__, "train", []) as kept:
        kept.part("phase 1").save_if_due(new_state(1), 1)
        kept.save_if_due(new_state(1), 1)
    assert not list(tmp_path.iterdir())
