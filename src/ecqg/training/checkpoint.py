"""Checkpoints: what a training loop (`ecqg.training.loop`) resumes from, written now and then.

A loop that resumes from a checkpoint ends with the bytes of one that nobody stopped: a checkpoint
holds all that a step changes, and what a step sees is a matter of the seed and its number. A loop
that ends before a checkpoint is due writes none.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import nn
from torch.optim.lr_scheduler import LambdaLR

from ecqg.files import atomic_stamped, find_stamped, remove
from ecqg.pace import Pace
from ecqg.resume import resumable
from ecqg.training import distributed
from ecqg.training.device import random_state, set_random_state
from ecqg.training.losslog import LossLog, StepLosses

FILE = "state.safetensors"  # one file, so that it is replaced at once; JSON is in its header
JSON = "state"


@dataclass
class State:
    """All that a training loop changes from step to step, torch's random numbers aside.

    Of a loop with a development set also its scores (JSON) after every epoch, and the weights of
    the best one, epochs being counted from 1. Of one that averages, the mean so far, on the model's
    device.
    """

    model: nn.Module
    optimizer: torch.optim.Optimizer
    schedule: LambdaLR
    losses: StepLosses
    scores: list[dict[str, Any]] = field(default_factory=list)
    best_epoch: int = 0
    best: dict[str, torch.Tensor] = field(default_factory=dict)
    mean: dict[str, torch.Tensor] = field(default_factory=dict)

    def weights(self) -> dict[str, torch.Tensor]:
        """Parameters and buffers by name; those that go by several names once."""
        return {**dict(self.model.named_parameters()), **dict(self.model.named_buffers())}


class Checkpoint:
    """A training's loss log and, where it has a folder, the newest state of its loop."""

    def __init__(self, folder: Path | None = None, log: LossLog | None = None) -> None:
        self.log = log or LossLog()
        self._folder = folder
        self._pace = Pace()

    def beside(self, name: str) -> Path | None:
        """A place for what takes long to prepare, there again as the state is; or none."""
        return self._folder and self._folder / name

    def part(self, name: str) -> Checkpoint:
        """The checkpoint of one of several loops, which follow each other in the same order.

        They share the log.
        """
        return Checkpoint(self._folder and self._folder / name, self.log)

    def restore(self, state: State) -> int:
        """Bring a new state to the checkpoint, and say how many steps it has taken: 0 without one.

        Of several processes that train together all must call this. Raises InputError for a file
        that is damaged.
        """
        self._pace.restart()
        with distributed.shared_file(self._find()) as path:
            if path is None:
                return 0
            record, tensors = _read(path)
        with torch.no_grad():
            for name, tensor in state.weights().items():
                tensor.copy_(tensors["model"][name])
        moments: dict[int, dict[str, torch.Tensor]] = {}
        for name, tensor in tensors.get("optimizer", {}).items():
            place, key = name.split("/")
            moments.setdefault(int(place), {})[key] = tensor
        state.optimizer.load_state_dict({"state": moments, "param_groups": record["groups"]})
        state.schedule.load_state_dict(record["schedule"])
        state.losses.log.restore(record["losses"])
        state.scores, state.best_epoch = record["scores"], record["best_epoch"]
        state.best = tensors.get("best", {})
        device = _device(state.model)
        state.mean = {name: tensor.to(device) for name, tensor in tensors.get("mean", {}).items()}
        set_random_state(tensors["random"], device)
        return int(record["step"])

    def _find(self) -> Path | None:
        if self._folder is None or not self._folder.is_dir():
            return None
        for partial in self._folder.glob(".*.part"):  # of a process killed while it wrote
            remove(partial)
        return find_stamped(self._folder / FILE, "delete it to start this training anew")

    def save_if_due(self, state: State, step: int) -> None:
        """After so many steps, replace the checkpoint if it is time (`ecqg.pace`)."""
        if self._folder is not None and self._pace.due():
            with self._pace.writing():
                self._write(self._folder / FILE, state, step)

    def _write(self, path: Path, state: State, step: int) -> None:
        from safetensors.torch import save_file

        state.losses.read()
        optimizer = state.optimizer.state_dict()
        moments = optimizer["state"].items()
        tensors = {
            "model": state.weights(),
            "optimizer": {f"{i}/{name}": t for i, of in moments for name, t in of.items()},
            "best": state.best,
            "mean": state.mean,
            "random": random_state(_device(state.model)),
        }
        record = {
            "step": step,
            "groups": optimizer["param_groups"],
            "schedule": state.schedule.state_dict(),
            "losses": state.losses.log.rows(),
            "scores": state.scores,
            "best_epoch": state.best_epoch,
        }
        whole = {
            f"{part}/{name}": tensor.detach().contiguous()
            for part, named in tensors.items()
            for name, tensor in named.items()
        }
        with atomic_stamped(path) as aside:
            save_file(whole, aside, {JSON: json.dumps(record)})


@contextmanager
def resuming(
    module: str, work: str, inputs: Iterable[Path], *settings: Any
) -> Iterator[Checkpoint]:
    """The checkpoint of a training, `work`, deleted when the block ends without an exception.

    It is taken up again where inputs (files or folders), settings and code are the same; see
    `ecqg.resume.resumable`. Of several processes that train together the first keeps it, for all
    and for as many as they are; what a step draws at random must follow from its number there.
    Raises InputError for an input that is not there.
    """
    if distributed.rank() > 0:
        yield Checkpoint()
        return
    if (processes := distributed.count()) > 1:  # others round otherwise
        settings = (*settings, processes)
    with resumable(module, work, inputs, *settings) as folder:
        yield Checkpoint(folder)


def _read(path: Path) -> tuple[dict[str, Any], dict[str, dict[str, torch.Tensor]]]:
    """The record, and tensors by their name's first part and the rest, in memory of their own."""
    from safetensors import safe_open

    tensors: dict[str, dict[str, torch.Tensor]] = {}
    with safe_open(path, framework="pt") as stored:
        for name in stored.keys():  # noqa: SIM118 -- it is no mapping
            part, rest = name.split("/", 1)
            tensors.setdefault(part, {})[rest] = stored.get_tensor(name).clone()
        return json.loads(stored.metadata()[JSON]), tensors


def _device(model: nn.Module) -> torch.device:
    return next(model.parameters()).device
