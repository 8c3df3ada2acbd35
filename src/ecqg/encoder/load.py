"""Encoders as Hugging Face folders: config.json, model.safetensors and a fast tokenizer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, cast

from torch import nn

from ecqg.encoder.architectures import ARCHITECTURES
from ecqg.encoder.checkpoint import DPR, load_backbone, model_type
from ecqg.encoder.sentence_transformers import MODULES, load_sentence_transformer
from ecqg.encoder.tensors import Tensors
from ecqg.encoder.text_encoder import TextEncoder
from ecqg.files import read_record

if TYPE_CHECKING:
    from transformers import BertModel, PreTrainedTokenizerBase


def load_encoder(
    folder: str | Path, *, dropout: float | None = None
) -> tuple[BertModel, PreTrainedTokenizerBase]:
    """Load a BERT-type encoder to train: without its pooler, in fp32 on the CPU.

    `dropout` replaces the configuration's probabilities. Raises InputError where a file is
    missing, the architecture is another, or a weight is missing, superfluous or misshapen.
    """
    model, tokenizer = load_backbone(Path(folder), ("bert",), dropout=dropout)
    return cast("BertModel", model), tokenizer


def load_text_encoder(folder: str | Path) -> tuple[TextEncoder, PreTrainedTokenizerBase]:
    """Load any encoder that TextEncoder lists, ours or a public one, without dropout.

    Which it is stands in the folder: modules.json makes it one of sentence-transformers, the
    model type dpr one of Facebook's, weights called embeddingHead one of ANCE's. Facebook's have
    token type 0 everywhere, as in their training, unless the tokenizer's files name
    token_type_ids among model_input_names. Raises InputError as `load_encoder` does.
    """
    folder = Path(folder)
    if (folder / MODULES).is_file():
        return load_sentence_transformer(folder)
    kind = model_type(folder)
    tensors = Tensors(folder)
    beside: tuple[str, ...] = ()
    if kind == DPR and read_record(folder / "config.json").get("projection_dim", 0) > 0:
        beside = ("encode_proj.",)
    elif kind == "roberta" and "embeddingHead.weight" in tensors.names:
        beside = ("embeddingHead.", "norm.")
    backbone, tokenizer = load_backbone(folder, (*ARCHITECTURES, DPR), dropout=0.0, beside=beside)
    hidden = backbone.config.hidden_size
    head = nn.Sequential()
    if kind == DPR and beside:
        half = min(tensors.names).split(".")[0]  # ctx_encoder or question_encoder
        head.append(tensors.linear(f"{half}.encode_proj", hidden))
    elif beside:
        linear = tensors.linear("embeddingHead", hidden)
        head.extend([linear, tensors.norm("norm", linear.out_features)])
    return TextEncoder(backbone, "cls", head), tokenizer
