"""Fine-tuning of a generator on gold questions (SIGIR sec. 3.3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

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
    lengths = settings.max_source_tokens, settings.max_target_tokens
    generator = load_generator(start, *lengths, settings.precision, training=True)
    tokens = _Tokens(generator)

    def encode(gold: Sequence[Gold], epoch: int | None) -> list[Pair]:
        """One epoch's pairs; epoch None keeps the order of sentences (dev)."""
        shuffled = settings.shuffle_sentences and epoch is not None
        rng = seeds.python_rng(seed, "pairs", kind, epoch)
        marked = settings.mark_entity
        return tokens.of(gold_texts(gold, kind, marked=marked, shuffled=shuffled, rng=rng))

    held_out = encode(dev, None)
    train, most = [item for item in train if can_train(item, kind)], settings.max_questions
    if most is not None and most < len(train):
        train = seeds.python_rng(seed, "questions", kind).sample(train, most)
    if not train:
        remedy = "give questions whose answers, or entities, stand in their passages"
        raise InputError(f"no gold question can train the {kind} generator", remedy=remedy)

    def batches(epoch: int) -> list[list[Pair]]:
        rng = seeds.python_rng(seed, "batches", kind, epoch - 1)
        return batches_by_length(encode(train, epoch - 1), settings.batch_size, rng)

    plan = Plan(
        f"{kind} generator",
        settings.epochs,
        -(-len(train) // settings.batch_size),
        settings.lr,
        "the learning rate of this generator",
        "generator.batch_size or generator.max_source_tokens",
    )
    development = Development(DevScore, lambda: dev_score(generator, held_out))
    fit(
        generator.model,
        batches,
        lambda _, batch: add_gradients(generator, batch),
        plan,
        checkpoint=checkpoint,
        development=development if held_out else None,
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


class _Tokens:
    """Tokenizes each text once, and not again what the epoch before had.

    Questions of a passage have one source, whose ids they share, and targets remain as they are.
    """

    def __init__(self, generator: Generator) -> None:
        self._generator = generator
        self._ids: dict[tuple[int, str], list[int]] = {}  # by side, 1 for targets, and text

    def of(self, texts: Sequence[tuple[str, str]]) -> list[Pair]:
        wanted = dict.fromkeys(one for pair in texts for one in enumerate(pair))
        fresh = [one for one in wanted if one not in self._ids]
        sources = [text if side == 0 else "" for side, text in fresh]
        targets = [text if side == 1 else "" for side, text in fresh]
        pairs = self._generator.encode(sources, targets) if fresh else []
        made = {one: pair[one[0]] for one, pair in zip(fresh, pairs, strict=True)}
        self._ids = {one: made[one] if one in made else self._ids[one] for one in wanted}
        return [Pair(self._ids[0, source], self._ids[1, target]) for source, target in texts]
