"""Train the cross-encoder that re-ranks, on the dual encoders' own examples."""

from __future__ import annotations

import torch

from ecqg import paths, seeds
from ecqg.corpus.examples import read_examples
from ecqg.files import atomic
from ecqg.params import Params
from ecqg.reranking import model
from ecqg.reranking.pairs import Form
from ecqg.reranking.train import train
from ecqg.tables import write_values
from ecqg.training.checkpoint import resuming


def run(params: Params) -> None:
    """Write the re-ranker's folder, its dev scores and its loss curve."""
    settings = params.reranker
    form = Form(settings.max_tokens, settings.max_question_tokens, settings.mark_overlap)
    seed = seeds.derive(params.seed, "train_reranker")
    inputs = (paths.ENCODER_START, paths.negatives("gold-train"), paths.negatives("gold-dev"))
    with resuming("train-reranker", inputs, settings, params.seed) as checkpoint:
        torch.manual_seed(seed)  # pooler, head and layers that the start lacks
        reranker = model.start(paths.ENCODER_START, form, settings)
        examples = list(read_examples(paths.negatives("gold-train")))
        if settings.max_questions is not None and settings.max_questions < len(examples):
            examples = seeds.python_rng(seed, "sample").sample(examples, settings.max_questions)
        dev = list(read_examples(paths.negatives("gold-dev")))
        history = train(reranker, examples, dev, settings, seed=seed, checkpoint=checkpoint)
        with atomic(paths.RERANKER) as folder:
            model.save(reranker, folder)
        checkpoint.log.write(paths.loss_curve("reranker"))
        write_values(paths.RERANKER_METRICS, history.record())
