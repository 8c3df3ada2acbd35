"""Mine BM25 hard negatives for the generated questions that an encoder is pre-trained on."""

from __future__ import annotations

from ecqg import paths
from ecqg.corpus.passages import PASSAGES
from ecqg.items import Pretrained
from ecqg.lexical.negatives import mine
from ecqg.params import Params


def run(params: Params, name: Pretrained) -> None:
    """Write paths.synthetic_negatives(name); resumes where it was killed."""
    mine(
        f"synthetic-{name}",
        paths.synthetic(name),
        paths.synthetic_negatives(name),
        paths.collection() / PASSAGES,
        params.bm25,
        params.negatives,
        seed=params.seed if params.negatives.synthetic == "drawn" else None,
    )
