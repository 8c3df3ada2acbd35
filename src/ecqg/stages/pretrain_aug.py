"""Pre-training of AugDPR, with settings of its own (AugDPR sec. 3)."""

from __future__ import annotations

from ecqg import paths
from ecqg.encoder.run import train_and_save
from ecqg.params import Params


def run(params: Params) -> None:
    """Start from the starting weights; each epoch draws one of a passage's questions."""
    train_and_save(
        paths.ENCODER_START,
        "pretrain-aug",
        paths.negatives("aug"),
        paths.negatives("gold-dev"),
        paths.pretrained("aug"),
        params.encoder,
        params.aug.pretrain,
        params.seed,
        one_per_passage=True,
    )
