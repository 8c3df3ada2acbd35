"""Fine-tune a question generator on gold questions (SIGIR sec. 3.3)."""

from __future__ import annotations

from ecqg import paths
from ecqg.corpus.passages import Passages
from ecqg.params import Params
from ecqg.questions.finetune import finetune
from ecqg.questions.gold import Kind, read_gold
from ecqg.training.losslog import LossLog


def run(params: Params, kind: Kind) -> None:
    """Write paths.generator(kind) and its loss curve."""
    passages = Passages(paths.collection() / "passages.arrow")
    gold = [
        read_gold(paths.gold(split), passages, paths.question_entities(split))
        for split in ("train", "dev")
    ]
    log = LossLog()
    finetune(
        paths.GENERATOR_START,
        paths.generator(kind),
        kind,
        params.generator,
        *gold,
        seed=params.seed,
        log=log,
    )
    log.write(paths.loss_curve(f"generator-{kind}"))
