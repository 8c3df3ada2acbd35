"""Make the initial weights and the tokenizer of the question generators."""

from __future__ import annotations

from ecqg import paths
from ecqg.corpus.examples import read_examples
from ecqg.corpus.passages import PASSAGES, Passages
from ecqg.params import Params
from ecqg.questions.backbone import make_start
from ecqg.training.checkpoint import resuming


def run(params: Params) -> None:
    """Write paths.INIT_GENERATOR and the loss of its pre-training (empty where there is none)."""
    inputs = (paths.collection() / PASSAGES, paths.gold("train"))
    settings, seed = params.init_generator, params.seed
    passages = Passages(inputs[0])
    questions = (example.question for example in read_examples(inputs[1], passages))
    with resuming(__name__, "init-generator", inputs, settings, seed) as checkpoint:
        make_start(
            paths.INIT_GENERATOR, settings, passages, questions, seed=seed, checkpoint=checkpoint
        )
        checkpoint.log.write(paths.loss_curve("init-generator"))
