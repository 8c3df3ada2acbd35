"""Fine-tune a question generator on gold questions (SIGIR sec. 3.3)."""

from __future__ import annotations

from ecqg import paths
from ecqg.corpus.passages import Passages
from ecqg.params import Params
from ecqg.questions.finetune import finetune
from ecqg.questions.gold import Kind, read_gold
from ecqg.training.checkpoint import resuming


def run(params: Params, kind: Kind) -> None:
    """Write paths.generator(kind) and its loss curve."""
    splits = ("train", "dev")
    collection = paths.collection() / "passages.arrow"
    passages = Passages(collection)
    gold = [read_gold(paths.gold(s), passages, paths.question_entities(s)) for s in splits]
    inputs = [
        paths.GENERATOR_START,
        collection,
        *(paths.gold(split) for split in splits),
        *(paths.question_entities(split) for split in splits),
    ]
    with resuming(f"generator-{kind}", inputs, params.generator, params.seed) as checkpoint:
        finetune(
            paths.GENERATOR_START,
            paths.generator(kind),
            kind,
            params.generator,
            *gold,
            seed=params.seed,
            checkpoint=checkpoint,
        )
        checkpoint.log.write(paths.loss_curve(f"generator-{kind}"))
