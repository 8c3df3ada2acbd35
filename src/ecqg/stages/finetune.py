"""Fine-tuning of a dual encoder on gold questions."""

from __future__ import annotations

from ecqg import paths
from ecqg.encoder.model import DualEncoder
from ecqg.encoder.run import train_and_save
from ecqg.params import Params


def run(params: Params, system: str) -> None:
    """Start from the starting weights (dpr) or from synthetic pre-training (uncon, mixed)."""
    dropout = params.encoder.dropout
    if system == "dpr":
        model = DualEncoder.start(paths.ENCODER_START, dropout=dropout)
    else:
        model = DualEncoder.load(paths.pretrained(system), dropout=dropout)
    train_and_save(
        model,
        f"finetune-{system}",
        paths.negatives("gold-train"),
        paths.negatives("gold-dev"),
        paths.retriever(system),
        params.encoder,
        params.finetune,
        params.seed,
    )
