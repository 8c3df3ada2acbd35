"""What BERT, RoBERTa and DistilBERT have in common, under the names that each has for it.

All three are one computation: embeddings, then layers of attention and feed-forward that
normalise after each. They differ in names, in where positions begin and in token types, and that
is all this file says. MPNet, ELECTRA or ALBERT differ in the computation and are not served.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch import nn
from torch.nn import functional

from ecqg.encoder.tokens import Batch

if TYPE_CHECKING:
    from transformers import PreTrainedModel


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

    @property
    def scaling(self) -> float:
        """What products of query and key are multiplied with."""
        return float(self.size**-0.5)


class Bert:
    """BERT, as which Facebook's DPR encoders are built too."""

    layers = "encoder.layer"  # the list of layers, in the model
    has_types = True  # whether the forward pass takes token types
    ignored: tuple[str, ...] = ("pooler.", "cls.")  # of whole models, beside the encoder

    def layer(self, module: Any) -> Layer:
        """A view of one of the model's layers."""
        attention = module.attention.self

        def finish(context: torch.Tensor, inputs: torch.Tensor) -> torch.Tensor:
            output: torch.Tensor = module.feed_forward_chunk(
                module.attention.output(context, inputs)
            )
            return output

        return Layer(
            attention.query,
            attention.key,
            attention.value,
            attention.num_attention_heads,
            attention.dropout,
            finish,
        )

    def first_position(self, config: Any) -> int:
        """The position of a sequence's first token."""
        return 0

    def embed(self, model: Any, batch: Batch) -> torch.Tensor:
        """Embeddings of packed tokens, [t, hidden].

        Types and positions are few: their sums are made first, so that a token looks up two rows,
        not three, which counts where a model has one layer.
        """
        parts = model.embeddings
        positions = batch.positions + self.first_position(model.config)
        position, kind = parts.position_embeddings.weight, parts.token_type_embeddings.weight
        sums = (kind[:, None] + position).flatten(0, 1)
        rows = functional.embedding(batch.types * len(position) + positions, sums)
        embedded: torch.Tensor = parts.dropout(
            parts.LayerNorm(parts.word_embeddings(batch.ids) + rows)
        )
        return embedded


class Roberta(Bert):
    """RoBERTa: BERT with positions that begin behind that of padding."""

    ignored = ("pooler.", "lm_head.", "classifier.")

    def first_position(self, config: Any) -> int:
        """One past the padding's."""
        return int(config.pad_token_id) + 1


class DistilBert(Bert):
    """DistilBERT: no token types, other names."""

    layers = "transformer.layer"
    has_types = False
    ignored = ("vocab_transform.", "vocab_layer_norm.", "vocab_projector.")

    def layer(self, module: Any) -> Layer:
        """A view of one of the model's layers."""
        attention = module.attention

        def finish(context: torch.Tensor, inputs: torch.Tensor) -> torch.Tensor:
            attended = module.sa_layer_norm(attention.out_lin(context) + inputs)
            output: torch.Tensor = module.output_layer_norm(module.ffn(attended) + attended)
            return output

        return Layer(
            attention.q_lin,
            attention.k_lin,
            attention.v_lin,
            attention.n_heads,
            attention.dropout,
            finish,
        )

    def embed(self, model: Any, batch: Batch) -> torch.Tensor:
        """Embeddings of packed tokens, [t, hidden]."""
        embeddings: torch.Tensor = model.embeddings(
            input_ids=batch.ids[None], position_ids=batch.positions[None]
        )
        return embeddings[0]


# By config.model_type.
ARCHITECTURES = {"bert": Bert(), "roberta": Roberta(), "distilbert": DistilBert()}


def architecture(model: PreTrainedModel) -> Bert:
    """Raises KeyError for a model type that ARCHITECTURES lacks."""
    return ARCHITECTURES[model.config.model_type]


def layer_views(model: PreTrainedModel) -> list[Layer]:
    """The model's layers, the lowest first."""
    kind = architecture(model)
    return [kind.layer(module) for module in model.get_submodule(kind.layers).children()]


def max_tokens(model: PreTrainedModel) -> int:
    """The longest sequence that the model has positions for."""
    first = architecture(model).first_position(model.config)
    return int(model.config.max_position_embeddings) - first
