"""One training run from files to files."""

from __future__ import annotations

from pathlib import Path

from ecqg import paths, seeds
from ecqg.corpus.examples import read_examples
from ecqg.encoder.batches import TrainingSet, build_training_set
from ecqg.encoder.model import QUESTION, DualEncoder
from ecqg.encoder.trainer import train
from ecqg.files import atomic
from ecqg.params import Encoder, Training
from ecqg.tables import write_values
from ecqg.training.checkpoint import resuming
from ecqg.training.distributed import processes, rank


def train_and_save(
    start: Path,
    name: str,
    examples: Path,
    dev: Path,
    output: Path,
    encoder: Encoder,
    training: Training,
    seed: int,
    *,
    one_per_passage: bool = False,
) -> None:
    """Train a dual encoder on DPR examples and write it with its loss curve and its dev scores.

    `start` is a folder with both encoders, or with one from which both start. `name` (such as
    finetune-dpr) names the random stream, the curve and the metrics. The two encoders of
    `output`, plots/loss/NAME.csv and results/training/NAME.csv are written last, so that a run
    that stops leaves none of them; started again, it goes on from its last checkpoint. Of several
    processes that torchrun started, all train and the first one writes. `one_per_passage`: see
    `train`.
    """
    inputs = (start, examples, dev)
    settings = (encoder, training, seed, one_per_passage)
    seed = seeds.derive(seed, name)

    def load(path: Path, split: str) -> TrainingSet:
        return build_training_set(
            read_examples(path),
            model.tokenizer,
            encoder,
            training.hard_negatives,
            checkpoint.beside(split),
        )

    with processes(), resuming(name, inputs, *settings) as checkpoint:
        pair = (start / QUESTION).is_dir()
        model = (DualEncoder.load if pair else DualEncoder.start)(start, dropout=encoder.dropout)
        history = train(
            model,
            load(examples, "train"),
            load(dev, "dev"),
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
