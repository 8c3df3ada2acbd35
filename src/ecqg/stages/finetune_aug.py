"""Fine-tuning of AugDPR on gold questions, with settings of its own (AugDPR sec. 3)."""

from __future__ import annotations

from ecqg import paths
from ecqg.encoder.run import train_and_save
from ecqg.params import Params


def run(params: Params) -> None:
    """Start from the pre-trained AugDPR."""
    train_and_save(
        paths.pretrained("aug"),
        "finetune-aug",
        paths.negatives("gold-train"),
        paths.negatives("gold-dev"),
        paths.retriever("aug"),
        params.encoder,
        params.aug.finetune,
        params.seed,
    )
