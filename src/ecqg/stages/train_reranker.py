"""Train the cross-encoder that re-ranks, on the main gold examples."""

from __future__ import annotations

import torch

from ecqg import paths, seeds
from ecqg.corpus.examples import read_examples
from ecqg.corpus.passages import PASSAGES, Passages
from ecqg.files import atomic
from ecqg.params import Params
from ecqg.reranking import model
from ecqg.reranking.train import train
from ecqg.tables import write_values
from ecqg.training.checkpoint import resuming


def run(params: Params) -> None:
    """Write the re-ranker's folder, its dev scores and its loss curve."""
    settings = params.reranker
    seed = seeds.derive(params.seed, "train_reranker")
    splits = [paths.gold_negatives(split) for split in ("train", "dev")]
    inputs = (paths.start(), *splits, splits[0].with_name(PASSAGES))
    passages = Passages(inputs[-1])
    with resuming(__name__, "train-reranker", inputs, settings, params.seed) as checkpoint:
        torch.manual_seed(seed)  # pooler, head and layers that the start lacks
        reranker = model.start(paths.start(), settings)
        examples, dev = (list(read_examples(split, passages)) for split in splits)
        if settings.max_questions is not None and settings.max_questions < len(examples):
            examples = seeds.python_rng(seed, "sample").sample(examples, settings.max_questions)
        history = train(
            reranker, examples, dev, passages, settings, seed=seed, checkpoint=checkpoint
        )
        with atomic(paths.RERANKER) as folder:
            model.save(reranker, folder)
        checkpoint.log.write(paths.loss_curve("reranker"))
        write_values(paths.RERANKER_METRICS, history.record())
