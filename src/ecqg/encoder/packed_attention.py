"""Attention on a CPU: one sequence after the other, whose weights stay in its cache.

PyTorch's fused attention makes the default's training half again as long (bench/layers.py), and its
products are MKL's. The gradient is ours as well: of the hundreds of small products in a step
autograd would make thousands of operations, which take longer than the products do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.autograd.function import once_differentiable

from ecqg.training.products import product_writer


def attend_packed(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    heads: int,
    sizes: Sequence[int],
    lengths: Sequence[int],
    dropout: float = 0.0,
) -> Tensor:
    """softmax(query key' / sqrt(size of a head)) value, by head and sequence, [t, hidden].

    Args:
        query: [t, hidden] in fp32 or fp64, as are key and value; a head is `hidden / heads` wide.
        key: of packed sequences, padding included.
        value: as `key`.
        heads: how many.
        sizes: tokens of each sequence, t in all.
        lengths: tokens that are no padding; a sequence's first so many are looked at.
        dropout: the share of weights that are dropped; random numbers are torch's.
    """
    context: Tensor = _Attention.apply(query, key, value, heads, sizes, lengths, dropout)  # type: ignore[no-untyped-call]
    return context


class _Attention(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        heads: int,
        sizes: Sequence[int],
        lengths: Sequence[int],
        dropout: float,
    ) -> Tensor:
        scale = (query.shape[1] // heads) ** -0.5
        query, context = query * scale, torch.empty_like(query)
        multiply, weights, dropped = product_writer(), [], []
        parts = zip(*(_parts(x, heads, sizes) for x in (query, key, value, context)), strict=True)
        for (q, k, v, out), length in zip(parts, lengths, strict=True):
            scores = query.new_empty(heads, q.shape[1], length)
            multiply(q, k[:, :length].swapaxes(1, 2), out=scores.numpy())
            used = own = scores.softmax(-1)
            if dropout:
                used, mask = torch.native_dropout(own, dropout, True)
                dropped.append(mask / (1 - dropout))
            multiply(used.numpy(), v[:, :length], out=out)
            weights.append(own)
            if not any(ctx.needs_input_grad):
                weights.clear()
                dropped.clear()
        ctx.save_for_backward(query, key, value, *weights, *dropped)
        ctx.of = heads, sizes, lengths, scale
        return context

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor | None, ...]:
        query, key, value, *saved = ctx.saved_tensors
        heads, sizes, lengths, scale = ctx.of
        multiply, weights, dropped = product_writer(), saved[: len(sizes)], saved[len(sizes) :]
        # A key that is padding has no gradient, nor has its value.
        results = [torch.zeros_like(query) for _ in range(3)]
        given = (gradients[0].contiguous(), query, key, value, *results)
        parts = zip(*(_parts(x, heads, sizes) for x in given), strict=True)
        for i, (g, q, k, v, of_q, of_k, of_v) in enumerate(parts):
            length, own = lengths[i], weights[i]
            used = own * dropped[i] if dropped else own
            multiply(used.numpy().swapaxes(1, 2), g, out=of_v[:, :length])
            of_weights = torch.empty_like(own)
            multiply(g, v[:, :length].swapaxes(1, 2), out=of_weights.numpy())
            if dropped:
                of_weights *= dropped[i]
            of_scores = torch._softmax_backward_data(of_weights, own, -1, own.dtype).numpy()
            multiply(of_scores, k[:, :length], out=of_q)
            multiply(of_scores.swapaxes(1, 2), q, out=of_k[:, :length])
        return results[0].mul_(scale), results[1], results[2], None, None, None, None


def _parts(packed: Tensor, heads: int, sizes: Sequence[int]) -> Iterator[NDArray[np.floating]]:
    """[heads, its tokens, size] of each sequence, views of [t, hidden]."""
    by_head = packed.numpy().reshape(len(packed), heads, -1).swapaxes(0, 1)
    end = 0
    for size in sizes:
        begin, end = end, end + size
        yield by_head[:, begin:end]
