"""A layer over packed tokens, [t, hidden]: sequences of any length, one after the other.

Linear layers and norms treat each token alone; only attention needs sequences side by side, and
puts them there unless the batch came padded (`Tokens.batch`).
"""

from __future__ import annotations

import torch
from torch import nn
from torch.nn import functional

from ecqg.encoder.architectures import Layer
from ecqg.encoder.tokens import Batch


def whole_layer(layer: Layer, tokens: torch.Tensor, batch: Batch) -> torch.Tensor:
    """A layer's output for every token: packed [t, hidden] to packed [t, hidden]."""
    n, width = batch.mask.shape

    def heads(linear: nn.Linear) -> torch.Tensor:
        return pad(linear(tokens), batch).view(n, width, -1, layer.size).transpose(1, 2)

    context = functional.scaled_dot_product_attention(
        heads(layer.query),
        heads(layer.key),
        heads(layer.value),
        attn_mask=batch.mask[:, None, None],
        dropout_p=layer.dropout.p if layer.dropout.training else 0.0,
    )
    context = context.transpose(1, 2).reshape(n * width, -1)
    if len(tokens) < n * width:
        context = context[batch.slots]
    return layer.finish(context, tokens)


def pad(tokens: torch.Tensor, batch: Batch) -> torch.Tensor:
    """Packed [t, hidden] to padded [n, width, hidden].

    Where `batch.mask` is false stand zeros, or what a batch that came padded computed there.
    """
    n, width = batch.mask.shape
    if len(tokens) == n * width:
        return tokens.view(n, width, -1)
    padded = tokens.new_zeros(n * width, tokens.shape[1])
    return padded.index_copy(0, batch.slots, tokens).view(n, width, -1)
