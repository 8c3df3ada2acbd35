"""Windows as padded tensors, in batches of like length."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

import torch
from torch import Tensor

from ecqg.reading.windows import Window

POOL = 32  # batches that share a sorting pool: little padding, yet mixed order


def pad(windows: Sequence[Window], pad_id: int, width: int | None = None) -> dict[str, Tensor]:
    """A model's input: input_ids, token_type_ids, attention_mask, each [windows, width].

    `width` is that of the longest window where it is not given.
    """
    size = width or max(len(w.ids) for w in windows)
    shape = (len(windows), size)
    ids = torch.full(shape, pad_id, dtype=torch.long)
    types = torch.zeros(shape, dtype=torch.long)
    mask = torch.zeros(shape, dtype=torch.long)
    for row, window in enumerate(windows):
        length = len(window.ids)
        ids[row, :length] = torch.tensor(window.ids)
        types[row, :length] = torch.tensor(window.types)
        mask[row, :length] = 1
    return {"input_ids": ids, "token_type_ids": types, "attention_mask": mask}


def edges(windows: Sequence[Window]) -> tuple[Tensor, Tensor]:
    """Which tokens an answer may start and end at, booleans [windows, tokens].

    Answers are whole words of the context.
    """
    size = max(len(w.ids) for w in windows)
    may_start = torch.zeros((len(windows), size), dtype=torch.bool)
    may_end = torch.zeros((len(windows), size), dtype=torch.bool)
    for row, window in enumerate(windows):
        context = slice(window.first, window.first + len(window.spans))
        may_start[row, context] = torch.tensor(window.word_starts, dtype=torch.bool)
        may_end[row, context] = torch.tensor(window.word_ends, dtype=torch.bool)
    return may_start, may_end


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
