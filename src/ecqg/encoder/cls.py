"""The last layer's [CLS] vector of a BERT, computed without what does not reach it.

The same function as `BertModel(...).last_hidden_state[:, 0]`, by three identities:

- padding takes part in nothing, so linear layers and norms see the packed tokens only;
- of the last layer only [CLS] is wanted: one query a sequence, and one row of feed-forward;
- with one query q, the products q'(Kx) = (K'q)'x and sum a (Vx) = V(sum a x) need no key and no
  value for each token (the key's bias adds the same to every score, and softmax drops it).

A model of one layer so costs little more than its embeddings, and MiniLM's upper layer is nearly
free. A test holds values and gradients against transformers' own forward pass.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.nn import functional

from ecqg.encoder.tokens import Batch

if TYPE_CHECKING:
    from transformers import BertModel
    from transformers.models.bert.modeling_bert import BertLayer


def cls_vectors(bert: BertModel, batch: Batch) -> torch.Tensor:
    """[CLS] vectors of the last layer, [n, hidden]."""
    tokens: torch.Tensor = bert.embeddings(
        input_ids=batch.ids[None],
        token_type_ids=batch.types[None],
        position_ids=batch.positions[None],
    )[0]
    *lower, last = bert.encoder.layer
    for layer in lower:
        tokens = _finish(layer, _attend_all(layer, tokens, batch), tokens)
    return _finish(last, _attend_first(last, tokens, batch), tokens[batch.starts])


def _finish(layer: BertLayer, context: torch.Tensor, inputs: torch.Tensor) -> torch.Tensor:
    """What follows attention: output projection, residual, feed-forward."""
    output: torch.Tensor = layer.feed_forward_chunk(layer.attention.output(context, inputs))
    return output


def _attend_all(layer: BertLayer, tokens: torch.Tensor, batch: Batch) -> torch.Tensor:
    """Every token attends: packed [t, hidden] to packed [t, hidden]."""
    attention = layer.attention.self
    n, width = batch.mask.shape

    size = attention.attention_head_size

    def heads(linear: nn.Linear) -> torch.Tensor:
        return _pad(linear(tokens), batch).view(n, width, -1, size).transpose(1, 2)

    context = functional.scaled_dot_product_attention(
        heads(attention.query),
        heads(attention.key),
        heads(attention.value),
        attn_mask=batch.mask[:, None, None],
        dropout_p=attention.dropout.p if attention.training else 0.0,
    )
    return context.transpose(1, 2).reshape(n * width, -1)[batch.slots]


def _attend_first(layer: BertLayer, tokens: torch.Tensor, batch: Batch) -> torch.Tensor:
    """Only [CLS] attends: packed [t, hidden] to [n, hidden]."""
    attention = layer.attention.self
    count, size = attention.num_attention_heads, attention.attention_head_size
    padded = _pad(tokens, batch)
    query = attention.query(tokens[batch.starts]).view(-1, count, size)
    query = torch.einsum("nhd,hdf->nhf", query, attention.key.weight.view(count, size, -1))
    scores = query @ padded.transpose(1, 2) * attention.scaling
    scores = scores.float().masked_fill(~batch.mask[:, None], -torch.inf)
    weights = attention.dropout(scores.softmax(-1))
    value = attention.value.weight.view(count, size, -1)
    # Attention dropout leaves weights that do not sum to 1, so the bias counts by their sum.
    context: torch.Tensor = torch.einsum("nhf,hdf->nhd", weights @ padded, value)
    context = context + weights.sum(-1, keepdim=True) * attention.value.bias.view(count, size)
    return context.flatten(1)


def _pad(tokens: torch.Tensor, batch: Batch) -> torch.Tensor:
    """Packed [t, hidden] to padded [n, width, hidden], zeros where no token is."""
    n, width = batch.mask.shape
    if len(tokens) == n * width:
        return tokens.view(n, width, -1)
    padded = tokens.new_zeros(n * width, tokens.shape[1])
    return padded.index_copy(0, batch.slots, tokens).view(n, width, -1)
