"""One training run of a dual encoder, from files to files."""

from __future__ import annotations

import shutil
from pathlib import Path

from ecqg import paths, seeds
from ecqg.corpus.examples import read_examples
from ecqg.corpus.passages import PASSAGES, Passages
from ecqg.encoder.batches import TrainingSet, build_training_set
from ecqg.encoder.model import PASSAGE, QUESTION, DualEncoder
from ecqg.encoder.trainer import train
from ecqg.files import atomic
from ecqg.params import Encoder, Training
from ecqg.tables import write_values
from ecqg.training.checkpoint import resuming
from ecqg.training.distributed import processes, rank
from ecqg.training.losslog import LossLog


def train_and_save(
    start: Path,
    name: str,
    examples: Path,
    collection: Path,
    dev: Path,
    output: Path,
    encoder: Encoder,
    training: Training,
    seed: int,
    *,
    one_per_passage: bool = False,
) -> None:
    """Train a dual encoder on examples and write it with its loss curve and its dev scores.

    `start` is a folder with both encoders, or with one from which both start. `collection` is the
    passage file that the rows of `examples` are of; `dev` has one beside it. `name` (such as
    finetune-dpr) names the random stream, the curve and the metrics. The two encoders of `output`,
    paths.loss_curve(name) and paths.training_metrics(name) are written last, so that a run that
    stops leaves none of them; started again, it goes on from its last checkpoint. Of several
    processes that torchrun started, all train and the first one writes. `one_per_passage`: see
    `train`.
    """
    inputs = (start, examples, dev, collection)
    settings = (encoder, training, seed, one_per_passage)
    seed = seeds.derive(seed, name)

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

    with processes(), resuming(__name__, name, inputs, *settings) as checkpoint:
        pair = (start / QUESTION).is_dir()
        model = (DualEncoder.load if pair else DualEncoder.start)(start, dropout=encoder.dropout)
        history = train(
            model,
            load(examples, collection, "train"),
            load(dev, dev.with_name(PASSAGES), "dev"),
            encoder,
            training,
            seed=seed,
            one_per_passage=one_per_passage,
            checkpoint=checkpoint,
        )
        if rank() > 0:
            return
        with atomic(output) as aside:
            model.save(aside)
        checkpoint.log.write(paths.loss_curve(name))
        write_values(paths.training_metrics(name), history.record())


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
