"""Pre-train a dual encoder on generated questions."""

from __future__ import annotations

from dataclasses import replace

from ecqg import paths, seeds
from ecqg.corpus.passages import PASSAGES
from ecqg.encoder.trainer import train_and_save
from ecqg.items import Pretrained
from ecqg.params import Params


def run(params: Params, name: Pretrained) -> None:
    """Write paths.start(name); the development set is gold, as for fine-tuning."""
    settings = params.pretrained[name]
    training = replace(params.pretrain, **settings.training)
    train_and_save(
        paths.start(settings.start),
        f"pretrain-{name}",
        paths.synthetic_negatives(name),
        paths.collection() / PASSAGES,
        paths.gold_negatives("dev"),
        paths.start(name),
        params.encoder,
        training,
        seeds.derive(params.seed, "pretrain"),
        one_per_passage=training.one_per_passage,
    )
