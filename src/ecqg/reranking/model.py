"""The cross-encoder: a BERT that reads question and passage together (thesis eq. 2.7).

`BertForSequenceClassification` with one label, whose score is a linear function of the pooled
[CLS] vector: `sim(q, p) = W E(q, p)`, as Nogueira and Cho (2019) have it. So a saved folder is
loaded by `transformers` alone; how pairs are made lies beside the weights as JSON.
"""

from __future__ import annotations

import copy
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from msgspec import Struct, to_builtins

from ecqg.encoder.architectures import cls_vectors
from ecqg.encoder.load import load_encoder
from ecqg.encoder.tokens import Batch
from ecqg.errors import InputError
from ecqg.files import read_as, write_json
from ecqg.params import Precision, Reranker
from ecqg.reading.model import take_over
from ecqg.reading.windows import TYPES
from ecqg.reranking.pairs import Form
from ecqg.training.weights import explain, load_model, save_model

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

SETTINGS = "reranker.json"


class _Settings(Struct):
    form: Form
    precision: Precision


@dataclass(frozen=True)
class CrossEncoder:
    """A `BertForSequenceClassification` with one label, its tokenizer and the form of its pairs."""

    model: Any
    tokenizer: PreTrainedTokenizerBase
    form: Form
    precision: Precision

    def scores(self, batch: Batch) -> torch.Tensor:
        """The scores of packed pairs, [n], as the model's own forward pass gives them."""
        bert = self.model.bert
        pooled = bert.pooler(cls_vectors(bert, batch)[:, None])
        logits: torch.Tensor = self.model.classifier(self.model.dropout(pooled))
        return logits[:, 0].float()


def start(folder: Path, settings: Reranker) -> CrossEncoder:
    """A cross-encoder that starts from an encoder; pooler and head are random.

    With `settings.layers` the encoder's lowest ones are kept, and further random ones come on top.
    Randomness is torch's global generator. Raises InputError as `load_encoder` does, and where
    the encoder has no positions for the pairs.
    """
    from transformers import BertForSequenceClassification

    form = Form(settings.max_tokens, settings.max_question_tokens, settings.mark_overlap)
    encoder, tokenizer = load_encoder(folder, dropout=settings.dropout)
    limit = encoder.config.max_position_embeddings
    if form.max_tokens > limit:
        raise InputError(
            f"reranker.max_tokens is {form.max_tokens}",
            file="params.yaml",
            remedy=f"it must be at most the encoder's {limit} positions",
        )
    config = copy.deepcopy(encoder.config)
    config.num_labels = 1
    config.num_hidden_layers = settings.layers or config.num_hidden_layers
    config.type_vocab_size = max(TYPES if form.mark_overlap else 2, config.type_vocab_size)
    model = BertForSequenceClassification(config)
    take_over(model.bert, encoder.state_dict())
    return CrossEncoder(model.eval(), tokenizer, form, settings.precision)


def save(cross_encoder: CrossEncoder, folder: Path) -> None:
    """Write weights (safetensors), configuration, tokenizer and how pairs are made and scored."""
    save_model(folder, cross_encoder.model, cross_encoder.tokenizer)
    settings = _Settings(cross_encoder.form, cross_encoder.precision)
    write_json(folder / SETTINGS, to_builtins(settings))


def load(folder: Path) -> CrossEncoder:
    """Read what `save` wrote. Raises InputError where it is not there or cannot be loaded."""
    from transformers import AutoTokenizer, BertForSequenceClassification

    if not (folder / SETTINGS).is_file():
        raise InputError("no re-ranker", file=folder, remedy="train one with 'ecqg train-reranker'")
    remedy = "train it again with 'ecqg train-reranker'"
    with explain("cannot be loaded", file=folder, remedy=remedy):
        model, report = load_model(BertForSequenceClassification, folder)
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        if missing := sorted(report["missing_keys"]):
            raise ValueError(f"weight {missing[0]} is missing")
    settings = read_as(folder / SETTINGS, _Settings, "no re-ranker's settings")
    return CrossEncoder(model.eval(), tokenizer, settings.form, settings.precision)
