"""Vectors of BERT, RoBERTa and DistilBERT over packed tokens: [CLS] or the mean, last layer.

All three are one computation: embeddings, then layers of attention and feed-forward that
normalise after each. They differ in the names of their parts, in where positions begin and in token
types. MPNet, ELECTRA or ALBERT differ in the computation and are not served.

Tokens are packed, [t, hidden]: sequences of any length, one after the other. Linear layers and
norms treat each token alone; only attention needs sequences side by side, and puts them there
unless the batch came padded (`Tokens.batch`).

[CLS] is that of `model(...).last_hidden_state[:, 0]`, without what does not reach it:

- of the last layer only [CLS] is wanted: one query a sequence, and one row of feed-forward;
- with one query q, the products q'(Kx) = (K'q)'x and sum a (Vx) = V(sum a x) need no key and no
  value for each token (the key's bias adds the same to every score, and softmax drops it).

A model of one layer so costs little more than its embeddings, and MiniLM's upper layer is nearly
free. A test holds values and gradients against transformers' own forward pass.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch import nn
from torch.nn import functional

from ecqg.encoder.packed_attention import attend_packed
from ecqg.encoder.tokens import Batch

if TYPE_CHECKING:
    from transformers import PreTrainedModel

# By config.model_type, weights that whole models have beside the encoder. DPR's are BERTs.
ARCHITECTURES = {
    "bert": ("pooler.", "cls."),
    "roberta": ("pooler.", "lm_head.", "classifier."),
    "distilbert": ("vocab_transform.", "vocab_layer_norm.", "vocab_projector."),
}


def cls_vectors(model: PreTrainedModel, batch: Batch) -> torch.Tensor:
    """[CLS] vectors of the last layer, [n, hidden]; the model is one of ARCHITECTURES."""
    tokens, last = below_last(model, batch)
    first = tokens[batch.starts]
    return last.finish(attend_first(last, first, tokens, batch), first)


def mean_vectors(model: PreTrainedModel, batch: Batch) -> torch.Tensor:
    """Mean over a sequence's tokens, special tokens included, [n, hidden]."""
    tokens, last = below_last(model, batch)
    padded = pad(whole_layer(last, tokens, batch), batch) * batch.mask[:, :, None]
    total = padded.sum(1, dtype=torch.float32)  # also where tokens are bf16
    return total / batch.mask.sum(1, keepdim=True)


@dataclass(frozen=True)
class Layer:
    """One layer's parts; `finish` is all that follows attention."""

    query: nn.Linear
    key: nn.Linear
    value: nn.Linear
    heads: int
    dropout: nn.Dropout  # of attention weights
    finish: Callable[[torch.Tensor, torch.Tensor], torch.Tensor]  # (context, the layer's input)

    @property
    def size(self) -> int:
        """Dimensions of a head."""
        return self.query.out_features // self.heads


def layer_views(model: Any) -> list[Layer]:
    """The model's layers, the lowest first; the model is one of ARCHITECTURES."""
    if model.config.model_type == "distilbert":
        return [_distilbert_layer(module) for module in model.transformer.layer]
    return [_bert_layer(module) for module in model.encoder.layer]


def _bert_layer(module: Any) -> Layer:
    own = module.attention.self

    def finish(context: torch.Tensor, inputs: torch.Tensor) -> Any:
        return module.feed_forward_chunk(module.attention.output(context, inputs))

    return Layer(own.query, own.key, own.value, own.num_attention_heads, own.dropout, finish)


def _distilbert_layer(module: Any) -> Layer:
    own = module.attention

    def finish(context: torch.Tensor, inputs: torch.Tensor) -> Any:
        middle = module.sa_layer_norm(own.out_lin(context) + inputs)
        return module.output_layer_norm(module.ffn(middle) + middle)

    return Layer(own.q_lin, own.k_lin, own.v_lin, own.n_heads, own.dropout, finish)


def _first_position(config: Any) -> int:
    """The position of a sequence's first token: RoBERTa's is one past the padding's."""
    return config.pad_token_id + 1 if config.model_type == "roberta" else 0


def max_tokens(model: PreTrainedModel) -> int:
    """The longest sequence that the model has positions for."""
    return int(model.config.max_position_embeddings) - _first_position(model.config)


