"""Fine-tune a question generator on gold questions (SIGIR sec. 3.3)."""

from __future__ import annotations

from ecqg import paths
from ecqg.corpus.passages import PASSAGES, Passages
from ecqg.params import GeneratorKind, Params
from ecqg.questions.finetune import finetune
from ecqg.questions.gold import read_gold
from ecqg.training.checkpoint import resuming


def run(params: Params, kind: GeneratorKind) -> None:
    """Write paths.generator(kind) and its loss curve."""
    splits = ("train", "dev")
    collection = paths.collection() / PASSAGES
    passages = Passages(collection)
    gold = [read_gold(paths.gold(s), passages, paths.question_entities(s)) for s in splits]
    inputs = [
        paths.INIT_GENERATOR,
        collection,
        *(paths.gold(split) for split in splits),
        *(paths.question_entities(split) for split in splits),
    ]
    with resuming(
        __name__, f"generator-{kind}", inputs, params.generator, params.seed
    ) as checkpoint:
        finetune(
            paths.INIT_GENERATOR,
            paths.generator(kind),
            kind,
            params.generator,
            *gold,
            seed=params.seed,
            checkpoint=checkpoint,
        )
        checkpoint.log.write(paths.loss_curve(f"generator-{kind}"))
