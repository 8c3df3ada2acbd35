"""Final-layer attention with [CLS] as the query (SIGIR sec. 2.1), without attention matrices.

Equal to row 0 of `output_attentions=True`, averaged over heads. That option needs eager attention
in every layer and keeps [heads, tokens, tokens] a layer; here the lower layers run fused
over packed tokens, and of the last layer only the scores of one query are computed.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from ecqg.encoder.architectures import Layer, architecture, layer_views
from ecqg.encoder.packed import pad, whole_layer
from ecqg.encoder.tokens import Batch

if TYPE_CHECKING:
    from transformers import PreTrainedModel


@torch.inference_mode()
def cls_weights(model: PreTrainedModel, batch: Batch) -> torch.Tensor:
    """Weights [n, width] in fp32: mean over heads, sum 1 over tokens, 0 on padding.

    The model is one of ecqg.encoder.architectures, in eval mode; a sequence's first token is its
    [CLS]. Raises KeyError for another model type.
    """
    tokens = architecture(model).embed(model, batch)
    *lower, last = layer_views(model)
    for layer in lower:
        tokens = whole_layer(layer, tokens, batch)
    with torch.autocast(tokens.device.type, enabled=False):
        return _first_weights(last, tokens.float(), batch)


def _first_weights(layer: Layer, tokens: torch.Tensor, batch: Batch) -> torch.Tensor:
    """Of packed tokens [t, hidden]; only the first of each sequence is a query."""
    query = layer.query(tokens[batch.starts]).view(-1, layer.heads, layer.size)
    # q'(Kx + b) = (K'q)'x + q'b: folding the key into the one query spares every token's key;
    # q'b is the same for all tokens, so softmax drops it.
    key = layer.key.weight.view(layer.heads, layer.size, -1)
    folded = torch.einsum("nhd,hdf->nhf", query, key)
    scores = folded @ pad(tokens, batch).transpose(1, 2) * layer.scaling
    scores = scores.masked_fill(~batch.mask[:, None], -torch.inf)
    return torch.softmax(scores, -1).mean(1)
