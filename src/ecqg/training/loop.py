"""The training loop: encoders, question generators, reader and cross-encoder all train by it.

    def gradients(step, batch):
        loss = loss_of(model, batch)
        loss.backward()
        return loss, 1

    fit(model, batches, gradients, plan, checkpoint=checkpoint)

A caller says what an epoch's batches are and what gradient a batch has; all else is here. A batch
may be several micro-batches, whose gradients `gradients` adds up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any, Generic, TypeVar

import torch
from torch import nn
from torch.nn.utils import clip_grad_norm_
from torch.optim.lr_scheduler import LambdaLR

from ecqg.progress import track
from ecqg.training import distributed
from ecqg.training.checkpoint import Checkpoint, State
from ecqg.training.device import explain_out_of_memory
from ecqg.training.losslog import StepLosses

B = TypeVar("B")
S = TypeVar("S")  # a development score: a dataclass of numbers, `loss` (nats) among them


@dataclass(frozen=True)
class Plan:
    """How long a model trains and how: AdamW, linear warm-up, then linear decay to 0."""

    name: str  # on the progress bar
    epochs: int
    steps: int  # optimiser steps in an epoch
    lr: float
    lr_name: str  # what to lower where a loss is no number
    memory_names: str  # and where memory runs out: parameters
    warmup_fraction: float = 0.1
    weight_decay: float = 0.0
    max_grad_norm: float = 1.0
    curve: str = "train"  # the loss's name in the log
    matrices_first: bool = False  # the norm sums matrices before vectors: the last bit differs
    average: bool = False  # end with the mean of the weights after each step of the second half


@dataclass(frozen=True)
class Development(Generic[S]):
    """A model's score after every epoch, and which epoch's weights training ends with.

    A training that averages has one score, the mean's: an epoch's says little of that.
    """

    kind: type[S]
    score: Callable[[], S]
    better: Callable[[S, S], bool] | None = None  # than an earlier one; None keeps the last epoch


@dataclass(frozen=True)
class History(Generic[S]):
    """The development score after every epoch (the first: 1), and the best epoch.

    Of a training that averages there is the mean's score alone, and the last epoch.
    """

    best_epoch: int
    dev: tuple[S, ...]

    def record(self) -> dict[str, Any]:
        """As a metrics file has it: the best epoch's scores, and all epochs' if several."""
        epochs = [asdict(score) for score in self.dev]  # type: ignore[call-overload]
        best = epochs[min(self.best_epoch, len(epochs)) - 1]
        record = {f"dev_{k}": v for k, v in best.items()} | {"best_epoch": self.best_epoch}
        return record | ({"epochs": epochs} if len(epochs) > 1 else {})


def fit(
    model: nn.Module,
    batches: Callable[[int], Iterable[B]],
    gradients: Callable[[int, B], tuple[torch.Tensor, int]],
    plan: Plan,
    *,
    checkpoint: Checkpoint | None = None,
    development: Development[S] | None = None,
) -> History[S]:
    """Train `model` in place; it ends on the CPU, in eval mode, with the weights of its best epoch.

    With `plan.average` it has those of the averaged last epoch, and their score (Izmailov et al.
    2018, Averaging Weights Leads to Wider Optima and Better Generalization, here under a rate that
    falls to 0).

    `batches` gives those of an epoch, counted from 1, `plan.steps` of them. `gradients` adds the
    gradient of a step's batch to `.grad` and returns the loss times a number, and that number: the
    log has their quotient, in nats. Training resumes from a `checkpoint` of the same training,
    whose log gets the losses. Raises InputError for a loss that is no number, or out of memory.

    Where several processes train (`ecqg.training.distributed`), each calls this with the same
    arguments; their gradients are added up, and all end with the same weights.
    """
    optimizer = build_optimizer(model, plan.lr, plan.weight_decay)
    schedule = linear_schedule(optimizer, plan.steps * plan.epochs, plan.warmup_fraction)
    parameters = list(model.parameters())
    if plan.matrices_first:
        parameters = [p for group in optimizer.param_groups for p in group["params"]]
    checkpoint = checkpoint or Checkpoint()
    losses = StepLosses(checkpoint.log, plan.curve, f"lower {plan.lr_name}")
    state = State(model, optimizer, schedule, losses)
    done, total = checkpoint.restore(state), plan.steps * plan.epochs
    rest = _batches_after(done, batches, plan)
    if distributed.rank() == 0:
        rest = track(rest, plan.name, total=total, done=done, unit="step", note=lambda: losses.note)
    model.train()
    with explain_out_of_memory(plan.memory_names):
        for step, batch in enumerate(rest, done + 1):
            loss, parts = gradients(step, batch)
            distributed.sum_gradients(parameters)
            clip_grad_norm_(parameters, plan.max_grad_norm)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad(set_to_none=True)
            losses.add(step, loss, parts)
            if plan.average and 2 * step > total:
                _average(state, step - total // 2, last=step == total)
            if development is not None and step % (total if plan.average else plan.steps) == 0:
                losses.read()
                _score_epoch(state, development, step // plan.steps)
                checkpoint.log.add("dev", step, state.scores[-1]["loss"])
                model.train()
            checkpoint.save_if_due(state, step)
    losses.read()
    if state.best:
        model.load_state_dict(state.best)
    model.cpu().eval()
    scores = () if development is None else tuple(development.kind(**s) for s in state.scores)
    return History(state.best_epoch, scores)


def _batches_after(done: int, batches: Callable[[int], Iterable[B]], plan: Plan) -> Iterator[B]:
    """Each epoch's batches, the first `done` of the training left out."""
    whole, part = divmod(done, max(1, plan.steps))
    for epoch in range(whole, plan.epochs):
        yield from islice(batches(epoch + 1), part if epoch == whole else 0, None)


@torch.no_grad()
def _average(state: State, count: int, *, last: bool) -> None:
    """Take the weights into the mean over `count` steps; after the last step they become it."""
    for name, weights in state.model.named_parameters():
        state.mean.setdefault(name, torch.zeros_like(weights)).lerp_(weights, 1 / count)
        if last:
            weights.copy_(state.mean[name])


def _score_epoch(state: State, development: Development[S], epoch: int) -> None:
    score, better = development.score(), development.better
    best = development.kind(**state.scores[state.best_epoch - 1]) if state.scores else None
    state.scores.append(asdict(score))  # type: ignore[call-overload]
    if better is None:
        state.best_epoch = epoch
    elif best is None or better(score, best):
        state.best_epoch = epoch
        state.best = {k: v.to("cpu", copy=True) for k, v in state.model.state_dict().items()}


def build_optimizer(model: nn.Module, lr: float, weight_decay: float = 0.0) -> torch.optim.AdamW:
    """AdamW over all parameters that train; vectors (biases, LayerNorm) are not decayed.

    DPR, BART and BERT readers are all fine-tuned so, with linear warm-up and decay.
    """
    parameters = [p for p in model.parameters() if p.requires_grad]
    groups = [
        {"params": [p for p in parameters if p.ndim > 1], "weight_decay": weight_decay},
        {"params": [p for p in parameters if p.ndim <= 1], "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=lr, eps=1e-8, fused=True)


def linear_schedule(
    optimizer: torch.optim.Optimizer, steps: int, warmup_fraction: float
) -> LambdaLR:
    """The learning rate rises linearly over the warm-up, then falls linearly to 0 at `steps`."""
    warmup = round(steps * warmup_fraction)

    def factor(step: int) -> float:
        if step < warmup:
            return (step + 1) / (warmup + 1)
        return max(0.0, (steps - step) / max(1, steps - warmup))

    return LambdaLR(optimizer, factor)
