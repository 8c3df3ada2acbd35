"""Encoders as Hugging Face folders: config.json, model.safetensors and a fast tokenizer.

Weights are checked by name.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import torch
from msgspec import Struct
from torch import nn

from ecqg.encoder.architectures import ARCHITECTURES
from ecqg.encoder.folder import INDEX, model_type, weights_file
from ecqg.errors import InputError
from ecqg.files import read_as
from ecqg.training.weights import explain, load_model

if TYPE_CHECKING:
    from transformers import BertModel, PreTrainedModel, PreTrainedTokenizerBase

DPR = "dpr"  # the model type of Facebook's encoders, which are BERTs below the prefixes
DPR_PREFIX = r"^(?:ctx_encoder|question_encoder)\.(?:bert_model\.)?"


def load_encoder(
    folder: Path, *, dropout: float | None = None
) -> tuple[BertModel, PreTrainedTokenizerBase]:
    """Load a BERT-type encoder to train, as `load_backbone` does."""
    model, tokenizer = load_backbone(folder, ("bert",), dropout=dropout)
    return cast("BertModel", model), tokenizer


def load_backbone(
    folder: Path,
    kinds: Collection[str],
    *,
    dropout: float | None = None,
    beside: tuple[str, ...] = (),
) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """An encoder without its pooler, in fp32 on the CPU, and its tokenizer.

    `kinds` are the model types that will do; `dropout` replaces the configuration's
    probabilities; `beside` begins the names of weights that the caller reads itself. Raises
    InputError where a file is missing, the model type is another, or a weight is missing,
    superfluous or misshapen.
    """
    import transformers

    kind = model_type(folder)
    if kind not in kinds:
        remedy = f"give an encoder of the type {' or '.join(sorted(kinds))}"
        raise InputError(f"model_type is {kind}", file=folder / "config.json", remedy=remedy)
    name = {"roberta": "Roberta", "distilbert": "DistilBert"}.get(kind, "Bert")
    options: dict[str, Any] = {} if kind == "distilbert" else {"add_pooling_layer": False}
    names = ("hidden_dropout_prob", "attention_probs_dropout_prob")
    if kind == "distilbert":
        names = ("dropout", "attention_dropout")
    remedy = f"give the whole weights of a {kind} encoder, and its tokenizer"
    with explain("cannot be loaded", file=folder, remedy=remedy):
        config = getattr(transformers, f"{name}Config").from_pretrained(folder)
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)
        if kind == DPR:
            config.model_type, options["key_mapping"] = "bert", {DPR_PREFIX: ""}
            # All token types are 0, as in DPR's own code and Pyserini, unless a
            # tokenizer_config.json, such as our exports', says which names the model takes.
            if "model_input_names" not in tokenizer.init_kwargs:
                taken = tokenizer.model_input_names
                tokenizer.model_input_names = [n for n in taken if n != "token_type_ids"]
        if dropout is not None:
            config.update(dict.fromkeys(names, dropout))
        kind_of_model = getattr(transformers, f"{name}Model")
        model, report = load_model(kind_of_model, folder, config=config, **options)
        if (known := len(tokenizer)) > (rows := model.get_input_embeddings().num_embeddings):
            raise ValueError(f"the tokenizer has {known:,} tokens, the weights {rows:,}")
        if not isinstance(tokenizer.model_max_length, int | float):
            raise ValueError("model_max_length is no number")
        # What checkpoints carry beside the encoder; anything else unexpected is an error.
        expected = (*ARCHITECTURES[config.model_type], "embeddings.position_ids", *beside)
        prefix = rf"{DPR_PREFIX}|^{model.base_model_prefix}\."
        read = {key: re.sub(prefix, "", key) for key in report["unexpected_keys"]}
        unknown = [key for key, name in read.items() if not name.startswith(expected)]
        for keys, what in ((report["missing_keys"], "lacks"), (unknown, "has the unknown")):
            if keys:
                raise ValueError(f"{what} weight {min(keys)}, {len(keys)} in all")
    return model, tokenizer


class _Index(Struct):
    weight_map: dict[str, str]  # weight -> file


class Tensors:
    """The tensors of a folder's safetensors files, by name; one is read when it is taken."""

    def __init__(self, folder: Path) -> None:
        """Raises InputError where the folder has no safetensors file."""
        from safetensors import safe_open

        self._file = weights_file(folder)
        files = [self._file]
        if self._file.name == INDEX:
            of_weights = read_as(self._file, _Index, "no index of weights").weight_map
            files = [folder / name for name in sorted({*of_weights.values()})]
        self.files: dict[str, Path] = {}  # by tensor
        for file in files:
            with (
                explain("cannot be loaded", file=file, remedy="make it again"),
                safe_open(file, framework="pt") as tensors,
            ):
                self.files.update(dict.fromkeys(tensors.keys(), file))

    def take(self, name: str, *shape: int | None) -> torch.Tensor:
        """A tensor in fp32; None in `shape` stands for any size. Raises InputError otherwise."""
        from safetensors import safe_open

        if name not in self.files:
            remedy = "give the whole model's weights"
            raise InputError(f"lacks weight {name}", file=self._file, remedy=remedy)
        with safe_open(self.files[name], framework="pt") as tensors:
            tensor: torch.Tensor = tensors.get_tensor(name)
        if len(shape) != tensor.ndim or any(
            want not in (None, have) for want, have in zip(shape, tensor.shape, strict=True)
        ):
            what = f"weight {name} is {tuple(tensor.shape)}"
            remedy = f"it must be {tuple('any' if n is None else n for n in shape)}"
            raise InputError(what, file=self._file, remedy=remedy)
        return tensor.float()

    def linear(self, name: str, inputs: int, *, bias: bool = True) -> nn.Linear:
        """A linear layer of that many inputs, from NAME.weight and NAME.bias."""
        weight = self.take(f"{name}.weight", None, inputs)
        linear = nn.Linear(inputs, len(weight), bias=bias)
        linear.weight.data = weight
        if bias:
            linear.bias.data = self.take(f"{name}.bias", len(weight))
        return linear

    def norm(self, name: str, inputs: int) -> nn.LayerNorm:
        """A layer norm, from NAME.weight and NAME.bias."""
        norm = nn.LayerNorm(inputs)
        norm.weight.data = self.take(f"{name}.weight", inputs)
        norm.bias.data = self.take(f"{name}.bias", inputs)
        return norm
