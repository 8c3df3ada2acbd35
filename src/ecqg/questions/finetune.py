"""Fine-tuning of a generator on gold questions (SIGIR sec. 3.3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from ecqg import seeds
from ecqg.errors import InputError
from ecqg.files import atomic
from ecqg.params import Generator as Settings
from ecqg.questions.fitting import batches_by_length, fit, mean_loss
from ecqg.questions.gold import Gold, Kind, can_train, gold_texts
from ecqg.questions.interface import Generator, Pair
from ecqg.questions.model import load_generator, save_generator
from ecqg.training.checkpoint import Checkpoint
from ecqg.training.device import explain_out_of_memory, pick_device
from ecqg.training.losslog import LossLog


def finetune(
    start: Path,
    output: Path,
    kind: Kind,
    settings: Settings,
    train: Sequence[Gold],
    dev: Sequence[Gold],
    *,
    seed: int,
    log: LossLog,
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
    per_epoch = -(-len(train) // settings.batch_size)

    def batches_after(done: int) -> Iterator[list[Pair]]:
        whole, part = divmod(done, per_epoch)
        tokens = _Tokens(generator)
        for epoch in range(whole, settings.epochs):
            pairs = _encode(tokens, kind, settings, train, seed, epoch)
            rng = seeds.python_rng(seed, "batches", kind, epoch)
            batches = batches_by_length(pairs, settings.batch_size, rng)
            yield from batches[part if epoch == whole else 0 :]

    steps = fit(
        generator,
        batches_after,
        steps=per_epoch * settings.epochs,
        lr=settings.lr,
        log=log,
        what=f"{kind} generator",
        checkpoint=checkpoint,
    )
    with explain_out_of_memory("generator.batch_size or generator.max_source_tokens"):
        for step in steps:
            if held_out and step % per_epoch == 0:
                log.add("dev", step, mean_loss(generator, held_out))
    with atomic(output) as aside:
        save_generator(aside, generator.model, generator.tokenizer)


def _usable(kind: Kind, gold: Sequence[Gold], most: int | None, seed: int) -> list[Gold]:
    usable = [item for item in gold if can_train(item, kind)]
    if most is None or most >= len(usable):
        return usable
    return seeds.python_rng(seed, "questions", kind).sample(usable, most)


def _encode(
    tokens: _Tokens,
    kind: Kind,
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
