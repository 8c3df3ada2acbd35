"""Starting weights and tokenizer of the question generators."""

from __future__ import annotations

from ecqg import paths
from ecqg.corpus.examples import read_examples
from ecqg.corpus.passages import Passages
from ecqg.params import Params
from ecqg.questions.backbone import make_start
from ecqg.training.checkpoint import resuming


def run(params: Params) -> None:
    """Write paths.GENERATOR_START and the loss of its pre-training (empty where there is none)."""
    inputs = (paths.collection() / "passages.arrow", paths.gold("train"))
    passages = Passages(inputs[0])
    questions = (example.question for example in read_examples(inputs[1]))
    with resuming("generator-start", inputs, params.generator_start, params.seed) as checkpoint:
        make_start(
            paths.GENERATOR_START,
            params.generator_start,
            passages,
            questions,
            seed=params.seed,
            checkpoint=checkpoint,
        )
        checkpoint.log.write(paths.loss_curve("generator-start"))
