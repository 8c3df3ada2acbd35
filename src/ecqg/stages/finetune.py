"""Fine-tune a dual encoder on gold questions."""

from __future__ import annotations

from dataclasses import replace

from ecqg import paths, seeds
from ecqg.corpus.passages import PASSAGES
from ecqg.encoder.trainer import leave, train_and_save
from ecqg.items import Dense
from ecqg.params import Params


def run(params: Params, system: Dense) -> None:
    """Write paths.retriever(system); with no epochs it is what it starts from."""
    settings = params.systems.dense[system]
    training = replace(params.finetune, **settings.training)
    start, name, output = paths.start(settings.start), f"finetune-{system}", paths.retriever(system)
    if not training.epochs:
        leave(start, name, output)
        return
    train = paths.gold_negatives("train", settings.gold)
    train_and_save(
        start,
        name,
        train,
        train.with_name(PASSAGES),
        paths.gold_negatives("dev", settings.gold),
        output,
        params.encoder,
        training,
        seeds.derive(params.seed, "finetune"),
    )
