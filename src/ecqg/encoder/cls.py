"""The last layer's [CLS] vector of an encoder, computed without what does not reach it.

The same function as `model(...).last_hidden_state[:, 0]`, by three identities:

- linear layers and norms see packed tokens, with no padding but where it costs less than packing;
- of the last layer only [CLS] is wanted: one query a sequence, and one row of feed-forward;
- with one query q, the products q'(Kx) = (K'q)'x and sum a (Vx) = V(sum a x) need no key and no
  value for each token (the key's bias adds the same to every score, and softmax drops it).

A model of one layer so costs little more than its embeddings, and MiniLM's upper layer is nearly
free. A test holds values and gradients against transformers' own forward pass.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from ecqg.encoder.architectures import Layer, architecture, layer_views
from ecqg.encoder.packed import pad, whole_layer
from ecqg.encoder.tokens import Batch

if TYPE_CHECKING:
    from transformers import PreTrainedModel


def cls_vectors(model: PreTrainedModel, batch: Batch) -> torch.Tensor:
    """[CLS] vectors of the last layer, [n, hidden]; the model is one of ARCHITECTURES."""
    tokens = architecture(model).embed(model, batch)
    *lower, last = layer_views(model)
    for layer in lower:
        tokens = whole_layer(layer, tokens, batch)
    first = tokens[batch.starts]
    return last.finish(attend_first(last, first, tokens, batch), first)


def attend_first(
    layer: Layer, first: torch.Tensor, tokens: torch.Tensor, batch: Batch
) -> torch.Tensor:
    """Only `first`, the [CLS] tokens, attend: packed [t, hidden] to [n, hidden]."""
    count, size = layer.heads, layer.size
    padded = pad(tokens, batch)
    query = layer.query(first).view(-1, count, size)
    query = torch.einsum("nhd,hdf->nhf", query, layer.key.weight.view(count, size, -1))
    scores = query @ padded.transpose(1, 2) * layer.scaling
    scores = scores.float().masked_fill(~batch.mask[:, None], -torch.inf)
    weights = layer.dropout(scores.softmax(-1)).to(padded.dtype)
    value = layer.value.weight.view(count, size, -1)
    # Attention dropout leaves weights that do not sum to 1, so the bias counts by their sum.
    context: torch.Tensor = torch.einsum("nhf,hdf->nhd", weights @ padded, value)
    context = context + weights.sum(-1, keepdim=True) * layer.value.bias.view(count, size)
    return context.flatten(1)
