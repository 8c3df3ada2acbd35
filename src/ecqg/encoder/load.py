"""Encoders as Hugging Face folders: config.json, model.safetensors and a fast tokenizer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ecqg.errors import InputError

if TYPE_CHECKING:
    from transformers import BertModel, PreTrainedTokenizerBase

# What checkpoints of whole BERTs carry beside the encoder; anything else unexpected is an error.
HEADS = ("pooler.", "cls.", "embeddings.position_ids")


def load_encoder(
    folder: str | Path, *, dropout: float | None = None
) -> tuple[BertModel, PreTrainedTokenizerBase]:
    """Load a BERT-type encoder without its pooler, in fp32 on the CPU, and its tokenizer.

    `dropout` replaces the configuration's probabilities. Raises InputError where a file is
    missing, the architecture is another, or a weight is missing, superfluous or misshapen.
    """
    from transformers import AutoTokenizer, BertConfig, BertModel
    from transformers.utils import logging

    folder = Path(folder)
    _check_files(folder)
    logging.disable_progress_bar()
    logging.set_verbosity_error()  # its table of superfluous weights: we judge them below
    try:
        config = BertConfig.from_pretrained(folder)
        if dropout is not None:
            config.hidden_dropout_prob = config.attention_probs_dropout_prob = dropout
        model, report = BertModel.from_pretrained(
            folder,
            config=config,
            add_pooling_layer=False,
            use_safetensors=True,
            local_files_only=True,
            dtype="float32",
            output_loading_info=True,
        )
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        for key in ("is_local", "local_files_only"):  # how it was loaded, which saving would keep
            tokenizer.init_kwargs.pop(key, None)
    except Exception as error:  # safetensors, JSON and shape errors have no common class
        raise InputError(
            f"cannot be loaded ({str(error).splitlines()[0]})", file=folder, remedy="make it again"
        ) from error
    missing = sorted(report["missing_keys"])
    superfluous = sorted(
        k for k in report["unexpected_keys"] if not k.removeprefix("bert.").startswith(HEADS)
    )
    for keys, what in ((missing, "lacks"), (superfluous, "has the unknown")):
        if keys:
            raise InputError(
                f"{what} weight {keys[0]} ({len(keys)} in all)",
                file=folder / "model.safetensors",
                remedy="give the weights of a BERT-type encoder",
            )
    return model, tokenizer


def save_encoder(folder: str | Path, model: BertModel, tokenizer: PreTrainedTokenizerBase) -> None:
    """Write a folder that `transformers` alone can load; the same weights give the same bytes."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    model.config._name_or_path = ""
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


def _check_files(folder: Path) -> None:
    if not folder.is_dir():
        raise InputError("no such folder", file=folder, remedy="a Hugging Face folder is needed")
    weights = ("model.safetensors", "model.safetensors.index.json")
    for names in (("config.json",), weights, ("tokenizer.json", "vocab.txt")):
        if not any((folder / name).is_file() for name in names):
            raise InputError(
                f"no {' or '.join(names)}",
                file=folder,
                remedy="an encoder folder has config.json, model.safetensors and tokenizer.json",
            )
    from ecqg.files import read_json

    kind = read_json(folder / "config.json").get("model_type")
    if kind != "bert":
        raise InputError(
            f"model_type is {kind}", file=folder / "config.json", remedy="give a BERT-type encoder"
        )