def embed(model: Any, batch: Batch) -> torch.Tensor:
    """Embeddings of packed tokens, [t, hidden].

    Types and positions are few: their sums are made first, so that a token looks up two rows, not
    three, which counts where a model has one layer. DistilBERT has no types.
    """
    parts = model.embeddings
    embedded: torch.Tensor
    if model.config.model_type == "distilbert":
        embedded = parts(input_ids=batch.ids[None], position_ids=batch.positions[None])[0]
        return embedded
    positions = batch.positions + _first_position(model.config)
    position, kind = parts.position_embeddings.weight, parts.token_type_embeddings.weight
    sums = (kind[:, None] + position).flatten(0, 1)
    rows = functional.embedding(batch.types * len(position) + positions, sums)
    embedded = parts.dropout(parts.LayerNorm(parts.word_embeddings(batch.ids) + rows))
    return embedded


def below_last(model: PreTrainedModel, batch: Batch) -> tuple[torch.Tensor, Layer]:
    """What the last layer is given, packed [t, hidden], and that layer."""
    tokens = embed(model, batch)
    *lower, last = layer_views(model)
    for layer in lower:
        tokens = whole_layer(layer, tokens, batch)
    return tokens, last


def whole_layer(layer: Layer, tokens: torch.Tensor, batch: Batch) -> torch.Tensor:
    """A layer's output for every token: packed [t, hidden] to packed [t, hidden]."""
    attend = _attend_each if tokens.is_cpu else _attend_together
    return layer.finish(attend(layer, tokens, batch), tokens)


def _attend_each(layer: Layer, tokens: torch.Tensor, batch: Batch) -> torch.Tensor:
    """Attention on a CPU, in fp32 at least: gradients of such products in bf16 take three times
    as long.
    """
    (n, width), lengths = batch.mask.shape, batch.mask.sum(1).tolist()
    sizes = lengths if len(tokens) < n * width else [width] * n
    dtype = torch.promote_types(tokens.dtype, torch.float32)
    query, key, value = (f(tokens).to(dtype) for f in (layer.query, layer.key, layer.value))
    rate = layer.dropout.p if layer.dropout.training else 0.0
    with torch.autocast("cpu", enabled=False):
        context = attend_packed(query, key, value, layer.heads, sizes, lengths, rate)
    return context.to(tokens.dtype)


def _attend_together(layer: Layer, tokens: torch.Tensor, batch: Batch) -> torch.Tensor:
    """Attention on a GPU: all sequences side by side."""
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
    return context[batch.slots] if len(tokens) < n * width else context


def attend_first(
    layer: Layer, first: torch.Tensor, tokens: torch.Tensor, batch: Batch
) -> torch.Tensor:
    """Attention with `first`, the [CLS] tokens, as the only queries: packed to [n, hidden]."""
    padded = pad(tokens, batch)
    weights = first_scores(layer, first, padded, batch).softmax(-1)
    weights = layer.dropout(weights).to(padded.dtype)
    value = layer.value.weight.view(layer.heads, layer.size, -1)
    # Attention dropout leaves weights that do not sum to 1, so the bias counts by their sum.
    context: torch.Tensor = torch.einsum("nhf,hdf->nhd", weights @ padded, value)
    context = context + weights.sum(-1, keepdim=True) * layer.value.bias.view(layer.heads, -1)
    return context.flatten(1)


def first_scores(
    layer: Layer, first: torch.Tensor, padded: torch.Tensor, batch: Batch
) -> torch.Tensor:
    """Attention before softmax, [n, heads, width] in fp32, of `first` to `padded` tokens."""
    query = layer.query(first).view(-1, layer.heads, layer.size)
    key = layer.key.weight.view(layer.heads, layer.size, -1)
    folded: torch.Tensor = torch.einsum("nhd,hdf->nhf", query, key)
    scores = (folded @ padded.transpose(1, 2) * float(layer.size**-0.5)).float()
    return scores.masked_fill(~batch.mask[:, None], -torch.inf)


def pad(tokens: torch.Tensor, batch: Batch) -> torch.Tensor:
    """Packed [t, hidden] to padded [n, width, hidden].

    Where `batch.mask` is false stand zeros, or what a batch that came padded computed there.
    """
    n, width = batch.mask.shape
    if len(tokens) == n * width:
        return tokens.view(n, width, -1)
    padded = tokens.new_zeros(n * width, tokens.shape[1])
    return padded.index_copy(0, batch.slots, tokens).view(n, width, -1)
