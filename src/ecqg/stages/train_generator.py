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
    start, collection = paths.INIT_GENERATOR, paths.collection() / PASSAGES
    passages = Passages(collection)
    gold = [paths.gold(split) for split in ("train", "dev")]
    entities = [paths.question_entities(split) for split in ("train", "dev")]
    splits = [read_gold(g, passages, e) for g, e in zip(gold, entities, strict=True)]
    inputs = [start, collection, *gold, *entities]
    settings, seed, work = params.generator, params.seed, f"generator-{kind}"
    with resuming(__name__, work, inputs, settings, seed) as checkpoint:
        out = paths.generator(kind)
        finetune(start, out, kind, settings, *splits, seed=seed, checkpoint=checkpoint)
        checkpoint.log.write(paths.loss_curve(work))
