"""Attention to neighbouring tokens, written into a small random reader before it is trained.

To know that a name is an answer, a reader must see the words around it ("was married to ..."). A
large model learned to attend to neighbours from billions of words; a small random one spends most
of a short training on finding it. So some heads start with it, in the spirit of mimetic
initialisation (Trockman and Kolter 2023): position embeddings become sinusoids in a block of units
one head wide, and queries are keys turned by the wanted number of tokens (Vaswani et al. 2017,
sec. 3.5, on why a turn is a shift). All of it stays trainable, and the model a plain BERT.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor

from ecqg.errors import InputError

GOLDEN = (math.sqrt(5) - 1) / 2
PEAK = 7.0  # attention score of the wanted neighbour at the start; all others are near 0


@torch.no_grad()
def write_neighbour_heads(model: Any, offsets: Sequence[int]) -> None:
    """Have the first heads of every layer of a BERT reader attend to the tokens at `offsets`.

    One head for each offset, -1 being the token before. The other heads, and what the heads carry,
    remain as they are; all position embeddings are replaced. Raises InputError where there are
    fewer heads than offsets.
    """
    config = model.config
    if config.model_type != "bert":
        what = f"reader.neighbour_heads cannot be written into a {config.model_type}"
        raise InputError(what, remedy="set it to []")
    size = config.hidden_size // config.num_attention_heads
    if len(offsets) > config.num_attention_heads:
        raise InputError(
            f"reader.neighbour_heads names {len(offsets)} heads, the encoder has "
            f"{config.num_attention_heads}",
            remedy="name fewer",
        )
    positions = model.bert.embeddings.position_embeddings.weight
    # As much variance as random embeddings have, in fewer units: there they outweigh the words'.
    scale = config.initializer_range * math.sqrt(2 * config.hidden_size / size)
    positions.zero_()
    positions[:, :size] = scale * sinusoids(len(positions), size)
    # Embeddings are sums of three of like variance, normalised to 1: a position's share is a third.
    strength = math.sqrt(PEAK * math.sqrt(size) / (config.hidden_size / 3))
    for layer in model.bert.encoder.layer:
        attention = layer.attention.self
        for head, offset in enumerate(offsets):
            rows = slice(head * size, (head + 1) * size)
            turns = (attention.query, shift(size, offset)), (attention.key, torch.eye(size))
            for projection, turn in turns:
                projection.bias[rows] = 0
                projection.weight[rows] = 0
                projection.weight[rows, :size] = strength * turn


def sinusoids(positions: int, size: int) -> Tensor:
    """[positions, size]: cosine and sine, in turn, of position * frequency."""
    angles = torch.arange(positions)[:, None] * _frequencies(size)
    return torch.stack([angles.cos(), angles.sin()], -1).flatten(1)


def shift(size: int, offset: int) -> Tensor:
    """The matrix [size, size] that turns the sinusoids of position i into those of i + offset."""
    angles = (offset * _frequencies(size)).tolist()
    turns = [[[math.cos(a), -math.sin(a)], [math.sin(a), math.cos(a)]] for a in angles]
    matrix: Tensor = torch.block_diag(*torch.tensor(turns))  # type: ignore[no-untyped-call]
    return matrix


def _frequencies(size: int) -> Tensor:
    """Frequencies [size / 2]: one in each equal part of (0, pi), at an irregular place within it.

    The product of two positions' sinusoids is then near 0 unless they are the same one. Powers, as
    in Vaswani et al., would tell near positions apart less sharply; equal steps would repeat.
    """
    part = torch.arange(size // 2, dtype=torch.float64)
    return (math.pi * (part + (GOLDEN * (part + 1) ** 2) % 1) / len(part)).float()
