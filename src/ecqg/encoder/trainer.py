"""Training of a dual encoder from DPR examples (DPR's train_dense_encoder)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

import torch
from torch.nn.utils import clip_grad_norm_

from ecqg import seeds
from ecqg.encoder.batches import (
    Rows,
    TrainingSet,
    epoch_batches,
    epoch_rows,
    sharing,
    steps_per_epoch,
)
from ecqg.encoder.encode import check_lengths
from ecqg.encoder.gradient_cache import Vectors, backward_shared
from ecqg.encoder.model import DualEncoder, score_factor
from ecqg.encoder.selection import DevScore, dev_score
from ecqg.params import Encoder, Training
from ecqg.progress import track
from ecqg.training import distributed
from ecqg.training.checkpoint import Checkpoint, State
from ecqg.training.device import autocast, explain_out_of_memory
from ecqg.training.losslog import LossLog, StepLosses
from ecqg.training.optimizer import build_optimizer, linear_schedule


@dataclass(frozen=True)
class History:
    """The development score after every epoch (the first: 1), and the epoch that was kept."""

    best_epoch: int
    dev: tuple[DevScore, ...]

    def record(self) -> dict[str, Any]:
        """As a metrics file says it: the kept epoch's scores, then all epochs'."""
        kept = {f"dev_{k}": v for k, v in asdict(self.dev[self.best_epoch - 1]).items()}
        return {**kept, "best_epoch": self.best_epoch, "epochs": [asdict(s) for s in self.dev]}


def train(
    model: DualEncoder,
    examples: TrainingSet,
    dev: TrainingSet,
    encoder: Encoder,
    training: Training,
    *,
    seed: int,
    log: LossLog,
    one_per_passage: bool = False,
    checkpoint: Checkpoint | None = None,
) -> History:
    """Train `model` in place and leave it, on the CPU, at its best checkpoint on `dev`.

    AdamW with linear warm-up and decay; the gradient of all micro-batches of a step is clipped
    to `max_grad_norm`. With `one_per_passage` an epoch has one question of each positive passage,
    drawn anew (AugDPR). A `checkpoint` of the same training is gone on from. Raises InputError
    for settings that cannot be, a loss that is no number, or out of memory.

    Where several processes train (`ecqg.training.distributed`), each calls this with the same
    arguments and a model of the same weights, encodes its share of every micro-batch, and
    returns the same. Up to rounding the number of processes changes nothing but which dropout
    masks are drawn.
    """
    check_lengths(model.passage_encoder, encoder)
    device = distributed.process_device()
    rank = distributed.rank()
    model.to(device)
    steps = steps_per_epoch(len(epoch_rows(examples, one_per_passage, seed, 1)), training)
    optimizer = build_optimizer([model], training.lr, training.weight_decay)
    schedule = linear_schedule(optimizer, steps * training.epochs, training.warmup_fraction)
    factor = score_factor(encoder.score_scale, model.hidden)
    parameters = [p for group in optimizer.param_groups for p in group["params"]]

    def batches(epoch: int) -> Iterator[list[Rows]]:
        rows = epoch_rows(examples, one_per_passage, seed, epoch)
        return epoch_batches(rows, training, seed, epoch)

    def encode(rows: Rows) -> Vectors:
        questions, passages = examples.batch(rows)
        with autocast(device, encoder.precision):
            return (
                model.encode_questions(questions.to(device)),
                model.encode_passages(passages.to(device)),
            )

    def backward(micro_batches: list[Rows]) -> torch.Tensor:
        count = sum(map(len, micro_batches))
        losses = [
            backward_shared(encode, examples, chunks, factor, sum(map(len, chunks)) / count, device)
            for chunks in sharing(micro_batches, training)
        ]
        distributed.sum_gradients(parameters)
        return torch.stack(losses).sum()

    losses = StepLosses(log, remedy="lower the learning rate of this training")
    state = State(model, optimizer, schedule, losses)
    checkpoint = checkpoint or Checkpoint()
    done = checkpoint.restore(state)
    progress = _batches_after(done, batches, steps, training.epochs)
    if rank == 0:
        progress = track(
            progress,
            f"train, {training.epochs} epochs",
            total=steps * training.epochs,
            done=done,
            unit="step",
            note=lambda: losses.note,
        )
    model.train()
    with explain_out_of_memory("the batch_size of this training (or raise its accumulation)"):
        for step, micro_batches in enumerate(progress, done + 1):
            # Processes must not share masks; the first draws as if alone.
            torch.manual_seed(seeds.derive(seed, "dropout", step, *([rank] if rank else [])))
            losses.add(step, backward(micro_batches))
            clip_grad_norm_(parameters, training.max_grad_norm)
            optimizer.step()
            schedule.step()
            optimizer.zero_grad(set_to_none=True)
            if step % steps == 0:
                losses.read()
                score = dev_score(model, dev, encoder)
                model.train()
                log.add("dev", step, score.loss)
                _keep_if_best(state, score, step // steps, training)
            checkpoint.save_if_due(state, step)
    model.cpu().load_state_dict(state.best)
    return History(state.best_epoch, tuple(DevScore(**score) for score in state.scores))


def _batches_after(
    done: int, batches: Callable[[int], Iterator[list[Rows]]], steps: int, epochs: int
) -> Iterator[list[Rows]]:
    """What `batches` gives for each epoch, `steps` of them, but for the first `done`."""
    whole, part = divmod(done, steps)
    for epoch in range(whole, epochs):
        yield from islice(batches(epoch + 1), part if epoch == whole else 0, None)


def _keep_if_best(state: State, score: DevScore, epoch: int, training: Training) -> None:
    scores = [DevScore(**score) for score in state.scores]
    if not scores or score.better_than(scores[state.best_epoch - 1], training.select_by):
        state.best_epoch = epoch
        state.best = {k: v.to("cpu", copy=True) for k, v in state.model.state_dict().items()}
    state.scores.append(asdict(score))
