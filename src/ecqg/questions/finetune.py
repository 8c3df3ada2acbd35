"""Fine-tuning of a generator on gold questions (SIGIR sec. 3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Literal

import torch

from ecqg import seeds
from ecqg.errors import InputError
from ecqg.files import atomic
from ecqg.params import Generator as Settings
from ecqg.params import GeneratorKind
from ecqg.questions.generator import Generator, Pair, add_gradients
from ecqg.questions.gold import Gold, can_train, gold_texts
from ecqg.questions.model import load_generator
from ecqg.training.batches import shuffled_by_length
from ecqg.training.checkpoint import Checkpoint
from ecqg.training.device import pick_device
from ecqg.training.loop import Development, Plan, fit
from ecqg.training.weights import save_model


@dataclass(frozen=True)
class DevScore:
    """`loss` in nats per target token."""

    loss: float


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

    It ends with the last epoch's weights, and resumes from a `checkpoint` of the same training.
    Raises InputError where no question can be trained on.
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
    train, most = [item for item in train if can_train(item, kind)], settings.max_questions
    if most is not None and most < len(train):
        train = seeds.python_rng(seed, "questions", kind).sample(train, most)
    if not train:
        remedy = "give questions whose answers, or entities, stand in their passages"
        raise InputError(f"no gold question can train the {kind} generator", remedy=remedy)
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


def batches_by_length(pairs: Sequence[Pair], size: int, rng: Random) -> list[list[Pair]]:
    """All pairs in random batches of about equal length, which wastes little on padding.

    Pairs of one source come together, so that an encoder-decoder encodes it once for them.
    """
    sources: dict[tuple[int, ...], list[Pair]] = {}
    for pair in pairs:
        sources.setdefault(tuple(pair.source), []).append(pair)
    groups = list(sources.values())
    order = [p for i in rng.sample(range(len(groups)), len(groups)) for p in groups[i]]
    return shuffled_by_length(order, size, lambda pair: (len(pair.source), pair.source), rng)


@torch.inference_mode()
def dev_score(generator: Generator, pairs: Sequence[Pair], batch_size: int = 64) -> DevScore:
    """Score a generator on pairs."""
    generator.model.eval()
    ordered = sorted(pairs, key=lambda p: (len(p.source), len(p.target)))
    total, count = 0.0, 0
    for start in range(0, len(ordered), batch_size):
        loss, tokens = generator.loss(ordered[start : start + batch_size])
        total, count = total + float(loss), count + tokens
    return DevScore(total / count)


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
