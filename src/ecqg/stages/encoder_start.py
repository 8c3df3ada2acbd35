"""Starting weights of both encoders, and of the reader."""

from __future__ import annotations

from pathlib import Path

from ecqg import paths
from ecqg.corpus.examples import read_examples
from ecqg.corpus.passages import Passages
from ecqg.encoder.backbone import make_start
from ecqg.params import Params
from ecqg.training.checkpoint import resuming
from ecqg.training.losslog import LossLog


def run(params: Params) -> None:
    """Write the Hugging Face folder and the loss curve of the self-supervised start."""
    log = LossLog()
    passages: list[tuple[str, str]] = []
    questions: list[str] = []
    inputs: list[Path] = []
    if params.encoder_start.source == "random":
        inputs = [paths.collection() / "passages.arrow", paths.gold("train")]
        passages = [(passage.title, passage.text) for passage in Passages(inputs[0])]
        questions = [example.question for example in read_examples(inputs[1])]
    with resuming("encoder-start", inputs, params.encoder_start, params.seed) as checkpoint:
        make_start(
            paths.ENCODER_START,
            params.encoder_start,
            passages,
            questions,
            seed=params.seed,
            log=log,
            checkpoint=checkpoint,
        )
        log.write(paths.loss_curve("encoder-start"))
