"""Starting weights of both encoders, and of the reader."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ecqg import paths
from ecqg.corpus.examples import read_examples
from ecqg.corpus.passages import Passage, Passages
from ecqg.encoder.backbone import make_start
from ecqg.params import Params
from ecqg.training.checkpoint import resuming


def run(params: Params) -> None:
    """Write the Hugging Face folder and the loss curve of the self-supervised start."""
    passages: Sequence[Passage] = []
    questions: list[str] = []
    inputs: list[Path] = []
    if params.encoder_start.source == "random":
        inputs = [paths.collection() / "passages.arrow", paths.gold("train")]
        passages = Passages(inputs[0])
        questions = [example.question for example in read_examples(inputs[1])]
    settings = params.encoder_start
    with resuming("encoder-start", inputs, settings, params.seed) as checkpoint:
        make_start(
            paths.ENCODER_START,
            settings,
            passages,
            questions,
            seed=params.seed,
            checkpoint=checkpoint,
        )
        checkpoint.log.write(paths.loss_curve("encoder-start"))
