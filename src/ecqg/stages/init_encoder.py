"""Make the initial weights and the tokenizer of both encoders, and of the reader."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ecqg import paths
from ecqg.corpus.examples import read_examples
from ecqg.corpus.passages import PASSAGES, Passage, Passages
from ecqg.encoder.backbone import make_start
from ecqg.params import Params
from ecqg.training.checkpoint import resuming


def run(params: Params) -> None:
    """Write the Hugging Face folder, and the loss curve of self-supervised pre-training."""
    settings, seed = params.init_encoder, params.seed
    passages: Sequence[Passage] = []
    questions: list[str] = []
    inputs: list[Path] = []
    if settings.source == "random":
        inputs = [paths.collection() / PASSAGES, paths.gold("train")]
        passages = collection = Passages(inputs[0])
        questions = [example.question for example in read_examples(inputs[1], collection)]
    with resuming(__name__, "init-encoder", inputs, settings, seed) as checkpoint:
        make_start(paths.start(), settings, passages, questions, seed=seed, checkpoint=checkpoint)
        checkpoint.log.write(paths.loss_curve("init-encoder"))
