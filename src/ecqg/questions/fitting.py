"""What a generator trains on, and how well it does: pre-training and fine-tuning share it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import torch

from ecqg.questions.interface import Generator, Pair
from ecqg.training.batches import shuffled_by_length


@dataclass(frozen=True)
class DevScore:
    """`loss` in nats per target token."""

    loss: float


def add_gradients(generator: Generator, batch: Sequence[Pair]) -> tuple[torch.Tensor, int]:
    """Backward pass of the mean loss; returns the sum over target tokens, and their number."""
    loss, tokens = generator.loss(batch)
    (loss / tokens).backward()  # type: ignore[no-untyped-call]
    return loss, tokens


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
