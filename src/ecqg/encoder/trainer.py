"""Training of a dual encoder from DPR examples (DPR's train_dense_encoder)."""

from __future__ import annotations

from collections.abc import Iterator

import torch

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
from ecqg.training import distributed
from ecqg.training.checkpoint import Checkpoint
from ecqg.training.device import autocast
from ecqg.training.loop import Development, History, Plan, fit


def train(
    model: DualEncoder,
    examples: TrainingSet,
    dev: TrainingSet,
    encoder: Encoder,
    training: Training,
    *,
    seed: int,
    one_per_passage: bool = False,
    checkpoint: Checkpoint | None = None,
) -> History[DevScore]:
    """Train `model` in place and leave it, on the CPU, at its best epoch on `dev`.

    A step's gradient is that of all its micro-batches. With `one_per_passage` an epoch has one
    question of each positive passage, drawn anew (AugDPR). A `checkpoint` of the same training is
    gone on from. Raises InputError for settings that cannot be, a loss that is no number, or out
    of memory.

    Where several processes train (`ecqg.training.distributed`), each calls this with the same
    arguments and a model of the same weights, encodes its share of every micro-batch, and
    returns the same. Up to rounding the number of processes changes nothing but which dropout
    masks are drawn.
    """
    check_lengths(model.passage_encoder, encoder)
    device = distributed.process_device()
    rank = distributed.rank()
    model.to(device)
    factor = score_factor(encoder.score_scale, model.hidden)

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

    def gradients(step: int, micro_batches: list[Rows]) -> tuple[torch.Tensor, int]:
        # Processes must not share masks; the first draws as if alone.
        torch.manual_seed(seeds.derive(seed, "dropout", step, *([rank] if rank else [])))
        count = sum(map(len, micro_batches))
        losses = [
            backward_shared(encode, examples, chunks, factor, sum(map(len, chunks)) / count, device)
            for chunks in sharing(micro_batches, training)
        ]
        return torch.stack(losses).sum(), 1

    plan = Plan(
        f"train, {training.epochs} epochs",
        training.epochs,
        steps_per_epoch(len(epoch_rows(examples, one_per_passage, seed, 1)), training),
        training.lr,
        "the learning rate of this training",
        "the batch_size of this training (or raise its accumulation)",
        training.warmup_fraction,
        training.weight_decay,
        training.max_grad_norm,
        matrices_first=True,
    )
    development = Development(
        DevScore,
        lambda: dev_score(model, dev, encoder),
        lambda score, kept: score.better_than(kept, training.select_by),
    )
    return fit(
        model,
        batches,
        gradients,
        plan,
        checkpoint=checkpoint,
        development=development,
    )
