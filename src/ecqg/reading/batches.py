"""Windows as padded tensors, in batches of like length."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Protocol

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from ecqg.reading.windows import Window

POOL = 32  # batches that share a sorting pool: little padding, yet mixed order


class Typed(Protocol):
    """A window as a model sees it."""

    @property
    def ids(self) -> NDArray[np.int32]:
        """Token ids, [tokens]."""

    @property
    def types(self) -> NDArray[np.int8]:
        """Token types, [tokens]."""


def pad(windows: Sequence[Typed], pad_id: int, width: int | None = None) -> dict[str, Tensor]:
    """A model's input: input_ids, token_type_ids, attention_mask, each [windows, width].

    `width` is that of the longest window where it is not given.
    """
    lengths = np.array([len(w.ids) for w in windows])
    mask = np.arange(width or lengths.max()) < lengths[:, None]
    ids = np.full(mask.shape, pad_id, np.int64)
    ids[mask] = np.concatenate([w.ids for w in windows])
    types = np.zeros(mask.shape, np.int64)
    types[mask] = np.concatenate([w.types for w in windows])
    arrays = {"input_ids": ids, "token_type_ids": types, "attention_mask": mask.astype(np.int64)}
    return {name: torch.from_numpy(array) for name, array in arrays.items()}


def edges(windows: Sequence[Window]) -> tuple[Tensor, Tensor]:
    """Which tokens an answer may start and end at, booleans [windows, tokens].

    Answers are whole words of the context.
    """
    columns = np.arange(max(len(w.ids) for w in windows))
    first = np.array([w.first for w in windows])[:, None]
    context = (columns >= first) & (columns < first + [[len(w.spans)] for w in windows])
    may_start, may_end = np.zeros_like(context), np.zeros_like(context)
    may_start[context] = np.concatenate([w.word_starts for w in windows])
    may_end[context] = np.concatenate([w.word_ends for w in windows])
    return torch.from_numpy(may_start), torch.from_numpy(may_end)


def shuffled(sizes: Sequence[int], batch_size: int, rng: random.Random) -> list[list[int]]:
    """Indices in random batches whose members are of like size."""
    order = list(range(len(sizes)))
    rng.shuffle(order)
    batches: list[list[int]] = []
    for begin in range(0, len(order), POOL * batch_size):
        pool = sorted(order[begin : begin + POOL * batch_size], key=lambda i: sizes[i])
        batches += [pool[i : i + batch_size] for i in range(0, len(pool), batch_size)]
    rng.shuffle(batches)
    return batches


def by_budget(sizes: Sequence[int], tokens: int) -> Iterator[list[int]]:
    """Indices from the longest to the shortest in batches of at most `tokens` padded tokens.

    Longest first, so that running out of memory shows at once.
    """
    order = sorted(range(len(sizes)), key=lambda i: -sizes[i])
    begin = 0
    while begin < len(order):
        count = max(1, tokens // max(1, sizes[order[begin]]))
        yield order[begin : begin + count]
        begin += count
