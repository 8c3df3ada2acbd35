"""Generators as Hugging Face folders: config.json, model.safetensors and a fast tokenizer."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import torch

from ecqg.errors import InputError
from ecqg.params import Precision
from ecqg.questions.causal import Causal
from ecqg.questions.interface import Generator
from ecqg.questions.seq2seq import Seq2Seq
from ecqg.training.weights import explain, load_model

if TYPE_CHECKING:
    from transformers import PreTrainedModel, PreTrainedTokenizerBase


def load_generator(
    folder: str | Path,
    max_source_tokens: int,
    max_target_tokens: int,
    precision: Precision,
    device: torch.device,
    *,
    training: bool,
) -> Generator:
    """Load a Hugging Face folder, encoder-decoder or causal by its configuration.

    `training` says what for: it chooses the faster attention, not what is computed.
    Raises InputError as `load_parts`, and where the model has fewer positions than asked for.
    """
    model, tokenizer = load_parts(folder)
    # On a CPU, PyTorch's fused attention is the slower one to train (measured: 0.16 s a step
    # against 0.11 s for the default's sizes in bf16), but the faster one to sample with.
    model.set_attn_implementation("eager" if training and device.type == "cpu" else "sdpa")
    config = model.config
    needed = max(max_source_tokens, max_target_tokens)
    if not config.is_encoder_decoder:
        needed = max_source_tokens + max_target_tokens
    room = getattr(config, "max_position_embeddings", needed)
    if needed > room:
        raise InputError(
            f"has {room} positions, {needed} are asked for",
            file=folder,
            remedy="lower generator.max_source_tokens or generator.max_target_tokens",
        )
    build = Seq2Seq if config.is_encoder_decoder else Causal
    return build(model.to(device), tokenizer, max_source_tokens, max_target_tokens, precision)


def load_parts(folder: str | Path) -> tuple[PreTrainedModel, PreTrainedTokenizerBase]:
    """Model (in fp32, on the CPU) and tokenizer of a Hugging Face folder with safetensors.

    Raises InputError where the folder is missing, incomplete or no text generator.
    """
    from transformers import (
        AutoConfig,
        AutoModelForCausalLM,
        AutoModelForSeq2SeqLM,
        AutoTokenizer,
    )

    folder = Path(folder)
    for name in ("config.json", "tokenizer_config.json"):
        if not (folder / name).is_file():
            raise InputError(
                f"no {name}", file=folder, remedy="give a Hugging Face folder with safetensors"
            )
    with explain(
        "cannot be loaded as a generator",
        file=folder,
        remedy="give a Hugging Face folder with safetensors and a tokenizer",
    ):
        config = AutoConfig.from_pretrained(folder, local_files_only=True)
        kind = AutoModelForSeq2SeqLM if config.is_encoder_decoder else AutoModelForCausalLM
        model, report = load_model(kind, folder)
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        tokenizer.pad_token = tokenizer.pad_token or tokenizer.eos_token  # GPT-type: has none
    if report["missing_keys"]:
        raise InputError(
            f"lacks weight {min(report['missing_keys'])}",
            file=folder / "model.safetensors",
            remedy="give complete weights",
        )
    return model, tokenizer
