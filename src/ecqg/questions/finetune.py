"""Fine-tuning of a generator on gold questions (SIGIR sec. 3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from ecqg import seeds
from ecqg.errors import InputError
from ecqg.files import atomic
from ecqg.params import Generator as Settings
from ecqg.params import GeneratorKind
from ecqg.questions.fitting import DevScore, add_gradients, batches_by_length, dev_score
from ecqg.questions.gold import Gold, can_train, gold_texts
from ecqg.questions.interface import Generator, Pair
from ecqg.questions.model import load_generator
from ecqg.training.checkpoint import Checkpoint
from ecqg.training.device import pick_device
from ecqg.training.loop import Development, Plan, fit
from ecqg.training.weights import save_model


def finetune(
    start: Path,
    output: Path,
    kind: GeneratorKind,
    settings: Settings,
    train: Sequence[Gold],
    dev: Sequence[Gold],
    *,
    seed: int,
    checkpoint: Checkpoint | None = None,
) -> None:
    """Fine-tune the generator in `start` and write it to `output`; logs train and dev loss.

    The last epoch's weights are kept. A `checkpoint` of the same training is gone on from. Raises
    InputError where no question can be trained on.
    """
    generator = load_generator(
        start,
        settings.max_source_tokens,
        settings.max_target_tokens,
        settings.precision,
        pick_device(),
        training=True,
    )
    held_out = _encode(_Tokens(generator), kind, settings, dev, seed, None)
    train = _usable(kind, train, settings.max_questions, seed)
    if not train:
        raise InputError(
            f"no gold question can train the {kind} generator",
            remedy="give questions whose answers, or entities, stand in their passages",
        )
    tokens = _Tokens(generator)

    def batches(epoch: int) -> list[list[Pair]]:
        pairs = _encode(tokens, kind, settings, train, seed, epoch - 1)
        rng = seeds.python_rng(seed, "batches", kind, epoch - 1)
        return batches_by_length(pairs, settings.batch_size, rng)

    plan = Plan(
        f"{kind} generator",
        settings.epochs,
        -(-len(train) // settings.batch_size),
        settings.lr,
        "the learning rate of this generator",
        "generator.batch_size or generator.max_source_tokens",
    )
    fit(
        generator.model,
        batches,
        lambda _, batch: add_gradients(generator, batch),
        plan,
        checkpoint=checkpoint,
        development=Development(DevScore, lambda: dev_score(generator, held_out))
        if held_out
        else None,
    )
    with atomic(output) as aside:
        save_model(aside, generator.model, generator.tokenizer)


def _usable(kind: GeneratorKind, gold: Sequence[Gold], most: int | None, seed: int) -> list[Gold]:
    usable = [item for item in gold if can_train(item, kind)]
    if most is None or most >= len(usable):
        return usable
    return seeds.python_rng(seed, "questions", kind).sample(usable, most)


def _encode(
    tokens: _Tokens,
    kind: GeneratorKind,
    settings: Settings,
    gold: Sequence[Gold],
    seed: int,
    epoch: int | None,
) -> list[Pair]:
    """Token ids of one epoch's pairs; epoch None keeps the order of sentences (dev)."""
    texts = gold_texts(
        gold,
        kind,
        marked=settings.mark_entity,
        shuffled=settings.shuffle_sentences and epoch is not None,
        rng=seeds.python_rng(seed, "pairs", kind, epoch),
    )
    return tokens.of(texts)


class _Tokens:
    """Tokenizes each text once, and not again what the epoch before had.

    Questions of a passage have one source, whose ids they share, and targets remain as they are.
    """

    def __init__(self, generator: Generator) -> None:
        self._generator = generator
        self._sources: dict[str, list[int]] = {}
        self._targets: dict[str, list[int]] = {}

    def of(self, texts: Sequence[tuple[str, str]]) -> list[Pair]:
        self._sources = self._known(self._sources, [source for source, _ in texts], 0)
        self._targets = self._known(self._targets, [target for _, target in texts], 1)
        return [Pair(self._sources[source], self._targets[target]) for source, target in texts]

    def _known(
        self, before: dict[str, list[int]], texts: list[str], side: Literal[0, 1]
    ) -> dict[str, list[int]]:
        """Ids by text; `side` says whether texts are sources (0) or targets (1)."""
        fresh = [text for text in dict.fromkeys(texts) if text not in before]
        known = {text: before[text] for text in texts if text in before}
        if fresh:
            empty = [""] * len(fresh)
            pairs = self._generator.encode(*((empty, fresh) if side else (fresh, empty)))
            known |= {text: pair[side] for text, pair in zip(fresh, pairs, strict=True)}
        return known
