"""Training of a reference system on a test set's own gold questions (AugDPR tab. 4)."""

from __future__ import annotations

from dataclasses import replace

from ecqg import paths
from ecqg.encoder.run import train_and_save
from ecqg.items import Name
from ecqg.params import Params, find_supervised


def run(params: Params, test_set: Name) -> None:
    """Start from the starting weights, as dpr does; the set may have its own number of epochs."""
    system = f"{paths.SUPERVISED}-{test_set}"
    epochs = find_supervised(params.supervised, test_set).epochs or params.finetune.epochs
    train_and_save(
        paths.ENCODER_START,
        f"finetune-{system}",
        paths.negatives(f"{system}-train"),
        paths.negatives(f"{system}-dev"),
        paths.retriever(system),
        params.encoder,
        replace(params.finetune, epochs=epochs),
        params.seed,
    )
