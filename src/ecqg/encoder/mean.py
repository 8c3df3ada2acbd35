"""The mean of the last layer's token vectors, as sentence-transformers pools by default."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from ecqg.encoder.architectures import architecture, layer_views
from ecqg.encoder.packed import pad, whole_layer
from ecqg.encoder.tokens import Batch

if TYPE_CHECKING:
    from transformers import PreTrainedModel


def mean_vectors(model: PreTrainedModel, batch: Batch) -> torch.Tensor:
    """Mean over a sequence's tokens, special tokens included, [n, hidden]."""
    tokens = architecture(model).embed(model, batch)
    for layer in layer_views(model):
        tokens = whole_layer(layer, tokens, batch)
    padded = pad(tokens, batch) * batch.mask[:, :, None]
    total = padded.sum(1, dtype=torch.float32)  # also where tokens are bf16
    return total / batch.mask.sum(1, keepdim=True)
