"""Training of a dual encoder from DPR examples, and how good it is meanwhile.

As DPR's train_dense_encoder.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import torch

from ecqg import paths, seeds
from ecqg.corpus.examples import read_examples
from ecqg.corpus.passages import PASSAGES, Passages
from ecqg.encoder.batches import (
    Rows,
    TrainingSet,
    build_training_set,
    epoch_batches,
    epoch_rows,
)
from ecqg.encoder.encode import check_lengths, encode_rows
from ecqg.encoder.gradient_cache import Vectors, backward_shared
from ecqg.encoder.model import PASSAGE, QUESTION, DualEncoder, in_batch_loss, score_factor
from ecqg.files import atomic
from ecqg.params import Encoder, Training
from ecqg.tables import write_values
from ecqg.training import distributed
from ecqg.training.checkpoint import Checkpoint, resuming
from ecqg.training.device import autocast
from ecqg.training.loop import Development, History, Plan, fit
from ecqg.training.losslog import LossLog

IN_BATCH = 64  # questions that share a batch when dev loss and accuracy are taken
AT_ONCE = 512  # questions ranked at a time


def train_and_save(
    start: Path,
    name: str,
    examples: Path,
    collection: Path,
    dev: Path | None,
    output: Path,
    encoder: Encoder,
    training: Training,
    seed: int,
    *,
    one_per_passage: bool = False,
) -> None:
    """Train a dual encoder on examples and write it with its loss curve and its dev scores.

    `start` is a folder with both encoders, or with one from which both start. `collection` is the
    passage file that the rows of `examples` are of; `dev` has one beside it; without it the last
    epoch's weights are kept. `name` (such as finetune-dpr) names the curve and the metrics. Systems
    that share a `seed` differ in what they learn from, not in chance. The two encoders of `output`,
    paths.loss_curve(name) and paths.training_metrics(name) are written last, so that a run that
    stops leaves none of them; started again, it resumes from its last checkpoint. Of several
    processes that torchrun started, all train and the first one writes. `one_per_passage`: see
    `train`.
    """
    inputs = [path for path in (start, examples, dev, collection) if path is not None]
    settings = (encoder, training, seed, one_per_passage)

    def load(path: Path, store: Path, split: str) -> TrainingSet:
        passages = Passages(store)
        return build_training_set(
            read_examples(path, passages),
            passages,
            model.tokenizer,
            encoder,
            training.hard_negatives,
            checkpoint.beside(split),
        )

    with distributed.processes(), resuming(__name__, name, inputs, *settings) as checkpoint:
        model = DualEncoder.load(start, dropout=encoder.dropout)
        history = train(
            model,
            load(examples, collection, "train"),
            None if dev is None else load(dev, dev.with_name(PASSAGES), "dev"),
            encoder,
            training,
            seed=seed,
            one_per_passage=one_per_passage,
            checkpoint=checkpoint,
        )
        if distributed.rank() > 0:
            return
        with atomic(output) as aside:
            model.save(aside)
        checkpoint.log.write(paths.loss_curve(name))
        write_values(paths.training_metrics(name), {} if dev is None else history.record())


def leave(start: Path, name: str, output: Path) -> None:
    """Write what `train_and_save` writes where there is nothing to train on: `start` as it is."""
    with atomic(output) as aside:
        if (start / QUESTION).is_dir():
            shutil.copytree(start, aside)
        else:
            for half in (QUESTION, PASSAGE):
                shutil.copytree(start, aside / half)
    LossLog().write(paths.loss_curve(name))
    write_values(paths.training_metrics(name), {})


def train(
    model: DualEncoder,
    examples: TrainingSet,
    dev: TrainingSet | None,
    encoder: Encoder,
    training: Training,
    *,
    seed: int,
    one_per_passage: bool = False,
    checkpoint: Checkpoint | None = None,
) -> History[DevScore]:
    """Train `model` in place and leave it, on the CPU, with the weights that select_by names.

    A step's gradient is that of all its micro-batches. With `one_per_passage` an epoch has one
    question of each positive passage, drawn anew (AugDPR). For the rest see `fit`. Raises
    InputError as that does, and for more tokens than positions.

    Where several processes train, each starts from the same weights. It has whole micro-batches to
    itself where no negatives are shared among them and their number in a step is a multiple of the
    processes'; then the result is one process's, up to rounding. Else it encodes its share of every
    micro-batch, and dropout masks are other ones.
    """
    check_lengths(model.passage_encoder.backbone, encoder)
    device = distributed.process_device()
    rank, processes = distributed.rank(), distributed.count()
    model.to(device)
    factor = score_factor(encoder.score_scale, model.hidden)

    def batches(epoch: int) -> Iterator[list[Rows]]:
        return epoch_batches(epoch_rows(examples, one_per_passage, seed, epoch), training)

    def encode(rows: Rows) -> Vectors:
        questions, passages = examples.batch(rows)
        with autocast(device, encoder.precision):
            asked = model.question_encoder(questions.to(device))
            return asked, model.passage_encoder(passages.to(device))

    def masks(step: int, number: int, process: int) -> None:
        """Seed the dropout masks of a micro-batch; processes that share one must not share them."""
        names = [f"micro-batch {number}"] * (number > 0) + [process] * (process > 0)
        torch.manual_seed(seeds.derive(seed, "dropout", step, *names))

    def gradients(step: int, micro_batches: list[Rows]) -> tuple[torch.Tensor, int]:
        weights = [len(rows) / sum(map(len, micro_batches)) for rows in micro_batches]
        if training.share_negatives == "batch":
            masks(step, 0, rank)
            loss = backward_shared(encode, examples, micro_batches, factor, 1, device)
            return loss, 1
        losses = []
        if processes == 1 or training.accumulation % processes:
            for number, (rows, weight) in enumerate(zip(micro_batches, weights, strict=True)):
                masks(step, number, rank)
                losses.append(backward_shared(encode, examples, [rows], factor, weight, device))
            return torch.stack(losses).sum(), 1
        # Whole micro-batches are dealt out: vectors need not travel, and masks are one process's.
        own = [*enumerate(zip(micro_batches, weights, strict=True))][rank::processes]
        # All processes must have gradients: without a micro-batch, zeros.
        for number, (rows, weight) in own or [(0, (micro_batches[0], 0.0))]:
            masks(step, number, 0)
            loss = in_batch_loss(*encode(rows), factor) * weight
            torch.autograd.backward(loss)
            losses.append(loss.detach())
        return distributed.sum_values(torch.stack(losses).sum()), 1

    plan = Plan(
        f"train, {training.epochs} epochs",
        training.epochs,
        -(-len(epoch_rows(examples, one_per_passage, seed, 1)) // training.batch_size),
        training.lr,
        "the learning rate of this training",
        "the batch_size of this training (or raise its accumulation)",
        training.warmup_fraction,
        training.weight_decay,
        training.max_grad_norm,
        matrices_first=True,
        average=training.select_by == "average",
    )
    development = None
    if dev is not None:
        development = Development(
            DevScore,
            lambda: dev_score(model, dev, encoder),
            lambda score, best: score.better_than(best, training.select_by),
        )
    return fit(model, batches, gradients, plan, checkpoint=checkpoint, development=development)


@dataclass(frozen=True)
class DevScore:
    """`average_rank` is DPR's (0 is perfect), `in_batch_accuracy` a share, `loss` in nats."""

    average_rank: float
    in_batch_accuracy: float
    loss: float

    def better_than(
        self, other: DevScore, by: Literal["average_rank", "in_batch_accuracy", "last", "average"]
    ) -> bool:
        """Whether a later checkpoint with this score replaces an earlier one with `other`."""
        if by == "average_rank":
            return self.average_rank < other.average_rank
        return by in ("last", "average") or self.in_batch_accuracy > other.in_batch_accuracy


