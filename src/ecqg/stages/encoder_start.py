"""Starting weights of both encoders, and of the reader."""

from __future__ import annotations

from ecqg import paths
from ecqg.corpus.examples import read_examples
from ecqg.corpus.passages import Passages
from ecqg.encoder.backbone import make_start
from ecqg.params import Params
from ecqg.training.losslog import LossLog


def run(params: Params) -> None:
    """Write the Hugging Face folder and the loss curve of the self-supervised start."""
    log = LossLog()
    passages: list[tuple[str, str]] = []
    questions: list[str] = []
    if params.encoder_start.source == "random":
        store = Passages(paths.collection() / "passages.arrow")
        passages = [(passage.title, passage.text) for passage in store]
        questions = [example.question for example in read_examples(paths.gold("train"))]
    make_start(
        paths.ENCODER_START,
        params.encoder_start,
        passages,
        questions,
        seed=params.seed,
        log=log,
    )
    log.write(paths.loss_curve("encoder-start"))
