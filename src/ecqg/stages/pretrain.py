"""Pre-training of a dual encoder on synthetic questions."""

from __future__ import annotations

from ecqg import paths
from ecqg.encoder.run import train_and_save
from ecqg.items import Pretrained
from ecqg.params import Params


def run(params: Params, system: Pretrained) -> None:
    """Start from the starting weights; the development set is gold, as for fine-tuning."""
    train_and_save(
        paths.ENCODER_START,
        f"pretrain-{system}",
        paths.negatives(system),
        paths.negatives("gold-dev"),
        paths.pretrained(system),
        params.encoder,
        params.pretrain,
        params.seed,
    )