@torch.inference_mode()
def dev_score(model: DualEncoder, dev: TrainingSet, settings: Encoder) -> DevScore:
    """Score a model on a development set with hard negatives.

    average_rank (DPR's validate_average_rank): over all questions, the mean number of passages
    that score above the gold one among all passages of the set, each distinct passage once.
    in_batch_accuracy and loss: over consecutive batches of 64 questions, as in training.
    """
    model.eval()
    precision = settings.precision
    questions = encode_rows(model.question_encoder, dev.questions, precision)
    passages = encode_rows(model.passage_encoder, dev.passages, precision)
    factor = score_factor(settings.score_scale, model.hidden)
    ranks, hits, loss = 0, 0, 0.0
    for begin in range(0, len(dev), AT_ONCE):
        scores = questions[begin : begin + AT_ONCE] @ passages.T
        gold = np.take_along_axis(scores, dev.positives[begin : begin + AT_ONCE, None], 1)
        ranks += int((scores > gold).sum())
    for begin in range(0, len(dev), IN_BATCH):
        own = slice(begin, begin + IN_BATCH)
        candidates = passages[dev.candidates(own)]
        vectors = torch.from_numpy(questions[own]), torch.from_numpy(candidates)
        count = len(vectors[0])
        loss += count * float(in_batch_loss(*vectors, factor))
        hits += int((vectors[0] @ vectors[1].T).argmax(1).eq(torch.arange(count)).sum())
    return DevScore(ranks / len(dev), hits / len(dev), loss / len(dev))
