"""Batches of sequences of like length, which waste little on padding, and padding itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, Literal, TypeVar

import numpy as np
import torch
from numpy.typing import ArrayLike, NDArray

POOL = 32  # batches that share a sorting pool: little padding, yet mixed order

T = TypeVar("T")


def shuffled_by_length(
    items: Sequence[T], size: int, length: Callable[[T], Any], rng: Random
) -> list[list[T]]:
    """Items, which come in random order, in random batches whose members are of like length."""
    batches: list[list[T]] = []
    for begin in range(0, len(items), POOL * size):
        pool = sorted(items[begin : begin + POOL * size], key=length)
        batches += [pool[i : i + size] for i in range(0, len(pool), size)]
    rng.shuffle(batches)
    return batches


def by_budget(
    lengths: ArrayLike, tokens: int, *, most: int | None = None, longest_first: bool = False
) -> Iterator[NDArray[np.int64]]:
    """Rows of `lengths`, [n], sorted by them, in batches of at most `tokens` padded tokens.

    A batch has at most `most` rows, and at least one. Longest first, running out of memory shows
    at once.
    """
    lengths = np.asarray(lengths, np.int64)
    order = np.argsort(-lengths if longest_first else lengths, kind="stable")
    begin = longest = 0
    for place, length in enumerate(lengths[order].tolist()):
        longest, rows = max(longest, length), place + 1 - begin
        if rows > 1 and (rows * longest > tokens or (most is not None and rows > most)):
            yield order[begin:place]
            begin, longest = place, length
    if len(order):
        yield order[begin:]


def padded_width(longest: int, limit: int | None = None) -> int:
    """How many columns to pad a training batch to: a multiple of 8, but `limit` at most.

    oneDNN, which multiplies bf16 matrices on a CPU, compiles a kernel for every shape and keeps
    a thousand of them: with a shape for every length the memory of a training grows to twice what
    it needs, and compiling takes a tenth of its time.
    """
    width = -(-longest // 8) * 8
    return width if limit is None else max(longest, min(width, limit))


def pad(
    rows: Sequence[Sequence[int] | NDArray[Any]],
    value: int,
    width: int | None = None,
    side: Literal["left", "right"] = "right",
    device: torch.device | None = None,
) -> tuple[torch.Tensor, torch.Tensor]:
    """(ids, mask), int64 [rows, width], filled up with `value` on that side (mask 0), on a device.

    `width` is that of the longest row where it is not given.
    """
    lengths = np.array([len(row) for row in rows])[:, None]
    columns = np.arange(width or lengths.max())
    inside = columns < lengths if side == "right" else columns >= len(columns) - lengths
    ids = np.full(inside.shape, value, np.int64)
    ids[inside] = np.concatenate(rows)
    mask = torch.from_numpy(inside.astype(np.int64))
    return torch.from_numpy(ids).to(device), mask.to(device)
