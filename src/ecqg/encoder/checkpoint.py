"""Reading a backbone and its tokenizer from a Hugging Face folder; weights are checked by name."""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ecqg.encoder.architectures import ARCHITECTURES
from ecqg.encoder.tensors import weights_file
from ecqg.errors import InputError
from ecqg.files import read_record
from ecqg.training.pretrained import explain, load_model

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase

TOKENIZERS = ("tokenizer.json", "vocab.txt", "vocab.json")
DPR = "dpr"  # the model type of Facebook's encoders, which are BERTs below the prefixes
TYPES = "token_type_ids"
DPR_PREFIX = r"^(?:ctx_encoder|question_encoder)\.(?:bert_model\.)?"


def model_type(folder: Path) -> str:
    """What config.json says. Raises InputError where the folder or a file of it is missing."""
    if not folder.is_dir():
        raise InputError("no such folder", file=folder, remedy="a Hugging Face folder is needed")
    for names in (("config.json",), TOKENIZERS):
        if not any((folder / name).is_file() for name in names):
            raise InputError(
                f"no {' or '.join(names)}",
                file=folder,
                remedy="an encoder folder has config.json, model.safetensors and tokenizer.json",
            )
    weights_file(folder)
    return str(read_record(folder / "config.json").get("model_type"))


def load_backbone(
    folder: Path,
    kinds: Collection[str],
    *,
    dropout: float | None = None,
    beside: tuple[str, ...] = (),
) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """An encoder without its pooler, in fp32 on the CPU, and its tokenizer.

    `kinds` are the model types that will do; `dropout` replaces the configuration's
    probabilities; `beside` begins the names of weights that the caller reads itself. The
    tokenizer of a DPR gives no token types, unless its files say that it does. Raises InputError
    where a file is missing, the model type is another, or a weight is missing, superfluous or
    misshapen.
    """
    from transformers import AutoTokenizer

    kind = model_type(folder)
    if kind not in kinds:
        raise InputError(
            f"model_type is {kind}",
            file=folder / "config.json",
            remedy=f"give an encoder of the type {' or '.join(sorted(kinds))}",
        )
    with explain("cannot be loaded", file=folder, remedy="make it again"):
        model, report = _load_model(folder, kind, dropout)
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        if kind == DPR:
            _leave_out_types(tokenizer)
        if (known := len(tokenizer)) > (rows := model.get_input_embeddings().num_embeddings):
            raise ValueError(f"the tokenizer has {known:,} tokens, the weights {rows:,}")
        if not isinstance(tokenizer.model_max_length, int | float):
            raise ValueError("model_max_length is no number")
    _check_weights(folder, model, report, beside)
    return model, tokenizer


def _load_model(
    folder: Path, kind: str, dropout: float | None
) -> tuple[PreTrainedModel, dict[str, Any]]:
    import transformers

    names = {"roberta": "Roberta", "distilbert": "DistilBert"}
    name = names.get(kind, "Bert")
    config = getattr(transformers, f"{name}Config").from_pretrained(folder)
    if kind == DPR:
        config.model_type = "bert"
    if dropout is not None:
        _set_dropout(config, dropout)
    return load_model(
        getattr(transformers, f"{name}Model"),
        folder,
        config=config,
        **({} if kind == "distilbert" else {"add_pooling_layer": False}),  # it has none
        **({"key_mapping": {DPR_PREFIX: ""}} if kind == DPR else {}),
    )


def _leave_out_types(tokenizer: PreTrainedTokenizerBase) -> None:
    """Make all token types 0, as DPR's own code does in training and in use.

    (Pyserini, which gives input_ids alone, so too.) A tokenizer_config.json with
    model_input_names, as our exports have, is taken at its word.
    """
    if "model_input_names" not in tokenizer.init_kwargs:
        names = tokenizer.model_input_names
        tokenizer.model_input_names = [name for name in names if name != TYPES]


def _set_dropout(config: Any, dropout: float) -> None:
    if config.model_type == "distilbert":
        config.dropout = config.attention_dropout = dropout
    else:
        config.hidden_dropout_prob = config.attention_probs_dropout_prob = dropout


def _check_weights(
    folder: Path, model: PreTrainedModel, report: dict[str, Any], beside: tuple[str, ...]
) -> None:
    kind = model.config.model_type
    # What checkpoints carry beside the encoder; anything else unexpected is an error.
    known = (*ARCHITECTURES[kind].ignored, "embeddings.position_ids", *beside)
    prefix = rf"{DPR_PREFIX}|^{model.base_model_prefix}\."
    superfluous = sorted(
        k for k in report["unexpected_keys"] if not re.sub(prefix, "", k).startswith(known)
    )
    for keys, what in ((sorted(report["missing_keys"]), "lacks"), (superfluous, "has the unknown")):
        if keys:
            raise InputError(
                f"{what} weight {keys[0]} ({len(keys)} in all)",
                file=weights_file(folder),
                remedy=f"give the weights of a {kind} encoder",
            )
