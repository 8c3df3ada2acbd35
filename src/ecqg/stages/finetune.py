"""Fine-tuning of a dual encoder on gold questions."""

from __future__ import annotations

from ecqg import paths
from ecqg.encoder.run import train_and_save
from ecqg.params import Params


def run(params: Params, system: str) -> None:
    """Start from the starting weights (dpr, supervised) or from pre-training (uncon, mixed).

    A supervised system is trained on its test set's own gold questions, as dpr is on the study's.
    """
    gold = system if paths.supervised_set(system) else "gold"
    alone = system == "dpr" or gold == system
    train_and_save(
        paths.ENCODER_START if alone else paths.pretrained(system),
        f"finetune-{system}",
        paths.negatives(f"{gold}-train"),
        paths.negatives(f"{gold}-dev"),
        paths.retriever(system),
        params.encoder,
        params.finetune,
        params.seed,
    )
