"""Fine-tuning of a dual encoder on gold questions."""

from __future__ import annotations

from ecqg import paths
from ecqg.encoder.run import train_and_save
from ecqg.items import Finetuned
from ecqg.params import Params


def run(params: Params, system: Finetuned) -> None:
    """Start from the starting weights (dpr) or from pre-training (uncon, mixed)."""
    train_and_save(
        paths.ENCODER_START if system == "dpr" else paths.pretrained(system),
        f"finetune-{system}",
        paths.negatives("gold-train"),
        paths.negatives("gold-dev"),
        paths.retriever(system),
        params.encoder,
        params.finetune,
        params.seed,
    )
